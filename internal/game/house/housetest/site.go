// Package housetest runs a House on a fake wallet, for tests.
package housetest

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/wallet"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant/merchanttest"
)

// A Site is a House with two members, who have a session and money.
type Site struct {
	*merchanttest.Site

	T         testing.TB
	Wallet    *Wallet
	House     *house.Service
	Random    *Random
	Transport http.RoundTripper // to the wallet
	Launches  Launches
	Skew      time.Duration  // added to the server's clock, but not to the database's
	Beacon    *beacon.Client // starts the series of tables; without it the operator chooses their start

	opened int
	fair   *series.Service
	series atomic.Int64 // number of created series, which have their own ids, so that they do not change the ids of rounds
}

// The members' IDs.
const (
	Minh = 501
	Lan  = 502
)

// seriesLength is the length of the tables' chains.
const seriesLength = 3000

// Balance is each member's balance at the start.
const Balance = 1_000_000

// PlayerOf returns a member's player id in the wallet.
func PlayerOf(memberID int64) string { return "p" + strconv.FormatInt(memberID, 10) }

// BalanceOf returns a member's balance in the wallet.
func (s *Site) BalanceOf(memberID int64) int64 { return s.Wallet.Balances[PlayerOf(memberID)] }

// Launches launches the same game for every ticket. It implements frame.Launches and frame.Games.
type Launches struct{ Category, Game string }

// Launched implements frame.Launches.
func (l Launches) Launched(_ context.Context, ticket string) (frame.Launch, bool, error) {
	return frame.Launch{Merchant: "second", Vendor: "HOUSE", Game: l.Game, Category: l.Category}, ticket != "unknown", nil
}

// GameName implements frame.Games.
func (Launches) GameName(_ context.Context, _, _, game, language string) (string, error) {
	return game + " (" + language + ")", nil
}

// Random is a random source that yields the same bytes in every run.
type Random struct {
	mu    sync.Mutex
	drawn int
	fails bool
}

// SetFails makes the source fail, or work again.
func (r *Random) SetFails(fails bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fails = fails
}

// Read implements io.Reader.
func (r *Random) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.fails {
		return 0, errors.New("no randomness")
	}
	for i := range p {
		r.drawn++
		sum := sha256.Sum256(fmt.Append(nil, r.drawn))
		p[i] = sum[0]
	}
	return len(p), nil
}

// loopback calls a handler without a socket.
type loopback struct{ handler http.Handler }

