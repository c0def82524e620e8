package notify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

var loopbackNetworks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// parcel is what the gateway is asked to send.
type parcel struct {
	ID   string `json:"id"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// standIn is an SMS gateway that speaks the protocol: it checks the signature and the time, takes a message once
// however often it is sent, and refuses as it is told.
type standIn struct {
	*httptest.Server
	key    string
	taken  chan parcel
	mu     sync.Mutex
	names  map[string]bool
	status []int // of the next answers; after them all is taken
	asked  int
}

func newStandIn(t *testing.T, key string) *standIn {
	t.Helper()
	g := &standIn{key: key, taken: make(chan parcel, 100), names: map[string]bool{}}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *standIn) answer(status ...int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.status = status
}

func (g *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked++
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		http.Error(w, "no such call", http.StatusNotFound)
		return
	}
	mac := hmac.New(sha256.New, []byte(g.key))
	mac.Write([]byte(r.Header.Get("X-Timestamp") + "." + string(body)))
	if r.Header.Get("X-Signature") != hex.EncodeToString(mac.Sum(nil)) {
		http.Error(w, "bad signature", http.StatusUnauthorized)
		return
	}
	at, err := strconv.ParseInt(r.Header.Get("X-Timestamp"), 10, 64)
	if err != nil || time.Unix(at, 0).Year() != 2026 {
		http.Error(w, "bad time", http.StatusUnauthorized)
		return
	}
	if len(g.status) > 0 {
		status := g.status[0]
		g.status = g.status[1:]
		http.Error(w, "the number "+number+" is refused", status)
		return
	}
	var p parcel
	if err := json.Unmarshal(body, &p); err != nil || p.ID != r.Header.Get("Idempotency-Key") {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	if !g.names[p.ID] {
		g.names[p.ID] = true
		g.taken <- p
	}
	w.WriteHeader(http.StatusAccepted)
}

// How each answer of the gateway is understood.
func TestGatewayAnswers(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := newStandIn(t, "key")
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key"})
		for i, c := range []struct {
			status int
			state  string
			fine   bool
		}{
			{200, sent, true},
			{204, sent, true},
			{400, failed, false},
			{401, failed, false},
			{404, failed, false},
			{422, failed, false},
			{408, queued, false},
			{429, queued, false},
			{500, queued, false},
			{502, queued, false},
			{503, queued, false},
		} {
			h.send(t, short)
			if c.status >= 300 {
				g.answer(c.status)
			} else {
				g.answer()
			}
			err := h.deliver(t.Context(), int64(i+1), false)
			if (err == nil) != c.fine {
				t.Errorf("%d: %v", c.status, err)
			}
			if err != nil && (strings.Contains(err.Error(), number) || strings.Contains(err.Error(), text)) {
				t.Errorf("SE-15 the error tells who or what: %v", err)
			}
			h.check(t, int64(i+1), c.state)
		}
		if len(g.taken) != 2 {
			t.Errorf("%d were taken", len(g.taken))
		}
	})
}

func TestGatewayIsTriedAgain(t *testing.T) {
	t.Parallel()
	g := newStandIn(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	h.send(t, short)
	g.answer(500, 503)
	for i, fine := range []bool{false, false, true, true} {
		if err := h.deliver(t.Context(), 1, false); (err == nil) != fine {
			t.Errorf("attempt %d: %v", i, err)
		}
	}
	if g.asked != 3 || len(g.taken) != 1 {
		t.Errorf("asked %d times, %d taken", g.asked, len(g.taken))
	}
	h.check(t, 1, sent)

	h.send(t, short)
	g.answer(500)
	if err := h.deliver(t.Context(), 2, true); err == nil {
		t.Error("the last attempt failed and nobody is told")
	}
	h.check(t, 2, failed)
}

// A server that died after the gateway took a message sends it again under the same name: it arrives once.
func TestGatewayTakesAMessageOnce(t *testing.T) {
	t.Parallel()
	g := newStandIn(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	h.send(t, short)
	for range 2 {
		if err := h.deliver(t.Context(), 1, false); err != nil {
			t.Fatal(err)
		}
		if _, err := h.store.Writer.ExecContext(t.Context(), "UPDATE dispatch SET state = 'queued', body = 'again'"); err != nil {
			t.Fatal(err)
		}
	}
	if g.asked != 2 || len(g.taken) != 1 {
		t.Errorf("asked %d times, %d taken", g.asked, len(g.taken))
	}
}

func TestGatewayThatCannotBeReached(t *testing.T) {
	t.Parallel()
	g := newStandIn(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL + "/?key=hush", SMSKey: "key"})
	wrong := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "another"})
	wrong.send(t, short)
	if err := wrong.deliver(t.Context(), 1, false); err == nil {
		t.Error("a wrong signature is taken")
	}
	wrong.check(t, 1, failed)
	g.Close()
	h.send(t, short)
	err := h.deliver(t.Context(), 1, false)
	if err == nil {
		t.Fatal("sent to nobody")
	}
	h.check(t, 1, queued)
	for _, secret := range []string{"hush", number, text} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("SE-15 the error tells %q: %v", secret, err)
		}
	}
}

// The queue logs what failed: by then neither number nor text nor key may be in it.
func TestLogsTellNothing(t *testing.T) {
	t.Parallel()
	g := newStandIn(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	g.answer(400)
	h.send(t, short)
	h.run(t)
	for range 6000 {
		if h.row(t, 1).State != queued {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.check(t, 1, failed)
	log := h.log.String()
	if !strings.Contains(log, "400") {
		t.Errorf("the log does not say what failed: %s", log)
	}
	for _, secret := range []string{number, "912345678", "482913", `key"`} {
		if strings.Contains(log, secret) {
			t.Errorf("SE-15 the log tells %q: %s", secret, log)
		}
	}
}
