package house_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/game/jackpot"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/money"
)

// The test exports rounds of every game and version, jackpot draws and seeds of a chain. It verifies them with the program in
// docs/verify, which was written in another language from docs/fairness.md alone.
func TestPP17IndependentVerifierAgreesOnEveryGame(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("find node: %v", err)
	}
	export := map[string][]any{}
	seedOf := func(text string) fairness.Seed { return sha256.Sum256([]byte(text)) }
	const stake = 12_345 // does not divide evenly
	for _, engine := range round.Engines() {
		for version := int64(1); ; version++ {
			machine, found := round.FindMachine(engine, version)
			if !found {
				break
			}
			for n := int64(1); n <= 400; n++ {
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
		for n := int64(1); n <= 300; n++ {
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
	for n := int64(1); n <= 100; n++ {
		seed, bet := seedOf(fmt.Sprint("jackpot", n)), money.Minor(n*2_000_000_000) // half of the draws win
		drawn := rules.Draw(seed, "salt-VND-1", n, bet)
		export["jackpot"] = append(export["jackpot"], map[string]any{
			"seed": seed.Hex(), "clientSeed": "salt-VND-1", "nonce": n, "stake": int64(bet), "unit": int64(rules.Unit), "parts": rules.Parts,
			"number": drawn.Number, "won": drawn.Won(),
		})
	}
	for _, form := range []draw.Form{draw.SSC, draw.K3, draw.PK10, draw.Keno} {
		salt, game := strings.Repeat("5a", 16), string(form)+"-1"
		for n := int64(1); n <= 100; n++ {
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
	export["series"] = []any{map[string]any{
		"kind": "table", "name": "baccarat-1", "generation": 3, "end": end, "value": "12345", "salt": series.Salt("table", "baccarat-1", 3, end, "12345"), "links": links,
	}, map[string]any{ // round 1000 of the League of Entropy's quicknet
		"kind": "jackpot", "name": "VND-1", "generation": 1, "end": end, "source": series.ByBeacon, "value": beaconValue,
		"signature": "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
		"salt":      series.Salt("jackpot", "VND-1", 1, end, beaconValue), "links": []any{},
	}}
	verify := func() (string, error) {
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
	if out, err := verify(); err != nil || !strings.Contains(out, " 0 differences") {
		t.Fatalf("the verifier disagrees: %v\n%.3000s", err, out)
	}
	export["jackpot"][0].(map[string]any)["number"] = -1
	if out, err := verify(); err == nil || !strings.Contains(out, "jackpot, ticket 1:") {
		t.Errorf("the verifier accepted a wrong number: %v\n%.3000s", err, out)
	}
}
