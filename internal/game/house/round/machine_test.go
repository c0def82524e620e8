package round_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/fairnesstest"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/round"
	"fairground/internal/money"
)

// machines lists all versions of all slots.
var machines = []struct {
	name    string
	version int64
	rtp     string
}{{"slot", 1, "96.17"}, {"slot", 2, "96.26"}, {"ways", 1, "96.49"}, {"cascade", 1, "96.47"}, {"cascade", 2, "96.50"}}

// The stored rounds of every version keep their outcomes. The web app's tests use the same file.
func TestPP17OldRoundsStayVerifiable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../testdata/rounds.json")
	if err != nil {
		t.Fatal(err)
	}
	var rounds []struct {
		Engine     string
		Version    int64
		Seed       string
		ClientSeed string
		Nonce      int64
		Stake      money.Minor
		Outcome    json.RawMessage
	}
	if err := json.Unmarshal(text, &rounds); err != nil {
		t.Fatal(err)
	}
	seen, free := map[string]int{}, 0
	for _, r := range rounds {
		machine, found := round.FindMachine(r.Engine, r.Version)
		seed, err := fairness.ParseSeed(r.Seed)
		if !found || err != nil {
			t.Fatalf("version %d of %s: found %t, seed error %v, want a machine and a seed", r.Version, r.Engine, found, err)
		}
		want, err := reels.ReadOutcome(string(r.Outcome))
		if err != nil {
			t.Fatal(err)
		}
		got, err := machine.Play(fairness.NewStream(seed, r.ClientSeed, r.Nonce), r.Stake)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("version %d of %s, nonce %d: outcome = %+v, %v, want %+v", r.Version, r.Engine, r.Nonce, got, err, want)
		}
		seen[fmt.Sprint(r.Engine, r.Version)]++
		free += want.FreeRounds
	}
	for _, m := range machines {
		if seen[fmt.Sprint(m.name, m.version)] < 3 {
			t.Errorf("%d rounds of version %d of %s, want at least 3", seen[fmt.Sprint(m.name, m.version)], m.version, m.name)
		}
	}
	if free == 0 {
		t.Error("no stored round has free rounds")
	}
}

func TestReturnsArePublishedRoundedDown(t *testing.T) {
	t.Parallel()
	for _, m := range machines {
		machine, found := round.FindMachine(m.name, m.version)
		if !found || reels.Percent(machine.Return()) != m.rtp {
			t.Errorf("version %d of %s: found %t, return %s, want %s", m.version, m.name, found, reels.Percent(machine.Return()), m.rtp)
		}
	}
	for name, version := range map[string]int64{"slot": 3, "cascade": 3, "wheel": 0, "ways": -1} {
		if _, found := round.FindMachine(name, version); found {
			t.Errorf("FindMachine finds version %d of %s", version, name)
		}
	}
}

// The test checks statistics of the stops in paid spins and in free rounds, from fixed seeds. internal/game/fairness uses the same
// bound.
func TestPP16StopsLookRandom(t *testing.T) {
	t.Parallel()
	const rounds, bound = 20_000, 3.89
	for _, m := range machines {
		t.Run(fmt.Sprintf("PP-16 %s %d", m.name, m.version), func(t *testing.T) {
			t.Parallel()
			machine, _ := round.FindMachine(m.name, m.version)
			seed := fairness.Seed(sha256.Sum256([]byte(m.name)))
			stops := len(machine.Data().Strips[0])
			var paid, free []int
			for nonce := range int64(rounds) {
				o, err := machine.Play(fairness.NewStream(seed, "player", nonce+1), reels.Parts)
				if err != nil {
					t.Fatal(err)
				}
				paid = append(paid, o.Spins[0].Stops...)
				for _, spin := range o.Spins[1:] {
					free = append(free, spin.Stops...)
				}
			}
			for what, outcomes := range map[string][]int{"paid": paid, "free": free} {
				if len(outcomes) == 0 && machine.Data().FreeRounds == nil {
					continue
				}
				for _, score := range fairnesstest.All(outcomes, stops) {
					if score.Beyond(bound) {
						t.Errorf("%s: score = %s, want it within the bound", what, score)
					}
				}
			}
		})
	}
}
