package schedule

import (
	"bytes"
	_ "embed" // the standard week
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// Regions of Vietnam.
const (
	North   = "north"
	Central = "central"
	South   = "south"
)

// A Province is the province of a regional draw. Each province is a game.
type Province struct {
	ID   int    `json:"id"`
	Code string `json:"code"`
	Name string `json:"name"`
}

// A Day lists the provinces that draw on a weekday. 1 is Monday.
type Day struct {
	Weekday int      `json:"weekday"`
	Draws   []string `json:"draws"`
}

// A Region has the provinces that draw at the same time of day.
type Region struct {
	Region      string     `json:"region"`
	DrawAt      string     `json:"drawAt"`
	CloseBefore string     `json:"closeBefore"`
	SettleAfter string     `json:"settleAfter"`
	Provinces   []Province `json:"provinces"`
	Days        []Day      `json:"days"`
}

// A Week is the weekly schedule of the regions.
type Week struct {
	Regions []Region `json:"regions"`
}

//go:embed schedule.json
var standard []byte

// StandardWeek returns the schedule that is part of the program.
func StandardWeek() Week {
	w, err := ParseWeek(standard)
	if err != nil {
		panic(err) // schedule.json is part of the program
	}
	return w
}

var provinceCode = regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}$`)

// ParseWeek parses and checks a schedule in JSON.
func ParseWeek(text []byte) (Week, error) {
	var w Week
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&w); err != nil {
		return Week{}, fmt.Errorf("schedule: %w", err)
	}
	if err := w.check(); err != nil {
		return Week{}, fmt.Errorf("schedule: %w", err)
	}
	return w, nil
}

func (w Week) check() error {
	regions, ids, codes := map[string]bool{}, map[int]bool{}, map[string]bool{}
	for _, r := range w.Regions {
		if r.Region != North && r.Region != Central && r.Region != South || regions[r.Region] {
			return fmt.Errorf("region %q is unknown or listed twice", r.Region)
		}
		regions[r.Region] = true
		inRegion := map[string]bool{}
		for _, p := range r.Provinces {
			switch {
			case p.ID < 1 || ids[p.ID]:
				return fmt.Errorf("province %q: id %d is not positive or used twice", p.Code, p.ID)
			case !provinceCode.MatchString(p.Code) || codes[p.Code]:
				return fmt.Errorf("province code %q is invalid or used twice", p.Code)
			case p.Name == "":
				return fmt.Errorf("province %q has no name", p.Code)
			}
			ids[p.ID], codes[p.Code], inRegion[p.Code] = true, true, true
		}
		weekdays := map[int]bool{}
		for _, d := range r.Days {
			if d.Weekday < 1 || d.Weekday > 7 || weekdays[d.Weekday] {
				return fmt.Errorf("%s: weekday %d is not from 1 to 7 or listed twice", r.Region, d.Weekday)
			}
			weekdays[d.Weekday] = true
			today := map[string]bool{}
			for _, code := range d.Draws {
				if !inRegion[code] || today[code] {
					return fmt.Errorf("%s, weekday %d: province %q is unknown or listed twice", r.Region, d.Weekday, code)
				}
				today[code] = true
			}
		}
		for _, p := range r.Provinces {
			t, err := r.timetable(p.Code)
			if err == nil {
				err = t.Check()
			}
			if err != nil {
				return fmt.Errorf("province %q: %w", p.Code, err)
			}
		}
	}
	if len(w.Regions) == 0 {
		return errors.New("it has no regions")
	}
	return nil
}

// Timetable returns the timetable of a province.
func (r Region) Timetable(code string) Timetable {
	t, _ := r.timetable(code) // ParseWeek has checked it
	return t
}

func (r Region) timetable(code string) (Timetable, error) {
	at, err := time.Parse("15:04", r.DrawAt)
	if err != nil {
		return Timetable{}, fmt.Errorf("draw time %q: use hours and minutes, such as 16:15", r.DrawAt)
	}
	t := Timetable{At: time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute}
	if t.CloseBefore, err = time.ParseDuration(r.CloseBefore); err != nil {
		return Timetable{}, fmt.Errorf("closeBefore %q: use a duration, such as 10m", r.CloseBefore)
	}
	if t.SettleAfter, err = time.ParseDuration(r.SettleAfter); err != nil {
		return Timetable{}, fmt.Errorf("settleAfter %q: use a duration, such as 45m", r.SettleAfter)
	}
	for _, d := range r.Days {
		for _, drawn := range d.Draws {
			if drawn == code {
				t.Weekdays[d.Weekday] = true
			}
		}
	}
	return t, nil
}
