package servertest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
)

// Streams starts a server on a local port and sends new events to its streams. stop ends the streams; it may be called again.
func (s *Site) Streams(t testing.TB) (baseURL string, stop func()) {
	t.Helper()
	if err := s.Server.Outbox.Start(t.Context()); err != nil { // skips what happened before
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Server.Outbox.Run(ctx) }()
	server := httptest.NewServer(s.Handler())
	stop = sync.OnceFunc(func() {
		cancel()
		<-done
		s.Server.Hub.Close()
		server.Close()
	})
	t.Cleanup(stop)
	return server.URL, stop
}

// News are the events of a stream: name, a space and data. The channel is closed when the stream ends.
type News <-chan string

// Listen opens an event stream. headers alternates names and values.
func Listen(t testing.TB, baseURL, path string, headers ...string) News {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, baseURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(r) //nolint:bodyclose // the goroutine closes it
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		res.Body.Close()
		t.Fatalf("%s: got %d, want 200", path, res.StatusCode)
	}
	news := make(chan string, 100)
	go func() {
		defer close(news)
		defer res.Body.Close()
		name := ""
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if event, found := strings.CutPrefix(lines.Text(), "event: "); found {
				name = event
			} else if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
				news <- name + " " + data
			}
		}
	}()
	return news
}

const lastEvent = "last"

// SendLast sends a last event to each recipient, so that Want knows that nothing more comes. Without recipients, it sends the event to all
// members and all operators.
func (s *Site) SendLast(t testing.TB, to ...events.Message) {
	t.Helper()
	if len(to) == 0 {
		to = []events.Message{{}, {Operators: true}}
	}
	for i := range to {
		to[i].Event, to[i].Data = lastEvent, json.RawMessage("{}")
	}
	err := s.Store.Write(t.Context(), func(tx *db.Tx) error { return s.Server.Outbox.Add(t.Context(), tx, s.Clock.Now(), to...) })
	if err != nil {
		t.Fatal(err)
	}
	s.Server.Outbox.Wake()
}

// Want checks the events that arrived before the last one and begin with one of the given texts.
func (n News) Want(t testing.TB, who string, beginnings []string, want ...string) {
	t.Helper()
	var got []string
	for event := range n {
		if strings.HasPrefix(event, lastEvent+" ") {
			if !slices.Equal(got, want) {
				t.Errorf("events of %s: got %q, want %q", who, got, want)
			}
			return
		}
		if slices.ContainsFunc(beginnings, func(text string) bool { return strings.HasPrefix(event, text) }) {
			got = append(got, event)
		}
	}
	t.Errorf("the stream of %s ended after %q, want %q", who, got, want)
}
