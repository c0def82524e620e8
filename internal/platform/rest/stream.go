package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"
)

const (
	eventTimeout   = 10 * time.Second // for a client that does not read
	maxStreamInput = 4 << 10          // what a client may send during a stream
)

// An EventStream sends events to one client.
type EventStream struct {
	conn net.Conn            // nil if net/http keeps the connection
	w    http.ResponseWriter // used without conn
}

// ServeEvents answers a request with an event stream, which run fills. The stream ends when run returns. The context of run
// has no timeout. It ends when the client disconnects, and keeps the values of the request.
//
// ServeEvents takes the connection from net/http, whose buffers and stack need more memory than the rest of the stream. It
// then returns before run. Where net/http keeps the connection, ServeEvents returns after run.
func ServeEvents(w http.ResponseWriter, r *http.Request, run func(context.Context, *EventStream)) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no") // disables proxy buffering
	x := exchangeOf(r.Context())
	conn, _, err := http.NewResponseController(w).Hijack()
	if errors.Is(err, http.ErrNotSupported) {
		run(x.streamContext(), &EventStream{w: w})
		return
	}
	if err != nil {
		x.err = fmt.Errorf("take over the connection: %w", err)
		return
	}
	head := responseHead(h, x.api.now())
	own := x.withoutRequest()
	x.api.streams.Go(func() { own.serveEvents(conn, head, run) })
}

// responseHead returns the head of a response that ends with its connection.
func responseHead(h http.Header, now time.Time) []byte {
	var b bytes.Buffer
	b.WriteString("HTTP/1.1 200 OK\r\nConnection: close\r\nDate: " + now.UTC().Format(http.TimeFormat) + "\r\n")
	_ = h.Write(&b) // a bytes.Buffer does not fail
	b.WriteString("\r\n")
	return b.Bytes()
}

// streamContext returns a context without the timeout of the call, which also limits what comes before a stream.
func (x *exchange) streamContext() context.Context {
	return context.WithValue(x.serverContext, exchangeKey{}, x)
}

// withoutRequest returns a copy that does not refer to the request, whose memory a stream would keep.
func (x *exchange) withoutRequest() *exchange {
	own := *x
	own.recorder, own.serverContext, own.request, own.token = recorder{}, context.Background(), nil, ""
	own.device, own.language = strings.Clone(x.device), strings.Clone(x.language)
	return &own
}

// serveEvents runs a stream on its connection and closes it.
func (x *exchange) serveEvents(conn net.Conn, head []byte, run func(context.Context, *EventStream)) {
	ctx, cancel := context.WithCancel(x.streamContext())
	defer func() {
		if reason := recover(); reason != nil {
			x.api.log.LogAttrs(ctx, slog.LevelError, "panic",
				slog.String("request", x.id), slog.Any("panic", reason), slog.String("stack", string(debug.Stack())))
		}
		cancel()
		_ = conn.Close() // the stream ends either way
	}()
	s := &EventStream{conn: conn}
	if s.Send(head) != nil {
		return
	}
	go func() {
		defer cancel()
		waitForDisconnect(conn)
	}()
	run(ctx, s)
}

// waitForDisconnect reads until the client disconnects or has sent too much.
func waitForDisconnect(conn net.Conn) {
	b := make([]byte, 64)
	for total := 0; total < maxStreamInput; {
		n, err := conn.Read(b)
		if err != nil {
			return
		}
		total += n
	}
}

// Send sends encoded events. It fails if the client does not read for some seconds.
func (s *EventStream) Send(p []byte) error {
	if s.conn != nil {
		if err := s.conn.SetWriteDeadline(time.Now().Add(eventTimeout)); err != nil {
			return err
		}
		_, err := s.conn.Write(p)
		return err
	}
	control := http.NewResponseController(s.w)
	if err := control.SetWriteDeadline(time.Now().Add(eventTimeout)); err != nil {
		return err
	}
	if _, err := s.w.Write(p); err != nil {
		return err
	}
	return control.Flush()
}
