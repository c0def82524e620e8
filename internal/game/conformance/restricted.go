package conformance

import (
	"fmt"
	"net/http"
)

// restrictedTests run last and in this order, because the member cannot play for a day afterwards.
var restrictedTests = []test{
	{"LIMIT_REACHED is remembered: a bet above the member's limit", checkLimit},
	{"EXCLUDED: bet, promo and balance of a member on a break; a win is accepted", checkExcluded},
}

// checkLimit sets a stake limit of one unit per day.
func checkLimit(w *wallet) error {
	// The win after the break needs a round that began before it.
	if err := w.runSteps(step{call: "bet", fields: w.bet("v1", "v", "2"), code: "OK"}); err != nil {
		return err
	}
	if err := w.callApp(http.MethodPut, "/wps/member/limits", map[string]any{"kind": "stake", "period": "day", "amount": 1}, &struct{}{}); err != nil {
		return err
	}
	return keepsBalance(func(w *wallet) []step {
		return []step{
			{call: "bet", fields: w.bet("u1", "u", "2"), code: "LIMIT_REACHED"}, {call: "bet", fields: w.bet("u1", "u", "2"), code: "LIMIT_REACHED", replayed: true},
			{call: "rollback", fields: w.rollback("u2", "u1"), code: "OK"},
		}
	})(w)
}

// checkExcluded takes a break, which also affects the open play.
func checkExcluded(w *wallet) error {
	if err := w.callApp(http.MethodPost, "/wps/member/limits/break", map[string]any{"period": "24h"}, &struct{}{}); err != nil {
		return err
	}
	return w.runSteps(
		step{call: "bet", fields: w.bet("w1", "w", "2"), code: "EXCLUDED"}, step{call: "bet", fields: w.bet("w1", "w", "2"), code: "EXCLUDED", replayed: true},
		step{call: "promo", fields: w.Fields("w2", "w", map[string]any{"amount": "2", "reason": "conformance"}), code: "EXCLUDED"},
		step{call: "balance", fields: w.Fields("w3", "w", nil), code: "EXCLUDED"},
		step{call: "win", fields: w.win("v2", "v", "2", true), code: "OK"},
	)
}

// checkDisabledTicket checks that the refusal does not use up the ticket.
func checkDisabledTicket(w *wallet) error {
	for range 2 {
		got, err := w.call("authenticate", map[string]any{"requestId": w.Run + "-disabled", "ticket": w.o.DisabledTicket})
		if err != nil {
			return err
		}
		if got.HTTP != http.StatusOK || got.Code != "ACCOUNT_DISABLED" || got.SessionID != "" {
			return fmt.Errorf("want ACCOUNT_DISABLED and no session, got %s", got)
		}
	}
	return nil
}

// checkDisabledSession uses a session opened before the account was disabled. The server must not store its refusals.
func checkDisabledSession(w *wallet) error {
	other := *w
	client := *w.Client
	client.Session = w.o.DisabledSession
	other.Client = &client
	promo := other.Fields("z2", "z", map[string]any{"amount": "2", "reason": "conformance"})
	return other.runSteps(
		step{call: "bet", fields: other.bet("z1", "z", "2"), code: "ACCOUNT_DISABLED"}, step{call: "bet", fields: other.bet("z1", "z", "2"), code: "ACCOUNT_DISABLED"},
		step{call: "promo", fields: promo, code: "ACCOUNT_DISABLED"}, step{call: "promo", fields: promo, code: "ACCOUNT_DISABLED"},
		step{call: "balance", fields: other.Fields("z3", "z", nil), code: "ACCOUNT_DISABLED"},
		step{call: "win", fields: other.win("z4", "z", "1", true), code: "ROUND_NOT_FOUND"},
		step{call: "rollback", fields: other.rollback("z5", "z1"), code: "OK", status: "tombstone"},
	)
}
