package merchant

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"
	"unicode/utf8"
)

var errNoCountries = errors.New("without --geoip the server cannot find the country of an address: start it with a MaxMind file, or clear system.blocked_countries")

// Maintenance is the value of system.maintenance. Only the operator ends it: it continues after Until, because work
// may take longer than planned.
type Maintenance struct {
	On    bool              `json:"on"`
	Until time.Time         `json:"until,omitzero"` // planned end
	Note  map[string]string `json:"note,omitempty"` // to visitors, by language
}

// note returns the message in a language, or else in the first language that has one.
func (m Maintenance) note(language string) string {
	if text := m.Note[language]; text != "" {
		return text
	}
	for _, other := range languages {
		if text := m.Note[other]; text != "" {
			return text
		}
	}
	return ""
}

// remaining returns the planned time until the end, or 0 if it is unknown or over.
func (m Maintenance) remaining(now time.Time) time.Duration {
	if m.Until.IsZero() {
		return 0
	}
	return max(0, m.Until.Sub(now))
}

// Every request is checked against the networks, so their number is limited.
const (
	maxNetworks   = 1000
	maxCountries  = 250
	maxNoteLength = 500
)

func checkMaintenance(v Maintenance) error {
	if year := v.Until.Year(); !v.Until.IsZero() && (year < 2000 || year > 9999) {
		return fmt.Errorf("until: the year of %s must be between 2000 and 9999", v.Until.Format(time.RFC3339))
	}
	for language, text := range v.Note {
		if !slices.Contains(languages, language) {
			return fmt.Errorf("note: language %q must be one of %v", language, languages)
		}
		if utf8.RuneCountInString(text) > maxNoteLength {
			return fmt.Errorf("note: %s is longer than %d characters", language, maxNoteLength)
		}
	}
	return nil
}

// checkNetworks rejects prefixes with host bits, which are probably mistakes.
func checkNetworks(v []netip.Prefix) error {
	if len(v) > maxNetworks {
		return fmt.Errorf("more than %d networks", maxNetworks)
	}
	for i, n := range v {
		switch {
		case !n.IsValid() || n.Addr().Is4In6() || n.Addr().Zone() != "":
			return fmt.Errorf("%q is not a network in CIDR notation", n)
		case n != n.Masked():
			return fmt.Errorf("%s has host bits: did you mean %s?", n, n.Masked())
		case slices.Contains(v[:i], n):
			return fmt.Errorf("%s occurs twice", n)
		}
	}
	return nil
}

func checkCountries(v []string) error {
	if len(v) > maxCountries {
		return fmt.Errorf("more than %d countries", maxCountries)
	}
	for i, c := range v {
		if err := letters(2)(c); err != nil {
			return err
		}
		if slices.Contains(v[:i], c) {
			return fmt.Errorf("%s occurs twice", c)
		}
	}
	return nil
}
