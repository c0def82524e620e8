package conformance

import (
	"fmt"
	"math/big"
	"net/http"
	"sync"
)

// orderTests cover the order of checks, refusals that the server must not store, and concurrent calls.
var orderTests = []test{
	{"order of checks: txId, rolled back, session, currency, game, round, funds", keepsBalance(func(w *wallet) []step {
		const maxAmount = "1000000000000000"
		return []step{
			{call: "bet", fields: w.bet("ab1", "ab", "2"), code: "OK"}, {call: "bet", fields: w.unknownSession(w.bet("ab1", "ab", "2")), code: "OK", replayed: true},
			{call: "bet", fields: w.unknownSession(w.bet("ab1", "ab", "3")), code: "DUPLICATE_CONFLICT"},
			{call: "win", fields: w.win("ab2", "ab", "2", true), code: "OK"}, {call: "bet", fields: w.bet("ab1", "ab", "2"), code: "OK", replayed: true},
			{call: "rollback", fields: w.rollback("ab3", "ab4"), code: "OK", status: "tombstone"},
			{call: "bet", fields: w.unknownSession(w.wrongCurrency(w.bet("ab4", "ab", maxAmount))), code: "TX_ROLLED_BACK"},
			{call: "bet", fields: w.unknownSession(w.wrongCurrency(w.bet("ab5", "ab", "2"))), code: "SESSION_EXPIRED"},
			{call: "bet", fields: w.otherGame(w.wrongCurrency(w.bet("ab6", "ab", "2"))), code: "WRONG_CURRENCY"},
			{call: "bet", fields: w.otherGame(w.bet("ab7", "ab", "2")), code: "GAME_UNAVAILABLE"},
			{call: "bet", fields: w.bet("ab8", "ab", maxAmount), code: "ROUND_CLOSED"},
			{call: "bet", fields: w.bet("ab9", "ac", maxAmount), code: "INSUFFICIENT_FUNDS"},
		}
	})},
	{"not remembered: 400, SESSION_EXPIRED and GAME_UNAVAILABLE leave the txId free", keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.unknownSession(w.bet("ad1", "ad", "2")), code: "SESSION_EXPIRED"}, {call: "bet", fields: w.unknownSession(w.bet("ad1", "ad", "2")), code: "SESSION_EXPIRED"},
			{call: "bet", fields: w.otherGame(w.bet("ad1", "ad", "2")), code: "GAME_UNAVAILABLE"},
			{call: "bet", fields: w.bet("ad1", "ad", "2"), code: "OK"},
			{call: "bet", fields: w.bet("l1", "ad", "2"), code: "OK"}, // an earlier test sent this txId with an invalid amount
			{call: "win", fields: w.win("ad2", "ad", "4", true), code: "OK"},
		}
	})},
	{"concurrent repetitions of a call move money once", checkConcurrent},
}

func checkConcurrent(w *wallet) error {
	before, err := w.balance()
	if err != nil {
		return err
	}
	for _, c := range []struct {
		call   string
		fields map[string]any
		moves  int64
	}{{"bet", w.bet("ae1", "ae", "2"), -2}, {"rollback", w.rollback("ae2", "ae1"), 0}} {
		if err := w.sendConcurrently(c.call, c.fields); err != nil {
			return fmt.Errorf("%s: %w", c.call, err)
		}
		want, err := parseDecimal(before)
		if err != nil {
			return err
		}
		want.Add(want, new(big.Rat).SetInt64(c.moves))
		now, err := w.balance()
		if err != nil {
			return err
		}
		if is, err := parseDecimal(now); err != nil || is.Cmp(want) != 0 {
			return fmt.Errorf("%s: want a balance of %s, got %s", c.call, want.FloatString(2), now)
		}
	}
	return nil
}

// sendConcurrently sends one call eight times. All must succeed, and all but one must be replays.
func (w *wallet) sendConcurrently(call string, fields map[string]any) error {
	responses, failures := make([]Response, 8), make([]error, 8)
	var all sync.WaitGroup
	for i := range responses {
		all.Go(func() { responses[i], failures[i] = w.call(call, fields) })
	}
	all.Wait()
	first := 0
	for i, got := range responses {
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
		return fmt.Errorf("want one response that is not replayed, got %d", first)
	}
	return nil
}
