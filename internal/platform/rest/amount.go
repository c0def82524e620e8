package rest

import (
	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/money"
)

// Amount is an exact decimal in a currency's unit, sent as a JSON number with the currency's decimals.
type Amount string

// AmountOf writes an amount of a currency.
func AmountOf(c money.Currency, m money.Minor) Amount { return Amount(c.Format(m)) }

// MarshalJSON writes the digits as they are.
func (a Amount) MarshalJSON() ([]byte, error) { return []byte(a), nil }

// UnmarshalJSON keeps the digits as they were sent.
func (a *Amount) UnmarshalJSON(digits []byte) error {
	*a = Amount(digits)
	return nil
}

// Schema tells the document that it is a number.
func (Amount) Schema(huma.Registry) *huma.Schema { return &huma.Schema{Type: huma.TypeNumber} }

// Mask leaves of a member's name what its owner knows it by, where others read it: two signs in front and one behind, of a short one
// the first. The stars are always as many, so that they do not tell its length.
func Mask(name string) string {
	signs := []rune(name)
	switch {
	case len(signs) == 0:
		return "***"
	case len(signs) < 6:
		return string(signs[:1]) + "***"
	default:
		return string(signs[:2]) + "***" + string(signs[len(signs)-1:])
	}
}
