package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

type call struct {
	name, tx, round, ref string
	amount               money.Minor
	end                  bool
}

// rounds stores the state of rounds in extra rows and implements their limits.
type rounds struct{ *testLedger }

var calls = ledger.NewTable("call_row", ledger.Column{Name: "round", Type: ledger.Text}, ledger.Column{Name: "call", Type: ledger.Text})

type round struct{ bets, wins, ends int }

func (rounds) Prepare(db.Engine, []*ledger.Transfer) ledger.LimitCheck {
	return ledger.LimitCheck{Open: openRounds}
}

func openRounds(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
	g := &roundGate{posts: posts, rounds: map[string]*round{}}
	for _, p := range posts {
		r := &round{}
		err := v.DB.QueryRowContext(ctx, `SELECT COALESCE(SUM(CASE call WHEN 'bet' THEN 1 WHEN 'reversal' THEN -1 ELSE 0 END), 0),
COALESCE(SUM(CASE call WHEN 'win' THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE call WHEN 'end' THEN 1 ELSE 0 END), 0)
FROM call_row WHERE round = $1`, p.RefID).Scan(&r.bets, &r.wins, &r.ends)
		if err != nil {
			return nil, err
		}
		g.rounds[p.RefID] = r
	}
	return g, nil
}

type roundGate struct {
	posts  []ledger.Guarded
	rounds map[string]*round
}

func (g *roundGate) Admit(i int) string {
	p := g.posts[i]
	switch r := g.rounds[p.RefID]; {
	case p.Kind != "end" && r.ends > 0, p.Kind == ledger.KindReversal && r.wins > 0:
		return "ROUND_CLOSED"
	case p.Kind == "win" && r.bets == 0:
		return "ROUND_NOT_FOUND"
	}
	return ""
}

func (g *roundGate) Count(i int) {
	r := g.rounds[g.posts[i].RefID]
	switch p := g.posts[i]; p.Kind {
	case "bet":
		r.bets++
	case ledger.KindReversal:
		r.bets--
	case "win":
		r.wins++
	}
	for _, row := range g.posts[i].Rows {
		if row.Values[1] == "end" {
			r.ends++
		}
	}
}

func (w rounds) do(ctx context.Context, c call) (replayed bool, err error) {
	t := ledger.Transfer{Key: c.tx, Debit: w.cash[0].ID, Credit: w.vendor.ID, Amount: c.amount, Kind: c.name, RefType: "round", RefID: c.round,
		Empty: c.amount == 0, Guarded: true, Rows: []ledger.Row{{Table: calls, Values: []any{c.round, c.name}}}}
	switch c.name {
	case "win":
		t.Debit, t.Credit = t.Credit, t.Debit
		if c.end {
			t.Note = "end"
			t.Rows = append(t.Rows, ledger.Row{Table: calls, Values: []any{c.round, "end"}})
		}
	case "rollback":
		t.RefType, t.RefID, t.Guarded, t.Rows = "tx", c.ref, false, nil
		return w.rollback(ctx, t)
	}
	p, err := w.Post(ctx, t)
	return p.Replayed, err
}

func (w rounds) rollback(ctx context.Context, t ledger.Transfer) (replayed bool, err error) {
	p, known, err := w.Replay(ctx, t)
	if known && errors.Is(err, ledger.ErrTombstone) {
		p, err = w.Post(ctx, t)
	}
	if known || err != nil {
		return p.Replayed, err
	}
	var result error
	err = w.Write(ctx, func(tx *db.Tx) error {
		result, replayed, t.Refuse = nil, false, "" // fn may run again
		s, err := w.TombstoneIn(ctx, tx, t.RefID)
		if err != nil {
			return err
		}
		if s.Kind == "bet" && s.Refusal == "" && !s.Settled {
			bet, err := tx.Q.TransferByID(ctx, s.ID)
			if err != nil {
				return err
			}
			_, err = w.PostIn(ctx, tx, ledger.Transfer{Key: t.Key + "/reversal", Debit: bet.CreditID, Credit: bet.DebitID, Amount: money.Minor(bet.Amount),
				Kind: ledger.KindReversal, Origin: s.ID, RefType: bet.RefType, RefID: bet.RefID, Guarded: true,
				Rows: []ledger.Row{{Table: calls, Values: []any{bet.RefID, ledger.KindReversal}}}})
			var f *fault.Fault
			if errors.As(err, &f) && f.Kind == fault.Refused {
				t.Refuse = f.Code
			} else if err != nil && !errors.Is(err, ledger.ErrSettled) {
				return err
			}
		}
		got, err := w.PostIn(ctx, tx, t)
		if len(got) == 1 {
			replayed, result = got[0].Replayed, err
			return nil
		}
		return err
	})
	return replayed, errors.Join(result, err)
}

type protocol struct {
	balance   money.Minor
	known     map[string]string // tx → its call
	code      map[string]string
	tombstone map[string]bool
	bet       map[string]*call // bets that were posted and not rolled back
	bets      []string         // all posted bets
	round     map[string]*round
}

