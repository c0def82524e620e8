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

// made is one call, as the model sees it.
type made struct {
	call, tx, round, ref string
	amount               int64
	end, nobody          bool // nobody: under a session that is unknown
}

func (c made) body(session string) fields {
	if c.nobody {
		session = "nobodys-session"
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
		return common(session, c.tx, c.round, nil)
	}
}

// content is what makes two calls the same.
func (c made) content() string {
	c.nobody = false
	return fmt.Sprint(c)
}

type stand struct{ bets, wins, ends int }

// model is the protocol's state, as simply as it can be said.
type model struct {
	balance int64
	known   map[string]string // tx → content
	code    map[string]string
	tomb    map[string]bool
	bet     map[string]made // standing
	bets    []string
	betIn   []string // the rounds of bets
	rounds  map[string]*stand
}

// expect gives the code, and whether the txId was known.
func (m *model) expect(c made) (code string, replayed bool) {
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

func (m *model) decide(c made) (code string, remembered bool) {
	r := m.rounds[c.round]
	if r == nil {
		r = &stand{}
	}
	switch {
	case m.tomb[c.tx]:
		// Under an unknown session there is nobody to bind the id to; the next that comes is refused all the same.
		return "TX_ROLLED_BACK", !c.nobody || c.call == "rollback"
	case c.call == "rollback":
		return m.takeBack(c), true
	case c.nobody && (c.call == "bet" || c.call == "promo"):
		return "SESSION_EXPIRED", false
	case c.nobody && c.call == "endRound" && !m.everBet(c.round):
		return "OK", true // whose round it is nobody knows: it closes none
	case c.nobody && !m.everBet(c.round):
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
		m.bet[c.tx], m.bets, m.betIn = c, append(m.bets, c.tx), append(m.betIn, c.round)
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

// everBet tells whether the round ever had a bet, standing or not.
func (m *model) everBet(round string) bool {
	for _, in := range m.betIn {
		if in == round {
			return true
		}
	}
	return false
}

func (m *model) takeBack(c made) string {
	if _, known := m.known[c.ref]; !known {
		m.tomb[c.ref] = true
		return "OK"
	}
	was, standing := m.bet[c.ref]
	if !standing {
		return "OK" // failed, no bet, or taken back before
	}
	r := m.rounds[was.round]
	if r.wins > 0 || r.ends > 0 {
		return "ROUND_CLOSED"
	}
	delete(m.bet, c.ref)
	r.bets--
	m.balance += was.amount
	return "OK"
}

func (m *model) draw(rt *rapid.T, prefix string) made {
	name := func(what string) string {
		return prefix + rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f", "g", "h"}).Draw(rt, what)
	}
	c := made{call: rapid.SampledFrom([]string{"bet", "bet", "bet", "win", "win", "rollback", "rollback", "endRound", "promo"}).Draw(rt, "call"), tx: name("tx")}
	c.nobody = rapid.IntRange(0, 4).Draw(rt, "session") == 0
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

// Orders and repetitions of every call, some of them twice at once, over HTTP, compared with the protocol's state.
func TestEveryOrderOfCalls(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 vendor callbacks duplicated, reordered, concurrent", func(t *testing.T) {
			w := newWorld(t, store)
			session := w.enter(t, "minhanh92")
			balance, runs := int64(1_000_000), 0
			rapid.Check(t, func(rt *rapid.T) {
				runs++
				m := &model{balance: balance, known: map[string]string{}, code: map[string]string{}, tomb: map[string]bool{}, bet: map[string]made{}, rounds: map[string]*stand{}}
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
						rt.Fatalf("%+v: %d replays too many or too few in %+v", c, fresh, replies)
					}
				}
				if got := int64(w.balance(t, minh)); got != m.balance {
					rt.Fatalf("balance %d, the protocol's %d", got, m.balance)
				}
				balance = m.balance
			})
			w.verify(t)
			t.Logf("%d orders", runs)
		})
	})
}
