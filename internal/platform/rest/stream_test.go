package rest

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// serveStream serves a stream at /wps/stream. stop ends the server, and returns what Serve returned.
func serveStream(t *testing.T, log io.Writer, drain func(), run func(context.Context, *EventStream)) (url string, stop func() error) {
	t.Helper()
	a := newTestAPI(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
	Handle(a, Op{Method: http.MethodGet, Path: "/wps/stream", ID: "stream", Stream: true, ContentType: "text/event-stream"},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { ServeEvents(w, r, run) }))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- a.Serve(ctx, l, drain) }()
	return "http://" + l.Addr().String() + "/wps/stream", func() error {
		cancel()
		return <-served
	}
}

func TestServeEvents(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	url, stop := serveStream(t, io.Discard, func() {}, func(ctx context.Context, out *EventStream) {
		defer close(ended)
		if _, bounded := ctx.Deadline(); bounded {
			t.Error("the context of the stream has a deadline")
		}
		if got := AddressOf(ctx); got != "127.0.0.1" {
			t.Errorf("the address is %q in the stream, want 127.0.0.1", got)
		}
		if err := out.Send([]byte("data: 1\n\n")); err != nil {
			t.Error(err)
		}
		<-ctx.Done()
	})
	ctx, disconnect := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" || res.Header.Get("X-Content-Type-Options") != "nosniff" || res.Header.Get("Date") == "" {
		t.Errorf("got %s %v, want the headers of a stream", res.Status, res.Header)
	}
	event := make([]byte, len("data: 1\n\n"))
	if _, err := io.ReadFull(res.Body, event); err != nil || string(event) != "data: 1\n\n" {
		t.Errorf("got %q %v, want the first event", event, err)
	}
	disconnect()
	<-ended // the context ends when the client disconnects
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestServeWaitsForStreams(t *testing.T) {
	t.Parallel()
	started, drained := make(chan struct{}), make(chan struct{})
	url, stop := serveStream(t, io.Discard, func() { close(drained) }, func(_ context.Context, out *EventStream) {
		close(started)
		<-drained
		time.Sleep(50 * time.Millisecond)
		_ = out.Send([]byte("data: last\n\n"))
	})
	body := make(chan string, 1)
	go func() {
		res, err := http.Get(url)
		if err != nil {
			body <- err.Error()
			return
		}
		defer res.Body.Close()
		all, _ := io.ReadAll(res.Body)
		body <- string(all)
	}()
	<-started
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := <-body; got != "data: last\n\n" {
		t.Errorf("got %q, want the last event", got)
	}
}

func TestPanicEndsOnlyItsStream(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	url, stop := serveStream(t, &log, func() {}, func(context.Context, *EventStream) { panic("lost count") })
	for range 2 {
		res, err := http.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if got := strings.Count(log.String(), "lost count"); got != 2 {
		t.Errorf("the log has %d panics, want 2:\n%s", got, log.String())
	}
}
