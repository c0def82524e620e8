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

// gate is open until it is given something to say; it notes whether it was asked for an address.
type gate struct {
	err       atomic.Pointer[error]
	calls     atomic.Int64
	anonymous atomic.Int64 // asked for nobody
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

func TestStreamsEndWhenTheSiteCloses(t *testing.T) {
	t.Parallel()
	for _, refusal := range []error{rest.ErrMaintenance.With("seconds", 60), rest.ErrRestricted} {
		synctest.Test(t, func(t *testing.T) {
			h, g := newHub(), &gate{}
			page, done := openWithGate(t, h, g)
			h.Recheck()
			synctest.Wait()
			for _, trouble := range []error{errors.New("the database is away"), rest.ErrUnavailable, rest.ErrSystem} { // shuts nobody out
				g.setError(trouble)
				h.Recheck()
				synctest.Wait()
			}
			if isClosed(done) || g.calls.Load() < 3 || g.anonymous.Load() != 0 {
				t.Errorf("over %v, asked %d times, %d of them for nobody", isClosed(done), g.calls.Load(), g.anonymous.Load())
			}
			g.setError(refusal)
			h.Recheck()
			synctest.Wait()
			code, _, _ := strings.Cut(refusal.Error(), " ")
			if !isClosed(done) || page.count("event: closed\ndata: {\"errorCode\":\""+code+"\"}\n\n") != 1 || h.Open() != 0 {
				t.Errorf("over %v, %d open, said %s", isClosed(done), h.Open(), page.text.String())
			}
		})
	}
}

// Word of a closing can be lost; nobody stays inside for it.
func TestClosingIsFoundWithoutWord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		_, done := openWithGate(t, h, g)
		g.setError(rest.ErrMaintenance)
		time.Sleep(recheckInterval + time.Second)
		synctest.Wait()
		if !isClosed(done) {
			t.Error("the stream goes on")
		}
	})
}

// What closes between the border and the hub would pass the stream by.
func TestNoStreamOpensOnAClosedSite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		g.setError(rest.ErrMaintenance)
		page, done := openWithGate(t, h, g)
		if !isClosed(done) || page.count(rest.ErrMaintenance.Code) != 1 || h.Open() != 0 {
			t.Errorf("over %v, %d open, said %s", isClosed(done), h.Open(), page.text.String())
		}
	})
}
