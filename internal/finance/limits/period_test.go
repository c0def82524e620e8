package limits

import (
	"testing"
	"time"
)

func TestPP07MonthIsACalendarMonth(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"2026-07-05T10:00:00Z": "2026-08-05T10:00:00Z", // 31 days
		"2026-04-05T10:00:00Z": "2026-05-05T10:00:00Z",
		"2026-01-31T10:00:00Z": "2026-03-03T10:00:00Z", // February has no such day: the break is longer
	} {
		start, err := time.Parse(time.RFC3339, from)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.UnixMilli(breakUntil("1m", start.UnixMilli())).UTC().Format(time.RFC3339); got != want {
			t.Errorf("PP-07 a month from %s ends %s, want %s", from, got, want)
		}
	}
}
