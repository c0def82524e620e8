package conformance

import (
	"fmt"
	"net/http"
)

// test is one case that a wallet must pass.
type test struct {
	name string
	run  func(*wallet) error
}

// said is one call with what must be answered.
type said struct {
	call     string
	fields   map[string]any
	code     string
	replayed bool
	status   string
}

// script runs calls in their order.
func (w *wallet) script(calls ...said) error {
	for i, c := range calls {
		got, err := w.call(c.call, c.fields)
		if err != nil {
			return err
		}
		replayed := got.Replayed != nil && *got.Replayed
		if got.HTTP != http.StatusOK || got.Code != c.code || replayed != c.replayed || c.status != "" && got.Status != c.status {
			return fmt.Errorf("call %d, %s: want %s replayed %v, got %s replayed %v", i+1, c.call, c.code, c.replayed, got, replayed)
		}
		if c.call != "balance" && got.Replayed == nil {
			return fmt.Errorf("call %d, %s: replayed is missing", i+1, c.call)
		}
	}
	return nil
}

func (w *wallet) bet(tx, round, amount string) map[string]any {
	return w.Fields(tx, round, map[string]any{"amount": amount})
}

func (w *wallet) win(tx, round, amount string, end bool) map[string]any {
	return w.Fields(tx, round, map[string]any{"amount": amount, "endRound": end})
}

func (w *wallet) back(tx, ref string) map[string]any {
	return w.Fields(tx, "back", map[string]any{"refTxId": w.Run + "-" + ref})
}

// stray is the call under a session that nobody has.
func (w *wallet) stray(fields map[string]any) map[string]any {
	fields["sessionId"] = w.Run + "-no-session"
	return fields
}

// foreign is the call in a currency that is not the player's.
func (w *wallet) foreign(fields map[string]any) map[string]any {
	if fields["currency"] = "USD"; w.Currency == "USD" {
		fields["currency"] = "CNY"
	}
	return fields
}

// inAnotherGame is the call in a game that is not the session's.
func (w *wallet) inAnotherGame(fields map[string]any) map[string]any {
	fields["gameCode"] = w.Run
	return fields
}

func (w *wallet) balance() (string, error) {
	got, err := w.call("balance", map[string]any{"requestId": "b", "sessionId": w.Session, "currency": w.Currency, "gameCode": w.Game})
	if err == nil && got.Code != "OK" {
		err = fmt.Errorf("balance: %s", got)
	}
	return got.Balance, err
}

// unchanged runs calls after which the player has what they had.
func unchanged(calls func(*wallet) []said) func(*wallet) error {
	return func(w *wallet) error {
		before, err := w.balance()
		if err != nil {
			return err
		}
		if err := w.script(calls(w)...); err != nil {
			return err
		}
		after, err := w.balance()
		if err == nil && after != before {
			err = fmt.Errorf("the player had %s and has %s", before, after)
		}
		return err
	}
}

