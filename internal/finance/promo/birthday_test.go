package promo_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/platform/db/dbtest"
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

// births has the birth dates of members, and counts the reads.
type births struct {
	dates map[int64]string // "": the date cannot be read
	reads int
}

func (b *births) BirthDate(_ context.Context, id int64) (string, error) {
	b.reads++
	if b.dates[id] == "" {
		return "", errors.New("damaged")
	}
	return b.dates[id], nil
}

func (d *fixture) verify(t *testing.T, ids ...int64) {
	t.Helper()
	for _, id := range ids {
		d.Exec(t, "INSERT INTO kyc (id, merchant_id, member_id, state, details, number_mac, images, created_at) VALUES ($1, $2, $1, 'VERIFIED', $3, $3, '', 1)", id, d.ID, []byte{})
	}
}

// The job runs each minute, but it reads the identities once a day. A birthday whose job was stopped is granted later on that day.
func TestBirthdaysAreReadOnceADay(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	d.verify(t, member, other)
	dates := &births{dates: map[int64]string{member: "1990-05-16", other: "1990-05-18"}}
	d.Server.Promotions.ReplaceBirths(dates)
	d.promotion(t, promo.Promotion{Code: "birthday", Kind: promo.Birthday, Amount: 500})
	for range 3 {
		d.evaluate(t)
		d.Clock.Add(time.Minute)
	}
	want(t, "reads on the first day", dates.reads, 2)
	want(t, "rewards on the birthday", fmt.Sprint(d.amounts(t, "player")), "[500]")
	want(t, "rewards before the birthday", fmt.Sprint(d.amounts(t, "stranger")), "[]")
	d.Clock.Add(wednesday.Add(2*24*time.Hour + 11*time.Hour).Sub(d.Clock.Now())) // 23:00 on Friday; the job was stopped since Wednesday
	for range 2 {
		d.evaluate(t)
	}
	want(t, "reads after the stop", dates.reads, 4)
	want(t, "rewards late on the birthday", fmt.Sprint(d.amounts(t, "stranger")), "[500]")
	want(t, "rewards of the other member", fmt.Sprint(d.amounts(t, "player")), "[500]")
}

// A member who is verified during the birthday gets the reward on that day, once.
func TestBirthdayOfAMemberVerifiedOnThatDay(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	dates := &births{dates: map[int64]string{member: "1990-05-16", other: "1990-05-18"}}
	d.Server.Promotions.ReplaceBirths(dates)
	d.promotion(t, promo.Promotion{Code: "birthday", Kind: promo.Birthday, Amount: 500})
	d.evaluate(t)
	d.Clock.Add(time.Hour)
	d.verify(t, member, other)
	d.Exec(t, "UPDATE kyc SET decided_at = $1", d.Clock.Now().UnixMilli())
	d.evaluate(t)
	want(t, "rewards on the birthday", fmt.Sprint(d.amounts(t, "player")), "[500]")
	want(t, "rewards of another day", fmt.Sprint(d.amounts(t, "stranger")), "[]")
	d.Clock.Add(time.Hour)
	d.evaluate(t)
	reads := dates.reads
	d.evaluate(t)
	want(t, "reads after an hour", dates.reads, reads)
	want(t, "rewards after another run", fmt.Sprint(d.amounts(t, "player")), "[500]")
}

// An identity that cannot be read is tried again each hour, and does not keep the others from their reward.
func TestBirthdayAfterAFailedRead(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	d.verify(t, member, other)
	dates := &births{dates: map[int64]string{other: "1990-05-16"}}
	d.Server.Promotions.ReplaceBirths(dates)
	d.promotion(t, promo.Promotion{Code: "birthday", Kind: promo.Birthday, Amount: 500})
	if err := d.Server.Promotions.Evaluate(t.Context()); err == nil {
		t.Error("evaluate: got no error, want the error of the damaged identity")
	}
	d.evaluate(t)
	want(t, "reads within the hour", dates.reads, 2)
	want(t, "rewards of the other member", fmt.Sprint(d.amounts(t, "stranger")), "[500]")
	dates.dates[member] = "1990-05-16"
	d.Clock.Add(time.Hour)
	d.evaluate(t)
	want(t, "rewards after the repeated read", fmt.Sprint(d.amounts(t, "player")), "[500]")
	want(t, "rewards of the other member after the repeated read", fmt.Sprint(d.amounts(t, "stranger")), "[500]")
}
