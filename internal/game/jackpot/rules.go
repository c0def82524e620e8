package jackpot

import (
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
)

// Rules are the published rules of a currency's pool. They are constant within a version of this program.
type Rules struct {
	StartAmount money.Minor // paid by the operator when a series begins
	Cap         money.Minor // maximum amount
	MaxStake    money.Minor // the part of one stake that counts
	Unit        money.Minor // stake per part
	Parts       int         // one of this many parts is drawn
}

// A stake of S wins with a probability of S/Unit in Parts. MaxStake is at least the maximum stake of the House's
// slots.
var rules = map[string]Rules{
	"VND": {StartAmount: 3_700_000_000, Cap: 37_000_000_000, MaxStake: 500_000, Unit: 100, Parts: 2_000_000_000},
	"FUN": {StartAmount: 3_700_000_000, Cap: 37_000_000_000, MaxStake: 500_000, Unit: 100, Parts: 2_000_000_000},
	"CNY": {StartAmount: 100_000_000, Cap: 1_000_000_000, MaxStake: 100_00, Unit: 10, Parts: 600_000_000},
	"USD": {StartAmount: 15_000_000, Cap: 150_000_000, MaxStake: 100_00, Unit: 1, Parts: 800_000_000},
	"PKR": {StartAmount: 4_000_000_000, Cap: 40_000_000_000, MaxStake: 5_000_00, Unit: 100, Parts: 2_200_000_000},
	"BRL": {StartAmount: 75_000_000, Cap: 750_000_000, MaxStake: 100_00, Unit: 5, Parts: 800_000_000},
}

// The House's slots and jackpot games take part, and the jackpot games of vendors listed by the operator. Other
// vendors' games are excluded, because a vendor that returns every stake could win start amounts at no risk.
const (
	categoryAllVendors = spec.JadeLantern
	categoryHouseOnly  = spec.Slots
)

func qualifies(category string, house, listed bool) bool {
	return category == categoryAllVendors && (house || listed) || category == categoryHouseOnly && house
}

// RulesOf returns the rules of a currency.
func RulesOf(currency string) (Rules, bool) {
	r, known := rules[currency]
	return r, known
}

// A DrawResult wins if Number is below Below.
type DrawResult struct{ Number, Below int }

// Won reports whether the draw wins the pool.
func (d DrawResult) Won() bool { return d.Number < d.Below }

// CountedStake returns the part of a stake that counts.
func (r Rules) CountedStake(stake money.Minor) money.Minor { return min(stake, r.MaxStake) }

// Draw draws for a counted stake. The result depends only on the series' seed, its name, the nonce and the stake.
func (r Rules) Draw(seed fairness.Seed, name string, nonce int64, stake money.Minor) DrawResult {
	below := int(min(stake/r.Unit, money.Minor(r.Parts)))
	return DrawResult{fairness.NewStream(seed, name, nonce).Int(r.Parts), below}
}

// SeriesName returns the name of a series. Series without a hash chain used it as their client seed.
func SeriesName(merchantID int64, currency string, series int64) string {
	return fmt.Sprintf("jackpot-%s-%d-%d", currency, merchantID, series)
}
