package events

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/rest"
)

// sessions accepts the tokens m1 and m2 of merchant 7, and x1 of merchant 8.
type sessions struct{ renewed, ended, unavailable atomic.Bool }

func (s *sessions) Alive(_ context.Context, sessionID int64) (bool, error) {
	if s.unavailable.Load() {
		return false, errors.New("database unavailable")
	}
	return sessionID > 100 && !s.ended.Load(), nil
}

func (s *sessions) Authenticate(_ context.Context, token string) (rest.Caller, error) {
	if s.renewed.Load() {
		return rest.Caller{}, rest.ErrTokenInvalid
	}
	switch token {
	case "m1":
		return rest.Caller{SessionID: 101, MemberID: 1, MerchantID: 7}, nil
	case "m2":
		return rest.Caller{SessionID: 102, MemberID: 2, MerchantID: 7}, nil
	case "x1":
		return rest.Caller{SessionID: 103, MemberID: 3, MerchantID: 8}, nil
	default:
		return rest.Caller{}, rest.ErrTokenInvalid
	}
}

func newHub() *Hub {
	return &Hub{members: map[string][]*stream{}, operators: map[string]struct{}{}, networks: map[string][]*stream{}}
}

func newServer(t *testing.T, h *Hub) *httptest.Server {
	t.Helper()
	return newServerWithSessions(t, h, &sessions{})
}

func newServerWithSessions(t *testing.T, h *Hub, who *sessions) *httptest.Server {
	t.Helper()
	a, err := rest.New(rest.Options{Authenticator: who})
	if err != nil {
		t.Fatal(err)
	}
	Routes(a, h, who, nil)
	s := httptest.NewServer(a.Handler())
	t.Cleanup(s.Close)
	t.Cleanup(h.Close) // before s.Close, which waits for streams
	return s
}

func open(t *testing.T, s *httptest.Server, token string) (items chan string, disconnect func()) {
	t.Helper()
	return openAt(t, s, "/wps/events", "Authorization", token)
}

// openAt opens a stream with a header that authenticates it.
func openAt(t *testing.T, s *httptest.Server, path, header, value string) (items chan string, disconnect func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(header, value)
	res, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" || !strings.Contains(res.Header.Get("Cache-Control"), "no-transform") {
		t.Fatalf("got %s %v, want 200, text/event-stream and no-transform", res.Status, res.Header)
	}
	items = make(chan string, 200)
	lines := bufio.NewReader(res.Body)
	if head, err := lines.ReadString('\n'); err != nil || head != "retry: 3000\n" {
		t.Fatalf("the stream begins with %q, %v, want %q", head, err, "retry: 3000\n")
	}
	go func() {
		defer close(items)
		defer res.Body.Close()
		var item strings.Builder
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			switch {
			case strings.HasPrefix(line, ":"):
			case line == "\n" && item.Len() > 0:
				items <- item.String()
				item.Reset()
			case line != "\n":
				item.WriteString(line)
			}
		}
	}()
	return items, cancel
}

func next(t *testing.T, items chan string) (string, bool) {
	t.Helper()
	select {
	case item, ok := <-items:
		return item, ok
	case <-time.After(time.Minute):
		t.Fatal("timed out waiting for an event")
		return "", false
	}
}

func publish(h *Hub, messages ...Message) {
	raw, err := json.Marshal(messages)
	if err != nil {
		panic(err)
	}
	h.deliver(raw)
}

