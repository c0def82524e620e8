// Package schedule computes the numeros of lottery games: when each opens, closes, is drawn and is settled. The
// results depend only on the timetable and the given time. A game has exactly one current numero at any time, so a jump
// of the clock cannot open two.
package schedule

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
)

// ErrNumero means that a game has no numero with that name.
var ErrNumero = fault.New(fault.NotFound, "lottery.unknown_numero")

// Zone is the time zone of Asia/Ho_Chi_Minh, which has no daylight saving time. A fixed zone does not need the system's time zone files.
var Zone = time.FixedZone("Asia/Ho_Chi_Minh", 7*60*60)

const day = 24 * time.Hour

// A Numero is one draw of a game.
type Numero struct {
	ID     string
	Open   time.Time // the time of the previous draw
	Close  time.Time // bets are accepted before this time
	Draw   time.Time
	Settle time.Time // when the result is expected at the latest
}

// A Phase is the state of a numero that follows from the time.
type Phase string

// Phases of a numero, in order.
const (
	Upcoming Phase = "upcoming" // only chases can bet on it
	Open     Phase = "open"
	Closed   Phase = "closed"
	Due      Phase = "due" // the time of the draw has passed
)

// Phase returns the numero's phase at the given time.
func (n Numero) Phase(now time.Time) Phase {
	switch {
	case !now.Before(n.Draw):
		return Due
	case !now.Before(n.Close):
		return Closed
	case !now.Before(n.Open):
		return Open
	}
	return Upcoming
}

// A Timetable says when a game is drawn: once every Period, or once on some weekdays.
type Timetable struct {
	Period      time.Duration // of a fast game; a day is a multiple of it
	At          time.Duration // draw time of a regional game, since midnight
	Weekdays    [8]bool       // of a regional game; 1 is Monday
	CloseBefore time.Duration // from the close to the draw
	SettleAfter time.Duration // from the draw to the expected result
}

// Fast returns the timetable of a game that is drawn every 1, 3 or 5 minutes.
func Fast(minutes int) Timetable {
	period := time.Duration(minutes) * time.Minute
	return Timetable{Period: period, CloseBefore: period / 12, SettleAfter: 5 * time.Second}
}

// Check returns an error if the timetable is invalid.
func (t Timetable) Check() error {
	spacing := day // the shortest time between two draws
	switch {
	case t.Period < 0 || t.Period > 0 && (t.Period < time.Second || day%t.Period != 0 || day/t.Period > 9999):
		return fmt.Errorf("period %v: it must divide a day into at most 9999 parts", t.Period)
	case t.Period > 0:
		spacing = t.Period
	case t.At < 0 || t.At >= day:
		return fmt.Errorf("draw time %v: it must be within a day", t.At)
	case t.Weekdays == [8]bool{} || t.Weekdays[0]:
		return fmt.Errorf("weekdays: there must be some, from 1 (Monday) to 7")
	}
	if t.CloseBefore < 0 || t.CloseBefore >= spacing {
		return fmt.Errorf("close %v before the draw: it must be less than %v", t.CloseBefore, spacing)
	}
	if t.SettleAfter < 0 {
		return fmt.Errorf("settled %v after the draw: it must not be negative", t.SettleAfter)
	}
	return nil
}

// midnight returns the start of the day in Zone.
func midnight(at time.Time) time.Time {
	at = at.In(Zone)
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, Zone)
}

// weekday returns the weekday in Zone, from 1 (Monday) to 7.
func weekday(at time.Time) int {
	return (int(at.In(Zone).Weekday())+6)%7 + 1
}

// drawAfter returns the first draw after a time.
func (t Timetable) drawAfter(at time.Time) time.Time {
	start := midnight(at)
	if t.Period > 0 {
		return at.Add(t.Period - at.Sub(start)%t.Period)
	}
	for {
		if draw := start.Add(t.At); t.Weekdays[weekday(start)] && draw.After(at) {
			return draw
		}
		start = start.Add(day)
	}
}

// drawBefore returns the draw before the given draw.
func (t Timetable) drawBefore(draw time.Time) time.Time {
	if t.Period > 0 {
		return draw.Add(-t.Period)
	}
	for {
		if draw = draw.Add(-day); t.Weekdays[weekday(draw)] {
			return draw
		}
	}
}

// numero returns the numero of a draw.
func (t Timetable) numero(draw time.Time) Numero {
	draw = draw.In(Zone)
	id := draw.Format("20060102")
	if t.Period > 0 {
		id += fmt.Sprintf("-%04d", draw.Sub(midnight(draw))/t.Period+1)
	}
	return Numero{ID: id, Open: t.drawBefore(draw), Close: draw.Add(-t.CloseBefore), Draw: draw, Settle: draw.Add(t.SettleAfter)}
}

// Current returns the numero that is open, or closed and not drawn, at the given time. It is the first with a later draw.
func (t Timetable) Current(now time.Time) Numero { return t.numero(t.drawAfter(now)) }

// Next returns the numero after n.
func (t Timetable) Next(n Numero) Numero { return t.numero(t.drawAfter(n.Draw)) }

// Previous returns the numero before n.
func (t Timetable) Previous(n Numero) Numero { return t.numero(t.drawBefore(n.Draw)) }

// Chase returns count consecutive numeros, starting with n.
func (t Timetable) Chase(n Numero, count int) []Numero {
	list := make([]Numero, 0, max(count, 0))
	for range count {
		list = append(list, n)
		n = t.Next(n)
	}
	return list
}

// Drawn returns the numeros whose draws are after from and not after to, oldest first and at most limit. After downtime
// or a jump of the clock, these numeros must be drawn or voided.
func (t Timetable) Drawn(from, to time.Time, limit int) []Numero {
	var list []Numero
	for n := t.Current(from); !n.Draw.After(to) && len(list) < limit; n = t.Next(n) {
		list = append(list, n)
	}
	return list
}

// Find returns the numero with the given ID.
func (t Timetable) Find(id string) (Numero, error) {
	date, index, fast := strings.Cut(id, "-")
	start, err := time.ParseInLocation("20060102", date, Zone)
	if err != nil || fast != (t.Period > 0) || start.Year() < 1970 {
		return Numero{}, ErrNumero
	}
	draw := start.Add(t.At)
	if fast {
		n, err := strconv.Atoi(index)
		if err != nil || n < 1 || time.Duration(n) > day/t.Period {
			return Numero{}, ErrNumero
		}
		draw = start.Add(time.Duration(n-1) * t.Period)
	} else if !t.Weekdays[weekday(start)] {
		return Numero{}, ErrNumero
	}
	found := t.numero(draw)
	if found.ID != id { // another spelling, such as 20261118-1
		return Numero{}, ErrNumero
	}
	return found, nil
}

// Link returns the number of n in a fast game's series that starts with first. The number of first is 1. It is below 1
// for earlier numeros.
func (t Timetable) Link(first, n Numero) int64 {
	return int64(n.Draw.Sub(first.Draw)/t.Period) + 1
}