func (m *protocol) expect(c call) (code string, replayed bool) {
	if earlier, ok := m.known[c.tx]; ok {
		if earlier != fmt.Sprint(c) {
			return ledger.ErrConflict.Code, false
		}
		return m.code[c.tx], true
	}
	code = m.decide(c)
	m.known[c.tx], m.code[c.tx] = fmt.Sprint(c), code
	return code, false
}

func (m *protocol) decide(c call) string {
	if m.tombstone[c.tx] {
		return ledger.ErrTombstone.Code
	}
	if c.name == "rollback" {
		return m.rollBack(c)
	}
	r := m.round[c.round]
	if r == nil {
		r = &round{}
		m.round[c.round] = r
	}
	switch {
	case c.name != "end" && r.ends > 0:
		return "ROUND_CLOSED"
	case c.name == "win" && r.bets == 0:
		return "ROUND_NOT_FOUND"
	case c.name == "bet" && c.amount > m.balance:
		return ledger.ErrInsufficient.Code
	case c.name == "bet":
		m.balance -= c.amount
		m.bet[c.tx], m.bets = &c, append(m.bets, c.tx)
		r.bets++
	case c.name == "win":
		m.balance += c.amount
		r.wins++
	}
	if c.end || c.name == "end" {
		r.ends++
	}
	return ""
}

func (m *protocol) rollBack(c call) string {
	if _, known := m.known[c.ref]; !known {
		m.tombstone[c.ref] = true
		return ""
	}
	bet := m.bet[c.ref]
	if bet == nil {
		return "" // refused, not a bet, or already rolled back
	}
	r := m.round[bet.round]
	if r.wins > 0 || r.ends > 0 {
		return "ROUND_CLOSED"
	}
	delete(m.bet, c.ref)
	r.bets--
	m.balance += bet.amount
	return ""
}

// TestVendorCallsInAnyOrder sends random bets, wins, rollbacks and ends, some twice and concurrently, and compares the
// results with the protocol's state table.
func TestVendorCallsInAnyOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		w := rounds{newTestLedger(t, s, 1, 300, ledger.Options{Limits: rounds{}})}
		w.exec(t, "CREATE TABLE call_row (transfer_id BIGINT NOT NULL, round TEXT NOT NULL, call TEXT NOT NULL)")
		balance, runs := money.Minor(300), 0
		rapid.Check(t, func(rt *rapid.T) {
			runs++
			m := &protocol{balance: balance, known: map[string]string{}, code: map[string]string{}, tombstone: map[string]bool{}, bet: map[string]*call{}, round: map[string]*round{}}
			for range rapid.IntRange(1, 12).Draw(rt, "calls") {
				c := m.draw(rt, fmt.Sprintf("v%d:", runs))
				var wg sync.WaitGroup
				replays, errs := make([]bool, rapid.IntRange(1, 2).Draw(rt, "times")), make([]error, 2)
				for i := range replays {
					wg.Go(func() { replays[i], errs[i] = w.do(ctx, c) })
				}
				wg.Wait()
				fresh := 0
				for i := range replays {
					code, known := m.expect(c)
					var f *fault.Fault
					if errs[i] != nil && !errors.As(errs[i], &f) || f == nil && code != "" || f != nil && f.Code != code {
						rt.Fatalf("%+v: got %v, want %q", c, errs[i], code)
					}
					if !known && code != ledger.ErrConflict.Code {
						fresh++
					}
					if !replays[i] && code != ledger.ErrConflict.Code {
						fresh--
					}
				}
				if fresh != 0 {
					rt.Fatalf("%+v: replays %v, want 0", c, replays)
				}
			}
			if got := w.balance(t, w.cash[0].ID); got != m.balance {
				rt.Fatalf("balance = %d, want %d", got, m.balance)
			}
			balance = m.balance
		})
		w.verify(t)
	})
}

// draw returns a call with one of a few ids and rounds, so that calls affect each other. Most rollbacks refer to posted bets.
func (m *protocol) draw(rt *rapid.T, prefix string) call {
	name := func(what string) string {
		return prefix + rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"}).Draw(rt, what)
	}
	c := call{name: rapid.SampledFrom([]string{"bet", "bet", "win", "win", "rollback", "rollback", "end"}).Draw(rt, "call"), tx: name("tx")}
	switch c.name {
	case "rollback":
		if c.ref = name("ref"); len(m.bets) > 0 && rapid.IntRange(0, 2).Draw(rt, "real") > 0 {
			c.ref = rapid.SampledFrom(m.bets).Draw(rt, "bet")
		}
		if c.ref == c.tx {
			c.ref = prefix + "unknown"
		}
		return c
	case "bet":
		c.amount = rapid.SampledFrom([]money.Minor{1, 2, 10_000}).Draw(rt, "stake")
	case "win":
		c.amount = rapid.SampledFrom([]money.Minor{0, 7}).Draw(rt, "win")
		c.end = rapid.Bool().Draw(rt, "end")
	}
	c.round = prefix + rapid.SampledFrom([]string{"r1", "r1", "r2"}).Draw(rt, "round")
	return c
}
