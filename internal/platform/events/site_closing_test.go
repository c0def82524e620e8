package events

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/rest"
)

type gate struct {
	err       atomic.Pointer[error]
	calls     atomic.Int64
	anonymous atomic.Int64 // calls without a merchant or address
}

func (g *gate) Open(_ context.Context, merchantID int64, address netip.Addr) error {
	g.calls.Add(1)
	if !address.IsValid() || merchantID == 0 {
		g.anonymous.Add(1)
	}
	if err := g.err.Load(); err != nil {
		return *err
	}
	return nil
}

func (g *gate) setError(err error) { g.err.Store(&err) }

func openWithGate(t *testing.T, h *Hub, g *gate) (page *recorder, done chan struct{}) {
	t.Helper()
	who := &sessions{}
	a, err := rest.New(rest.Options{Authenticator: who})
	if err != nil {
		t.Fatal(err)
	}
	Routes(a, h, who, g)
	page, done = &recorder{header: http.Header{}}, make(chan struct{})
	r := httptest.NewRequest(http.MethodGet, "/wps/events", nil)
	r.Header.Set("Authorization", "m1")
	go func() { defer close(done); a.Handler().ServeHTTP(page, r) }()
	synctest.Wait()
	return page, done
}

func isClosed(done chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

func TestStreamsEndWhenSiteCloses(t *testing.T) {
	t.Parallel()
	for _, refusal := range []error{rest.ErrMaintenance.With("seconds", 60), rest.ErrRestricted} {
		synctest.Test(t, func(t *testing.T) {
			h, g := newHub(), &gate{}
			page, done := openWithGate(t, h, g)
			h.Recheck()
			synctest.Wait()
			for _, failure := range []error{errors.New("database unavailable"), rest.ErrUnavailable, rest.ErrSystem} { // failures do not end streams
				g.setError(failure)
				h.Recheck()
				synctest.Wait()
			}
			if isClosed(done) || g.calls.Load() < 3 || g.anonymous.Load() != 0 {
				t.Errorf("ended %v, gate called %d times, %d without a caller, want an open stream, at least 3 and 0", isClosed(done), g.calls.Load(), g.anonymous.Load())
			}
			g.setError(refusal)
			h.Recheck()
			synctest.Wait()
			code, _, _ := strings.Cut(refusal.Error(), " ")
			if !isClosed(done) || page.count("event: closed\ndata: {\"errorCode\":\""+code+"\"}\n\n") != 1 || h.Open() != 0 {
				t.Errorf("ended %v, %d open, sent %s", isClosed(done), h.Open(), page.text.String())
			}
		})
	}
}

func TestStreamPollsForClosing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		_, done := openWithGate(t, h, g)
		g.setError(rest.ErrMaintenance)
		time.Sleep(recheckInterval + time.Second)
		synctest.Wait()
		if !isClosed(done) {
			t.Error("stream did not end")
		}
	})
}

// The stream checks again whether the site is open, because the site may close between the request's check and the stream's
// start.
func TestStreamOnClosedSite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		g.setError(rest.ErrMaintenance)
		page, done := openWithGate(t, h, g)
		if !isClosed(done) || page.count(rest.ErrMaintenance.Code) != 1 || h.Open() != 0 {
			t.Errorf("ended %v, %d open, sent %s", isClosed(done), h.Open(), page.text.String())
		}
	})
}
