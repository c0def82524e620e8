package house_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/site/merchant/merchanttest"
)

const table = "baccarat-1"

// hall is a House with a table, whose database's clock is the test's.
type hall struct {
	*site

	time *merchanttest.Clock // the database's
	// ownTime has the engine's own believed instead, which goes on by itself.
	ownTime bool
	game    string
	frame   string // minh's token
	// purses are what players came with.
	purses map[string]int64
	log    *said
}

// said is what the processes write into their logs.
type said struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

type liveLaunches struct{ *hall }

func (l liveLaunches) Launched(_ context.Context, ticket string) (house.Launch, bool, error) {
	return house.Launch{Merchant: "second", Vendor: "HOUSE", Game: l.game, Category: "LIVE"}, ticket != "unknown", nil
}

func newHall(t testing.TB, store *db.Store) *hall {
	t.Helper()
	h := &hall{site: newSite(t, store), time: merchanttest.NewClock(), game: "live-001", log: &said{}, purses: map[string]int64{}}
	h.fund(minh, lan)
	h.restart()
	h.frame = h.enter(minh).Token
	return h
}

const tablePurse = 100_000_000

// fund gives members what they play with.
func (h *hall) fund(members ...int64) {
	for _, id := range members {
		h.wallet.balances[playerOf(id)], h.purses[playerOf(id)] = tablePurse, tablePurse
	}
}

// leader makes another process of the House on the same database.
func (h *hall) leader() *house.Service {
	h.t.Helper()
	keys, err := secret.Open(h.t.Context(), h.Store, h.Clock.Now)
	if err != nil {
		h.t.Fatal(err)
	}
	o := house.Options{
		Store: h.Store, Keys: keys, Random: h.random, IDs: h.IDs, Now: h.Clock.Now, Log: slog.New(slog.NewTextHandler(h.log, nil)),
		Launches: liveLaunches{h}, Games: launches{}, Player: playerOf, Gate: h.Merchants,
		Time: func(context.Context, *db.Tx) (time.Time, error) { return h.time.Now(), nil },
		Wallet: house.NewWallet(house.WalletOptions{
			Client: &http.Client{Transport: h.trip}, URL: "http://wallet.test", Key: func(string) []byte { return h.wallet.key }, Now: h.Clock.Now,
			Pauses: []time.Duration{0},
		}),
	}
	if h.ownTime {
		o.Time = nil
	}
	s := house.New(o)
	s.ByHand()
	return s
}

// restart kills the process: the next one knows what the database does.
func (h *hall) restart() {
	h.t.Helper()
	h.serve(h.leader())
}

// serve has calls answered by that process.
func (h *hall) serve(s *house.Service) {
	h.t.Helper()
	h.house = s
	h.Serve(h.t, merchanttest.Tokens{"minh": rest.Caller{MemberID: minh, MerchantID: h.ID, Currency: "VND"}}, func(a *rest.API) {
		house.Routes(a, h.house)
		house.TableRoutes(a, h.house)
		house.FairnessRoutes(a, h.house)
	})
}

func (h *hall) turn() { h.house.Turn(h.t.Context(), table, true) }

// pass lets time go by, the table turning as it does.
func (h *hall) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		h.time.Add(min(d, time.Second))
		h.turn()
	}
}

type shownTicket struct {
	ID, Status string
	Total, Win int64
	Spots      map[string]int64
}

type shownTable struct {
	Now   int64
	Round *struct {
		ID, Phase, Commitment     string
		Number                    int64
		OpensAt, ClosesAt, DealAt int64
		ResultAt, EndsAt          int64
		Seed                      *string
		Result                    json.RawMessage
	}
	Crowd struct {
		Players int
		Spots   map[string]struct{ Players, Amount int64 }
	}
	Mine    []shownTicket
	History []struct {
		Number int64
		Result json.RawMessage
	}
	Balance int64
}

func (h *hall) table() shownTable {
	h.t.Helper()
	return merchanttest.Value[shownTable](h.t, h.Call(h.t, "GET", "/house/v1/table", nil, "Authorization", h.frame))
}

// betting brings the table to a round that takes bets.
func (h *hall) betting() shownTable {
	h.t.Helper()
	for range 120 {
		h.turn()
		if got := h.table(); got.Round != nil && got.Round.Phase == "betting" {
			return got
		}
		h.time.Add(time.Second)
	}
	h.t.Fatal("the table never takes bets")
	return shownTable{}
}

func (h *hall) bet(n int, round string, spots map[string]int64) merchanttest.Reply {
	h.t.Helper()
	return h.Call(h.t, "POST", "/house/v1/table/bet", map[string]any{"betId": spinID(n), "round": round, "spots": spots}, "Authorization", h.frame)
}

type shownBet struct {
	Bet     shownTicket
	Balance int64
}

// balanced holds the tickets against the wallet: every one is at its end, and the money is what they say.
func (h *hall) balanced(t interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}) {
	t.Helper()
	rows, err := h.Store.Reader.QueryContext(h.t.Context(), "SELECT id, player, status, stake, win FROM house_round WHERE table_round IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	want := maps.Clone(h.purses)
	for rows.Next() {
		var id, stake, win int64
		var player, status string
		if err := rows.Scan(&id, &player, &status, &stake, &win); err != nil {
			t.Fatal(err)
		}
		r := h.wallet.rounds[fmt.Sprint(id)]
		switch status {
		case "settled":
			want[player] += win - stake
			if r == nil || !r.closed {
				t.Fatalf("ticket %d is settled, at the wallet it is %+v", id, r)
			}
		case "refused", "refunded":
			if r != nil && len(r.stakes) > 0 {
				t.Fatalf("ticket %d is %s, at the wallet it is %+v", id, status, r)
			}
		default:
			t.Fatalf("ticket %d is still %s", id, status)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for player, balance := range want {
		if got := h.wallet.balances[player]; got != balance {
			t.Fatalf("%s has %d, the tickets say %d", player, got, balance)
		}
	}
}

func moneyOf(n int64) money.Minor { return money.Minor(n) }
