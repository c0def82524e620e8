package limits

import (
	"math"
	"slices"
	"time"
)

// A Kind says what a limit counts.
type Kind string

// The kinds of limits. A loss is stakes minus returns.
const (
	Deposit Kind = "deposit"
	Loss    Kind = "loss"
	Stake   Kind = "stake"
)

// A Period is the window of a limit.
type Period string

// The periods are rolling windows: a day is the last 24 hours.
const (
	Day   Period = "day"
	Week  Period = "week"
	Month Period = "month"
)

var (
	kinds   = []Kind{Deposit, Loss, Stake}
	periods = []Period{Day, Week, Month}
)

const day = 24 * time.Hour

// windowMs has the lengths of the periods in milliseconds.
var windowMs = map[Period]int64{
	Day: day.Milliseconds(), Week: 7 * day.Milliseconds(), Month: 30 * day.Milliseconds(),
}

// A raise can be confirmed after raiseWait and expires raiseConfirmTime later (PP-06).
const (
	raiseWait        = day
	raiseConfirmTime = 7 * day
)

// checkChoices are the allowed intervals of reality checks, in minutes.
var checkChoices = []int64{15, 30, 60}

// checkGrace is the time for which bets still pass after a reality check is due, so that a running round can end.
const checkGrace = time.Minute

// restTime is the time without a stake that ends continuous play. Reopening a game does not end it.
const restTime = 30 * time.Minute

func validCheckInterval(minutes int64) bool { return slices.Contains(checkChoices, minutes) }

const (
	timeOut   = "timeOut"
	exclusion = "exclusion"
)

// noEnd is the end of a permanent break.
const noEnd int64 = math.MaxInt64

// breakPeriods are the breaks that members can choose.
var breakPeriods = map[string]struct {
	kind                string
	days, months, years int
}{
	"24h": {kind: timeOut, days: 1},
	"1w":  {kind: timeOut, days: 7},
	"1m":  {kind: timeOut, months: 1},
	"6w":  {kind: timeOut, days: 42},
	"6M":  {kind: exclusion, months: 6},
	"1y":  {kind: exclusion, years: 1},
	"3y":  {kind: exclusion, years: 3},
	"5y":  {kind: exclusion, years: 5},
	life:  {kind: exclusion},
}

const life = "life"

// longerThan returns the break periods that would end after until if they began now.
func longerThan(until, now int64) []string {
	out := []string{}
	for period := range breakPeriods {
		if breakUntil(period, now) > until {
			out = append(out, period)
		}
	}
	slices.Sort(out)
	return out
}

func breakUntil(period string, now int64) int64 {
	if period == life {
		return noEnd
	}
	b := breakPeriods[period]
	// If a month has no such day, AddDate continues into the next month: a break is never shorter than requested.
	return time.UnixMilli(now).UTC().AddDate(b.years, b.months, b.days).UnixMilli()
}