func TestStreamsReceiveTheirMessages(t *testing.T) {
	t.Parallel()
	h := newHub()
	s := newServer(t, h)
	one, _ := open(t, s, "m1")
	oneAgain, _ := open(t, s, "m1")
	two, _ := open(t, s, "m2")
	stranger, _ := open(t, s, "x1")
	publish(h,
		Message{Member: "1", Event: "balance", Data: json.RawMessage(`{"balance": 5,
			"version":1}`)},
		Message{Merchant: "7", Event: "notice", Data: json.RawMessage(`"all of 7"`)},
		Message{Merchant: "8", Member: "1", Event: "balance", Data: json.RawMessage(`"not this one"`)},
		Message{Event: "end", Data: json.RawMessage(`null`)},
	)
	mine := []string{"event: balance\ndata: {\"balance\":5,\"version\":1}\n", "event: notice\ndata: \"all of 7\"\n", "event: end\ndata: null\n"}
	for name, stream := range map[string]struct {
		items chan string
		want  []string
	}{"one": {one, mine}, "one again": {oneAgain, mine}, "two": {two, mine[1:]}, "stranger": {stranger, mine[2:]}} {
		for _, want := range stream.want {
			if got, _ := next(t, stream.items); got != want {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
}

func TestStreamRequiresSession(t *testing.T) {
	t.Parallel()
	s := newServer(t, newHub())
	res, err := s.Client().Get(s.URL + "/wps/events")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without a session: %s, want 401", res.Status)
	}
}

func TestSessionEndEndsStreams(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	h, err := NewHub(bus, nil)
	if err != nil {
		t.Fatal(err)
	}
	who := &sessions{}
	s := newServerWithSessions(t, h, who)
	one, _ := open(t, s, "m1")
	two, _ := open(t, s, "m2")
	notifySessionEnded := func(e SessionEnded) {
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		bus.Notify(SubjectSessionEnded, raw)
	}
	// A message about all of a member's sessions may arrive late: a newer session continues.
	notifySessionEnded(SessionEnded{Member: "2"})
	publish(h, Message{Member: "2", Event: "x", Data: json.RawMessage(`1`)})
	if got, _ := next(t, two); got != "event: x\ndata: 1\n" {
		t.Fatalf("newer session got %q, want %q", got, "event: x\ndata: 1\n")
	}
	who.ended.Store(true)
	for who, e := range map[chan string]SessionEnded{one: {Session: "101", Member: "1"}, two: {Member: "2"}} {
		notifySessionEnded(e)
		if got, _ := next(t, who); got != "event: session\ndata: {\"state\":\"ended\"}\n" {
			t.Errorf("%+v: got %q, want %q", e, got, "event: session\ndata: {\"state\":\"ended\"}\n")
		}
		if _, more := next(t, who); more {
			t.Errorf("%+v: stream did not end", e)
		}
	}
}

func TestMaxStreamsPerMember(t *testing.T) {
	t.Parallel()
	h := newHub()
	s := newServer(t, h)
	first, _ := open(t, s, "m1")
	for range MaxStreamsPerMember - 1 {
		open(t, s, "m1")
	}
	if n := h.Open(); n != MaxStreamsPerMember {
		t.Fatalf("%d streams are open, want %d", n, MaxStreamsPerMember)
	}
	last, _ := open(t, s, "m1")
	if got, _ := next(t, first); got != "event: replaced\ndata: {}\n" {
		t.Errorf("the oldest got %q, want %q", got, "event: replaced\ndata: {}\n")
	}
	if _, more := next(t, first); more {
		t.Error("the oldest stream did not end")
	}
	publish(h, Message{Member: "1", Event: "x", Data: json.RawMessage(`1`)})
	if got, _ := next(t, last); got != "event: x\ndata: 1\n" {
		t.Errorf("the newest got %q, want %q", got, "event: x\ndata: 1\n")
	}
	if n := h.Open(); n != MaxStreamsPerMember {
		t.Errorf("%d streams are open, want %d", n, MaxStreamsPerMember)
	}
}

func TestClosedHubRejectsStreams(t *testing.T) {
	t.Parallel()
	h := newHub()
	s := newServer(t, h)
	one, _ := open(t, s, "m1")
	h.Close()
	if _, more := next(t, one); more {
		t.Error("stream did not end")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/wps/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "m1")
	res, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("new stream: %s, want 503", res.Status)
	}
}

func TestDisconnectRemovesStream(t *testing.T) {
	t.Parallel()
	h := newHub()
	s := newServer(t, h)
	_, disconnect := open(t, s, "m1")
	disconnect()
	for wait := 0; h.Open() > 0; wait++ {
		if wait > 6000 {
			t.Fatal("stream was not removed")
		}
		time.Sleep(10 * time.Millisecond)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.members) != 0 {
		t.Error("member was not removed")
	}
}

func TestSlowReaderIsDisconnected(t *testing.T) {
	t.Parallel()
	h := newHub()
	slow, err := h.add("7", "1", "101")
	if err != nil {
		t.Fatal(err)
	}
	for range streamBuffer + 1 {
		publish(h, Message{Member: "1", Event: "x", Data: json.RawMessage(`1`)})
	}
	select {
	case <-slow.done:
	default:
		t.Error("slow reader was not disconnected")
	}
}

// A recorder is a browser that records everything that it receives.
type recorder struct {
	mu     sync.Mutex
	header http.Header
	text   strings.Builder
	stuck  bool
	status int
}

func (p *recorder) Header() http.Header                { return p.header }
func (p *recorder) WriteHeader(status int)             { p.status = status }
func (p *recorder) FlushError() error                  { return nil }
func (p *recorder) SetWriteDeadline(_ time.Time) error { return nil }
func (p *recorder) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stuck {
		return 0, errors.New("i/o timeout")
	}
	return p.text.Write(b)
}

