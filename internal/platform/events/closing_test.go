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
	says  atomic.Pointer[error]
	asked atomic.Int64
	alone atomic.Int64 // asked for nobody
}

func (g *gate) Open(_ context.Context, merchantID int64, address netip.Addr) error {
	g.asked.Add(1)
	if !address.IsValid() || merchantID == 0 {
		g.alone.Add(1)
	}
	if err := g.says.Load(); err != nil {
		return *err
	}
	return nil
}

func (g *gate) say(err error) { g.says.Store(&err) }

func listenAt(t *testing.T, h *Hub, g *gate) (page *tape, done chan struct{}) {
	t.Helper()
	who := &sessions{}
	a, err := rest.New(rest.Options{Authenticator: who})
	if err != nil {
		t.Fatal(err)
	}
	Routes(a, h, who, g)
	page, done = &tape{header: http.Header{}}, make(chan struct{})
	r := httptest.NewRequest(http.MethodGet, "/wps/events", nil)
	r.Header.Set("Authorization", "m1")
	go func() { defer close(done); a.Handler().ServeHTTP(page, r) }()
	synctest.Wait()
	return page, done
}

func over(done chan struct{}) bool {
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
			page, done := listenAt(t, h, g)
			h.Recheck()
			synctest.Wait()
			for _, trouble := range []error{errors.New("the database is away"), rest.ErrUnavailable, rest.ErrSystem} { // shuts nobody out
				g.say(trouble)
				h.Recheck()
				synctest.Wait()
			}
			if over(done) || g.asked.Load() < 3 || g.alone.Load() != 0 {
				t.Errorf("over %v, asked %d times, %d of them for nobody", over(done), g.asked.Load(), g.alone.Load())
			}
			g.say(refusal)
			h.Recheck()
			synctest.Wait()
			code, _, _ := strings.Cut(refusal.Error(), " ")
			if !over(done) || page.count("event: closed\ndata: {\"errorCode\":\""+code+"\"}\n\n") != 1 || h.Open() != 0 {
				t.Errorf("over %v, %d open, said %s", over(done), h.Open(), page.text.String())
			}
		})
	}
}

// Word of a closing can be lost; nobody stays inside for it.
func TestClosingIsFoundWithoutWord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		_, done := listenAt(t, h, g)
		g.say(rest.ErrMaintenance)
		time.Sleep(recheckInterval + time.Second)
		synctest.Wait()
		if !over(done) {
			t.Error("the stream goes on")
		}
	})
}

// What closes between the border and the hub would pass the stream by.
func TestNoStreamOpensOnAClosedSite(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, g := newHub(), &gate{}
		g.say(rest.ErrMaintenance)
		page, done := listenAt(t, h, g)
		if !over(done) || page.count(rest.ErrMaintenance.Code) != 1 || h.Open() != 0 {
			t.Errorf("over %v, %d open, said %s", over(done), h.Open(), page.text.String())
		}
	})
}
