package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/money"
)

// An Amount is an exact decimal amount, sent as a JSON number with the currency's number of decimals.
type Amount string

// AmountOf formats an amount of a currency.
func AmountOf(c money.Currency, m money.Minor) Amount { return Amount(c.Format(m)) }

// MarshalJSON returns the digits unchanged.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a), nil }

// UnmarshalJSON stores the digits unchanged.
func (a *Amount) UnmarshalJSON(digits []byte) error {
	*a = Amount(digits)
	return nil
}

// Schema describes the amount as a number.
func (Amount) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// Mask hides most of a member's name from other members. It keeps the first two characters and the last, or only the
// first of a short name. The number of stars is fixed, so it does not reveal the length.
func Mask(name string) string {
	runes := []rune(name)
	switch {
	case len(runes) == 0:
		return "***"
	case len(runes) < 6:
		return string(runes[:1]) + "***"
	default:
		return string(runes[:2]) + "***" + string(runes[len(runes)-1:])
	}
}
