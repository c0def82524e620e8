package merchant

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
	"unicode/utf8"
)

// errNoCountries is told to the log where countries are to be kept out and nobody knows which address is whose.
var errNoCountries = errors.New("without --geoip no address has a country: start with a MaxMind file, or clear system.blocked_countries")

// Maintenance says whether it goes on, until when it is thought to, and what visitors are told. It ends when it is
// switched off, never by itself: a site whose repair takes longer must not open half repaired.
type Maintenance struct {
	On    bool              `json:"on"`
	Until time.Time         `json:"until,omitzero"`
	Note  map[string]string `json:"note,omitempty"` // by language
}

// left is how long it is thought to go on.
func (m Maintenance) left(now time.Time) time.Duration {
	if m.Until.IsZero() {
		return 0
	}
	return max(0, m.Until.Sub(now))
}

// The most that is kept of each: every request is held against the networks.
const (
	mostNetworks  = 1000
	mostCountries = 250
	longestNote   = 500
)

func checkMaintenance(v Maintenance) error {
	if year := v.Until.Year(); !v.Until.IsZero() && (year < 2000 || year > 9999) {
		return fmt.Errorf("%s is no time to end", v.Until.Format(time.RFC3339))
	}
	for language, text := range v.Note {
		if !slices.Contains(languages, language) {
			return fmt.Errorf("note: %q is none of %v", language, languages)
		}
		if utf8.RuneCountInString(text) > longestNote {
			return fmt.Errorf("note: %s is longer than %d characters", language, longestNote)
		}
	}
	return nil
}

// networksOf accepts networks written as such: one whose address has more than its prefix is a slip of the pen.
func networksOf(v []netip.Prefix) error {
	if len(v) > mostNetworks {
		return fmt.Errorf("more than %d networks", mostNetworks)
	}
	for i, n := range v {
		switch {
		case !n.IsValid() || n.Addr().Is4In6() || n.Addr().Zone() != "":
			return fmt.Errorf("%q is no network", n)
		case n != n.Masked():
			return fmt.Errorf("%s is no network: is %s meant?", n, n.Masked())
		case slices.Contains(v[:i], n):
			return fmt.Errorf("%s is there twice", n)
		}
	}
	return nil
}

func countries(v []string) error {
	if len(v) > mostCountries {
		return errors.New("more countries than there are")
	}
	for i, c := range v {
		if err := letters(2)(c); err != nil {
			return err
		}
		if slices.Contains(v[:i], c) {
			return fmt.Errorf("%s is there twice", c)
		}
	}
	return nil
}
