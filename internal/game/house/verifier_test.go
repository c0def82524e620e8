package house_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/money"
)

// The verifier in docs/verify was written in another language, from docs/fairness.md alone.
func TestPP17IndependentVerifierAgreesOnEveryGame(t *testing.T) {
	t.Parallel()
	if out, err := verify(t, exportRounds(t, 400)); err != nil || !strings.Contains(out, " 0 differences") {
		t.Fatalf("the verifier disagrees: %v\n%.3000s", err, out)
	}
}

// A falsehood is a changed value of an exported entry. The verifier reports it under the entry's name and the suffix.
type falsehood struct {
	path   []any // the name of a field, then indices and names inside its value
	suffix string
}

var falsehoods = map[string][]falsehood{
	"slots":     {{[]any{"win"}, ""}, {[]any{"freeRounds"}, ""}, {[]any{"spins"}, ""}, {[]any{"commitment"}, ", commitment"}},
	"tables":    {{[]any{"result"}, ""}, {[]any{"commitment"}, ", commitment"}, {[]any{"spots", 0, "win"}, ", {spot}"}},
	"jackpot":   {{[]any{"number"}, ""}, {[]any{"won"}, ""}},
	"lotteries": {{[]any{"numbers"}, ""}, {[]any{"commitment"}, ", commitment"}},
	"series":    {{[]any{"salt"}, ", salt"}, {[]any{"signature"}, ", value"}, {[]any{"links", 0, "seed"}, ", link 1"}},
}

