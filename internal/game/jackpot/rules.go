package jackpot

import (
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
)

// Rules are how the pool of a currency is played for. They never change within a currency without a new version of this program.
type Rules struct {
	StartAmount money.Minor // what the operator puts in when a series begins
	Cap         money.Minor // it does not grow beyond
	MaxStake    money.Minor // of one stake so much counts: what is staked above gives nothing and has no part
	Unit        money.Minor // of a stake: so much is one part
	Parts       int         // of so many, one is drawn
}

// rules by currency. A stake of S wins with the chance S/Unit in Parts: twice the stake is twice the chance, up to Most, which is
// no less than the greatest stake of the House's own slots.
var rules = map[string]Rules{
	"VND": {StartAmount: 3_700_000_000, Cap: 37_000_000_000, MaxStake: 500_000, Unit: 100, Parts: 2_000_000_000},
	"FUN": {StartAmount: 3_700_000_000, Cap: 37_000_000_000, MaxStake: 500_000, Unit: 100, Parts: 2_000_000_000},
	"CNY": {StartAmount: 100_000_000, Cap: 1_000_000_000, MaxStake: 100_00, Unit: 10, Parts: 600_000_000},
	"USD": {StartAmount: 15_000_000, Cap: 150_000_000, MaxStake: 100_00, Unit: 1, Parts: 800_000_000},
	"PKR": {StartAmount: 4_000_000_000, Cap: 40_000_000_000, MaxStake: 5_000_00, Unit: 100, Parts: 2_200_000_000},
	"BRL": {StartAmount: 75_000_000, Cap: 750_000_000, MaxStake: 100_00, Unit: 5, Parts: 800_000_000},
}

// categories whose stakes have a part: the House's jackpot games and slots, and the jackpot games of vendors whom the operator
// names. What a stake risks is known of the House's games alone: a vendor that gave every stake back could have the seeds for nothing.
const (
	categoryAllVendors = spec.JadeLantern
	categoryHouseOnly  = spec.Slots
)

func qualifies(category string, house, named bool) bool {
	return category == categoryAllVendors && (house || named) || category == categoryHouseOnly && house
}

// RulesOf gives the rules of a currency.
func RulesOf(currency string) (Rules, bool) {
	r, known := rules[currency]
	return r, known
}

// Drawn is one draw: the number, and below which number it wins.
type DrawResult struct{ Number, Below int }

// Won tells whether it won the pool.
func (d DrawResult) Won() bool { return d.Number < d.Below }

// Counts is what of a stake has a part.
func (r Rules) CountedStake(stake money.Minor) money.Minor { return min(stake, r.MaxStake) }

// Draw does the draw of what counts of a stake. It follows from the series' seed, its name and the draw's number alone.
func (r Rules) Draw(seed fairness.Seed, name string, nonce int64, stake money.Minor) DrawResult {
	below := int(min(stake/r.Unit, money.Minor(r.Parts)))
	return DrawResult{fairness.NewStream(seed, name, nonce).Int(r.Parts), below}
}

// SeriesName stands where a player's own seed stands in rounds: published before the first draw, and never again.
func SeriesName(merchantID int64, currency string, series int64) string {
	return fmt.Sprintf("jackpot-%s-%d-%d", currency, merchantID, series)
}
