package conformance

import (
	"fmt"
	"math/big"
	"net/http"
	"sync"
)

// ordered are the cases of what is looked at first, of what leaves no trace, and of calls that come at once.
var ordered = []test{
	{"order of checks: txId, rolled back, session, currency, game, round, funds", unchanged(func(w *wallet) []said {
		const most = "1000000000000000"
		return []said{
			{call: "bet", fields: w.bet("ab1", "ab", "2"), code: "OK"}, {call: "bet", fields: w.stray(w.bet("ab1", "ab", "2")), code: "OK", replayed: true},
			{call: "bet", fields: w.stray(w.bet("ab1", "ab", "3")), code: "DUPLICATE_CONFLICT"},
			{call: "win", fields: w.win("ab2", "ab", "2", true), code: "OK"}, {call: "bet", fields: w.bet("ab1", "ab", "2"), code: "OK", replayed: true},
			{call: "rollback", fields: w.back("ab3", "ab4"), code: "OK", status: "tombstone"},
			{call: "bet", fields: w.stray(w.foreign(w.bet("ab4", "ab", most))), code: "TX_ROLLED_BACK"},
			{call: "bet", fields: w.stray(w.foreign(w.bet("ab5", "ab", "2"))), code: "SESSION_EXPIRED"},
			{call: "bet", fields: w.inAnotherGame(w.foreign(w.bet("ab6", "ab", "2"))), code: "WRONG_CURRENCY"},
			{call: "bet", fields: w.inAnotherGame(w.bet("ab7", "ab", "2")), code: "GAME_UNAVAILABLE"},
			{call: "bet", fields: w.bet("ab8", "ab", most), code: "ROUND_CLOSED"},
			{call: "bet", fields: w.bet("ab9", "ac", most), code: "INSUFFICIENT_FUNDS"},
		}
	})},
	{"not remembered: 400, SESSION_EXPIRED and GAME_UNAVAILABLE leave the txId free", unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.stray(w.bet("ad1", "ad", "2")), code: "SESSION_EXPIRED"}, {call: "bet", fields: w.stray(w.bet("ad1", "ad", "2")), code: "SESSION_EXPIRED"},
			{call: "bet", fields: w.inAnotherGame(w.bet("ad1", "ad", "2")), code: "GAME_UNAVAILABLE"},
			{call: "bet", fields: w.bet("ad1", "ad", "2"), code: "OK"},
			{call: "bet", fields: w.bet("l1", "ad", "2"), code: "OK"}, // was INVALID_AMOUNT before
			{call: "win", fields: w.win("ad2", "ad", "4", true), code: "OK"},
		}
	})},
	{"the same call many times at once moves once", atOnce},
}

// atOnce sends a bet, then its rollback, several times each, without waiting for an answer.
func atOnce(w *wallet) error {
	before, err := w.balance()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		call   string
		fields map[string]any
		moves  int64
	}{{"bet", w.bet("ae1", "ae", "2"), -2}, {"rollback", w.back("ae2", "ae1"), 0}} {
		if err := w.together(c.call, c.fields); err != nil {
			return fmt.Errorf("%s: %w", c.call, err)
		}
		want, err := figure(before)
		if err != nil {
			return err
		}
		want.Add(want, new(big.Rat).SetInt64(c.moves))
		now, err := w.balance()
		if err != nil {
			return err
		}
		if is, err := figure(now); err != nil || is.Cmp(want) != 0 {
			return fmt.Errorf("%s: want a balance of %s, got %s", c.call, want.FloatString(2), now)
		}
	}
	return nil
}

// together sends one call eight times: all are OK, and all but one are repetitions.
func (w *wallet) together(call string, fields map[string]any) error {
	answers, failures := make([]Answer, 8), make([]error, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i], failures[i] = w.call(call, fields) })
	}
	all.Wait()
	first := 0
	for i, got := range answers {
		if failures[i] != nil {
			return failures[i]
		}
		if got.HTTP != http.StatusOK || got.Code != "OK" || got.Replayed == nil {
			return fmt.Errorf("want OK, got %s", got)
		}
		if !*got.Replayed {
			first++
		}
	}
	if first != 1 {
		return fmt.Errorf("want one that is not replayed, got %d", first)
	}
	return nil
}
