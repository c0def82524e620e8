package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/game/fairness/series"
)

func TestPP17PartSeriesAreVerifiedOffline(t *testing.T) {
	t.Parallel()
	begin := time.Unix(1_700_000_000, 0)
	b := beacontest.Start(t, beacon.Chained, begin, 30, func() time.Time { return begin.Add(time.Hour) })
	chain, err := beacon.ParseChain(b.Hash, b.Info)
	if err != nil {
		t.Fatal(err)
	}
	value, err := chain.ParseValue(9, b.Round(9))
	if err != nil {
		t.Fatal(err)
	}
	end, due := strings.Repeat("ab", 32), chain.Time(9).UnixMilli()
	good := series.Reply{
		Kind: series.Table, Name: "sicbo-1", Generation: 1, State: series.Running, End: end, Source: series.ByBeacon, Detail: beacon.Detail(b.Hash, 9), DueAt: due,
		Value: value.Randomness, Signature: value.Signature, Salt: series.Salt(series.Table, "sicbo-1", 1, end, value.Randomness), CreatedAt: due - 30_000, StartedAt: due + 1000,
	}
	info := filepath.Join(t.TempDir(), "info.json")
	if err := os.WriteFile(info, b.Info, 0o600); err != nil {
		t.Fatal(err)
	}
	for title, c := range map[string]struct {
		change func(*series.Reply)
		want   string // empty: right
	}{
		"right":                  {func(*series.Reply) {}, ""},
		"waiting":                {func(r *series.Reply) { r.State, r.StartedAt, r.Value, r.Salt = series.Waiting, 0, "", "" }, ""},
		"another salt":           {func(r *series.Reply) { r.Salt = end[:32] }, "the salt is"},
		"another round":          {func(r *series.Reply) { r.Detail = beacon.Detail(b.Hash, 10) }, "the signature is wrong"},
		"unknown chain":          {func(r *series.Reply) { r.Detail = beacon.Detail(end, 9) }, "not the configured chain"},
		"published after":        {func(r *series.Reply) { r.CreatedAt = due }, "was published after round 9"},
		"result of the operator": {func(r *series.Reply) { r.Source = series.ByOperator }, "has no public value"},
		"result entered early":   {func(r *series.Reply) { r.Source, r.StartedAt = series.Announced, due-1 }, "too early"},
	} {
		changed := good
		c.change(&changed)
		list, _ := json.Marshal(map[string]any{"success": true, "value": map[string]any{"list": []series.Reply{changed}}})
		path := filepath.Join(t.TempDir(), "series.json")
		if err := os.WriteFile(path, list, 0o600); err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err := (&fairnessSeriesCommand{File: path, Chain: info}).Run(&console{out: &out})
		if (err == nil) != (c.want == "") || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: %v, %q, want %q", title, err, out.String(), c.want)
		}
	}
}
