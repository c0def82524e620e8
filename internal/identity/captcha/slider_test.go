package captcha_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/identity/captcha"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

var captchaOff = merchant.SwitchOf(spec.ModuleCaptcha, false)

// Expected response bodies.
const (
	success           = `{"success":true,"value":{}}`
	challengeInvalid  = `{"success":false,"message":"the request was refused","errorCode":"challenge.invalid","field":"challenge"}`
	challengeRequired = `{"success":false,"message":"the request is not valid","errorCode":"challenge.required","field":"challenge"}`
	accessDenied      = `{"success":false,"message":"not allowed","errorCode":"access.denied"}`
	puzzleInvalid     = `{"success":false,"message":"the request was refused","errorCode":"challenge.invalid","field":"id"}`
	limited           = `{"success":false,"message":"too many requests","errorCode":"rate.limited","args":{"seconds":"20"}}`
	unavailable       = `{"success":false,"message":"unavailable, try again later","errorCode":"system.unavailable","requestId":"(varies)"}`
)

type checkInput struct {
	Body struct {
		Challenge string `json:"challenge"`
	}
}

type imageInput struct {
	Cookie string `cookie:"captcha"`
	Body   struct {
		Captcha string `json:"captcha"`
	}
}

func checkRoutes(a *rest.API, s *captcha.Service) {
	rest.Typed(a, rest.Op{Method: http.MethodPost, Path: "/wps/check", ID: "check", Summary: "Check a challenge"},
		func(ctx context.Context, in *checkInput) (struct{}, error) {
			return struct{}{}, s.CheckChallenge(ctx, rest.NetworkOf(ctx), in.Body.Challenge)
		})
	rest.Typed(a, rest.Op{Method: http.MethodPost, Path: "/wps/check/image", ID: "checkImage", Summary: "Check an image"},
		func(ctx context.Context, in *imageInput) (struct{}, error) {
			return struct{}{}, s.CheckImage(ctx, in.Cookie, in.Body.Captcha)
		})
}

func (s *site) check(t *testing.T, challenge string) merchanttest.Reply {
	t.Helper()
	return s.Call(t, "POST", "/wps/check", map[string]string{"challenge": challenge})
}

type puzzle struct {
	ID                                             string
	Background, Piece                              string
	Width, Height, PieceWidth, PieceHeight, PieceY int
}

// puzzle requests a puzzle and returns its id and answer.
func (s *site) puzzle(t *testing.T) (id string, x float64) {
	t.Helper()
	p := merchanttest.Value[puzzle](t, s.Call(t, "GET", "/wps/captcha/slider", nil))
	var sealed struct {
		X int `json:"x"`
	}
	if _, err := s.keys.Unseal("captcha.slider", p.ID, &sealed); err != nil {
		t.Fatal(err)
	}
	return p.ID, float64(sealed.X)
}

type slid struct {
	ID string  `json:"id"`
	X  float64 `json:"x"`
}

func (s *site) slide(t *testing.T, id string, x float64) merchanttest.Reply {
	t.Helper()
	return s.Call(t, "POST", "/wps/captcha/slider", slid{id, x})
}

type passGrant struct{ Pass string }

