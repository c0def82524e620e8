package conformance

import (
	"fmt"
	"net/http"
)

// A test is one test case that the server must pass.
type test struct {
	name string
	run  func(*wallet) error
}

// A step is one call with its expected response.
type step struct {
	call     string
	fields   map[string]any
	code     string
	replayed bool
	status   string
}

func (w *wallet) runSteps(calls ...step) error {
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

func (w *wallet) rollback(tx, ref string) map[string]any {
	return w.Fields(tx, "back", map[string]any{"refTxId": w.Run + "-" + ref})
}

func (w *wallet) unknownSession(fields map[string]any) map[string]any {
	fields["sessionId"] = w.Run + "-no-session"
	return fields
}

// wrongCurrency replaces the currency with one that is not the player's.
func (w *wallet) wrongCurrency(fields map[string]any) map[string]any {
	if fields["currency"] = "USD"; w.Currency == "USD" {
		fields["currency"] = "CNY"
	}
	return fields
}

// otherGame replaces the game with one that is not the session's.
func (w *wallet) otherGame(fields map[string]any) map[string]any {
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

// keepsBalance returns a test that makes calls and checks that the balance stays the same.
func keepsBalance(calls func(*wallet) []step) func(*wallet) error {
	return func(w *wallet) error {
		before, err := w.balance()
		if err != nil {
			return err
		}
		if err := w.runSteps(calls(w)...); err != nil {
			return err
		}
		after, err := w.balance()
		if err == nil && after != before {
			err = fmt.Errorf("the balance changed from %s to %s", before, after)
		}
		return err
	}
}

// commonTests work with every member. Each test leaves the balance unchanged.
var commonTests = []test{
	{"a round of two bets, a win and endRound", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("a1", "a", "2"), code: "OK"}, {call: "bet", fields: w.bet("a2", "a", "1"), code: "OK"},
			{call: "win", fields: w.win("a3", "a", "3", false), code: "OK"}, {call: "endRound", fields: w.Fields("a4", "a", nil), code: "OK"},
		}
	})},
	{"same txId, same content: the first response again", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("b1", "b", "2"), code: "OK"}, {call: "bet", fields: w.bet("b1", "b", "2"), code: "OK", replayed: true},
			{call: "win", fields: w.win("b2", "b", "2", true), code: "OK"}, {call: "win", fields: w.win("b2", "b", "2", true), code: "OK", replayed: true},
		}
	})},
	{"same txId, other content or call: DUPLICATE_CONFLICT", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("c1", "c", "2"), code: "OK"}, {call: "bet", fields: w.bet("c1", "c", "3"), code: "DUPLICATE_CONFLICT"},
			{call: "bet", fields: w.bet("c1", "cc", "2"), code: "DUPLICATE_CONFLICT"}, {call: "win", fields: w.win("c1", "c", "2", true), code: "DUPLICATE_CONFLICT"},
			{call: "endRound", fields: w.Fields("c1", "c", nil), code: "DUPLICATE_CONFLICT"}, {call: "rollback", fields: w.rollback("c1", "c0"), code: "DUPLICATE_CONFLICT"},
			{call: "rollback", fields: w.rollback("c2", "c1"), code: "OK"}, {call: "rollback", fields: w.rollback("c2", "c0"), code: "DUPLICATE_CONFLICT"},
		}
	})},
	{"INSUFFICIENT_FUNDS is remembered", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("d1", "d", "1000000000000000"), code: "INSUFFICIENT_FUNDS"},
			{call: "bet", fields: w.bet("d1", "d", "1000000000000000"), code: "INSUFFICIENT_FUNDS", replayed: true},
			{call: "rollback", fields: w.rollback("d2", "d1"), code: "OK"},
		}
	})},
	{"TX_ROLLED_BACK: a bet that was rolled back before it arrived", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "rollback", fields: w.rollback("e1", "e2"), code: "OK", status: "tombstone"},
			{call: "bet", fields: w.bet("e2", "e", "2"), code: "TX_ROLLED_BACK"},
			{call: "bet", fields: w.bet("e2", "e", "2"), code: "TX_ROLLED_BACK", replayed: true},
		}
	})},
	{"rollback, and again with a new txId", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("f1", "f", "2"), code: "OK"}, {call: "rollback", fields: w.rollback("f2", "f1"), code: "OK"},
			{call: "rollback", fields: w.rollback("f2", "f1"), code: "OK", replayed: true, status: "reversed"}, {call: "rollback", fields: w.rollback("f3", "f1"), code: "OK", status: "unchanged"},
			{call: "win", fields: w.win("f4", "f", "1", true), code: "ROUND_NOT_FOUND"},
			{call: "endRound", fields: w.Fields("f5", "f", nil), code: "OK"}, {call: "rollback", fields: w.rollback("f6", "f1"), code: "OK", status: "unchanged"}, // this check comes before the check of the round
		}
	})},
	{"ROUND_CLOSED is remembered: rollback after a win or the end, bet and win after the end", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("g1", "g", "2"), code: "OK"}, {call: "win", fields: w.win("g2", "g", "2", false), code: "OK"},
			{call: "rollback", fields: w.rollback("g3", "g1"), code: "ROUND_CLOSED"}, {call: "rollback", fields: w.rollback("g3", "g1"), code: "ROUND_CLOSED", replayed: true},
			{call: "endRound", fields: w.Fields("g4", "g", nil), code: "OK"},
			{call: "bet", fields: w.bet("g5", "g", "1"), code: "ROUND_CLOSED"}, {call: "bet", fields: w.bet("g5", "g", "1"), code: "ROUND_CLOSED", replayed: true},
			{call: "win", fields: w.win("g6", "g", "1", false), code: "ROUND_CLOSED"}, {call: "win", fields: w.win("g6", "g", "1", false), code: "ROUND_CLOSED", replayed: true},
			{call: "bet", fields: w.bet("g7", "gg", "2"), code: "OK"}, {call: "endRound", fields: w.Fields("g8", "gg", nil), code: "OK"},
			{call: "rollback", fields: w.rollback("g9", "g7"), code: "ROUND_CLOSED"},
			{call: "promo", fields: w.Fields("g10", "gg", map[string]any{"amount": "2", "reason": "conformance"}), code: "OK"}, // returns the stake that this round lost
		}
	})},
	{"ROUND_CLOSED: a win with endRound ends the round", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("t1", "t", "2"), code: "OK"}, {call: "win", fields: w.win("t2", "t", "2", true), code: "OK"},
			{call: "bet", fields: w.bet("t3", "t", "1"), code: "ROUND_CLOSED"}, {call: "win", fields: w.win("t4", "t", "1", false), code: "ROUND_CLOSED"},
		}
	})},
	{"ROUND_NOT_FOUND is remembered: a win without a bet", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "win", fields: w.win("h1", "h", "1", true), code: "ROUND_NOT_FOUND"}, {call: "win", fields: w.win("h1", "h", "1", true), code: "ROUND_NOT_FOUND", replayed: true},
		}
	})},
	{"SESSION_EXPIRED: a bet with an unknown session; win, rollback and endRound are accepted", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("i1", "i", "2"), code: "OK"}, {call: "bet", fields: w.unknownSession(w.bet("i2", "i", "2")), code: "SESSION_EXPIRED"},
			{call: "balance", fields: w.unknownSession(w.Fields("i4", "i", nil)), code: "SESSION_EXPIRED"},
			{call: "win", fields: w.unknownSession(w.win("i3", "i", "2", true)), code: "OK"},
			{call: "bet", fields: w.bet("i5", "ii", "2"), code: "OK"}, {call: "rollback", fields: w.unknownSession(w.rollback("i6", "i5")), code: "OK"},
			{call: "endRound", fields: w.unknownSession(w.Fields("i7", "ii", nil)), code: "OK"}, {call: "bet", fields: w.bet("i8", "ii", "2"), code: "ROUND_CLOSED"},
		}
	})},
	{"endRound again: same txId replays, another txId is OK", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("n1", "n", "2"), code: "OK"}, {call: "win", fields: w.win("n2", "n", "2", false), code: "OK"},
			{call: "endRound", fields: w.Fields("n3", "n", nil), code: "OK"}, {call: "endRound", fields: w.Fields("n3", "n", nil), code: "OK", replayed: true},
			{call: "endRound", fields: w.Fields("n4", "n", nil), code: "OK"}, {call: "endRound", fields: w.Fields("n3", "o", nil), code: "DUPLICATE_CONFLICT"},
		}
	})},
	{"promo credits once, outside any round", keepsBalance(func(w *wallet) []step {
		promo := func(amount, reason string) map[string]any {
			return w.Fields("p1", "p", map[string]any{"amount": amount, "reason": reason})
		}
		return []step{
			{call: "promo", fields: promo("2", "conformance"), code: "OK"}, {call: "promo", fields: promo("2", "conformance"), code: "OK", replayed: true},
			{call: "promo", fields: promo("2", "another reason"), code: "DUPLICATE_CONFLICT"},
			{call: "rollback", fields: w.rollback("p2", "p1"), code: "OK", status: "unchanged"}, // not a bet, so nothing is reversed
			{call: "bet", fields: w.bet("p3", "p", "2"), code: "OK"}, {call: "win", fields: w.win("p4", "p", "0", true), code: "OK"},
		}
	})},
	{"every response has the current balance", checkBalances},
	{"transactionId is unique per movement and stable on replay", checkTransactionIDs},
	{"WRONG_CURRENCY is remembered", keepsBalance(func(w *wallet) []step {
		f := w.wrongCurrency(w.bet("j1", "j", "2"))
		return []step{{call: "bet", fields: f, code: "WRONG_CURRENCY"}, {call: "bet", fields: f, code: "WRONG_CURRENCY", replayed: true}}
	})},
	{"GAME_UNAVAILABLE: a game other than the session's", keepsBalance(func(w *wallet) []step {
		return []step{{call: "bet", fields: w.otherGame(w.bet("k1", "k", "2")), code: "GAME_UNAVAILABLE"}}
	})},
	{"a ticket works once", func(w *wallet) error {
		got, err := w.call("authenticate", map[string]any{"requestId": w.Run + "-again", "ticket": w.ticket})
		if err == nil && got.Code == "OK" {
			err = fmt.Errorf("the ticket was accepted again: %s", got)
		}
		return err
	}},
}