func (p *recorder) count(s string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Count(p.text.String(), s)
}

// listen opens a stream of session 101. done is closed when the stream ends.
func listen(t *testing.T, h *Hub, who *sessions) (page *recorder, done chan struct{}) {
	t.Helper()
	a, err := rest.New(rest.Options{Authenticator: who})
	if err != nil {
		t.Fatal(err)
	}
	Routes(a, h, who, nil)
	page, done = &recorder{header: http.Header{}}, make(chan struct{})
	r := httptest.NewRequest(http.MethodGet, "/wps/events", nil)
	r.Header.Set("Authorization", "m1")
	go func() { defer close(done); a.Handler().ServeHTTP(page, r) }()
	synctest.Wait()
	return page, done
}

func TestHeartbeatAndExpiredSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, who := newHub(), &sessions{}
		page, done := listen(t, h, who)
		time.Sleep(5*time.Minute + time.Second)
		if n := page.count(": beat"); n != 15 {
			t.Errorf("%d heartbeats in five minutes, want 15", n)
		}
		who.renewed.Store(true) // the stream's token is invalid, but the session continues
		who.unavailable.Store(true)
		time.Sleep(5 * time.Minute)
		who.unavailable.Store(false)
		time.Sleep(5 * time.Minute)
		if n := page.count(": beat"); n != 45 || page.count("event: session") != 0 {
			t.Errorf("stream of a renewed session: %d heartbeats, want 45 and no end", n)
		}
		who.ended.Store(true)
		time.Sleep(recheckInterval + time.Second)
		select {
		case <-done:
		default:
			t.Fatal("stream of an expired session did not end")
		}
		if page.count("event: session") != 1 {
			t.Error("no session event was sent")
		}
	})
}

// The session may end between the request's check and the stream's start.
func TestStreamOfEndedSession(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, who := newHub(), &sessions{}
		who.ended.Store(true)
		page, done := listen(t, h, who)
		<-done
		if page.status != http.StatusUnauthorized || page.count("user.or.token.invalid") != 1 || h.Open() != 0 {
			t.Errorf("status %d, %d streams, %q, want 401, none and user.or.token.invalid", page.status, h.Open(), page.text.String())
		}
	})
}

func TestStalledBrowserIsDisconnected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		page, done := listen(t, h, &sessions{})
		page.mu.Lock()
		page.stuck = true
		page.mu.Unlock()
		time.Sleep(heartbeat + time.Second)
		<-done
		if h.Open() != 0 {
			t.Error("stream was not removed")
		}
	})
}
