package merchant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// set gives access to a field: the value must be exactly one JSON value of the field's type, with no unknown part.
func set[T any](field func(*Settings) *T, check func(T) error) access {
	return access{func(s *Settings, raw []byte) error {
		var v T
		if err := decode(raw, &v); err != nil {
			return err
		}
		if err := check(v); err != nil {
			return err
		}
		*field(s) = v
		return nil
	}, func(s *Settings) any { return *field(s) }}
}

func setDuration(field func(*Settings) *time.Duration, least, most time.Duration) access {
	return access{func(s *Settings, raw []byte) error {
		var text string
		if err := decode(raw, &text); err != nil {
			return err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		if d < least || d > most {
			return fmt.Errorf("%s is not between %s and %s", d, least, most)
		}
		*field(s) = d
		return nil
	}, func(s *Settings) any { return field(s).String() }}
}

func decode(raw []byte, into any) error {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return errors.New("null is not a value")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}

func anything[T any](T) error { return nil }

func between(least, most int) func(int) error {
	return func(v int) error {
		if v < least || v > most {
			return fmt.Errorf("%d is not between %d and %d", v, least, most)
		}
		return nil
	}
}

func within(least, most int) func(validation.Range) error {
	return func(r validation.Range) error {
		if r.Min < least || r.Max > most || r.Min > r.Max {
			return fmt.Errorf("%d to %d is not within %d to %d", r.Min, r.Max, least, most)
		}
		return nil
	}
}

func oneOf[T comparable](allowed ...T) func(T) error {
	return func(v T) error {
		if !slices.Contains(allowed, v) {
			return fmt.Errorf("%v is none of %v", v, allowed)
		}
		return nil
	}
}

func someOf(allowed []string) func([]string) error {
	return func(v []string) error {
		if len(v) == 0 {
			return errors.New("empty")
		}
		for i, x := range v {
			if !slices.Contains(allowed, x) || slices.Contains(v[:i], x) {
				return fmt.Errorf("%q is unknown or repeated", x)
			}
		}
		return nil
	}
}

func letters(n int) func(string) error {
	return func(v string) error {
		if len(v) != n || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return fmt.Errorf("%q is not %d capital letters", v, n)
		}
		return nil
	}
}

func digits(least, most int) func(string) error {
	return func(v string) error {
		if len(v) < least || len(v) > most || strings.Trim(v, "0123456789") != "" {
			return fmt.Errorf("%q is not %d to %d digits", v, least, most)
		}
		return nil
	}
}

// path accepts an own path: the page's policy lets it show pictures of this site and of no other.
func path(v string) error {
	if !strings.HasPrefix(v, "/") || strings.HasPrefix(v, "//") || strings.ContainsAny(v, "\\ \t\r\n") {
		return fmt.Errorf("%q is no path of ours, such as /m/art/logo.svg", v)
	}
	return nil
}

// link accepts an own path or an https address: a link may lead away.
func link(v string) error {
	if path(v) == nil {
		return nil
	}
	if u, err := url.Parse(v); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%q is neither a path of ours nor an https address", v)
	}
	return nil
}

const licencesMost = 3

// licences are what the footer has room for, each of another name.
func licences(v []Licence) error {
	if len(v) > licencesMost {
		return fmt.Errorf("there are more than %d licences", licencesMost)
	}
	for i, l := range v {
		if slices.ContainsFunc(v[:i], func(other Licence) bool { return other.Name == l.Name }) {
			return fmt.Errorf("two licences are called %q", l.Name)
		}
		if l.Name == "" {
			return errors.New("a licence has no name")
		}
		if err := errors.Join(path(l.Image), link(l.Link)); err != nil {
			return err
		}
	}
	return nil
}

var downloadTypes = oneOf("IOS", "Android", "MOBILECONFIG", spec.LinkTelegram, "AppDownloadIcon")

func downloads(v []Download) error {
	for _, d := range v {
		check := link
		if d.ResourceType == "AppDownloadIcon" {
			check = path // The app's content security policy shows only pictures of ours.
		}
		if err := errors.Join(downloadTypes(d.ResourceType), check(d.URL)); err != nil {
			return err
		}
	}
	return nil
}
