package lottery_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/lottery"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// chase returns an order on a fast game's current numero and the next ones. Each numero costs 2,000 and returns 1,940.
func chase(request, game string, numero any, count int) fields {
	order := bet(request, game, numero, "Elott", "sum-side", "big,small", 1000, "1.940")
	order["chase"] = fields{"count": count, "multiplier": 1, "stopOnWin": false}
	return order
}

func (s *site) beginBreak(t *testing.T, name string) {
	t.Helper()
	s.call(t, "POST", "/wps/member/limits/break", fields{"period": "24h"}, s.tokens[name], http.StatusOK)
}

// messages returns the number of messages to a member about returned stakes.
func (s *site) messages(t *testing.T, name string) int64 {
	t.Helper()
	return s.Number(t, "SELECT COUNT(*) FROM inbox WHERE kind = 'lottery.returned' AND member_id = $1", s.ids[name])
}

// states returns the states of a member's bets, oldest first.
func (s *site) states(t *testing.T, name string) string {
	t.Helper()
	rows, err := db.Bind(s.Store.Engine, s.Store.Reader).QueryContext(t.Context(),
		"SELECT b.state FROM lottery_bet b JOIN lottery_order o ON o.id = b.order_id WHERE o.member_id = $1 ORDER BY b.id", s.ids[name])
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var state string
		if err := rows.Scan(&state); err != nil {
			t.Fatal(err)
		}
		all = append(all, state)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, " ")
}

func TestPP07PartBreakReturnsStakesOfOpenNumeros(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		closing := s.currentNumero(t, "1101")
		s.place(t, s.fastSession(t, "minhanh92", "1101"), chase("a", "1101", closing["numero"], 5))
		s.place(t, s.fastSession(t, "quangvu88", "1101"), chase("a", "1101", closing["numero"], 2))
		s.place(t, s.fastSession(t, "minhanh92", "1105"), chase("b", "1105", s.currentNumero(t, "1105")["numero"], 1))
		s.Clock.Add(time.UnixMilli(int64(closing["closeTime"].(float64))).Sub(s.Clock.Now()))
		s.beginBreak(t, "minhanh92")
		if got := s.balance(t, "minhanh92"); got != funds-6*2000 {
			t.Errorf("balance before the task: got %d, want %d", got, funds-6*2000)
		}
		if got := s.Number(t, "SELECT COUNT(*) FROM river_job WHERE kind = 'task' AND CAST(args AS TEXT) LIKE '%lottery.return%'"); got != 1 {
			t.Errorf("queued tasks: got %d, want 1", got)
		}
		if got := s.messages(t, "minhanh92"); got != 0 {
			t.Errorf("messages before the task: got %d, want none", got)
		}
		for range 2 {
			if err := lottery.ReturnStakes(t.Context(), s.lottery, s.ids["minhanh92"]); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.messages(t, "minhanh92"); got != 1 {
			t.Errorf("messages after two orders and two runs of the task: got %d, want 1", got)
		}
		if got := s.balance(t, "minhanh92"); got != funds-2000 {
			t.Errorf("balance on the break: got %d, want %d", got, funds-2000)
		}
		s.drawNow(t, closing)
		if got := s.states(t, "minhanh92"); got != "won"+strings.Repeat(" cancelled", 5) {
			t.Errorf("bets on the break: got %s, want the closed numero settled and the others cancelled", got)
		}
		if got := s.balance(t, "minhanh92"); got != funds-60 {
			t.Errorf("balance after the draw: got %d, want %d", got, funds-60)
		}
		if got := s.states(t, "quangvu88"); got != "won open" {
			t.Errorf("bets of another member: got %s, want them unchanged", got)
		}
		s.VerifyLedger(t)
	})
}

func TestPP07PartReturnOfStakesContinuesAfterACrash(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newSite(t, store)
		session, numero := s.fastSession(t, "minhanh92", "1101"), s.currentNumero(t, "1101")["numero"]
		const orders = 3
		for i := range orders {
			s.place(t, session, chase(fmt.Sprint(i), "1101", numero, 3))
		}
		s.beginBreak(t, "minhanh92")
		crashing := &failingLedger{}
		lottery.WrapLedger(s.lottery, func(l lottery.Ledger) lottery.Ledger {
			crashing.Ledger = l
			return crashing
		})
		for writes := range int64(orders) { // the last of the writes takes effect, but reports an error
			crashing.writesLeft.Store(0)
			if err := lottery.ReturnStakes(t.Context(), s.lottery, s.ids["minhanh92"]); !errors.Is(err, errCrash) {
				t.Errorf("attempt %d: got %v, want a crash", writes, err)
			}
			if got, want := s.balance(t, "minhanh92"), funds-(orders-1-writes)*6000; got != want {
				t.Errorf("attempt %d: got %d, want %d", writes, got, want)
			}
		}
		crashing.writesLeft.Store(1 << 40)
		if err := lottery.ReturnStakes(t.Context(), s.lottery, s.ids["minhanh92"]); err != nil {
			t.Fatal(err)
		}
		if got := s.balance(t, "minhanh92"); got != funds {
			t.Errorf("balance: got %d, want %d", got, funds)
		}
		s.VerifyLedger(t)
	})
}

func TestStakesStayAfterTheBreak(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	s.place(t, s.fastSession(t, "minhanh92", "1101"), chase("a", "1101", s.currentNumero(t, "1101")["numero"], 2))
	s.beginBreak(t, "minhanh92")
	s.Exec(t, "UPDATE limit_guard SET break_until = break_since") // the task runs late
	if err := lottery.ReturnStakes(t.Context(), s.lottery, s.ids["minhanh92"]); err != nil {
		t.Fatal(err)
	}
	if got := s.states(t, "minhanh92"); got != "open open" { //nolint:dupword // two bets
		t.Errorf("bets after the break: got %s, want them unchanged", got)
	}
}

func TestNumeroThatClosesBeforeTheTaskIsNotAnnouncedAsReturned(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	current := s.currentNumero(t, "1101")
	s.place(t, s.fastSession(t, "minhanh92", "1101"), chase("a", "1101", current["numero"], 1))
	s.beginBreak(t, "minhanh92")
	s.Clock.Add(time.UnixMilli(int64(current["closeTime"].(float64))).Sub(s.Clock.Now()))
	if err := lottery.ReturnStakes(t.Context(), s.lottery, s.ids["minhanh92"]); err != nil {
		t.Fatal(err)
	}
	if got := s.states(t, "minhanh92"); got != "open" {
		t.Errorf("bets: got %s, want one that is still open", got)
	}
	if got := s.messages(t, "minhanh92"); got != 0 {
		t.Errorf("messages: got %d, want none", got)
	}
}

func TestBreakWithoutOpenNumerosReturnsNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, dbtest.SQLite(t))
	current := s.currentNumero(t, "1101")
	s.place(t, s.fastSession(t, "minhanh92", "1101"), chase("a", "1101", current["numero"], 1))
	s.drawNow(t, current)
	s.beginBreak(t, "minhanh92")
	for _, table := range []string{"river_job", "inbox WHERE kind = 'lottery.returned'"} {
		if got := s.Number(t, "SELECT COUNT(*) FROM "+table); got != 0 {
			t.Errorf("%s: got %d rows, want none", table, got)
		}
	}
}
