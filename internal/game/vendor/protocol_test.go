package vendor_test

import (
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A step is one call of a test case with its expected response.
type step struct {
	call     string
	body     func(session string) fields
	code     string
	balance  string
	replayed bool
	status   string
}

type protocolCase struct {
	name  string
	steps []step
}

func betFor(tx, round, amount string) func(string) fields {
	return func(s string) fields { return bet(s, tx, round, amount) }
}

func winFor(tx, round, amount string, end bool) func(string) fields {
	return func(s string) fields { return win(s, tx, round, amount, end) }
}

func rollbackFor(tx, ref string) func(string) fields {
	return func(s string) fields { return rollback(s, tx, ref) }
}

func endFor(tx, round string) func(string) fields {
	return func(s string) fields { return moveFields(s, tx, round, nil) }
}

func unknownSession(body func(string) fields) func(string) fields {
	return func(string) fields { return body("unknown-session") }
}

func withField(body func(string) fields, name string, value any) func(string) fields {
	return func(s string) fields {
		f := body(s)
		f[name] = value
		return f
	}
}

// The cases cover every row of the protocol's tables. Each case uses its own rounds and IDs, and begins and ends with a balance of
// 1,000,000.
var protocol = []protocolCase{
	{"a round: bet, win, end", []step{
		{call: "bet", body: betFor("a1", "ra", "100"), code: "OK", balance: "999900"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s} }, code: "OK", balance: "999900"},
		{call: "bet", body: betFor("a2", "ra", "50"), code: "OK", balance: "999850"},
		{call: "win", body: winFor("a3", "ra", "150", true), code: "OK", balance: "1000000"},
	}},
	{"same txId, same content: the first response again", []step{
		{call: "bet", body: betFor("b1", "rb", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: betFor("b2", "rb", "1"), code: "OK", balance: "999899"},
		{call: "bet", body: betFor("b1", "rb", "100"), code: "OK", balance: "999900", replayed: true},
		{call: "bet", body: withField(betFor("b1", "rb", "100"), "requestId", "another"), code: "OK", balance: "999900", replayed: true},
		{call: "win", body: winFor("b3", "rb", "101", false), code: "OK", balance: "1000000"},
		{call: "win", body: winFor("b3", "rb", "101", false), code: "OK", balance: "1000000", replayed: true},
		{call: "endRound", body: endFor("b4", "rb"), code: "OK", balance: "1000000"},
		{call: "endRound", body: endFor("b4", "rb"), code: "OK", balance: "1000000", replayed: true},
	}},
	{"same txId, other content or call: a conflict", []step{
		{call: "bet", body: betFor("c1", "rc", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: betFor("c1", "rc", "101"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "bet", body: betFor("c1", "rd", "100"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "bet", body: withField(betFor("c1", "rc", "100"), "gameCode", "G1"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "win", body: winFor("c1", "rc", "100", false), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "rollback", body: rollbackFor("c1", "c0"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "endRound", body: endFor("c1", "rc"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "win", body: winFor("c2", "rc", "100", false), code: "OK", balance: "1000000"},
		{call: "win", body: winFor("c2", "rc", "100", true), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "bet", body: unknownSession(betFor("c1", "rc", "7")), code: "DUPLICATE_CONFLICT", balance: "0"},
	}},
	{"insufficient funds, remembered", []step{
		{call: "bet", body: betFor("d1", "re", "1000001"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "bet", body: betFor("d1", "re", "1000001"), code: "INSUFFICIENT_FUNDS", balance: "1000000", replayed: true},
		{call: "win", body: winFor("d2", "re", "5", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
		{call: "bet", body: betFor("d3", "re", "1000000000000000"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "bet", body: withField(betFor("d4", "re", "100000000000000"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000"},
	}},
	{"rolled back before it arrived", []step{
		{call: "rollback", body: rollbackFor("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone"},
		{call: "rollback", body: rollbackFor("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone", replayed: true},
		{call: "bet", body: betFor("e2", "rf", "100"), code: "TX_ROLLED_BACK", balance: "1000000"},
		{call: "bet", body: betFor("e2", "rf", "100"), code: "TX_ROLLED_BACK", balance: "1000000", replayed: true},
		{call: "bet", body: betFor("e2", "rf", "200"), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "rollback", body: rollbackFor("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone", replayed: true},
		{call: "rollback", body: rollbackFor("e3", "e2"), code: "OK", balance: "1000000", status: "tombstone"},
	}},
	{"rollback, and again with a new txId", []step{
		{call: "bet", body: betFor("f1", "rg", "100"), code: "OK", balance: "999900"},
		{call: "rollback", body: rollbackFor("f2", "f1"), code: "OK", balance: "1000000", status: "reversed"},
		{call: "rollback", body: rollbackFor("f2", "f1"), code: "OK", balance: "1000000", status: "reversed", replayed: true},
		{call: "rollback", body: rollbackFor("f3", "f1"), code: "OK", balance: "1000000", status: "unchanged"},
		{call: "bet", body: betFor("f1", "rg", "100"), code: "OK", balance: "999900", replayed: true},
		{call: "win", body: winFor("f4", "rg", "100", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s} }, code: "OK", balance: "1000000"},
	}},
	{"rollback of a failed bet", []step{
		{call: "bet", body: betFor("g1", "rh", "2000000"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "rollback", body: rollbackFor("g2", "g1"), code: "OK", balance: "1000000", status: "unchanged"},
	}},
	{"rollback of a bet whose round has a win, or is closed", []step{
		{call: "bet", body: betFor("h1", "ri", "100"), code: "OK", balance: "999900"},
		{call: "win", body: winFor("h2", "ri", "0", false), code: "OK", balance: "999900"},
		{call: "rollback", body: rollbackFor("h3", "h1"), code: "ROUND_CLOSED", balance: "999900"},
		{call: "rollback", body: rollbackFor("h3", "h1"), code: "ROUND_CLOSED", balance: "999900", replayed: true},
		{call: "bet", body: betFor("h4", "rj", "100"), code: "OK", balance: "999800"},
		{call: "endRound", body: endFor("h5", "rj"), code: "OK", balance: "999800"},
		{call: "rollback", body: rollbackFor("h6", "h4"), code: "ROUND_CLOSED", balance: "999800"},
		{call: "promo", body: func(s string) fields {
			return fields{"sessionId": s, "currency": "VND", "txId": "h7", "amount": "200", "reason": "a gift"}
		}, code: "OK", balance: "1000000"},
	}},
	{"bet and win in a closed round", []step{
		{call: "bet", body: betFor("i1", "rk", "100"), code: "OK", balance: "999900"},
		{call: "win", body: winFor("i2", "rk", "100", true), code: "OK", balance: "1000000"},
		{call: "bet", body: betFor("i3", "rk", "100"), code: "ROUND_CLOSED", balance: "1000000"},
		{call: "bet", body: betFor("i3", "rk", "100"), code: "ROUND_CLOSED", balance: "1000000", replayed: true},
		{call: "win", body: winFor("i4", "rk", "100", false), code: "ROUND_CLOSED", balance: "1000000"},
		{call: "endRound", body: endFor("i5", "rk"), code: "OK", balance: "1000000"},
		{call: "win", body: winFor("i6", "rl", "100", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
	}},
	{"unknown session", []step{
		{call: "bet", body: betFor("j1", "rm", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: unknownSession(betFor("j2", "rm", "100")), code: "SESSION_EXPIRED", balance: "0"},
		{call: "bet", body: betFor("j2", "rm", "100"), code: "OK", balance: "999800"}, // the refusal of the first attempt was not stored
		{call: "bet", body: unknownSession(betFor("j1", "rm", "100")), code: "OK", balance: "999900", replayed: true},
		{call: "balance", body: func(string) fields { return fields{"sessionId": "unknown-session"} }, code: "SESSION_EXPIRED", balance: "0"},
		{call: "rollback", body: unknownSession(rollbackFor("j3", "j2")), code: "OK", balance: "999900", status: "reversed"},
		{call: "win", body: unknownSession(winFor("j4", "rm", "100", false)), code: "OK", balance: "1000000"},
		{call: "win", body: unknownSession(winFor("j4", "rm", "100", false)), code: "OK", balance: "1000000", replayed: true},
		{call: "endRound", body: unknownSession(endFor("j5", "rm")), code: "OK", balance: "1000000"},
		{call: "win", body: unknownSession(winFor("j6", "rm-none", "100", false)), code: "ROUND_NOT_FOUND", balance: "0"},
		{call: "win", body: unknownSession(winFor("j6", "rm-none", "100", false)), code: "ROUND_NOT_FOUND", balance: "0", replayed: true},
		{call: "rollback", body: unknownSession(rollbackFor("j7", "j8")), code: "OK", balance: "0", status: "tombstone"},
		{call: "rollback", body: unknownSession(rollbackFor("j7", "j8")), code: "OK", balance: "0", status: "tombstone", replayed: true},
		{call: "bet", body: betFor("j8", "rm2", "100"), code: "TX_ROLLED_BACK", balance: "1000000"},
		{call: "rollback", body: unknownSession(rollbackFor("j7", "j8")), code: "OK", balance: "0", status: "tombstone", replayed: true},
	}},
	{"wrong currency, remembered", []step{
		{call: "bet", body: withField(betFor("k1", "rn", "10"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "bet", body: withField(betFor("k1", "rn", "10"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000", replayed: true},
		{call: "bet", body: betFor("k1", "rn", "10"), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "bet", body: withField(betFor("k2", "rn", "10.123"), "currency", "EUR"), code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "promo", body: func(s string) fields {
			return fields{"sessionId": s, "currency": "CNY", "txId": "k3", "amount": "2", "reason": "a gift"}
		}, code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s, "currency": "CNY"} }, code: "WRONG_CURRENCY", balance: "1000000"},
	}},
	{"another game than the launched one", []step{
		{call: "bet", body: withField(betFor("l1", "ro", "10"), "gameCode", "x-G2"), code: "GAME_UNAVAILABLE", balance: "1000000"},
		{call: "bet", body: betFor("l1", "ro", "10"), code: "OK", balance: "999990"},
		{call: "rollback", body: rollbackFor("l2", "l1"), code: "OK", balance: "1000000", status: "reversed"},
	}},
}

func TestProtocol(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newVendorSite(t, store)
		session := w.openSession(t, "minhanh92")
		for _, c := range protocol {
			t.Run("GL-07 "+c.name, func(t *testing.T) {
				for i, s := range c.steps {
					r := w.call(t, s.call, s.body(session))
					if r.status != 200 || r.Code != s.code || r.Balance != s.balance || r.replayed() != s.replayed || r.Status != s.status {
						t.Fatalf("step %d %s: got %d %s, want %+v", i+1, s.call, r.status, r.raw, s)
					}
					if moves := s.call != "balance"; moves != (r.Replayed != nil) || !strings.Contains(r.raw, `"currency":"`) {
						t.Fatalf("step %d %s: %s, want a currency, and replayed unless it is balance", i+1, s.call, r.raw)
					}
				}
			})
		}
		w.verify(t)
		if got := w.balance(t, minh); got != 1_000_000 {
			t.Errorf("balance = %d, want 1000000", got)
		}
	})
}
