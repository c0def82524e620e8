package conformance

import (
	"fmt"
	"net/http"
)

// restricted are the cases of a member who holds back from playing, in this order: after the last they cannot play for a day.
var restricted = []test{
	{"LIMIT_REACHED, for ever: a bet above the member's own limit", limited},
	{"EXCLUDED: bet, promo and balance of a member on a break; a win is still taken", excluded},
}

// limited has the member allow themselves one unit a day.
func limited(w *wallet) error {
	// What is won later needs a round that began before.
	if err := w.script(said{call: "bet", fields: w.bet("v1", "v", "2"), code: "OK"}); err != nil {
		return err
	}
	if err := w.app(http.MethodPut, "/wps/member/limits", map[string]any{"kind": "stake", "period": "day", "amount": 1}, &struct{}{}); err != nil {
		return err
	}
	return unchanged(func(w *wallet) []said {
		return []said{
			{call: "bet", fields: w.bet("u1", "u", "2"), code: "LIMIT_REACHED"}, {call: "bet", fields: w.bet("u1", "u", "2"), code: "LIMIT_REACHED", replayed: true},
			{call: "rollback", fields: w.back("u2", "u1"), code: "OK"},
		}
	})(w)
}

// excluded has the member take a break. It begins at once, in the play that is open, too.
func excluded(w *wallet) error {
	if err := w.app(http.MethodPost, "/wps/member/limits/break", map[string]any{"period": "24h"}, &struct{}{}); err != nil {
		return err
	}
	return w.script(
		said{call: "bet", fields: w.bet("w1", "w", "2"), code: "EXCLUDED"}, said{call: "bet", fields: w.bet("w1", "w", "2"), code: "EXCLUDED", replayed: true},
		said{call: "promo", fields: w.Fields("w2", "w", map[string]any{"amount": "2", "reason": "conformance"}), code: "EXCLUDED"},
		said{call: "balance", fields: w.Fields("w3", "w", nil), code: "EXCLUDED"},
		said{call: "win", fields: w.win("v2", "v", "2", true), code: "OK"},
	)
}

// disabledTicket is refused before it is used up: it opens the game once the account is open again.
func disabledTicket(w *wallet) error {
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

// disabledSession plays in a session that outlived its account. Nothing of it is remembered: the same bet may come again.
func disabledSession(w *wallet) error {
	other := *w
	client := *w.Client
	client.Session = w.o.DisabledSession
	other.Client = &client
	promo := other.Fields("z2", "z", map[string]any{"amount": "2", "reason": "conformance"})
	return other.script(
		said{call: "bet", fields: other.bet("z1", "z", "2"), code: "ACCOUNT_DISABLED"}, said{call: "bet", fields: other.bet("z1", "z", "2"), code: "ACCOUNT_DISABLED"},
		said{call: "promo", fields: promo, code: "ACCOUNT_DISABLED"}, said{call: "promo", fields: promo, code: "ACCOUNT_DISABLED"},
		said{call: "balance", fields: other.Fields("z3", "z", nil), code: "ACCOUNT_DISABLED"},
		said{call: "win", fields: other.win("z4", "z", "1", true), code: "ROUND_NOT_FOUND"},
		said{call: "rollback", fields: other.back("z5", "z1"), code: "OK", status: "tombstone"},
	)
}
