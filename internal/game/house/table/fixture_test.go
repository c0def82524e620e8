package table_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/house"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/housetest"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const (
	tableID = "baccarat-1"
	// tableBalance is each member's balance at the start.
	tableBalance = 100_000_000
)

// A fixture is a site with House games. The test polls its tables.
type fixture struct {
	*housetest.Site

	dbClock     *merchanttest.Clock // the database's clock
	useRealTime bool                // use the database's real time instead of dbClock
	game        string
	frame       string           // minh's token
	balances    map[string]int64 // at the start, by player
	log         *logBuffer
	bus         *fakeBus // nil for none
}

// A logBuffer collects the log of all processes.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// launches opens the fixture's current game.
type launches struct{ *fixture }

func (l launches) Launched(_ context.Context, ticket string) (frame.Launch, bool, error) {
	return frame.Launch{Merchant: "second", Vendor: "HOUSE", Game: l.game, Category: "LIVE"}, ticket != "unknown", nil
}

func newFixture(t testing.TB, store *db.Store, change ...func(*fixture)) *fixture {
	t.Helper()
	h := &fixture{Site: housetest.New(t, store), dbClock: merchanttest.NewClock(), game: "live-001", log: &logBuffer{}, balances: map[string]int64{}}
	h.fund(housetest.Minh, housetest.Lan)
	for _, f := range change {
		f(h)
	}
	h.restart()
	h.frame = h.Open(housetest.Minh).Token
	return h
}

func (h *fixture) fund(members ...int64) {
	for _, id := range members {
		h.Wallet.Balances[housetest.PlayerOf(id)], h.balances[housetest.PlayerOf(id)] = tableBalance, tableBalance
	}
}

// newProcess starts another server process on the same database.
func (h *fixture) newProcess() *house.Service {
	h.T.Helper()
	o := h.Options()
	o.Launches, o.Gate, o.Log = launches{h}, h.Merchants, slog.New(slog.NewTextHandler(h.log, nil))
	o.Time = func(context.Context, *db.Tx) (time.Time, error) { return h.dbClock.Now(), nil }
	if h.useRealTime {
		o.Time = nil
	}
	if h.bus != nil {
		o.Bus = h.bus
	}
	s := house.New(o)
	s.Tables.DisablePolling()
	return s
}

// restart replaces the serving process. The old process keeps its leases, as after a crash.
func (h *fixture) restart() {
	h.T.Helper()
	h.ServeHouse(h.newProcess())
}

func (h *fixture) poll() { h.House.Tables.Poll(h.T.Context(), tableID, true) }

// advance moves the database's clock forward, and polls every second.
func (h *fixture) advance(d time.Duration) {
	for ; d > 0; d -= time.Second {
		h.dbClock.Add(min(d, time.Second))
		h.poll()
	}
}

type ticketResponse struct {
	ID, Status string
	Total, Win int64
	Spots      map[string]int64
}

type tableResponse struct {
	Now   int64
	Round *struct {
		ID, Phase, Commitment     string
		ClientSeed                string
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
	Mine    []ticketResponse
	History []struct {
		Number int64
		Result json.RawMessage
	}
	Balance int64
}

func (h *fixture) getTable() tableResponse {
	h.T.Helper()
	return merchanttest.Value[tableResponse](h.T, h.Call(h.T, "GET", "/house/v1/table", nil, "Authorization", h.frame))
}

// waitForBetting moves the clock forward until a round takes bets.
func (h *fixture) waitForBetting() tableResponse {
	h.T.Helper()
	for range 120 {
		h.poll()
		if got := h.getTable(); got.Round != nil && got.Round.Phase == "betting" {
			return got
		}
		h.dbClock.Add(time.Second)
	}
	h.T.Fatal("no round takes bets within 120 seconds")
	return tableResponse{}
}

func (h *fixture) placeBet(n int, round string, spots map[string]int64) merchanttest.Reply {
	h.T.Helper()
	return h.Call(h.T, "POST", "/house/v1/table/bet", map[string]any{"betId": housetest.SpinID(n), "round": round, "spots": spots}, "Authorization", h.frame)
}

type betResponse struct {
	Bet     ticketResponse
	Balance int64
}

// checkBalances checks that every ticket is settled, refused or refunded, and that the wallet's balances match the tickets.
func (h *fixture) checkBalances(t interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}) {
	t.Helper()
	rows, err := h.Store.Reader.QueryContext(h.T.Context(), "SELECT id, player, status, stake, win FROM house_round WHERE table_round IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	want := maps.Clone(h.balances)
	for rows.Next() {
		var id, stake, win int64
		var player, status string
		if err := rows.Scan(&id, &player, &status, &stake, &win); err != nil {
			t.Fatal(err)
		}
		r := h.Wallet.Rounds[fmt.Sprint(id)]
		switch status {
		case "settled":
			want[player] += win - stake
			if r == nil || !r.Closed {
				t.Fatalf("ticket %d is settled, but open in the wallet: %+v", id, r)
			}
		case "refused", "refunded":
			if r != nil && len(r.Stakes) > 0 {
				t.Fatalf("ticket %d is %s, but has a stake in the wallet: %+v", id, status, r)
			}
		default:
			t.Fatalf("ticket %d has status %s, want settled, refused or refunded", id, status)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for player, balance := range want {
		if got := h.Wallet.Balances[player]; got != balance {
			t.Fatalf("balance of %s = %d, want %d", player, got, balance)
		}
	}
}
