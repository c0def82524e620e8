package conformance

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// malformedTests cover requests that are rejected before any other check.
var malformedTests = []test{
	{"INVALID_AMOUNT", func(w *wallet) error {
		for call, amounts := range map[string][]any{
			"bet": {"0", "-1", "+1", "1e3", "1.123456789", "١", "", "1000000000000001", 1}, "win": {"-1", "-0", "1e3", "1000000000000001"}, "promo": {"0", "-1"},
		} {
			for _, amount := range amounts {
				err := w.expectRejected(call, w.Fields("l1", "l", map[string]any{"amount": amount, "reason": "conformance"}), "INVALID_AMOUNT", "amount")
				if err != nil {
					return fmt.Errorf("%s of %v: %w", call, amount, err)
				}
			}
		}
		return nil
	}},
	{"INVALID_REQUEST names the missing field", func(w *wallet) error {
		for call, fields := range map[string][]string{
			"bet": {"sessionId", "currency", "gameCode", "roundId", "txId", "amount"}, "win": {"roundId", "txId", "amount"}, "rollback": {"txId", "refTxId"},
			"endRound": {"roundId", "txId"}, "promo": {"txId", "amount", "reason"}, "balance": {"sessionId"}, "authenticate": {"ticket"},
		} {
			for _, field := range fields {
				f := w.Fields("m1", "m", map[string]any{"amount": "1", "reason": "conformance", "refTxId": "m2", "ticket": "m3"})
				delete(f, field)
				if err := w.expectRejected(call, f, "INVALID_REQUEST", field); err != nil {
					return fmt.Errorf("%s without %s: %w", call, field, err)
				}
			}
		}
		return nil
	}},
	{"INVALID_REQUEST: a txId is 1 to 64 of A-Z a-z 0-9 . _ : -", func(w *wallet) error {
		for _, id := range []any{"", strings.Repeat("x", 65), "a/b", "a b", "é", 7} {
			if err := w.expectRejected("bet", w.Fields("aa1", "aa", map[string]any{"amount": "1", "txId": id}), "INVALID_REQUEST", "txId"); err != nil {
				return fmt.Errorf("%q: %w", id, err)
			}
		}
		long := w.Run + strings.Repeat(".", 62-len(w.Run))
		return w.runSteps(
			step{call: "bet", fields: w.Fields("aa2", "aa", map[string]any{"amount": "1", "txId": long + "_:"}), code: "OK"},
			step{call: "rollback", fields: w.Fields("aa3", "aa", map[string]any{"txId": long + "-:", "refTxId": long + "_:"}), code: "OK", status: "reversed"},
		)
	}},
	{"INVALID_REQUEST: an unknown field, an unknown call", func(w *wallet) error {
		for _, c := range []struct{ call, field string }{{"bet", "bonus"}, {"credit", "call"}} {
			f := w.bet("r1", "r", "1")
			f["bonus"] = true
			if err := w.expectRejected(c.call, f, "INVALID_REQUEST", c.field); err != nil {
				return err
			}
		}
		return nil
	}},
	{"INVALID_SIGNATURE: wrong body, call, key, vendor or time, or none", checkSignatures},
}

// expectRejected returns an error unless the response has status 400.
func (w *wallet) expectRejected(call string, fields map[string]any, code, field string) error {
	got, err := w.call(call, fields)
	if err == nil && (got.HTTP != http.StatusBadRequest || got.Code != code || got.Field != field) {
		err = fmt.Errorf("want 400 %s of %s, got %s", code, field, got)
	}
	return err
}

func checkSignatures(w *wallet) error {
	body, err := json.Marshal(map[string]any{"sessionId": w.Session})
	if err != nil {
		return err
	}
	at := func(seconds int64) string { return strconv.FormatInt(w.Now().UnixMilli()+1000*seconds, 10) }
	as := func(change func(*Client)) *Client {
		other := *w.Client
		change(&other)
		return &other
	}
	for _, c := range []struct {
		name             string
		by               *Client
		stamp, signature string
	}{
		{"wrong body", w.Client, at(0), w.sign(at(0), "balance", append(body, ' '))},
		{"wrong key", w.Client, at(0), as(func(c *Client) { c.Key = strings.Repeat("0", len(c.Key)) }).sign(at(0), "balance", body)},
		{"wrong key ID", as(func(c *Client) { c.KeyID = w.Run }), at(0), w.sign(at(0), "balance", body)},
		{"wrong vendor", as(func(c *Client) { c.Vendor = strings.ToUpper(w.Run) }), at(0), w.sign(at(0), "balance", body)},
		{"no vendor", as(func(c *Client) { c.Vendor = "" }), at(0), w.sign(at(0), "balance", body)},
		{"no key ID", as(func(c *Client) { c.KeyID = "" }), at(0), w.sign(at(0), "balance", body)},
		{"no time", w.Client, "", w.sign("", "balance", body)},
		{"wrong time", w.Client, at(1), w.sign(at(0), "balance", body)},
		{"signed as another call", w.Client, at(0), w.sign(at(0), "bet", body)},
		{"upper case", w.Client, at(0), strings.ToUpper(w.sign(at(0), "balance", body))},
		{"310 s ago", w.Client, at(-310), w.sign(at(-310), "balance", body)},
		{"310 s ahead", w.Client, at(310), w.sign(at(310), "balance", body)},
		{"none", w.Client, at(0), ""},
	} {
		got, err := c.by.send(w.ctx, "balance", body, c.stamp, c.signature)
		if err != nil {
			return err
		}
		if got.HTTP != http.StatusUnauthorized || got.Code != "INVALID_SIGNATURE" {
			return fmt.Errorf("%s: %s", c.name, got)
		}
	}
	return nil
}
