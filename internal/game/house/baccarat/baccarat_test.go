package baccarat

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/cards"
)

func dealt(hands string) Result {
	order := strings.Fields(hands)
	return deal(func() cards.Card {
		c := cards.Card(order[0])
		order = order[1:]
		return c
	})
}

// Cards are in the order of the deal: player, banker, player, banker, third cards.
func TestThirdCardRules(t *testing.T) {
	t.Parallel()
	for deal, want := range map[string]string{
		"9S KH KD 8C":       "player 9-8", // naturals: no third card
		"4S 9H 4D JC":       "banker 8-9", // both natural
		"6S 7H KD KC":       "banker 6-7", // both stand
		"6S 5H KD KC 4S":    "banker 6-9", // the player stands: the banker draws on 5
		"6S 6H KD KC":       "tie 6-6",    // and stands on 6
		"2S 3H KD KC 8S":    "banker 0-3", // banker 3 stands on an 8
		"2S 3H KD KC 7S 2H": "player 9-5", // and draws on anything else
		"AS 4H KD KC AH":    "banker 2-4", // banker 4 stands on 1
		"AS 4H KD KC 2H 9S": "tie 3-3",    // and draws on 2 to 7
		"AS 5H KD KC 3H":    "banker 4-5", // banker 5 stands on 3
		"AS 5H KD KC 4H 3S": "banker 5-8", // and draws on 4 to 7
		"AS 6H KD KC 5H":    "tie 6-6",    // banker 6 stands on 5
		"AS 6H KD KC 6H 2S": "banker 7-8", // and draws on 6 and 7
		"AS 7H KD KC 7H":    "player 8-7", // banker 7 always stands
		"AS 2H KD KC 8H TS": "player 9-2", // banker 2 always draws
	} {
		r := dealt(deal)
		if got := r.Winner + " " + string(rune('0'+r.Points.Player)) + "-" + string(rune('0'+r.Points.Banker)); got != want || len(r.Player)+len(r.Banker) != len(strings.Fields(deal)) {
			t.Errorf("deal of %s = %s %+v, want %s", deal, got, r, want)
		}
	}
}

func TestSettle(t *testing.T) {
	t.Parallel()
	g := New()
	for deal, want := range map[string]map[string]int64{
		"9S KH KD 8C": {"player": 2000, "banker": 0, "tie": 0, "playerPair": 0, "bankerPair": 0},
		"4S 9H 4D JC": {"player": 0, "banker": 1950, "tie": 0, "playerPair": 12_000, "bankerPair": 0},
		"9S 9H KD JC": {"player": 1000, "banker": 1000, "tie": 9000, "playerPair": 0, "bankerPair": 0},
		"KS 9H KD 9C": {"player": 0, "banker": 1950, "tie": 0, "playerPair": 12_000, "bankerPair": 12_000},
		"KS 9H JD QC": {"player": 0, "banker": 1950, "tie": 0, "playerPair": 0, "bankerPair": 0}, // ten points, but no pair
	} {
		r := dealt(deal + " 2S 2S")
		for id, pays := range want {
			if got, err := g.Settle(r, id, 1000); err != nil || int64(got) != pays {
				t.Errorf("%s: %s pays %d, %v, want %d", deal, id, got, err, pays)
			}
		}
	}
	if _, err := g.Settle(dealt("9S KH KD 8C"), "dragon", 1000); err == nil {
		t.Error("Settle accepts an unknown spot")
	}
}

// Of 416!/410! orders of six cards.
func TestExactChances(t *testing.T) {
	t.Parallel()
	const orders = 4_998_398_275_503_360
	player, banker, tie := chances()
	for name, c := range map[string]struct {
		got         *big.Rat
		want        int64
		approximate string
	}{
		"player": {player, 2_230_518_282_592_256, "0.44625"},
		"banker": {banker, 2_292_252_566_437_888, "0.45860"},
		"tie":    {tie, 475_627_426_473_216, "0.09516"},
	} {
		if c.got.Cmp(big.NewRat(c.want, orders)) != 0 || c.got.FloatString(5) != c.approximate {
			t.Errorf("chance of %s = %s, about %s, want %s", name, c.got, c.got.FloatString(7), c.approximate)
		}
	}
	for id, want := range map[string]string{"player": "0.98765", "banker": "0.98942", "tie": "0.85640", "playerPair": "0.89639", "bankerPair": "0.89639"} {
		if got := New().Returns()[id].FloatString(5); got != want {
			t.Errorf("return of %s = %s, want %s", id, got, want)
		}
	}
}

// A published round never changes.
func TestPP17FixedSeed(t *testing.T) {
	t.Parallel()
	r := New().Deal(fairness.NewStream(fairness.Seed{1, 2, 3}, "baccarat-1", 7))
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"player":["9S","AC","KC"],"banker":["5H","5C","9S"],"winner":"banker","playerPair":false,"bankerPair":true,"points":{"player":0,"banker":9}}`
	if string(text) != want {
		t.Errorf("result = %s, want %s", text, want)
	}
}