func TestSlider(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store, nil)
		t.Run("RG-11 part (server): puzzle format", func(t *testing.T) {
			reply := s.Call(t, "GET", "/wps/captcha/slider", nil)
			merchanttest.Want(t, reply, 200,
				`{"success":true,"value":{"id":"(varies)","background":"(varies)","piece":"(varies)","pieceY":"(varies)",
				"width":320,"height":180,"pieceWidth":56,"pieceHeight":56,"expiresIn":60}}`, "id", "background", "piece", "pieceY")
			p := merchanttest.Value[puzzle](t, reply)
			if !strings.HasPrefix(p.Background, "data:image/jpeg;base64,") || !strings.HasPrefix(p.Piece, "data:image/png;base64,") {
				t.Errorf("background = %.30s, piece = %.30s, want a JPEG and a PNG", p.Background, p.Piece)
			}
			if reply.Header.Get("Set-Cookie") != "" {
				t.Error("the response sets a cookie")
			}
		})
		t.Run("right position returns a pass, valid once", func(t *testing.T) {
			id, x := s.puzzle(t)
			reply := s.slide(t, id, x+5)
			merchanttest.Want(t, reply, 200, `{"success":true,"value":{"pass":"(varies)","expiresIn":300}}`, "pass")
			pass := merchanttest.Value[passGrant](t, reply).Pass
			merchanttest.Want(t, s.check(t, " "+pass), 200, success)
			merchanttest.Want(t, s.check(t, pass), 422, challengeInvalid)
			merchanttest.Want(t, s.slide(t, id, x), 422, puzzleInvalid)
		})
		t.Run("LG-06 part (server): a wrong position uses the puzzle up", func(t *testing.T) {
			id, x := s.puzzle(t)
			merchanttest.Want(t, s.slide(t, id, x-5.5), 422, `{"success":false,"message":"the request was refused","errorCode":"challenge.missed"}`)
			merchanttest.Want(t, s.slide(t, id, x), 422, puzzleInvalid)
		})
		t.Run("expired puzzle and pass", func(t *testing.T) {
			id, x := s.puzzle(t)
			other, y := s.puzzle(t)
			pass := merchanttest.Value[passGrant](t, s.slide(t, other, y)).Pass
			s.Clock.Add(time.Minute)
			merchanttest.Want(t, s.slide(t, id, x), 422, puzzleInvalid)
			s.Clock.Add(4 * time.Minute)
			merchanttest.Want(t, s.check(t, pass), 422, challengeInvalid)
		})
		t.Run("tokens of one kind are rejected as another", func(t *testing.T) {
			id, x := s.puzzle(t)
			cookie, _ := s.image(t)
			merchanttest.Want(t, s.check(t, id), 422, challengeInvalid)
			merchanttest.Want(t, s.check(t, cookie), 422, challengeInvalid)
			merchanttest.Want(t, s.check(t, `{"lot_number":"1"}`), 422, challengeInvalid)
			merchanttest.Want(t, s.check(t, "  "), 400, challengeRequired)
			merchanttest.Want(t, s.slide(t, cookie, x), 422, puzzleInvalid)
		})
		for name, c := range map[string]struct{ body, field string }{
			"x missing":           {`{"id":"abc"}`, "x"},
			"empty id":            {`{"id":"","x":1}`, "id"},
			"x negative":          {`{"id":"abc","x":-1}`, "x"},
			"x too large":         {`{"id":"abc","x":1e9}`, "x"},
			"x of the wrong type": {`{"id":"abc","x":"12"}`, "x"},
			"unknown field":       {`{"id":"abc","x":12,"y":3}`, "y"},
			"id too long":         {`{"id":"` + strings.Repeat("a", 1025) + `","x":1}`, "id"},
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Want(t, s.Call(t, "POST", "/wps/captcha/slider", c.body), 400,
					`{"success":false,"message":"(varies)","errorCode":"request_param_err","field":"`+c.field+`"}`, "message")
			})
		}
	})
}

func TestPassIsBoundToItsNetwork(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	id, x := s.puzzle(t)
	pass := merchanttest.Value[passGrant](t, s.slide(t, id, x)).Pass
	if err := s.captchas.CheckChallenge(t.Context(), rest.NetworkOf(t.Context()), pass); err == nil { // a context without a request has no network
		t.Error("pass is valid on another network")
	}
	merchanttest.Want(t, s.check(t, pass), 200, success) // the failed check did not use the pass up
}

// A solved image does not replace the slider. No endpoint exchanges it for a pass.
func TestImageDoesNotReplaceSlider(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	cookie, answer := s.image(t)
	if reply := s.Call(t, "POST", "/wps/captcha/code", map[string]string{"captcha": answer}, "Cookie", "captcha="+cookie); reply.Status != http.StatusNotFound {
		t.Errorf("status = %d, want 404 for an unknown call: %s", reply.Status, reply.Body)
	}
	merchanttest.Want(t, s.check(t, cookie), 422, challengeInvalid)
	merchanttest.Want(t, s.check(t, answer), 422, challengeInvalid)
}

// Answers are counted in the database, so replicas share the limit.
func TestAnswersAreLimited(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			one := newSite(t, dbtest.Open(t, o), nil)
			two := newSite(t, dbtest.Open(t, o), nil)
			for range 15 {
				for _, s := range []*site{one, two} {
					if reply := s.slide(t, "abc", 1); reply.Status != http.StatusUnprocessableEntity {
						t.Fatalf("status = %d, want 422: %s", reply.Status, reply.Body)
					}
				}
			}
			merchanttest.Want(t, one.slide(t, "abc", 1), 429, limited)
			merchanttest.Want(t, two.slide(t, "abc", 1), 429, limited)
			two.Clock.Add(20 * time.Second)
			merchanttest.Want(t, two.slide(t, "abc", 1), 422, puzzleInvalid)
		})
	}
}

func TestNoPuzzleAfterClose(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t), nil)
	s.captchas.Close()
	s.captchas.Close() // Close is idempotent
	merchanttest.Want(t, s.Call(t, "GET", "/wps/captcha/slider", nil), 503, unavailable)
}
