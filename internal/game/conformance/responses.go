package conformance

import (
	"fmt"
	"math/big"
	"net/http"
)

func (t Response) checkComplete(*wallet) error {
	if t.PlayerID == "" || t.Currency == "" || t.Language == "" || t.Trial == nil {
		return fmt.Errorf("a field is missing: playerId %q language %q, %s", t.PlayerID, t.Language, t)
	}
	_, err := parseDecimal(t.Balance)
	return err
}

func parseDecimal(text string) (*big.Rat, error) {
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("balance %q is not a decimal number", text)
	}
	return n, nil
}

// checkBalances checks the balance after each call of a round.
func checkBalances(w *wallet) error {
	now, err := w.balance()
	if err != nil {
		return err
	}
	want, err := parseDecimal(now)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		call   string
		fields map[string]any
		moves  int64
	}{
		{"bet", w.bet("q1", "q", "3"), -3},
		{"bet", w.bet("q2", "q", "2"), -2},
		{"rollback", w.rollback("q3", "q2"), 2},
		{"win", w.win("q4", "q", "1", false), 1},
		{"win", w.win("q5", "q", "2", true), 2},
		{"win", w.win("q4", "q", "1", false), 0},
		{"endRound", w.Fields("q6", "q", nil), 0},
		{"balance", w.Fields("q7", "q", nil), 0},
	} {
		got, err := w.call(step.call, step.fields)
		if err != nil {
			return err
		}
		want.Add(want, new(big.Rat).SetInt64(step.moves))
		// A replayed response may have the balance of the first response or the current one.
		again := got.Replayed != nil && *got.Replayed
		is, err := parseDecimal(got.Balance)
		switch {
		case got.Code == "INSUFFICIENT_FUNDS":
			return fmt.Errorf("%s: INSUFFICIENT_FUNDS: the member needs money for these cases", step.call)
		case err != nil:
			return fmt.Errorf("%s: %w", step.call, err)
		case got.Code != "OK" || got.Currency != w.Currency || !again && is.Cmp(want) != 0:
			return fmt.Errorf("%s: want OK with a balance of %s %s, got %s %s", step.call, want.FloatString(2), w.Currency, got, got.Currency)
		}
	}
	return nil
}

// checkTwoKeys plays a round with both keys, and then signs with a key that does not match the key id.
func checkTwoKeys(w *wallet) error {
	other := *w
	client := *w.Client
	client.KeyID, client.Key = w.o.OtherKeyID, w.o.OtherKey
	other.Client = &client
	err := keepsBalance(func(w *wallet) []step {
		return []step{{call: "bet", fields: w.bet("x1", "x", "2"), code: "OK"}, {call: "rollback", fields: w.rollback("x2", "x1"), code: "OK"}}
	})(&other)
	if err != nil {
		return err
	}
	if err := w.runSteps(step{call: "bet", fields: w.bet("x3", "y", "2"), code: "OK"}); err != nil {
		return err
	}
	err = other.runSteps(step{call: "bet", fields: w.bet("x3", "y", "2"), code: "OK", replayed: true}, step{call: "win", fields: w.win("x4", "y", "2", true), code: "OK"})
	if err != nil {
		return err
	}
	client.KeyID = w.KeyID
	got, err := other.call("balance", w.Fields("x5", "y", nil))
	if err == nil && (got.HTTP != http.StatusUnauthorized || got.Code != "INVALID_SIGNATURE") {
		err = fmt.Errorf("key ID and signature of different keys: got %s, want 401", got)
	}
	return err
}

// checkTransactionIDs checks that each movement has its own ID, and that replays return the same ID.
func checkTransactionIDs(w *wallet) error {
	seen := map[string]string{}
	for _, step := range []struct {
		call   string
		fields map[string]any
	}{{"bet", w.bet("s1", "s", "2")}, {"bet", w.bet("s1", "s", "2")}, {"win", w.win("s2", "s", "2", true)}, {"win", w.win("s2", "s", "2", true)}} {
		got, err := w.call(step.call, step.fields)
		if err != nil {
			return err
		}
		if got.HTTP != http.StatusOK || got.TransactionID == "" {
			return fmt.Errorf("%s: %s", step.call, got)
		}
		if first, again := seen[step.call]; again && first != got.TransactionID {
			return fmt.Errorf("%s: transactionId changed from %s to %s", step.call, first, got.TransactionID)
		}
		seen[step.call] = got.TransactionID
	}
	if seen["bet"] == seen["win"] {
		return fmt.Errorf("bet and win have the same transactionId %s", seen["bet"])
	}
	return nil
}