// tests are the cases of every member. Each takes as much as it gives.
var tests = []test{
	{"a round: two bets, a win, its end", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("a1", "a", "2"), code: "OK"}, {call: "bet", fields: w.bet("a2", "a", "1"), code: "OK"},
			{call: "win", fields: w.win("a3", "a", "3", false), code: "OK"}, {call: "endRound", fields: w.Fields("a4", "a", nil), code: "OK"},
		}
	})},
	{"same txId, same content: the first answer again", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("b1", "b", "2"), code: "OK"}, {call: "bet", fields: w.bet("b1", "b", "2"), code: "OK", replayed: true},
			{call: "win", fields: w.win("b2", "b", "2", true), code: "OK"}, {call: "win", fields: w.win("b2", "b", "2", true), code: "OK", replayed: true},
		}
	})},
	{"same txId, other content or call: DUPLICATE_CONFLICT", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("c1", "c", "2"), code: "OK"}, {call: "bet", fields: w.bet("c1", "c", "3"), code: "DUPLICATE_CONFLICT"},
			{call: "bet", fields: w.bet("c1", "cc", "2"), code: "DUPLICATE_CONFLICT"}, {call: "win", fields: w.win("c1", "c", "2", true), code: "DUPLICATE_CONFLICT"},
			{call: "endRound", fields: w.Fields("c1", "c", nil), code: "DUPLICATE_CONFLICT"}, {call: "rollback", fields: w.back("c1", "c0"), code: "DUPLICATE_CONFLICT"},
			{call: "rollback", fields: w.back("c2", "c1"), code: "OK"}, {call: "rollback", fields: w.back("c2", "c0"), code: "DUPLICATE_CONFLICT"},
		}
	})},
	{"INSUFFICIENT_FUNDS, for ever", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("d1", "d", "1000000000000000"), code: "INSUFFICIENT_FUNDS"},
			{call: "bet", fields: w.bet("d1", "d", "1000000000000000"), code: "INSUFFICIENT_FUNDS", replayed: true},
			{call: "rollback", fields: w.back("d2", "d1"), code: "OK"},
		}
	})},
	{"TX_ROLLED_BACK: a bet that was rolled back before it came", unchanged(func(w *wallet) []said {
		return []said{
			{call: "rollback", fields: w.back("e1", "e2"), code: "OK", status: "tombstone"},
			{call: "bet", fields: w.bet("e2", "e", "2"), code: "TX_ROLLED_BACK"},
			{call: "bet", fields: w.bet("e2", "e", "2"), code: "TX_ROLLED_BACK", replayed: true},
		}
	})},
	{"rollback, and again with a new txId", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("f1", "f", "2"), code: "OK"}, {call: "rollback", fields: w.back("f2", "f1"), code: "OK"},
			{call: "rollback", fields: w.back("f2", "f1"), code: "OK", replayed: true, status: "reversed"}, {call: "rollback", fields: w.back("f3", "f1"), code: "OK", status: "unchanged"},
			{call: "win", fields: w.win("f4", "f", "1", true), code: "ROUND_NOT_FOUND"},
			{call: "endRound", fields: w.Fields("f5", "f", nil), code: "OK"}, {call: "rollback", fields: w.back("f6", "f1"), code: "OK", status: "unchanged"}, // before its round is looked at
		}
	})},
	{"ROUND_CLOSED, for ever: rollback after a win or the end, bet and win after the end", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("g1", "g", "2"), code: "OK"}, {call: "win", fields: w.win("g2", "g", "2", false), code: "OK"},
			{call: "rollback", fields: w.back("g3", "g1"), code: "ROUND_CLOSED"}, {call: "rollback", fields: w.back("g3", "g1"), code: "ROUND_CLOSED", replayed: true},
			{call: "endRound", fields: w.Fields("g4", "g", nil), code: "OK"},
			{call: "bet", fields: w.bet("g5", "g", "1"), code: "ROUND_CLOSED"}, {call: "bet", fields: w.bet("g5", "g", "1"), code: "ROUND_CLOSED", replayed: true},
			{call: "win", fields: w.win("g6", "g", "1", false), code: "ROUND_CLOSED"}, {call: "win", fields: w.win("g6", "g", "1", false), code: "ROUND_CLOSED", replayed: true},
			{call: "bet", fields: w.bet("g7", "gg", "2"), code: "OK"}, {call: "endRound", fields: w.Fields("g8", "gg", nil), code: "OK"},
			{call: "rollback", fields: w.back("g9", "g7"), code: "ROUND_CLOSED"},
			{call: "promo", fields: w.Fields("g10", "gg", map[string]any{"amount": "2", "reason": "conformance"}), code: "OK"}, // what that round has lost
		}
	})},
	{"ROUND_CLOSED: a win with endRound ends the round", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("t1", "t", "2"), code: "OK"}, {call: "win", fields: w.win("t2", "t", "2", true), code: "OK"},
			{call: "bet", fields: w.bet("t3", "t", "1"), code: "ROUND_CLOSED"}, {call: "win", fields: w.win("t4", "t", "1", false), code: "ROUND_CLOSED"},
		}
	})},
	{"ROUND_NOT_FOUND, for ever: a win without a bet", unchanged(func(w *wallet) []said {
		return []said{
			{call: "win", fields: w.win("h1", "h", "1", true), code: "ROUND_NOT_FOUND"}, {call: "win", fields: w.win("h1", "h", "1", true), code: "ROUND_NOT_FOUND", replayed: true},
		}
	})},
	{"SESSION_EXPIRED: a bet under an unknown session; a win, a rollback and an endRound are still taken", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("i1", "i", "2"), code: "OK"}, {call: "bet", fields: w.stray(w.bet("i2", "i", "2")), code: "SESSION_EXPIRED"},
			{call: "balance", fields: w.stray(w.Fields("i4", "i", nil)), code: "SESSION_EXPIRED"},
			{call: "win", fields: w.stray(w.win("i3", "i", "2", true)), code: "OK"},
			{call: "bet", fields: w.bet("i5", "ii", "2"), code: "OK"}, {call: "rollback", fields: w.stray(w.back("i6", "i5")), code: "OK"},
			{call: "endRound", fields: w.stray(w.Fields("i7", "ii", nil)), code: "OK"}, {call: "bet", fields: w.bet("i8", "ii", "2"), code: "ROUND_CLOSED"},
		}
	})},
	{"endRound again: under the same txId its answer, under another OK", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("n1", "n", "2"), code: "OK"}, {call: "win", fields: w.win("n2", "n", "2", false), code: "OK"},
			{call: "endRound", fields: w.Fields("n3", "n", nil), code: "OK"}, {call: "endRound", fields: w.Fields("n3", "n", nil), code: "OK", replayed: true},
			{call: "endRound", fields: w.Fields("n4", "n", nil), code: "OK"}, {call: "endRound", fields: w.Fields("n3", "o", nil), code: "DUPLICATE_CONFLICT"},
		}
	})},
	{"promo: credits outside any round, once", unchanged(func(w *wallet) []said {
		promo := func(amount, reason string) map[string]any {
			return w.Fields("p1", "p", map[string]any{"amount": amount, "reason": reason})
		}
		return []said{
			{call: "promo", fields: promo("2", "conformance"), code: "OK"}, {call: "promo", fields: promo("2", "conformance"), code: "OK", replayed: true},
			{call: "promo", fields: promo("2", "another reason"), code: "DUPLICATE_CONFLICT"},
			{call: "rollback", fields: w.back("p2", "p1"), code: "OK", status: "unchanged"}, // no bet: nothing is taken back
			{call: "bet", fields: w.bet("p3", "p", "2"), code: "OK"}, {call: "win", fields: w.win("p4", "p", "0", true), code: "OK"},
		}
	})},
	{"every answer says the balance as it is then", balances},
	{"transactionId: one for each movement, the same when it is repeated", transactionIDs},
	{"WRONG_CURRENCY, for ever", unchanged(func(w *wallet) []said {
		f := w.foreign(w.bet("j1", "j", "2"))
		return []said{{call: "bet", fields: f, code: "WRONG_CURRENCY"}, {call: "bet", fields: f, code: "WRONG_CURRENCY", replayed: true}}
	})},
	{"GAME_UNAVAILABLE: a game that is not this session's", unchanged(func(w *wallet) []said {
		return []said{{call: "bet", fields: w.inAnotherGame(w.bet("k1", "k", "2")), code: "GAME_UNAVAILABLE"}}
	})},
	{"a ticket is good once", func(w *wallet) error {
		got, err := w.call("authenticate", map[string]any{"requestId": w.Run + "-again", "ticket": w.ticket})
		if err == nil && got.Code == "OK" {
			err = fmt.Errorf("it was taken again: %s", got)
		}
		return err
	}},
}
