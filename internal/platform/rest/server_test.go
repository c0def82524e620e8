package rest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener with in-memory connections, so that synctest controls their deadlines.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

func (p *pipes) dial() net.Conn {
	client, server := net.Pipe()
	p.conns <- server
	return client
}

// serveDuring serves an API on pipes while test runs.
func serveDuring(t *testing.T, a *API, test func(p *pipes)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := newPipes()
	done := make(chan error, 1)
	go func() { done <- a.Serve(ctx, p, func() {}) }()
	test(p)
	stop()
	if err := <-done; err != nil {
		t.Errorf("got %v, want no error", err)
	}
}

func TestSlowRequests(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		input    string
		minTime  time.Duration // until the server closes the connection
		maxTime  time.Duration
		response string
	}{
		{"FT-08 header that never ends", "POST /wps/echo HTTP/1.1\r\nHost: x\r\n", 9 * time.Second, 11 * time.Second, ""},
		{"FT-08 body that never arrives", "POST /wps/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{", 4 * time.Second, 11 * time.Second, "request.timeout"},
		{"idle connection", "GET /wps/none HTTP/1.1\r\nHost: x\r\n\r\n", time.Minute, 3 * time.Minute, "route.unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := newTestAPI(t, nil)
				addEcho(a, Op{Path: "/wps/echo"})
				serveDuring(t, a, func(p *pipes) {
					conn := p.dial()
					defer conn.Close()
					go func() { _, _ = io.WriteString(conn, tt.input) }()
					start := time.Now()
					response, _ := io.ReadAll(conn) // until the server closes the connection
					if took := time.Since(start); took < tt.minTime || took > tt.maxTime {
						t.Errorf("the server closed the connection after %v, want %v to %v", took, tt.minTime, tt.maxTime)
					}
					if !strings.Contains(string(response), tt.response) {
						t.Errorf("response = %q, want %q", response, tt.response)
					}
				})
			})
		})
	}
}

func TestSlowRequestsDoNotDelayOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newTestAPI(t, nil)
		addGet(a, "/wps/quick", Public, func(context.Context) (bool, error) { return true, nil })
		serveDuring(t, a, func(p *pipes) {
			for range 50 {
				slow := p.dial()
				defer slow.Close()
				go func() { _, _ = io.WriteString(slow, "GET /wps/quick HTTP/1.1\r\n") }()
			}
			conn := p.dial()
			defer conn.Close()
			start := time.Now()
			go func() { _, _ = fmt.Fprint(conn, "GET /wps/quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }()
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || res.StatusCode != http.StatusOK || time.Since(start) > time.Second {
				t.Errorf("%v after %v, want 200 within a second", err, time.Since(start))
			}
			_ = res.Body.Close()
		})
	})
}

func TestOversizedHeaderIsRejected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		serveDuring(t, newTestAPI(t, nil), func(p *pipes) {
			conn := p.dial()
			defer conn.Close()
			go func() {
				_, _ = fmt.Fprintf(conn, "GET /wps/x HTTP/1.1\r\nHost: x\r\nA: %s\r\n\r\n", strings.Repeat("a", 1<<20))
			}()
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
				t.Errorf("got %v (%v), want 431", res, err)
			}
		})
	})
}

func TestShutdownEndsStreamsAndFinishesRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newTestAPI(t, nil)
		streams := make(chan struct{})
		Handle(a, Op{Method: http.MethodGet, Path: "/wps/stream", ID: "stream", Timeout: -1}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			<-streams
		}))
		addGet(a, "/wps/work", Public, func(context.Context) (string, error) {
			time.Sleep(3 * time.Second)
			return "done", nil
		})
		ctx, stop := context.WithCancel(t.Context())
		p := newPipes()
		done := make(chan error, 1)
		go func() { done <- a.Serve(ctx, p, func() { close(streams) }) }()
		answers := make(chan string, 2)
		for _, path := range []string{"/wps/stream", "/wps/work"} {
			conn := p.dial()
			go func() { _, _ = fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path) }()
			go func() {
				res, err := http.ReadResponse(bufio.NewReader(conn), nil)
				if err != nil {
					answers <- err.Error()
					return
				}
				body, _ := io.ReadAll(res.Body)
				answers <- string(body)
			}()
		}
		synctest.Wait()
		start := time.Now()
		stop()
		if err := <-done; err != nil {
			t.Errorf("got %v, want no error", err)
		}
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("shutdown took %v, want at most 4s", took)
		}
		got := []string{<-answers, <-answers}
		if !strings.Contains(strings.Join(got, " "), `"done"`) {
			t.Errorf("the request in progress was not finished: %q", got)
		}
	})
}
