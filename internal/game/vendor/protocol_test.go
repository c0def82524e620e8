package vendor_test

import (
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// step is one call of a case, and what it must be answered.
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

func b(tx, round, amount string) func(string) fields {
	return func(s string) fields { return bet(s, tx, round, amount) }
}

func wi(tx, round, amount string, end bool) func(string) fields {
	return func(s string) fields { return win(s, tx, round, amount, end) }
}

func rb(tx, ref string) func(string) fields {
	return func(s string) fields { return rollback(s, tx, ref) }
}

func end(tx, round string) func(string) fields {
	return func(s string) fields { return common(s, tx, round, nil) }
}

// unknown is the call with a session that nobody has.
func unknown(body func(string) fields) func(string) fields {
	return func(string) fields { return body("nobodys-session") }
}

func with(body func(string) fields, name string, value any) func(string) fields {
	return func(s string) fields {
		f := body(s)
		f[name] = value
		return f
	}
}

// Every row of the protocol's tables, each case in rounds and with ids of its own. The player begins with 1,000,000.
var protocol = []protocolCase{
	{"a round: bet, win, end", []step{
		{call: "bet", body: b("a1", "ra", "100"), code: "OK", balance: "999900"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s} }, code: "OK", balance: "999900"},
		{call: "bet", body: b("a2", "ra", "50"), code: "OK", balance: "999850"},
		{call: "win", body: wi("a3", "ra", "150", true), code: "OK", balance: "1000000"},
	}},
	{"same txId, same content: the first answer", []step{
		{call: "bet", body: b("b1", "rb", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: b("b2", "rb", "1"), code: "OK", balance: "999899"},
		{call: "bet", body: b("b1", "rb", "100"), code: "OK", balance: "999900", replayed: true},
		{call: "bet", body: with(b("b1", "rb", "100"), "requestId", "another"), code: "OK", balance: "999900", replayed: true},
		{call: "win", body: wi("b3", "rb", "101", false), code: "OK", balance: "1000000"},
		{call: "win", body: wi("b3", "rb", "101", false), code: "OK", balance: "1000000", replayed: true},
		{call: "endRound", body: end("b4", "rb"), code: "OK", balance: "1000000"},
		{call: "endRound", body: end("b4", "rb"), code: "OK", balance: "1000000", replayed: true},
	}},
	{"same txId, other content or call: a conflict", []step{
		{call: "bet", body: b("c1", "rc", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: b("c1", "rc", "101"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "bet", body: b("c1", "rd", "100"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "bet", body: with(b("c1", "rc", "100"), "gameCode", "G1"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "win", body: wi("c1", "rc", "100", false), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "rollback", body: rb("c1", "c0"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "endRound", body: end("c1", "rc"), code: "DUPLICATE_CONFLICT", balance: "999900"},
		{call: "win", body: wi("c2", "rc", "100", false), code: "OK", balance: "1000000"},
		{call: "win", body: wi("c2", "rc", "100", true), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "bet", body: unknown(b("c1", "rc", "7")), code: "DUPLICATE_CONFLICT", balance: "0"},
	}},
	{"balance too low, for ever", []step{
		{call: "bet", body: b("d1", "re", "1000001"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "bet", body: b("d1", "re", "1000001"), code: "INSUFFICIENT_FUNDS", balance: "1000000", replayed: true},
		{call: "win", body: wi("d2", "re", "5", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
		{call: "bet", body: b("d3", "re", "1000000000000000"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "bet", body: with(b("d4", "re", "100000000000000"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000"},
	}},
	{"rolled back before it came", []step{
		{call: "rollback", body: rb("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone"},
		{call: "rollback", body: rb("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone", replayed: true},
		{call: "bet", body: b("e2", "rf", "100"), code: "TX_ROLLED_BACK", balance: "1000000"},
		{call: "bet", body: b("e2", "rf", "100"), code: "TX_ROLLED_BACK", balance: "1000000", replayed: true},
		{call: "bet", body: b("e2", "rf", "200"), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "rollback", body: rb("e1", "e2"), code: "OK", balance: "1000000", status: "tombstone", replayed: true},
		{call: "rollback", body: rb("e3", "e2"), code: "OK", balance: "1000000", status: "tombstone"},
	}},
	{"rollback: once, and again with a new txId", []step{
		{call: "bet", body: b("f1", "rg", "100"), code: "OK", balance: "999900"},
		{call: "rollback", body: rb("f2", "f1"), code: "OK", balance: "1000000", status: "reversed"},
		{call: "rollback", body: rb("f2", "f1"), code: "OK", balance: "1000000", status: "reversed", replayed: true},
		{call: "rollback", body: rb("f3", "f1"), code: "OK", balance: "1000000", status: "unchanged"},
		{call: "bet", body: b("f1", "rg", "100"), code: "OK", balance: "999900", replayed: true},
		{call: "win", body: wi("f4", "rg", "100", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s} }, code: "OK", balance: "1000000"},
	}},
	{"rollback of a failed bet", []step{
		{call: "bet", body: b("g1", "rh", "2000000"), code: "INSUFFICIENT_FUNDS", balance: "1000000"},
		{call: "rollback", body: rb("g2", "g1"), code: "OK", balance: "1000000", status: "unchanged"},
	}},
	{"rollback of a bet whose round has a win, or is closed", []step{
		{call: "bet", body: b("h1", "ri", "100"), code: "OK", balance: "999900"},
		{call: "win", body: wi("h2", "ri", "0", false), code: "OK", balance: "999900"},
		{call: "rollback", body: rb("h3", "h1"), code: "ROUND_CLOSED", balance: "999900"},
		{call: "rollback", body: rb("h3", "h1"), code: "ROUND_CLOSED", balance: "999900", replayed: true},
		{call: "bet", body: b("h4", "rj", "100"), code: "OK", balance: "999800"},
		{call: "endRound", body: end("h5", "rj"), code: "OK", balance: "999800"},
		{call: "rollback", body: rb("h6", "h4"), code: "ROUND_CLOSED", balance: "999800"},
		{call: "promo", body: func(s string) fields {
			return fields{"sessionId": s, "currency": "VND", "txId": "h7", "amount": "200", "reason": "a gift"}
		}, code: "OK", balance: "1000000"},
	}},
	{"bet and win in a closed round", []step{
		{call: "bet", body: b("i1", "rk", "100"), code: "OK", balance: "999900"},
		{call: "win", body: wi("i2", "rk", "100", true), code: "OK", balance: "1000000"},
		{call: "bet", body: b("i3", "rk", "100"), code: "ROUND_CLOSED", balance: "1000000"},
		{call: "bet", body: b("i3", "rk", "100"), code: "ROUND_CLOSED", balance: "1000000", replayed: true},
		{call: "win", body: wi("i4", "rk", "100", false), code: "ROUND_CLOSED", balance: "1000000"},
		{call: "endRound", body: end("i5", "rk"), code: "OK", balance: "1000000"},
		{call: "win", body: wi("i6", "rl", "100", false), code: "ROUND_NOT_FOUND", balance: "1000000"},
	}},
	{"a session that nobody knows", []step{
		{call: "bet", body: b("j1", "rm", "100"), code: "OK", balance: "999900"},
		{call: "bet", body: unknown(b("j2", "rm", "100")), code: "SESSION_EXPIRED", balance: "0"},
		{call: "bet", body: b("j2", "rm", "100"), code: "OK", balance: "999800"}, // that was not remembered
		{call: "bet", body: unknown(b("j1", "rm", "100")), code: "OK", balance: "999900", replayed: true},
		{call: "balance", body: func(string) fields { return fields{"sessionId": "nobodys-session"} }, code: "SESSION_EXPIRED", balance: "0"},
		{call: "rollback", body: unknown(rb("j3", "j2")), code: "OK", balance: "999900", status: "reversed"},
		{call: "win", body: unknown(wi("j4", "rm", "100", false)), code: "OK", balance: "1000000"},
		{call: "win", body: unknown(wi("j4", "rm", "100", false)), code: "OK", balance: "1000000", replayed: true},
		{call: "endRound", body: unknown(end("j5", "rm")), code: "OK", balance: "1000000"},
		{call: "win", body: unknown(wi("j6", "rm-none", "100", false)), code: "ROUND_NOT_FOUND", balance: "0"},
		{call: "win", body: unknown(wi("j6", "rm-none", "100", false)), code: "ROUND_NOT_FOUND", balance: "0", replayed: true},
		{call: "rollback", body: unknown(rb("j7", "j8")), code: "OK", balance: "0", status: "tombstone"},
		{call: "rollback", body: unknown(rb("j7", "j8")), code: "OK", balance: "0", status: "tombstone", replayed: true},
		{call: "bet", body: b("j8", "rm2", "100"), code: "TX_ROLLED_BACK", balance: "1000000"},
		{call: "rollback", body: unknown(rb("j7", "j8")), code: "OK", balance: "0", status: "tombstone", replayed: true},
	}},
	{"the wrong currency, for ever", []step{
		{call: "bet", body: with(b("k1", "rn", "10"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "bet", body: with(b("k1", "rn", "10"), "currency", "CNY"), code: "WRONG_CURRENCY", balance: "1000000", replayed: true},
		{call: "bet", body: b("k1", "rn", "10"), code: "DUPLICATE_CONFLICT", balance: "1000000"},
		{call: "bet", body: with(b("k2", "rn", "10.123"), "currency", "EUR"), code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "promo", body: func(s string) fields {
			return fields{"sessionId": s, "currency": "CNY", "txId": "k3", "amount": "2", "reason": "a gift"}
		}, code: "WRONG_CURRENCY", balance: "1000000"},
		{call: "balance", body: func(s string) fields { return fields{"sessionId": s, "currency": "CNY"} }, code: "WRONG_CURRENCY", balance: "1000000"},
	}},
	{"another game than the one that was launched", []step{
		{call: "bet", body: with(b("l1", "ro", "10"), "gameCode", "x-G2"), code: "GAME_UNAVAILABLE", balance: "1000000"},
		{call: "bet", body: b("l1", "ro", "10"), code: "OK", balance: "999990"},
		{call: "rollback", body: rb("l2", "l1"), code: "OK", balance: "1000000", status: "reversed"},
	}},
}

func TestProtocol(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w := newWorld(t, store)
		session := w.enter(t, "minhanh92")
		for _, c := range protocol {
			t.Run("GL-07 "+c.name, func(t *testing.T) {
				for i, s := range c.steps {
					r := w.call(t, s.call, s.body(session))
					if r.status != 200 || r.Code != s.code || r.Balance != s.balance || r.replayed() != s.replayed || r.Status != s.status {
						t.Fatalf("step %d %s: got %d %s, want %+v", i+1, s.call, r.status, r.raw, s)
					}
					if moves := s.call != "balance"; moves != (r.Replayed != nil) || !strings.Contains(r.raw, `"currency":"`) {
						t.Fatalf("step %d %s: %s", i+1, s.call, r.raw)
					}
				}
			})
		}
		w.verify(t)
		if got := w.balance(t, minh); got != 1_000_000 {
			t.Errorf("%d left", got)
		}
	})
}
