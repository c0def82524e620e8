package captcha_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

const geetestID, geetestKey = "54088bb07d2df3c46b79f80300b0abbe", "75d7c2c5d2c8e1b6"

// geetest is a fake Geetest server (version 4). It checks the signature and accepts one result.
type geetest struct {
	*httptest.Server
	requests atomic.Int64
	failure  atomic.Int64 // 1 for status 500, 2 for an error response, 3 for a response that is not JSON
}

func newGeetest(t *testing.T) *geetest {
	t.Helper()
	g := &geetest{}
	g.Server = httptest.NewServer(http.HandlerFunc(g.validate))
	t.Cleanup(g.Close)
	return g
}

func (g *geetest) validate(w http.ResponseWriter, r *http.Request) {
	g.requests.Add(1)
	respond := func(v map[string]any) { _ = json.NewEncoder(w).Encode(v) }
	switch g.failure.Load() {
	case 1:
		http.Error(w, "down", http.StatusInternalServerError)
		return
	case 2:
		respond(map[string]any{"status": "error", "code": "-50005", "msg": "illegal gen_time"})
		return
	case 3:
		_, _ = w.Write([]byte("<html>"))
		return
	}
	if r.Method != http.MethodPost || r.URL.Query().Get("captcha_id") != geetestID || r.ParseForm() != nil {
		respond(map[string]any{"status": "error", "code": "-50002", "msg": "not captcha_id"})
		return
	}
	mac := hmac.New(sha256.New, []byte(geetestKey))
	mac.Write([]byte(r.PostForm.Get("lot_number")))
	if r.PostForm.Get("sign_token") != hex.EncodeToString(mac.Sum(nil)) {
		respond(map[string]any{"status": "success", "result": "fail", "reason": "sign_token error", "captcha_args": map[string]any{}})
		return
	}
	if r.PostForm.Get("pass_token") != "good" || r.PostForm.Get("captcha_output") != "output" || r.PostForm.Get("gen_time") != "1773480413" {
		respond(map[string]any{"status": "success", "result": "fail", "reason": "pass_token expire", "captcha_args": map[string]any{}})
		return
	}
	respond(map[string]any{"status": "success", "result": "success", "reason": "", "captcha_args": map[string]any{"used_type": "slide"}})
}

func proof(lot, token string) string {
	text, _ := json.Marshal(map[string]string{
		"captcha_id": geetestID, "lot_number": lot, "captcha_output": "output", "pass_token": token, "gen_time": "1773480413",
	})
	return string(text)
}

func withGeetest(t *testing.T, store *db.Store, key string) (*site, *geetest) {
	t.Helper()
	g := newGeetest(t)
	return newSite(t, store, func(o *captcha.Options) {
		o.GeetestID, o.GeetestKey, o.GeetestURL = geetestID, key, g.URL+"/validate"
	}), g
}

func TestGeetest(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s, g := withGeetest(t, store, geetestKey)
		if name, id := s.captchas.Provider(); name != "geetest" || id != geetestID {
			t.Errorf("provider = %q, id %q, want geetest, %q", name, id, geetestID)
		}
		merchanttest.Want(t, s.check(t, proof("lot1", "good")), 200, success)
		merchanttest.Want(t, s.check(t, proof("lot1", "good")), 422, challengeInvalid) // replayed
		merchanttest.Want(t, s.check(t, proof("lot2", "bad")), 422, challengeInvalid)
		requests := g.requests.Load()
		for _, malformed := range []string{
			`{`, `{}`, `{"lot_number":""}`, `{"lot_number":1}`, `{"lot_number":"lot9","more":"x"}`,
			`{"captcha_id":"another","lot_number":"lot9"}`, proof("lot9", "good") + "{}",
		} {
			merchanttest.Want(t, s.check(t, malformed), 422, challengeInvalid)
		}
		if g.requests.Load() != requests {
			t.Error("a malformed challenge was sent to Geetest")
		}
		merchanttest.Want(t, s.check(t, ""), 400, challengeRequired)
		for i, lot := range []string{"lot3", "lot4", "lot5"} {
			g.failure.Store(int64(i + 1))
			merchanttest.Want(t, s.check(t, proof(lot, "good")), 503, unavailable)
		}
		g.failure.Store(0)
		merchanttest.Want(t, s.Call(t, "GET", "/wps/captcha/slider", nil), 403, accessDenied)
		merchanttest.Want(t, s.slide(t, "abc", 1), 403, accessDenied)
		t.Run("a pass earned by the built-in slider is rejected", func(t *testing.T) {
			own := newSite(t, store, nil)
			id, x := own.puzzle(t)
			merchanttest.Want(t, s.check(t, merchanttest.Value[passGrant](t, own.slide(t, id, x)).Pass), 422, challengeInvalid)
		})
	})
}

func TestGeetestWithWrongKey(t *testing.T) {
	t.Parallel()
	s, _ := withGeetest(t, dbtest.SQLite(t), "another")
	merchanttest.Want(t, s.check(t, proof("lot1", "good")), 422, challengeInvalid)
}

func TestBuiltInSliderIsDefault(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	if name, id := s.captchas.Provider(); name != "own" || id != "" {
		t.Errorf("provider = %q, id %q, want own and no id", name, id)
	}
}
