// Package merchanttest gives the domains' tests a site of their own: a merchant on a real database and a real
// bus, a clock and ids that the test owns, and the API in front. It is for tests only.
package merchanttest

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant"
)

// Code of the merchant, and the time at which the site's clock starts.
const Code = "fairground"

// Start is when the site's clock begins.
var Start = time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)

// Clock is a time that stands still until the test moves it.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock stands at Start.
func NewClock() *Clock { return &Clock{now: Start} }

// Now gives the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add moves the time on.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Site is one merchant's site.
type Site struct {
	Store     *db.Store
	Bus       *events.Bus
	Clock     *Clock
	IDs       db.IDs
	Merchants *merchant.Service
	ID        int64 // the merchant's

	api http.Handler

	ahead *atomic.Int64 // how far the API's clock has been moved on
}

// New makes a site that counts in VND. Ids count up from 1001.
func New(t testing.TB, store *db.Store) *Site {
	t.Helper()
	bus, err := events.OpenBus(events.BusOptions{FlushWait: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(bus.Close)
	s := &Site{Store: store, Bus: bus, Clock: NewClock(), IDs: IDs()}
	s.Merchants = s.Replica(t)
	if s.ID, err = s.Merchants.Ensure(t.Context(), Code, "Fairground", "VND"); err != nil {
		t.Fatal(err)
	}
	return s
}

// Replica makes another merchant service on the same database and bus.
func (s *Site) Replica(t testing.TB, onChange ...func()) *merchant.Service {
	t.Helper()
	m, err := merchant.New(merchant.Options{
		Store: s.Store, Bus: s.Bus, IDs: s.IDs, Now: s.Clock.Now, Default: Code, Demo: true,
		Providers: merchant.Providers{SMS: true, Email: true},
		OnChange: func() {
			for _, fn := range onChange {
				fn()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	return m
}

// AddMember stores a player who cannot log in, for tests that only need one to exist.
func (s *Site) AddMember(t testing.TB, id int64, username string) {
	t.Helper()
	err := s.Store.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Q.AddMember(t.Context(), query.AddMemberParams{
			ID: id, MerchantID: s.ID, Account: username, Currency: "VND", Language: "vi", CreatedAt: db.Millis(Start),
			AgeConfirmedAt: sql.NullInt64{Int64: db.Millis(Start), Valid: true}, AgeConfirmed: 18,
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// IDs count up from 1001.
func IDs() db.IDs {
	var last atomic.Int64
	last.Store(1000)
	return func() int64 { return last.Add(1) }
}

// Tokens is an authenticator for tests that are not about sessions.
type Tokens map[string]rest.Caller

// Serve puts the API in front. callers tells who holds a token; register adds the calls.
func (s *Site) Serve(t testing.TB, callers rest.Authenticator, register func(*rest.API)) {
	t.Helper()
	ahead := new(atomic.Int64)
	api, err := rest.New(rest.Options{
		Authenticator: callers, Merchants: s.Merchants, Modules: s.Merchants, Gate: s.Merchants,
		// The test's own requests come from here: X-Forwarded-For gives them other addresses.
		Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")},
		Timeout: 10 * time.Minute, // a busy machine is slow, not wrong
		Now:     func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	register(api)
	s.api, s.ahead = api.Handler(), ahead
}

// Refill gives back what was taken of the limits of calls in memory.
func (s *Site) Refill() { s.ahead.Add(int64(24 * time.Hour)) }

// Handler is the API itself, for tests that need connections of their own.
func (s *Site) Handler() http.Handler { return s.api }

// Reply is what the API answered.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Call sends a request. Headers are given as name, value, name, value; a body, if any, is sent as JSON.
func (s *Site) Call(t testing.TB, method, path string, body any, headers ...string) Reply {
	t.Helper()
	return s.CallIn(t.Context(), t, method, path, body, headers...)
}

// CallIn sends a request with what a context holds.
func (s *Site) CallIn(ctx context.Context, t testing.TB, method, path string, body any, headers ...string) Reply {
	t.Helper()
	var payload io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		payload = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		payload = bytes.NewReader(raw)
	}
	r := httptest.NewRequestWithContext(ctx, method, path, payload)
	if payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	reply := Reply{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
	declared(t, method, path, reply)
	return reply
}

// Value reads the envelope's value of a good answer.
func Value[T any](t testing.TB, r Reply) T {
	t.Helper()
	var envelope struct {
		Success bool
		Value   T
	}
	if err := json.Unmarshal(r.Body, &envelope); err != nil || !envelope.Success || r.Status != http.StatusOK {
		t.Fatalf("status %d: %s (%v)", r.Status, r.Body, err)
	}
	return envelope.Value
}
