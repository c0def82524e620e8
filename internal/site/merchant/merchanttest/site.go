// Package merchanttest provides a merchant's site for tests: a real database and bus, the API, and a clock and ids
// that the test controls.
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

// Code is the merchant's code.
const Code = "fairground"

// Start is the initial time of the clock.
var Start = time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)

// A Clock is a clock that only the test advances.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a Clock set to Start.
func NewClock() *Clock { return &Clock{now: Start} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Add advances the clock.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// A Site is a merchant's site.
type Site struct {
	Store     *db.Store
	Bus       *events.Bus
	Clock     *Clock
	IDs       db.IDs
	Merchants *merchant.Service
	ID        int64                 // of the merchant
	Operators rest.OperatorSessions // nil: no operator can log in

	api    http.Handler
	routes []rest.Op

	apiOffset *atomic.Int64 // nanoseconds by which the API's clock is ahead
}

// New returns a site with the currency VND. Ids start at 1001.
func New(t testing.TB, store *db.Store) *Site {
	t.Helper()
	bus, err := events.OpenBus(events.BusOptions{})
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

// Replica returns another merchant service on the same database and bus.
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

// AddMember stores a player without a password.
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

// Exec executes a statement written for PostgreSQL, on either database.
func (s *Site) Exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Bind(s.Store.Engine, s.Store.Writer).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Number runs a query written for PostgreSQL, on either database, and returns the number that it selects.
func (s *Site) Number(t testing.TB, statement string, args ...any) (n int64) {
	t.Helper()
	if err := db.Bind(s.Store.Engine, s.Store.Writer).QueryRowContext(t.Context(), statement, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return n
}

// Count returns the number of rows of a table. The name may be followed by a WHERE clause.
func (s *Site) Count(t testing.TB, table string) int {
	t.Helper()
	return int(s.Number(t, "SELECT COUNT(*) FROM "+table))
}

// IDs returns a generator of ids that start at 1001.
func IDs() db.IDs {
	var last atomic.Int64
	last.Store(1000)
	return func() int64 { return last.Add(1) }
}

// Tokens authenticates callers by fixed tokens.
type Tokens map[string]rest.Caller

// Serve starts the API. callers authenticates tokens. register declares the endpoints.
func (s *Site) Serve(t testing.TB, callers rest.Authenticator, register func(*rest.API)) {
	t.Helper()
	offset := new(atomic.Int64)
	api, err := rest.New(rest.Options{
		Authenticator: callers, Operators: s.Operators, Merchants: s.Merchants, Modules: s.Merchants, Gate: s.Merchants,
		// Test requests come from this address, so X-Forwarded-For can set another one.
		Proxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")},
		Timeout: 10 * time.Minute, // tests may run on a slow machine
		Now:     func() time.Time { return time.Now().Add(time.Duration(offset.Load())) },
	})
	if err != nil {
		t.Fatal(err)
	}
	register(api)
	s.api, s.routes, s.apiOffset = api.Handler(), api.Routes(), offset
}

// Refill resets the API's rate limits.
func (s *Site) Refill() { s.apiOffset.Add(int64(24 * time.Hour)) }

// Routes returns the declared endpoints.
func (s *Site) Routes() []rest.Op { return s.routes }

// Handler returns the API, for tests that need their own connections.
func (s *Site) Handler() http.Handler { return s.api }

// A Reply is a response of the API.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Call sends a request. headers alternates names and values. A body that is not a string is sent as JSON.
func (s *Site) Call(t testing.TB, method, path string, body any, headers ...string) Reply {
	t.Helper()
	return s.CallWith(t.Context(), t, method, path, body, headers...)
}

// CallWith is Call with a context.
func (s *Site) CallWith(ctx context.Context, t testing.TB, method, path string, body any, headers ...string) Reply {
	t.Helper()
	var payload io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		payload = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			t.Errorf("encode the body of %s %s: %v", method, path, err) // tests also call it in goroutines
			return Reply{}
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
	checkDocumented(t, method, path, reply)
	return reply
}

// Value decodes the envelope's value. It fails the test if the reply is not a success.
func Value[T any](t testing.TB, r Reply) T {
	t.Helper()
	var envelope struct {
		Success bool
		Value   T
	}
	if err := json.Unmarshal(r.Body, &envelope); err != nil || !envelope.Success || r.Status != http.StatusOK {
		t.Fatalf("status %d: %s (%v), want 200 and success", r.Status, r.Body, err)
	}
	return envelope.Value
}
