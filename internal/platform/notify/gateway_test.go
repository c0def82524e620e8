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

type smsRequest struct {
	ID   string `json:"id"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// fakeGateway is an SMS gateway. It checks signature and time, and accepts each idempotency key once.
type fakeGateway struct {
	*httptest.Server
	key      string
	accepted chan smsRequest
	mu       sync.Mutex
	ids      map[string]bool
	failures []int // statuses of the next responses; after them the gateway accepts
	requests int
}

func newFakeGateway(t *testing.T, key string) *fakeGateway {
	t.Helper()
	g := &fakeGateway{key: key, accepted: make(chan smsRequest, 100), ids: map[string]bool{}}
	g.Server = httptest.NewServer(g)
	t.Cleanup(g.Close)
	return g
}

func (g *fakeGateway) failWith(statuses ...int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failures = statuses
}

func (g *fakeGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.requests++
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
	if len(g.failures) > 0 {
		status := g.failures[0]
		g.failures = g.failures[1:]
		http.Error(w, "the number "+number+" is refused", status)
		return
	}
	var p smsRequest
	if err := json.Unmarshal(body, &p); err != nil || p.ID != r.Header.Get("Idempotency-Key") {
		http.Error(w, "bad body", http.StatusBadRequest)
		return
	}
	if !g.ids[p.ID] {
		g.ids[p.ID] = true
		g.accepted <- p
	}
	w.WriteHeader(http.StatusAccepted)
}

func TestGatewayStatusDecidesState(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		g := newFakeGateway(t, "key")
		h := open(t, store, Options{SMSURL: g.URL, SMSKey: "key"})
		for i, c := range []struct {
			status int
			state  string
			ok     bool
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
			h.send(t, sampleSMS)
			if c.status >= 300 {
				g.failWith(c.status)
			} else {
				g.failWith()
			}
			err := h.deliver(t.Context(), int64(i+1), false)
			if (err == nil) != c.ok {
				t.Errorf("status %d: deliver returned %v, want %v", c.status, err, c.ok)
			}
			if err != nil && (strings.Contains(err.Error(), number) || strings.Contains(err.Error(), text)) {
				t.Errorf("SE-15 the error contains the recipient or the text: %v", err)
			}
			h.check(t, int64(i+1), c.state)
		}
		if len(g.accepted) != 2 {
			t.Errorf("%d messages accepted, want 2", len(g.accepted))
		}
	})
}

func TestGatewayIsRetried(t *testing.T) {
	t.Parallel()
	g := newFakeGateway(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	h.send(t, sampleSMS)
	g.failWith(500, 503)
	for i, ok := range []bool{false, false, true, true} {
		if err := h.deliver(t.Context(), 1, false); (err == nil) != ok {
			t.Errorf("attempt %d: %v, want %v", i, err, ok)
		}
	}
	if g.requests != 3 || len(g.accepted) != 1 {
		t.Errorf("%d requests, %d accepted", g.requests, len(g.accepted))
	}
	h.check(t, 1, sent)

	h.send(t, sampleSMS)
	g.failWith(500)
	if err := h.deliver(t.Context(), 2, true); err == nil {
		t.Error("the last attempt failed without an error")
	}
	h.check(t, 2, failed)
}

// A server that crashes after the gateway accepted a message sends it again with the same key.
func TestGatewayAcceptsMessageOnce(t *testing.T) {
	t.Parallel()
	g := newFakeGateway(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	h.send(t, sampleSMS)
	for range 2 {
		if err := h.deliver(t.Context(), 1, false); err != nil {
			t.Fatal(err)
		}
		if _, err := h.store.Writer.ExecContext(t.Context(), "UPDATE dispatch SET state = 'queued', body = 'again'"); err != nil {
			t.Fatal(err)
		}
	}
	if g.requests != 2 || len(g.accepted) != 1 {
		t.Errorf("%d requests, %d accepted", g.requests, len(g.accepted))
	}
}

func TestUnreachableGateway(t *testing.T) {
	t.Parallel()
	g := newFakeGateway(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL + "/?key=urlsecret", SMSKey: "key"})
	wrong := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "another"})
	wrong.send(t, sampleSMS)
	if err := wrong.deliver(t.Context(), 1, false); err == nil {
		t.Error("a wrong signature was accepted")
	}
	wrong.check(t, 1, failed)
	g.Close()
	h.send(t, sampleSMS)
	err := h.deliver(t.Context(), 1, false)
	if err == nil {
		t.Fatal("deliver succeeded without a gateway")
	}
	h.check(t, 1, queued)
	for _, secret := range []string{"urlsecret", number, text} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("SE-15 the error contains %q: %v", secret, err)
		}
	}
}

func TestLogContainsNoSecrets(t *testing.T) {
	t.Parallel()
	g := newFakeGateway(t, "key")
	h := open(t, dbtest.SQLite(t), Options{SMSURL: g.URL, SMSKey: "key"})
	g.failWith(400)
	h.send(t, sampleSMS)
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
		t.Errorf("log lacks the status 400: %s", log)
	}
	for _, secret := range []string{number, "912345678", "482913", `key"`} {
		if strings.Contains(log, secret) {
			t.Errorf("SE-15 the log contains %q: %s", secret, log)
		}
	}
}
