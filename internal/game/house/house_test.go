package house_test

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
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

// site is a House before a wallet, with two members who have a session and money.
type site struct {
	*merchanttest.Site
	t      testing.TB
	wallet *wallet
	house  *house.Service
	random *source
	trip   http.RoundTripper

	launches launches

	entered int
	skew    time.Duration // of the server's clock against the database's
}

const (
	minh, lan = 501, 502
	purse     = 1_000_000
)

func playerOf(memberID int64) string { return "p" + strconv.FormatInt(memberID, 10) }

// launches knows every ticket of the fake wallet's: all are for one game.
type launches struct{ category, game string }

func (l launches) Launched(_ context.Context, ticket string) (house.Launch, bool, error) {
	return house.Launch{Merchant: "second", Vendor: "HOUSE", Game: l.game, Category: l.category}, ticket != "unknown", nil
}

func (launches) GameName(_ context.Context, _, _, game, language string) (string, error) {
	return game + " (" + language + ")", nil
}

// source is randomness that is the same in every run, and fails when it is told to.
type source struct {
	mu    sync.Mutex
	drawn int
	fails bool
}

func (s *source) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails {
		return 0, errors.New("no randomness")
	}
	for i := range p {
		s.drawn++
		sum := sha256.Sum256(fmt.Append(nil, s.drawn))
		p[i] = sum[0]
	}
	return len(p), nil
}

// inside hands requests to a handler, as the server does with its own.
type inside struct{ handler http.Handler }

func (i inside) RoundTrip(r *http.Request) (answer *http.Response, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = io.ErrUnexpectedEOF // as a connection that breaks
		}
	}()
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

func newSite(t testing.TB, store *db.Store) *site {
	t.Helper()
	s := &site{Site: merchanttest.New(t, store), t: t, wallet: newWallet(t), random: &source{}, launches: launches{"RNG", "rong-vang"}}
	s.trip = inside{s.wallet}
	for _, id := range []int64{minh, lan} {
		s.wallet.balances[playerOf(id)] = purse
	}
	s.start()
	return s
}

// start makes a House on what there is, as after a restart: with a new memory and an old database.
func (s *site) start() {
	s.t.Helper()
	keys, err := secret.Open(s.t.Context(), s.Store, s.Clock.Now)
	if err != nil {
		s.t.Fatal(err)
	}
	s.house = house.New(house.Options{
		Store: s.Store, Keys: keys, Random: s.random, IDs: s.IDs, Now: func() time.Time { return s.Clock.Now().Add(s.skew) }, Log: slog.New(slog.DiscardHandler),
		Launches: s.launches, Games: launches{}, Player: playerOf,
		Time: func(context.Context, *db.Tx) (time.Time, error) { return s.Clock.Now(), nil },
		Wallet: house.NewWallet(house.WalletOptions{
			Client: &http.Client{Transport: s.trip}, URL: "http://wallet.test", Key: func(string) []byte { return s.wallet.key }, Now: s.Clock.Now,
			Pauses: []time.Duration{0},
		}),
	})
	callers := merchanttest.Tokens{}
	for name, id := range map[string]int64{"minh": minh, "lan": lan} {
		callers[name] = rest.Caller{MemberID: id, MerchantID: s.ID, Currency: "VND"}
	}
	s.Serve(s.t, callers, func(a *rest.API) {
		house.Routes(a, s.house)
		house.FairnessRoutes(a, s.house)
	})
}

type shownRound struct {
	ID         string
	Nonce      int64
	Spins      []struct{ Stops []int }
	Stake, Win int64
	Seed       *string
	Commitment string
	ClientSeed string
}

type shownSession struct {
	Token   string
	Balance int64
	shownSlot
	Slot shownSlot
}

type shownSlot struct {
	Nonce      int64
	Commitment string
	Open, Last *shownRound
}

type shownSpin struct {
	Round   shownRound
	Balance int64
	Next    struct {
		Nonce                  int64
		Commitment, ClientSeed string
	}
}

// enter opens the game for a member.
func (s *site) enter(memberID int64) shownSession {
	s.t.Helper()
	s.entered++ // each from a network of its own, for one may open only so many
	from := fmt.Sprintf("198.51.%d.%d", s.entered/250, 1+s.entered%250)
	r := s.Call(s.t, "POST", "/house/v1/session", map[string]any{"ticket": s.wallet.ticket(playerOf(memberID))}, "X-Forwarded-For", from)
	session := merchanttest.Value[shownSession](s.t, r)
	session.shownSlot = session.Slot
	return session
}

// spinID is a name for a round, the same for the same number.
func spinID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func (s *site) spin(token string, n int) merchanttest.Reply {
	s.t.Helper()
	return s.Call(s.t, "POST", "/house/v1/spin", map[string]any{"spinId": spinID(n), "stake": 10_000}, "Authorization", token)
}

// play is a spin that goes well, after the time that one takes.
func (s *site) play(token string, n int) shownSpin {
	s.t.Helper()
	s.Clock.Add(house.Cycle)
	return merchanttest.Value[shownSpin](s.t, s.spin(token, n))
}

func code(t testing.TB, r merchanttest.Reply) string {
	t.Helper()
	var failed struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &failed); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
	return failed.ErrorCode
}

// refused checks a refusal.
func (s *site) refused(r merchanttest.Reply, status int, want string) {
	s.t.Helper()
	if got := code(s.t, r); got != want || r.Status != status {
		s.t.Errorf("answered %d %s, want %d %s", r.Status, r.Body, status, want)
	}
}