func (l loopback) RoundTrip(r *http.Request) (response *http.Response, err error) {
	defer func() {
		if recover() != nil {
			err = io.ErrUnexpectedEOF // like a broken connection
		}
	}()
	w := httptest.NewRecorder()
	l.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

// New returns a Site for slots.
func New(t testing.TB, store *db.Store) *Site {
	t.Helper()
	s := &Site{Site: merchanttest.New(t, store), T: t, Wallet: newWallet(t), Random: &Random{}, Launches: Launches{spec.Slots, "rong-vang"}}
	s.Transport = loopback{s.Wallet}
	for _, id := range []int64{Minh, Lan} {
		s.Wallet.Balances[PlayerOf(id)] = Balance
	}
	s.Start()
	return s
}

// Options returns the options of a House on the site's database and wallet.
func (s *Site) Options() house.Options {
	s.T.Helper()
	keys, err := secrettest.Open(s.T.Context(), s.Store, s.Clock.Now)
	if err != nil {
		s.T.Fatal(err)
	}
	s.fair = series.New(series.Options{
		Store: s.Store, Keys: keys, Random: &Random{drawn: 1 << 20}, IDs: func() int64 { return 900 + s.series.Add(1) }, Now: s.Clock.Now, Length: seriesLength,
		Beacon: s.Beacon,
	})
	return house.Options{
		Store: s.Store, Keys: keys, Series: s.fair, Random: s.Random, IDs: s.IDs, Now: func() time.Time { return s.Clock.Now().Add(s.Skew) }, Log: slog.New(slog.DiscardHandler),
		Launches: s.Launches, Games: Launches{}, Player: func(_ context.Context, memberID int64) (string, error) { return PlayerOf(memberID), nil },
		Time: func(context.Context, *db.Tx) (time.Time, error) { return s.Clock.Now(), nil },
		Wallet: wallet.New(wallet.Options{
			Client: &http.Client{Transport: s.Transport}, URL: "http://wallet.test", Key: func(string) []byte { return s.Wallet.Key }, Now: s.Clock.Now,
			Pauses: []time.Duration{0},
		}),
	}
}

// Start starts a new House on the same database, as after a restart.
func (s *Site) Start() {
	s.T.Helper()
	s.ServeHouse(house.New(s.Options()))
}

// ServeHouse makes h handle the site's requests.
func (s *Site) ServeHouse(h *house.Service) {
	s.T.Helper()
	s.House = h
	callers := merchanttest.Tokens{}
	for name, id := range map[string]int64{"minh": Minh, "lan": Lan} {
		callers[name] = rest.Caller{MemberID: id, MerchantID: s.ID, Currency: "VND"}
	}
	s.Serve(s.T, callers, func(a *rest.API) { house.Routes(a, h); series.Routes(a, s.fair) })
}

// A RoundResponse is a slot round in a response.
type RoundResponse struct {
	ID         string
	Nonce      int64
	Spins      []struct{ Stops []int }
	Stake, Win int64
	Seed       *string
	Commitment string
	ClientSeed string
}

// StateResponse is the response to /house/v1/state.
type StateResponse struct {
	Nonce      int64
	Commitment string
	Open, Last *RoundResponse
}

// SessionResponse is the response to /house/v1/session. Open copies the slot's state to its top level.
type SessionResponse struct {
	Token   string
	Balance int64
	Slot    StateResponse
	StateResponse
}

// SpinResponse is the response to /house/v1/spin.
type SpinResponse struct {
	Round   RoundResponse
	Balance int64
	Next    struct {
		Nonce                  int64
		Commitment, ClientSeed string
	}
}

// Open opens a frame for a member.
func (s *Site) Open(memberID int64) SessionResponse {
	s.T.Helper()
	s.opened++ // each request uses another IP address, because of the rate limit
	from := fmt.Sprintf("198.51.%d.%d", s.opened/250, 1+s.opened%250)
	r := s.Call(s.T, "POST", "/house/v1/session", map[string]any{"ticket": s.Wallet.Ticket(PlayerOf(memberID))}, "X-Forwarded-For", from)
	session := merchanttest.Value[SessionResponse](s.T, r)
	session.StateResponse = session.Slot
	return session
}

// SpinID returns the nth spin or bet ID.
func SpinID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// Spin requests the nth spin.
func (s *Site) Spin(token string, n int) merchanttest.Reply {
	s.T.Helper()
	return s.Call(s.T, "POST", "/house/v1/spin", map[string]any{"spinId": SpinID(n), "stake": 10_000}, "Authorization", token)
}

// Play waits for round.MinBetInterval and plays the nth spin, which must succeed.
func (s *Site) Play(token string, n int) SpinResponse {
	s.T.Helper()
	s.Clock.Add(round.MinBetInterval)
	return merchanttest.Value[SpinResponse](s.T, s.Spin(token, n))
}

// StartSeries starts the series whose beacon rounds are public.
func (s *Site) StartSeries() {
	s.T.Helper()
	if err := s.fair.StartDue(s.T.Context()); err != nil {
		s.T.Fatal(err)
	}
}

// Recover runs the House's recovery, which must succeed.
func (s *Site) Recover() {
	s.T.Helper()
	if err := s.House.Recover(s.T.Context()); err != nil {
		s.T.Fatal(err)
	}
}

// Code returns a response's error code.
func Code(t testing.TB, r merchanttest.Reply) string {
	t.Helper()
	var failed struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &failed); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
	return failed.ErrorCode
}

// WantError checks the status and the error code of a response.
func (s *Site) WantError(r merchanttest.Reply, status int, code string) {
	s.T.Helper()
	if got := Code(s.T, r); got != code || r.Status != status {
		s.T.Errorf("response = %d %s, want %d %s", r.Status, r.Body, status, code)
	}
}
