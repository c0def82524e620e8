package promo_test

import (
	"testing"
	"time"

	"fairground/internal/finance/promo"
)

func TestBirthdays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		born, today string
		is          bool
	}{
		{"1990-05-16", "2040-05-16", true},
		{"1990-05-16", "2040-05-15", false},
		{"1990-05-16", "2040-06-16", false},
		{"2000-02-29", "2040-02-29", true}, // a leap year
		{"2000-02-29", "2040-02-28", false},
		{"2000-02-29", "2041-02-28", true},
		{"2000-02-29", "2041-03-01", false},
		{"2000-02-29", "2100-02-28", true}, // not a leap year
		{"2001-02-28", "2040-02-29", false},
		{"", "2040-02-29", false},
	} {
		today, err := time.Parse(time.DateOnly, c.today)
		if err != nil {
			t.Fatal(err)
		}
		want(t, "born "+c.born+" on "+c.today, promo.IsBirthday(c.born, today), c.is)
	}
}
