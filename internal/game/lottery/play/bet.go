package play

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/money"
)

// MaxMultiple is the maximum multiple of a bet.
const MaxMultiple = 9999

// Limits are the allowed stakes per line in a currency, before the multiple.
type Limits struct {
	Currency       money.Currency
	Unit, Min, Max money.Minor
}

// StandardLimits returns the limits of a currency. The unit is large enough that rounding a payout down to the minor unit
// costs little.
func StandardLimits(c money.Currency) Limits {
	unit := money.Minor(1)
	for range c.Decimals {
		unit *= 10
	}
	if c.Code == "VND" || c.Code == "FUN" {
		unit = 1000
	}
	return Limits{Currency: c, Unit: unit, Min: unit, Max: 50_000 * unit}
}

func (l Limits) refuse(field string) error {
	return ErrStake.On(field).With("unit", l.Currency.Format(l.Unit)).With("min", l.Currency.Format(l.Min)).
		With("max", l.Currency.Format(l.Max)).With("maxMultiple", MaxMultiple)
}

// A Bet is a stake on lines of one play.
type Bet struct {
	Play     *Play
	Lines    []Line
	Stake    money.Minor // per line, and per prize for lô
	Multiple int
	Odds     Odds
	Amount   money.Minor // cost of the bet
}

// NewBet returns a bet on a selection. It refuses an invalid selection or stake, and a bet whose cost or maximum payout
// exceeds the range of amounts.
func NewBet(p *Play, selection string, stake money.Minor, multiple int, limits Limits, odds Odds) (Bet, error) {
	lines, err := p.Parse(selection)
	if err != nil {
		return Bet{}, err
	}
	switch {
	case stake < limits.Min || stake > limits.Max || limits.Unit < 1 || stake%limits.Unit != 0:
		return Bet{}, limits.refuse("stake")
	case multiple < 1 || multiple > MaxMultiple:
		return Bet{}, limits.refuse("multiple")
	}
	return Bet{Play: p, Lines: lines, Stake: stake, Odds: odds}.priced(multiple, limits)
}

// priced returns the bet with the given multiple and the resulting cost.
func (b Bet) priced(multiple int, limits Limits) (Bet, error) {
	b.Multiple = multiple
	cost := b.perLine().Mul(decimal.NewFromInt(int64(len(b.Lines) * b.Play.Prizes)))
	payout := decimal.Zero // maximum of all lines together
	for _, l := range b.Lines {
		if !b.Odds[l.When].IsPositive() {
			return Bet{}, fmt.Errorf("play %s has no odds for %q", b.Play.Code, l.When)
		}
		payout = payout.Add(b.maxPayout(l))
	}
	largest := decimal.NewFromInt(math.MaxInt64)
	if cost.GreaterThan(largest) || payout.GreaterThan(largest) {
		return Bet{}, limits.refuse("stake")
	}
	b.Amount = money.Minor(cost.IntPart())
	return b, nil
}

// perLine returns the stake of a line with the multiple.
func (b Bet) perLine() decimal.Decimal {
	return decimal.NewFromInt(int64(b.Stake)).Mul(decimal.NewFromInt(int64(b.Multiple)))
}

func (b Bet) maxPayout(l Line) decimal.Decimal {
	return b.perLine().Mul(b.Odds[l.When]).Mul(decimal.NewFromInt(int64(b.Play.Prizes)))
}

// Exposure returns the maximum payout of a line, rounded up. For lô every prize can win.
func (b Bet) Exposure(l Line) money.Minor {
	return money.Minor(b.maxPayout(l).Ceil().IntPart())
}

// A Win is a line that won.
type Win struct {
	Line Line
	Hits int
	Odds decimal.Decimal
}

// Pay returns the payout of the bet for a result, stake included, and the lines that won. The sum of all lines is rounded
// down once to the minor unit.
func (b Bet) Pay(r draw.Result) (money.Minor, []Win) {
	total := decimal.Zero
	var wins []Win
	for _, l := range b.Lines {
		if hits := b.Play.hits(l, &r); hits > 0 {
			odds := b.Odds[l.When]
			total = total.Add(odds.Mul(decimal.NewFromInt(int64(hits))))
			wins = append(wins, Win{Line: l, Hits: hits, Odds: odds})
		}
	}
	return money.Minor(total.Mul(b.perLine()).Floor().IntPart()), wins
}

// Times returns the bet with its multiple multiplied by factor. It has the same limits as NewBet.
func (b Bet) Times(factor int, limits Limits) (Bet, error) {
	if factor < 1 || b.Multiple*factor > MaxMultiple {
		return Bet{}, limits.refuse("multiple")
	}
	return b.priced(b.Multiple*factor, limits)
}
