package play

import (
	"math/big"

	"github.com/shopspring/decimal"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
)

// ErrOdds means that odds are missing, are not positive, have more than three decimal places, or return too much.
var ErrOdds = fault.ForOperators(fault.Invalid, "lottery.odds")

// oddsPlaces is the number of decimal places of odds.
const oddsPlaces = 3

// A Mode is a prize mode: the return and rebate from which the odds of all plays follow.
type Mode struct {
	Code   string
	Return decimal.Decimal // average share of a stake that is paid out
	Rebate decimal.Decimal // share of every won or lost stake that is paid back
}

var (
	lott  = Mode{Code: spec.PrizeLott, Return: decimal.New(970, -3), Rebate: decimal.Zero}
	elott = Mode{Code: spec.PrizeELott, Return: decimal.New(970, -3), Rebate: decimal.Zero}
	zy    = Mode{Code: spec.PrizeZY, Return: decimal.New(955, -3), Rebate: decimal.New(15, -3)}
)

// Modes returns the prize modes of a form, the default first.
func Modes(form draw.Form) []Mode {
	if form.Regional() {
		return []Mode{lott, zy}
	}
	return []Mode{elott, zy}
}

// FindMode returns a prize mode of a form.
func FindMode(form draw.Form, code string) (Mode, bool) {
	for _, m := range Modes(form) {
		if m.Code == code {
			return m, true
		}
	}
	return Mode{}, false
}

// PaidBack returns the rebate on a settled stake, rounded down.
func (m Mode) PaidBack(amount money.Minor) money.Minor {
	return money.Minor(decimal.NewFromInt(int64(amount)).Mul(m.Rebate).Floor().IntPart())
}

// StandardOdds returns the odds of a play in a mode: the mode's return divided by the chance, rounded down.
func StandardOdds(p *Play, m Mode) Odds {
	odds := Odds{}
	for _, o := range p.Outcomes {
		exact := new(big.Rat).Quo(m.Return.Rat(), o.Chance)
		exact.Mul(exact, new(big.Rat).SetInt64(1000))
		odds[o.When] = decimal.NewFromBigInt(new(big.Int).Quo(exact.Num(), exact.Denom()), -oddsPlaces)
	}
	return odds
}

// Return returns the exact average share of a stake that odds pay on an outcome of a play, without a rebate. It returns
// nil if the play does not have the outcome.
func Return(p *Play, when string, odds decimal.Decimal) *big.Rat {
	chance := p.Chance(when)
	if chance == nil {
		return nil
	}
	return chance.Mul(chance, odds.Rat())
}

// TotalReturn returns Return with the mode's rebate.
func (m Mode) TotalReturn(p *Play, when string, odds decimal.Decimal) *big.Rat {
	share := Return(p, when, odds)
	if share == nil {
		return nil
	}
	return share.Add(share, m.Rebate.Rat())
}

// HighestOdds returns the highest odds of a play whose return, with the mode's rebate, does not exceed limit.
func HighestOdds(p *Play, m Mode, limit decimal.Decimal) Odds {
	return StandardOdds(p, Mode{Return: limit.Sub(m.Rebate)})
}

// CheckOdds returns an error if an operator may not set these odds. Every outcome needs positive odds of at most three
// decimal places. With the rebate, no outcome may return more than limit. The fault names the outcome and its highest
// odds.
func CheckOdds(p *Play, m Mode, odds Odds, limit decimal.Decimal) error {
	for when := range odds {
		if p.Chance(when) == nil {
			return ErrOdds.On(clip(when)).With("play", p.Code)
		}
	}
	for _, o := range p.Outcomes {
		value, found := odds[o.When]
		if !found || !value.IsPositive() || !value.Equal(value.Truncate(oddsPlaces)) || m.TotalReturn(p, o.When, value).Cmp(limit.Rat()) > 0 {
			highest := HighestOdds(&Play{Outcomes: []Outcome{o}}, m, limit)
			return ErrOdds.On(o.When).With("play", p.Code).With("highest", highest[o.When].StringFixed(oddsPlaces))
		}
	}
	return nil
}

// OddsText formats odds for the API, with three decimal places.
func OddsText(odds decimal.Decimal) string { return odds.StringFixed(oddsPlaces) }

// ReturnText formats a return for the API, rounded down to four decimal places.
func ReturnText(share *big.Rat) string {
	scaled := new(big.Rat).Mul(share, new(big.Rat).SetInt64(10_000))
	return decimal.NewFromBigInt(new(big.Int).Quo(scaled.Num(), scaled.Denom()), -4).StringFixed(4)
}
