package rest

import (
	"bufio"
	"context"
	"errors"
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

// pipes is a listener whose connections live in memory, so that a bubble's clock rules their deadlines.
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

// serving runs an API on pipes until the test's function ends.
func serving(t *testing.T, a *API, test func(p *pipes)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	p := newPipes()
	done := make(chan error, 1)
	go func() { done <- a.Serve(ctx, p, func() {}) }()
	test(p)
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestSlowRequests(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		sends string        // then nothing more
		least time.Duration // how long the server bears it
		most  time.Duration
		says  string
	}{
		{"FT-08 a head that never ends", "POST /wps/echo HTTP/1.1\r\nHost: x\r\n", 9 * time.Second, 11 * time.Second, ""},
		{"FT-08 a body that never comes", "POST /wps/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{", 4 * time.Second, 11 * time.Second, "request.timeout"},
		{"an idle connection", "GET /wps/none HTTP/1.1\r\nHost: x\r\n\r\n", time.Minute, 3 * time.Minute, "route.unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := newTestAPI(t, nil)
				addEcho(a, Op{Path: "/wps/echo"})
				serving(t, a, func(p *pipes) {
					conn := p.dial()
					defer conn.Close()
					go func() { _, _ = io.WriteString(conn, tt.sends) }()
					start := time.Now()
					said, _ := io.ReadAll(conn) // ends when the server has had enough
					if took := time.Since(start); took < tt.least || took > tt.most {
						t.Errorf("the server held on for %v", took)
					}
					if !strings.Contains(string(said), tt.says) {
						t.Errorf("the server said %q", said)
					}
				})
			})
		})
	}
}

// Others are served while a slow one dawdles.
func TestSlowRequestLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newTestAPI(t, nil)
		addGet(a, "/wps/quick", Public, func(context.Context) (bool, error) { return true, nil })
		serving(t, a, func(p *pipes) {
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
				t.Errorf("%v after %v", err, time.Since(start))
			}
			_ = res.Body.Close()
		})
	})
}

func TestOversizedHeadIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		serving(t, newTestAPI(t, nil), func(p *pipes) {
			conn := p.dial()
			defer conn.Close()
			go func() {
				_, _ = fmt.Fprintf(conn, "GET /wps/x HTTP/1.1\r\nHost: x\r\nA: %s\r\n\r\n", strings.Repeat("a", 1<<20))
			}()
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil || res.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
				t.Errorf("%v %v", res, err)
			}
		})
	})
}

func TestStopLetsRequestsFinishAndEndsStreamsFirst(t *testing.T) {
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
			t.Error(err)
		}
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("stopping took %v", took)
		}
		got := []string{<-answers, <-answers}
		if !strings.Contains(strings.Join(got, " "), `"done"`) {
			t.Errorf("work under way was not finished: %q", got)
		}
	})
}

func TestHealth(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	var broken error
	a.Mount("GET /healthz", a.Health("1.2.3", func(ctx context.Context) (string, error) {
		if _, ok := ctx.Deadline(); !ok {
			t.Error("a probe must not wait for ever")
		}
		return "database unavailable", broken
	}))
	if w := call(t, a, http.MethodGet, "/healthz", ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `{"status":"ok","version":"1.2.3"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	broken = errors.New("dial postgres://a:b@c")
	w := call(t, a, http.MethodGet, "/healthz", "")
	if w.Code != 503 || strings.TrimSpace(w.Body.String()) != `{"status":"unavailable","version":"1.2.3","reason":"database unavailable"}` {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
