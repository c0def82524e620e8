package main

import (
	"encoding/json"
	"strings"
	"time"
)

// ofLimits are the calls about the caller's own limits, in an order in which each leaves what the next needs.
func ofLimits() [][]visited {
	trial := try{name: "a trial", actor: "trial"}
	null := json.RawMessage("null")
	stake := func(amount any) func(*people) (map[string]any, []string) {
		return func(*people) (map[string]any, []string) {
			return map[string]any{"kind": "stake", "period": "day", "amount": amount}, nil
		}
	}
	which := func(*people) (map[string]any, []string) { return map[string]any{"kind": "stake", "period": "day"}, nil }
	bad := func(field string, values ...any) (tries []try) {
		tries = append(tries, try{name: "no " + field, with: map[string]any{field: nil}})
		for _, v := range values {
			name, _ := json.Marshal(v)
			tries = append(tries, try{name: field + " " + short(string(name)), with: map[string]any{field: v}})
		}
		return tries
	}
	set := visited{id: "setLimit", good: stake(200_000), tries: []try{
		trial, {name: "done"}, {name: "lower", with: map[string]any{"amount": 100_000}}, {name: "higher waits", with: map[string]any{"amount": 300_000}},
		{name: "none waits", with: map[string]any{"amount": null}}, {name: "zero of another", with: map[string]any{"kind": "loss", "amount": 0}},
		{name: "all there is", with: map[string]any{"kind": "deposit", "amount": 1_000_000_000_000_000}},
	}}
	set.tries = append(set.tries, bad("kind", "", "bonus", "Stake", 1, null)...)
	set.tries = append(set.tries, bad("period", "", "year", "DAY", []string{"day"}, null)...)
	set.tries = append(set.tries, bad("amount", -1, "100", "", true, []int{1}, map[string]any{}, 1.5, json.RawMessage("1e3"), json.RawMessage("-0"),
		json.RawMessage("1000000000000001"), json.RawMessage("99999999999999999999"), json.RawMessage("1e999"))...)
	confirm := visited{id: "confirmLimit", good: which, tries: []try{
		trial, {name: "nothing waits", with: map[string]any{"kind": "deposit"}}, {name: "too soon"}, {name: "done", before: both(wait(24*time.Hour), func(p *people) { p.enter("owner") })},
		{name: "twice"},
	}}
	confirm.tries = append(confirm.tries, bad("kind", "", "bonus", 1, null)...)
	confirm.tries = append(confirm.tries, bad("period", "", "year", 1, null)...)
	const pending = "/wps/member/limits/pending"
	cancel := visited{id: "cancelLimit", path: pending + "?kind=loss&period=day", tries: []try{
		trial, {name: "nothing waits"},
		{name: "done", before: func(p *people) {
			p.as("owner", "PUT", "/wps/member/limits", `{"kind":"loss","period":"day","amount":5}`)
		}},
		{name: "twice"},
		{name: "no kind", path: pending + "?period=day"}, {name: "no period", path: pending + "?kind=loss"}, {name: "neither", path: pending},
		{name: "another kind", path: pending + "?kind=bonus&period=day"}, {name: "another period", path: pending + "?kind=loss&period=year"},
	}}
	check := visited{id: "setRealityCheck", unseen: map[string]string{"limits.check_due": "it takes a quarter of an hour of play; the limits' own test has it"}, good: func(*people) (map[string]any, []string) { return map[string]any{"minutes": 30}, nil },
		tries: []try{trial, {name: "done"}, {name: "never", with: map[string]any{"minutes": null}}}}
	check.tries = append(check.tries, bad("minutes", 0, -15, 45, 15.5, "15", true, json.RawMessage("9223372036854775808"))...)
	seen := visited{id: "acknowledgeRealityCheck", good: func(p *people) (map[string]any, []string) { return map[string]any{"playId": p.play()}, nil },
		tries: []try{trial, {name: "done"}, {name: "no play of the caller's", with: map[string]any{"playId": "1"}}}}
	seen.tries = append(seen.tries, bad("playId", "", "x", "-1", 1, "12345678901234567890", null)...)
	rest := visited{id: "takeBreak", good: func(*people) (map[string]any, []string) { return map[string]any{"period": "1w"}, nil },
		tries: []try{trial, {name: "done"}, {name: "shorter", with: map[string]any{"period": "24h"}}, {name: "longer", with: map[string]any{"period": "life"}},
			{name: "nothing is longer", with: map[string]any{"period": "5y"}}}}
	rest.tries = append(rest.tries, bad("period", "", "2y", "LIFE", "6m", 7, null)...)
	return [][]visited{{{id: "limits", tries: []try{{name: "done"}, trial}}, set, cancel, check, seen, rest, confirm}}
}

func short(s string) string {
	if len(s) > 24 {
		return s[:24]
	}
	return strings.TrimSpace(s)
}
