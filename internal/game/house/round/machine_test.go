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

// machines are all slots that rounds were or are played with.
var machines = []struct {
	name    string
	version int64
	rtp     string
}{{"slot", 1, "96.17"}, {"slot", 2, "96.26"}, {"ways", 1, "96.49"}, {"cascade", 1, "96.47"}, {"cascade", 2, "96.50"}}

// The rounds in testdata are what they always were, of every version: the browser's arithmetic is held against the same.
func TestPP17RoundsStayVerifiable(t *testing.T) {
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
			t.Fatalf("%s %d: %t, %v", r.Engine, r.Version, found, err)
		}
		want, err := reels.ReadOutcome(string(r.Outcome))
		if err != nil {
			t.Fatal(err)
		}
		got, err := machine.Play(fairness.NewStream(seed, r.ClientSeed, r.Nonce), r.Stake)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s %d, nonce %d: %+v, %v", r.Engine, r.Version, r.Nonce, got, err)
		}
		seen[fmt.Sprint(r.Engine, r.Version)]++
		free += want.FreeRounds
	}
	for _, m := range machines {
		if seen[fmt.Sprint(m.name, m.version)] < 3 {
			t.Errorf("%d rounds of %s %d", seen[fmt.Sprint(m.name, m.version)], m.name, m.version)
		}
	}
	if free == 0 {
		t.Error("no free rounds among them")
	}
}

func TestReturnsArePublishedRoundedDown(t *testing.T) {
	t.Parallel()
	for _, m := range machines {
		machine, found := round.FindMachine(m.name, m.version)
		if !found || reels.Percent(machine.Return()) != m.rtp {
			t.Errorf("%s %d: %t, %s", m.name, m.version, found, reels.Percent(machine.Return()))
		}
	}
	for name, version := range map[string]int64{"slot": 3, "cascade": 3, "wheel": 0, "ways": -1} {
		if _, found := round.FindMachine(name, version); found {
			t.Errorf("there is a version %d of %s", version, name)
		}
	}
}

// Where the reels of each machine stop, in paid spins and in free rounds, looks like chance: fixed seeds, so the answer
// is always the same. The bound is that of internal/game/fairness.
func TestPP16StopsOfEveryMachineLookLikeChance(t *testing.T) {
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
						t.Errorf("%s: %s", what, score)
					}
				}
			}
		})
	}
}
