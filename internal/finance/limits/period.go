package limits

import (
	"math"
	"slices"
	"time"
)

// Kind is what a limit counts.
type Kind string

// The kinds of limits. A loss is what was staked less what came back.
const (
	Deposit Kind = "deposit"
	Loss    Kind = "loss"
	Stake   Kind = "stake"
)

// Period is the window that a limit looks back over.
type Period string

// The periods. They roll: a day is the last 24 hours, whenever they began.
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

// windows are the periods' lengths in milliseconds.
var windows = map[Period]int64{
	Day: day.Milliseconds(), Week: 7 * day.Milliseconds(), Month: 30 * day.Milliseconds(),
}

// How a raise is made: asked for, waited for, and confirmed before it lapses.
const (
	raiseWait = day
	raiseOpen = 7 * day
)

// checkChoices are the minutes after which a reality check may be asked for.
var checkChoices = []int64{15, 30, 60}

// checkGrace is how long after it is due a reality check may be answered without a bet being refused: a round that is
// being played is played to its end.
const checkGrace = time.Minute

// restFor is how long nothing is staked when play is over: a game that is closed and opened again is still the same sitting.
const restFor = 30 * time.Minute

func goodCheck(minutes int64) bool { return slices.Contains(checkChoices, minutes) }

// The kinds of breaks.
const (
	timeOut   = "timeOut"
	exclusion = "exclusion"
)

// forLife is later than any time.
const forLife int64 = math.MaxInt64

// breaks are the periods of breaks, with how far each reaches.
var breaks = map[string]struct {
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

// longerThan gives the periods of breaks that end after a time when they begin now. A short break may reach further than what
// is left of a long one.
func longerThan(until, now int64) []string {
	out := []string{}
	for period := range breaks {
		if breakUntil(period, now) > until {
			out = append(out, period)
		}
	}
	slices.Sort(out)
	return out
}

// breakUntil gives when a break that begins now ends, in unix ms.
func breakUntil(period string, now int64) int64 {
	if period == life {
		return forLife
	}
	b := breaks[period]
	// Where a month has no such day, AddDate goes on into the next: never less than was asked for.
	return time.UnixMilli(now).UTC().AddDate(b.years, b.months, b.days).UnixMilli()
}