// The test falsifies entries of each engine and version, lottery form and series, each in one value. The verifier must name all
// of them and no other.
func TestPP17PartIndependentVerifierNamesFalseEntries(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(exportRounds(t, 8))
	if err != nil {
		t.Fatal(err)
	}
	var export map[string][]map[string]any
	if err := json.Unmarshal(text, &export); err != nil {
		t.Fatal(err)
	}
	var want []string
	for list, entries := range export {
		if len(falsehoods[list]) == 0 {
			t.Errorf("falsehoods lacks the list %s", list)
		}
		next := map[string]int{} // the next falsehood of each game
		for _, e := range entries {
			name := entryName(list, e)
			game := name[:strings.LastIndex(name, " ")]
			for next[game] < len(falsehoods[list]) {
				f := falsehoods[list][next[game]]
				next[game]++
				if !change(e, f.path...) {
					continue
				}
				if f.suffix == ", {spot}" {
					f.suffix = fmt.Sprint(", ", e["spots"].([]any)[0].(map[string]any)["id"])
				}
				want = append(want, name+f.suffix)
				break
			}
		}
		for game, n := range next {
			if n < len(falsehoods[list]) {
				t.Errorf("%s has too few entries for %d falsehoods", game, len(falsehoods[list]))
			}
		}
	}
	out, err := verify(t, export)
	if err == nil {
		t.Error("the verifier exits with 0, want 1 after differences")
	}
	var got []string
	for line := range strings.Lines(out) {
		if name, _, isDifference := strings.Cut(line, ": got "); isDifference {
			got = append(got, name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || !strings.Contains(out, fmt.Sprintf(", %d differences", len(want))) {
		t.Errorf("entries that the verifier names (-want +got):\n%s\n%.3000s", diff, out)
	}
}

// entryName returns the name under which the verifier reports an entry.
func entryName(list string, e map[string]any) string {
	switch list {
	case "slots":
		data := e["data"].(map[string]any)
		return fmt.Sprintf("%v version %v, nonce %v", data["name"], data["version"], e["nonce"])
	case "tables":
		return fmt.Sprintf("%v, round %v", e["data"].(map[string]any)["name"], e["nonce"])
	case "jackpot":
		return fmt.Sprintf("jackpot, ticket %v", e["nonce"])
	case "lotteries":
		return fmt.Sprintf("lottery %v, link %v", e["game"], e["link"])
	}
	return fmt.Sprintf("series %v %v %v", e["kind"], e["name"], e["generation"])
}

// change changes the value at a path, or the first value inside it. It reports false if there is none.
func change(v any, path ...any) bool {
	switch v := v.(type) {
	case map[string]any:
		name := ""
		if len(path) > 0 {
			name, path = path[0].(string), path[1:]
		} else {
			name = slices.Sorted(maps.Keys(v))[0]
		}
		changed, isValue := changedValue(v[name])
		if isValue {
			v[name] = changed
		}
		return isValue || v[name] != nil && change(v[name], path...)
	case []any:
		at := 0
		if len(path) > 0 {
			at, path = path[0].(int), path[1:]
		}
		if at >= len(v) {
			return false
		}
		changed, isValue := changedValue(v[at])
		if isValue {
			v[at] = changed
		}
		return isValue || change(v[at], path...)
	}
	return false
}

// changedValue returns another number, flag or text. A text stays hexadecimal.
func changedValue(v any) (changed any, isValue bool) {
	switch v := v.(type) {
	case float64:
		return v + 1, true
	case bool:
		return !v, true
	case string:
		if v[0] == '0' {
			return "1" + v[1:], true
		}
		return "0" + v[1:], true
	}
	return nil, false
}

// exportRounds returns rounds of every game and version, jackpot draws and seeds of a chain, in the form that the verifier reads.
func exportRounds(t *testing.T, rounds int64) map[string][]any {
	t.Helper()
	export := map[string][]any{}
	seedOf := func(text string) fairness.Seed { return sha256.Sum256([]byte(text)) }
	const stake = 12_345 // does not divide evenly
	for _, engine := range round.Engines() {
		for version := int64(1); ; version++ {
			machine, found := round.FindMachine(engine, version)
			if !found {
				break
			}
			for n := int64(1); n <= rounds; n++ {
				seed := seedOf(fmt.Sprint(engine, version, n))
				outcome, err := machine.Play(fairness.NewStream(seed, "own", n), stake)
				if err != nil {
					t.Fatal(err)
				}
				stops := [][]int{}
				for _, spin := range outcome.Spins {
					stops = append(stops, spin.Stops)
				}
				export["slots"] = append(export["slots"], map[string]any{
					"data": machine.Data(), "seed": seed.Hex(), "clientSeed": "own", "nonce": n, "stake": stake, "commitment": seed.Commitment(),
					"spins": stops, "freeRounds": outcome.FreeRounds, "win": int64(outcome.Win),
				})
			}
		}
	}
	for _, engine := range table.Engines() {
		dealer, found := table.FindDealer(engine, 1)
		if !found {
			t.Fatalf("no engine %s", engine)
		}
		for n := int64(1); n <= rounds; n++ {
			seed := seedOf(fmt.Sprint(engine, n))
			result, err := dealer.Deal(fairness.NewStream(seed, "salt-"+engine, n))
			if err != nil {
				t.Fatal(err)
			}
			spots := []any{}
			for _, s := range dealer.Data().Spots {
				win, err := dealer.Settle(result, s.ID, stake)
				if err != nil {
					t.Fatal(err)
				}
				spots = append(spots, map[string]any{"id": s.ID, "stake": stake, "win": int64(win)})
			}
			export["tables"] = append(export["tables"], map[string]any{
				"data": dealer.Data(), "seed": seed.Hex(), "clientSeed": "salt-" + engine, "nonce": n, "commitment": seed.Commitment(), "result": result, "spots": spots,
			})
		}
	}
	rules, _ := jackpot.RulesOf("VND")
	for n := int64(1); n <= rounds; n++ {
		seed, bet := seedOf(fmt.Sprint("jackpot", n)), money.Minor((n%100+1)*2_000_000_000) // half of the draws win
		drawn := rules.Draw(seed, "salt-VND-1", n, bet)
		export["jackpot"] = append(export["jackpot"], map[string]any{
			"seed": seed.Hex(), "clientSeed": "salt-VND-1", "nonce": n, "stake": int64(bet), "unit": int64(rules.Unit), "parts": rules.Parts,
			"number": drawn.Number, "won": drawn.Won(),
		})
	}
	for _, form := range []draw.Form{draw.SSC, draw.K3, draw.PK10, draw.Keno} {
		salt, game := strings.Repeat("5a", 16), string(form)+"-1"
		for n := int64(1); n <= rounds; n++ {
			seed := seedOf(fmt.Sprint(game, n))
			export["lotteries"] = append(export["lotteries"], map[string]any{
				"form": form, "game": game, "salt": salt, "seed": seed.Hex(), "link": n, "commitment": seed.Commitment(), "numbers": draw.FromSeed(form, seed, salt, game, n).Numbers,
			})
		}
	}
	c, err := chain.New(seedOf("chain"), 2500)
	if err != nil {
		t.Fatal(err)
	}
	links := []any{}
	for _, k := range []int{1, 2, 999, 2500} {
		seed, err := c.Seed(k)
		if err != nil {
			t.Fatal(err)
		}
		links = append(links, map[string]any{"link": k, "seed": seed.Hex()})
	}
	end := c.End().Hex()
	const beaconValue = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
	for generation := int64(1); generation <= 5; generation++ {
		export["series"] = append(export["series"], map[string]any{
			"kind": "table", "name": "baccarat-1", "generation": generation, "end": end, "value": "12345", "salt": series.Salt("table", "baccarat-1", generation, end, "12345"), "links": links,
		}, map[string]any{ // round 1000 of the League of Entropy's quicknet
			"kind": "jackpot", "name": "VND-1", "generation": generation, "end": end, "source": series.ByBeacon, "value": beaconValue,
			"signature": "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
			"salt":      series.Salt("jackpot", "VND-1", generation, end, beaconValue), "links": []any{},
		})
	}
	return export
}

// verify runs the verifier on exported rounds and returns its output.
func verify(t *testing.T, export any) (string, error) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("find node: %v", err)
	}
	text, err := json.Marshal(export)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rounds.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), node, "../../../docs/verify/verify.mjs", file).CombinedOutput()
	return string(out), err
}
