package vendor_test

import (
	"fmt"
	"strconv"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

type modelCall struct {
	call, tx, round, ref string
	amount               int64
	end, unknown         bool // unknown means that the call has an unknown session
}

func (c modelCall) body(session string) fields {
	if c.unknown {
		session = "unknown-session"
	}
	amount := strconv.FormatInt(c.amount, 10)
	switch c.call {
	case "bet":
		return bet(session, c.tx, c.round, amount)
	case "win":
		return win(session, c.tx, c.round, amount, c.end)
	case "rollback":
		return rollback(session, c.tx, c.ref)
	case "promo":
		return fields{"sessionId": session, "currency": "VND", "txId": c.tx, "amount": amount, "reason": "gift"}
	default:
		return moveFields(session, c.tx, c.round, nil)
	}
}

// content returns the same text for repetitions of a call.
func (c modelCall) content() string {
	c.unknown = false
	return fmt.Sprint(c)
}

type roundState struct{ bets, wins, ends int }

// A model is a minimal implementation of the protocol.
type model struct {
	balance    int64
	known      map[string]string // by txId
	code       map[string]string
	tombstones map[string]bool
	bet        map[string]modelCall // bets that were not rolled back
	bets       []string
	betRounds  []string // rounds of all bets
	rounds     map[string]*roundState
}

// expect returns the expected code and whether the txId is known.
func (m *model) expect(c modelCall) (code string, replayed bool) {
	if was, known := m.known[c.tx]; known {
		if was != c.content() {
			return "DUPLICATE_CONFLICT", false
		}
		return m.code[c.tx], true
	}
	code, remembered := m.decide(c)
	if remembered {
		m.known[c.tx], m.code[c.tx] = c.content(), code
	}
	return code, false
}

func (m *model) decide(c modelCall) (code string, isStored bool) {
	r := m.rounds[c.round]
	if r == nil {
		r = &roundState{}
	}
	switch {
	case m.tombstones[c.tx]:
		// With an unknown session the txId has no player, but its later uses are refused too.
		return "TX_ROLLED_BACK", !c.unknown || c.call == "rollback"
	case c.call == "rollback":
		return m.rollback(c), true
	case c.unknown && (c.call == "bet" || c.call == "promo"):
		return "SESSION_EXPIRED", false
	case c.unknown && c.call == "endRound" && !m.everBet(c.round):
		return "OK", true // the player is unknown, so no round is closed
	case c.unknown && !m.everBet(c.round):
		return "ROUND_NOT_FOUND", true
	case c.call == "promo":
		m.balance += c.amount
		return "OK", true
	case c.call != "endRound" && r.ends > 0:
		return "ROUND_CLOSED", true
	case c.call == "win" && r.bets == 0:
		return "ROUND_NOT_FOUND", true
	case c.call == "bet" && c.amount > m.balance:
		return "INSUFFICIENT_FUNDS", true
	}
	m.rounds[c.round] = r
	switch c.call {
	case "bet":
		m.balance -= c.amount
		m.bet[c.tx], m.bets, m.betRounds = c, append(m.bets, c.tx), append(m.betRounds, c.round)
		r.bets++
	case "win":
		m.balance += c.amount
		r.wins++
	}
	if c.end || c.call == "endRound" {
		r.ends++
	}
	return "OK", true
}

// everBet reports whether the round ever had a bet, rolled back or not.
func (m *model) everBet(round string) bool {
	for _, in := range m.betRounds {
		if in == round {
			return true
		}
	}
	return false
}

func (m *model) rollback(c modelCall) string {
	if _, known := m.known[c.ref]; !known {
		m.tombstones[c.ref] = true
		return "OK"
	}
	bet, found := m.bet[c.ref]
	if !found {
		return "OK" // refused, not a bet, or already reversed
	}
	r := m.rounds[bet.round]
	if r.wins > 0 || r.ends > 0 {
		return "ROUND_CLOSED"
	}
	delete(m.bet, c.ref)
	r.bets--
	m.balance += bet.amount
	return "OK"
}

func (m *model) draw(rt *rapid.T, prefix string) modelCall {
	name := func(kind string) string {
		return prefix + rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"}).Draw(rt, kind)
	}
	c := modelCall{call: rapid.SampledFrom([]string{"bet", "bet", "bet", "win", "win", "rollback", "rollback", "endRound", "promo"}).Draw(rt, "call"), tx: name("tx")}
	c.unknown = rapid.IntRange(0, 4).Draw(rt, "session") == 0
	switch c.call {
	case "rollback":
		if c.ref = name("ref"); len(m.bets) > 0 && rapid.IntRange(0, 2).Draw(rt, "real") > 0 {
			c.ref = rapid.SampledFrom(m.bets).Draw(rt, "bet")
		}
		if c.ref == c.tx {
			c.ref = prefix + "unknown"
		}
		return c
	case "promo":
		c.amount = 3
		return c
	case "bet":
		c.amount = rapid.SampledFrom([]int64{1, 2, 10_000_000}).Draw(rt, "stake")
	case "win":
		c.amount = rapid.SampledFrom([]int64{0, 7}).Draw(rt, "win")
		c.end = rapid.Bool().Draw(rt, "end")
	}
	c.round = prefix + rapid.SampledFrom([]string{"r1", "r1", "r2"}).Draw(rt, "round")
	return c
}

// The test makes random calls in random order, repeated and concurrent, and compares the responses with the model.
func TestRandomCallsMatchModel(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 vendor callbacks duplicated, reordered, concurrent", func(t *testing.T) {
			w := newVendorSite(t, store)
			session := w.openSession(t, "minhanh92")
			balance, runs := int64(1_000_000), 0
			rapid.Check(t, func(rt *rapid.T) {
				runs++
				m := &model{balance: balance, known: map[string]string{}, code: map[string]string{}, tombstones: map[string]bool{}, bet: map[string]modelCall{}, rounds: map[string]*roundState{}}
				for range rapid.IntRange(1, 12).Draw(rt, "calls") {
					c := m.draw(rt, fmt.Sprintf("%s%d:", store.Engine[:1], runs))
					replies := make([]reply, rapid.IntRange(1, 3).Draw(rt, "times"))
					var wg sync.WaitGroup
					for i := range replies {
						wg.Go(func() { replies[i] = w.call(t, c.call, c.body(session)) })
					}
					wg.Wait()
					fresh := 0
					for _, r := range replies {
						code, replayed := m.expect(c)
						if r.status != 200 || r.Code != code {
							rt.Fatalf("%+v: got %d %s, want %s", c, r.status, r.raw, code)
						}
						if !replayed {
							fresh++
						}
						if !r.replayed() {
							fresh--
						}
					}
					if fresh != 0 {
						rt.Fatalf("%+v: wrong number of replays (off by %d) in %+v, want 0", c, fresh, replies)
					}
				}
				if got := int64(w.balance(t, minh)); got != m.balance {
					rt.Fatalf("balance = %d, want %d", got, m.balance)
				}
				balance = m.balance
			})
			w.verify(t)
			t.Logf("%d random runs", runs)
		})
	})
}
