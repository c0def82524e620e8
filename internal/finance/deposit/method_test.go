package deposit_test

import (
	"fmt"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/money"
)

// A method is open from its first hour until just before its last one, in the time zone of its currency. Vietnam is 7 hours ahead of
// UTC, Brazil 3 hours behind.
func TestHoursOfMethods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		currency, opens, closes, now string // now is in UTC
		open                         bool
	}{
		{"VND", "00:00", "00:00", "00:00", true}, // always
		{"VND", "08:30", "08:30", "12:00", true},

		{"VND", "08:00", "17:00", "00:59", false}, // 07:59
		{"VND", "08:00", "17:00", "01:00", true},
		{"VND", "08:00", "17:00", "09:59", true}, // 16:59
		{"VND", "08:00", "17:00", "10:00", false},
		{"VND", "08:00", "17:00", "20:00", false}, // 03:00 on the next day

		{"VND", "22:00", "02:00", "14:59", false}, // past midnight: 21:59
		{"VND", "22:00", "02:00", "15:00", true},
		{"VND", "22:00", "02:00", "16:59", true}, // 23:59
		{"VND", "22:00", "02:00", "17:00", true}, // 00:00
		{"VND", "22:00", "02:00", "18:59", true}, // 01:59
		{"VND", "22:00", "02:00", "19:00", false},

		{"VND", "22:00", "00:00", "16:59", true}, // until midnight
		{"VND", "22:00", "00:00", "17:00", false},
		{"VND", "00:00", "06:00", "16:59", false}, // from midnight
		{"VND", "00:00", "06:00", "17:00", true},

		{"BRL", "08:00", "17:00", "10:59", false}, // 07:59
		{"BRL", "08:00", "17:00", "11:00", true},
		{"BRL", "08:00", "17:00", "19:59", true},
		{"BRL", "08:00", "17:00", "20:00", false},
		{"BRL", "22:00", "02:00", "01:00", true},
		{"USD", "08:00", "17:00", "08:00", true}, // no country: UTC
	} {
		at, err := time.Parse("15:04:05", c.now+":59")
		if err != nil {
			t.Fatal(err)
		}
		m := deposit.Method{Currency: c.currency, Opens: c.opens, Closes: c.closes}
		if got := m.Open(at); got != c.open {
			t.Errorf("a %s method of %s to %s at %s UTC: got open %v, want %v", c.currency, c.opens, c.closes, c.now, got, c.open)
		}
		elsewhere := at.In(time.FixedZone("", 11*60*60)) // the zone of the server does not count
		if got := m.Open(elsewhere); got != c.open {
			t.Errorf("a %s method of %s to %s at %s UTC on a server in another zone: got open %v, want %v", c.currency, c.opens, c.closes, c.now, got, c.open)
		}
	}
}

// FeeOf adds the share, rounded down, to the fixed part.
func TestFeesOfMethods(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fee, rate, amount, want int64 }{
		{0, 0, 100_000, 0},
		{500, 0, 100_000, 500},
		{0, 15_000, 100_000, 1_500},
		{500, 15_000, 100_000, 2_000},
		{0, 15_000, 66, 0}, // 0.99
		{0, 15_000, 67, 1},
		{0, 1, 999_999, 0},
		{0, 1, 1_000_000, 1},
		{0, 999_999, 1_000_000_000_000_000, 999_999_000_000_000},
	} {
		m := deposit.Method{Fee: money.Minor(c.fee), FeeRate: c.rate}
		want(t, fmt.Sprintf("fee of %d with %d and %d millionths", c.amount, c.fee, c.rate), fmt.Sprint(m.FeeOf(money.Minor(c.amount))), fmt.Sprint(c.want))
	}
}
