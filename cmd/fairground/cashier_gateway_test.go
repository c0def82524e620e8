package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/finance/gateway/sandbox"
)

// A survivingGateway is the sandbox gateway in the test's process. It outlives the servers that the test kills, and sends its
// notices to the server that runs at the moment.
type survivingGateway struct {
	code string
	url  string
	box  *sandbox.Gateway

	mu      sync.Mutex
	server  string        // host and port of the running server
	up      chan struct{} // closed while a server runs
	calls   map[string][]gateway.Payment
	replies []noticeReply
	booked  func() // called once after a payment or payout was booked, instead of an answer
	decided func() // called once after a notice was sent; its answer is lost
}

// A noticeReply is a server's answer to a notice.
type noticeReply struct {
	Code     string
	Replayed bool
}

// newSurvivingGateway creates a gateway with the code KILL on a demo installation.
func newSurvivingGateway(t *testing.T, args []string) *survivingGateway {
	t.Helper()
	g := &survivingGateway{code: "KILL", up: make(chan struct{}), calls: map[string][]gateway.Payment{}}
	web := httptest.NewServer(g)
	g.url = web.URL
	var key gateway.Key
	if err := json.Unmarshal([]byte(runCommand(t, "", args, "gateway", "create", "--code", g.code, "--name", "Gate", "--url", web.URL, "--currency", "VND")), &key); err != nil {
		t.Fatal(err)
	}
	g.box = sandbox.New(sandbox.Options{
		Code: g.code, KeyID: key.KeyID, Key: key.Key, Base: web.URL, Client: &http.Client{Transport: g}, Now: time.Now, Wait: g.wait, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(web.Close)
	t.Cleanup(g.box.Close)
	return g
}

// connect sets the running server.
func (g *survivingGateway) connect(address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.server = strings.TrimPrefix(address, "http://")
	close(g.up)
}

// disconnect makes notices wait for the next server, if this one is still the running one.
func (g *survivingGateway) disconnect(address string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.server != "" && g.server == strings.TrimPrefix(address, "http://") {
		g.server, g.up = "", make(chan struct{})
	}
}

// wait waits for a running server before a notice is sent again.
func (g *survivingGateway) wait(ctx context.Context, _ time.Duration) error {
	g.mu.Lock()
	up := g.up
	g.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-up:
		return nil
	}
}

// once returns a function that was set for one call.
func (g *survivingGateway) once(set *func()) func() {
	g.mu.Lock()
	defer g.mu.Unlock()
	fn := *set
	*set = nil
	return fn
}

// ServeHTTP passes a call to the sandbox gateway and records payments and payouts by their reference.
func (g *survivingGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.Method != http.MethodPost || !strings.HasPrefix(r.URL.Path, "/v1/") {
		g.box.ServeHTTP(w, r)
		return
	}
	var call gateway.Payment
	if err := json.Unmarshal(body, &call); err == nil {
		g.mu.Lock()
		g.calls[call.Reference] = append(g.calls[call.Reference], call)
		g.mu.Unlock()
	}
	if booked := g.once(&g.booked); booked != nil {
		g.box.ServeHTTP(httptest.NewRecorder(), r)
		booked()
		panic(http.ErrAbortHandler) // the answer is lost
	}
	g.box.ServeHTTP(w, r)
}

// RoundTrip sends a notice to the running server.
func (g *survivingGateway) RoundTrip(r *http.Request) (*http.Response, error) {
	g.mu.Lock()
	server := g.server
	g.mu.Unlock()
	if server == "" {
		return nil, errors.New("no server runs")
	}
	r = r.Clone(r.Context())
	r.URL.Host = server
	if decided := g.once(&g.decided); decided != nil {
		var sent sync.WaitGroup
		sent.Go(func() {
			if res, err := http.DefaultTransport.RoundTrip(r); err == nil {
				_ = res.Body.Close() // the answer is lost
			}
		})
		decided()
		sent.Wait()
		g.disconnect(server)
		return nil, errors.New("the answer is lost")
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		g.disconnect(server) // it was killed
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		g.disconnect(server)
		return nil, err
	}
	var reply noticeReply
	if json.Unmarshal(body, &reply) == nil {
		g.mu.Lock()
		g.replies = append(g.replies, reply)
		g.mu.Unlock()
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// pay pays a payment, unless it is paid already.
func (g *survivingGateway) pay(t *testing.T, reference string) {
	t.Helper()
	address := g.url + path.Join("/pay", reference)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(url.Values{"mode": {sandbox.Pay}}.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := noRedirects.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.Body.Close(); res.StatusCode != http.StatusSeeOther {
		t.Fatalf("pay %s: %d, want 303", reference, res.StatusCode)
	}
}

// callsOf returns the calls with a reference, and the number of all references.
func (g *survivingGateway) callsOf(reference string) (calls []gateway.Payment, references int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls[reference], len(g.calls)
}

// takeReplies returns the answers to notices since the last call.
func (g *survivingGateway) takeReplies() []noticeReply {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := g.replies
	g.replies = nil
	return all
}
