// Package money represents amounts as int64 minor units of a currency. Arithmetic checks for overflow. Parsing and
// formatting are exact. The package never uses floating point.
package money

import (
	"math"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
)

// Errors of this package.
var (
	ErrOverflow  = fault.New(fault.Invalid, "money.overflow")
	ErrMalformed = fault.New(fault.Invalid, "money.malformed")
	ErrCurrency  = fault.New(fault.Invalid, "money.unknown_currency")
)

// Minor is an amount in a currency's smallest unit.
type Minor int64

// Add returns a+b, or ErrOverflow.
func (a Minor) Add(b Minor) (Minor, error) {
	sum := a + b
	if (b > 0 && sum < a) || (b < 0 && sum > a) {
		return 0, ErrOverflow
	}
	return sum, nil
}

// Sub returns a-b, or ErrOverflow. It rejects b = math.MinInt64 even if a-b would fit, because it negates b.
func (a Minor) Sub(b Minor) (Minor, error) {
	if b == math.MinInt64 {
		return 0, ErrOverflow
	}
	return a.Add(-b)
}

// A Position says whether the symbol is shown before or after the number.
type Position string

// The positions, as the specification encodes them: F is before the number, B is after it.
const (
	Front  Position = "F"
	Behind Position = "B"
)

// A Currency describes how amounts are counted and shown.
type Currency struct {
	Code     string
	Symbol   string
	Decimals int
	Position Position
	Pattern  string
	Trial    bool // play money, never exchanged for another currency
}

// FUN is the play money of trial members.
var currencies = map[string]Currency{
	"CNY": {Code: "CNY", Symbol: "￥", Decimals: 2, Position: Front, Pattern: "#,##0.00"},
	"VND": {Code: "VND", Symbol: "₫", Decimals: 0, Position: Behind, Pattern: "#,##0"},
	"USD": {Code: "USD", Symbol: "$", Decimals: 2, Position: Front, Pattern: "#,##0.00"},
	"PKR": {Code: "PKR", Symbol: "Rs", Decimals: 2, Position: Front, Pattern: "#,##0.00"},
	"BRL": {Code: "BRL", Symbol: "R$", Decimals: 2, Position: Front, Pattern: "#,##0.00"},
	"FUN": {Code: "FUN", Symbol: "FUN", Decimals: 0, Position: Behind, Pattern: "#,##0", Trial: true},
}

// Find returns the currency with the given code, or ErrCurrency.
func Find(code string) (Currency, error) {
	c, ok := currencies[code]
	if !ok {
		return Currency{}, ErrCurrency.With("code", code)
	}
	return c, nil
}

// Format returns an amount as a plain decimal string with the currency's decimals, without grouping or symbol.
func (c Currency) Format(m Minor) string {
	negative := m < 0
	absolute := uint64(m)
	if negative {
		absolute = -absolute
	}
	digits := strconv.FormatUint(absolute, 10)
	if c.Decimals > 0 {
		for len(digits) <= c.Decimals {
			digits = "0" + digits
		}
		pointIndex := len(digits) - c.Decimals
		digits = digits[:pointIndex] + "." + digits[pointIndex:]
	}
	if negative {
		return "-" + digits
	}
	return digits
}

// Parse parses a decimal string exactly. It accepts ASCII digits with at most one point and at most the currency's
// number of decimals. It rejects signs, exponents, grouping and other digits.
func (c Currency) Parse(s string) (Minor, error) {
	whole, frac, hasPoint := strings.Cut(s, ".")
	if whole == "" || len(frac) > c.Decimals || (hasPoint && frac == "") {
		return 0, ErrMalformed
	}
	var n uint64
	for _, part := range [2]string{whole, frac + strings.Repeat("0", c.Decimals-len(frac))} {
		for i := range len(part) {
			d := part[i] - '0'
			if d > 9 {
				return 0, ErrMalformed
			}
			if n > (math.MaxInt64-uint64(d))/10 {
				return 0, ErrOverflow
			}
			n = n*10 + uint64(d)
		}
	}
	return Minor(n), nil
}

// zones holds the UTC offsets of the currencies' countries, in hours. None of these countries has summer time.
var zones = map[string]int{"VND": 7, "CNY": 8, "PKR": 5, "BRL": -3}

// Zone returns the time zone of a currency's country, or UTC. A member's days begin at midnight in this zone.
func Zone(code string) *time.Location { return time.FixedZone("", zones[code]*60*60) }
