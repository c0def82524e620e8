package main

import (
	"encoding/json"
	"strings"
	"time"
)

// limitCalls returns the calls about limits. Their order matters: each call prepares data for the next.
func limitCalls() [][]callTest {
	trial := attempt{name: "trial", want: "403 member.trial_refused", actor: "trial"}
	null := json.RawMessage("null")
	stake := func(amount any) func(*actorServer) (map[string]any, []string) {
		return func(*actorServer) (map[string]any, []string) {
			return map[string]any{"kind": "stake", "period": "day", "amount": amount}, nil
		}
	}
	dailyStake := func(*actorServer) (map[string]any, []string) {
		return map[string]any{"kind": "stake", "period": "day"}, nil
	}
	bad := func(field string, values ...any) (attempts []attempt) {
		want := "400 request_param_err on " + field
		attempts = append(attempts, attempt{name: "no " + field, want: want, with: map[string]any{field: nil}})
		for _, v := range values {
			name, _ := json.Marshal(v)
			attempts = append(attempts, attempt{name: field + " " + short(string(name)), want: want, with: map[string]any{field: v}})
		}
		return attempts
	}
	set := callTest{id: "setLimit", valid: stake(200_000), attempts: []attempt{
		trial, {name: "done", want: "200"}, {name: "lower", want: "200", with: map[string]any{"amount": 100_000}}, {name: "higher: pending", want: "200", with: map[string]any{"amount": 300_000}},
		{name: "removed: pending", want: "200", with: map[string]any{"amount": null}}, {name: "zero for another kind", want: "200", with: map[string]any{"kind": "loss", "amount": 0}},
		{name: "maximum", want: "200", with: map[string]any{"kind": "deposit", "amount": 1_000_000_000_000_000}},
	}}
	set.attempts = append(set.attempts, bad("kind", "", "bonus", "Stake", 1, null)...)
	set.attempts = append(set.attempts, bad("period", "", "year", "DAY", []string{"day"}, null)...)
	set.attempts = append(set.attempts, bad("amount", -1, "100", "", true, []int{1}, map[string]any{}, 1.5, json.RawMessage("1e3"), json.RawMessage("-0"),
		json.RawMessage("1000000000000001"), json.RawMessage("99999999999999999999"))...)
	set.attempts = append(set.attempts, attempt{name: "amount 1e999", want: "400 request_param_err", with: map[string]any{"amount": json.RawMessage("1e999")}})
	confirm := callTest{id: "confirmLimit", valid: dailyStake, attempts: []attempt{
		trial, {name: "nothing pending", want: "404 limits.nothing_waits", with: map[string]any{"kind": "deposit"}}, {name: "too soon", want: "422 limits.too_soon"}, {name: "done", want: "200", before: inOrder(advance(24*time.Hour), func(p *actorServer) { p.logIn("owner") })},
		{name: "twice", want: "404 limits.nothing_waits"},
	}}
	confirm.attempts = append(confirm.attempts, bad("kind", "", "bonus", 1, null)...)
	confirm.attempts = append(confirm.attempts, bad("period", "", "year", 1, null)...)
	const pending = "/wps/member/limits/pending"
	cancel := callTest{id: "cancelLimit", path: pending + "?kind=loss&period=day", attempts: []attempt{
		trial, {name: "nothing pending", want: "404 limits.nothing_waits"},
		{name: "done", want: "200", before: func(p *actorServer) {
			p.as("owner", "PUT", "/wps/member/limits", `{"kind":"loss","period":"day","amount":5}`)
		}},
		{name: "twice", want: "404 limits.nothing_waits"},
		{name: "no kind", want: "400 request_param_err on kind", path: pending + "?period=day"}, {name: "no period", want: "400 request_param_err on period", path: pending + "?kind=loss"}, {name: "no kind and no period", want: "400 request_param_err on kind", path: pending},
		{name: "unknown kind", want: "400 request_param_err on kind", path: pending + "?kind=bonus&period=day"}, {name: "unknown period", want: "400 request_param_err on period", path: pending + "?kind=loss&period=year"},
	}}
	check := callTest{id: "setRealityCheck", untested: map[string]string{"limits.check_due": "needs a quarter of an hour of play; internal/finance/limits tests it"}, valid: func(*actorServer) (map[string]any, []string) { return map[string]any{"minutes": 30}, nil },
		attempts: []attempt{trial, {name: "done", want: "200"}, {name: "never", want: "200", with: map[string]any{"minutes": null}}}}
	check.attempts = append(check.attempts, bad("minutes", 0, -15, 45, 15.5, "15", true)...)
	check.attempts = append(check.attempts, attempt{name: "minutes 9223372036854775808", want: "400 request_param_err", with: map[string]any{"minutes": json.RawMessage("9223372036854775808")}})
	acknowledge := callTest{id: "acknowledgeRealityCheck", valid: func(p *actorServer) (map[string]any, []string) { return map[string]any{"playId": p.play()}, nil },
		attempts: []attempt{trial, {name: "done", want: "200"}, {name: "play of another member", want: "400 request_param_err on playId", with: map[string]any{"playId": "1"}}}}
	acknowledge.attempts = append(acknowledge.attempts, bad("playId", "", "x", "-1", 1, "12345678901234567890", null)...)
	takeBreak := callTest{id: "takeBreak", untested: map[string]string{"limits.held": "needs a new account; internal/identity/account tests the hold"}, valid: func(*actorServer) (map[string]any, []string) { return map[string]any{"period": "1w"}, nil },
		attempts: []attempt{trial, {name: "done", want: "200"}, {name: "shorter", want: "422 limits.break_stands", with: map[string]any{"period": "24h"}}, {name: "longer", want: "200", with: map[string]any{"period": "life"}},
			{name: "shorter than for life", want: "422 limits.break_stands", with: map[string]any{"period": "5y"}}}}
	takeBreak.attempts = append(takeBreak.attempts, bad("period", "", "2y", "LIFE", "6m", 7, null)...)
	return [][]callTest{{{id: "limits", attempts: []attempt{{name: "done", want: "200"}, trial}}, set, cancel, check, acknowledge, takeBreak, confirm}}
}

func short(s string) string {
	if len(s) > 24 {
		return s[:24]
	}
	return strings.TrimSpace(s)
}
