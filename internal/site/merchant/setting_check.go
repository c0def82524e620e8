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

// set returns the accessors of a field. The write function accepts exactly one JSON value of the field's type, without unknown members.
func set[T any](field func(*Settings) *T, check func(T) error) accessors {
	return accessors{func(s *Settings, raw []byte) error {
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

func setDuration(field func(*Settings) *time.Duration, minimum, maximum time.Duration) accessors {
	return accessors{func(s *Settings, raw []byte) error {
		var text string
		if err := decode(raw, &text); err != nil {
			return err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		if d < minimum || d > maximum {
			return fmt.Errorf("%s is not between %s and %s", d, minimum, maximum)
		}
		*field(s) = d
		return nil
	}, func(s *Settings) any { return field(s).String() }}
}

func decode(raw []byte, target any) error {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return errors.New("null is not allowed")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(target); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}

func anyValue[T any](T) error { return nil }

func between(minimum, maximum int) func(int) error {
	return func(v int) error {
		if v < minimum || v > maximum {
			return fmt.Errorf("%d is not between %d and %d", v, minimum, maximum)
		}
		return nil
	}
}

func within(minimum, maximum int) func(validation.Range) error {
	return func(r validation.Range) error {
		if r.Min < minimum || r.Max > maximum || r.Min > r.Max {
			return fmt.Errorf("%d to %d is not within %d to %d", r.Min, r.Max, minimum, maximum)
		}
		return nil
	}
}

func oneOf[T comparable](allowed ...T) func(T) error {
	return func(v T) error {
		if !slices.Contains(allowed, v) {
			return fmt.Errorf("%v must be one of %v", v, allowed)
		}
		return nil
	}
}

func someOf(allowed []string) func([]string) error {
	return func(v []string) error {
		if len(v) == 0 {
			return errors.New("the list must not be empty")
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

func digits(minimum, maximum int) func(string) error {
	return func(v string) error {
		if len(v) < minimum || len(v) > maximum || strings.Trim(v, "0123456789") != "" {
			return fmt.Errorf("%q is not %d to %d digits", v, minimum, maximum)
		}
		return nil
	}
}

// sitePath accepts a path of this site. The content security policy allows images only from here.
func sitePath(v string) error {
	if !strings.HasPrefix(v, "/") || strings.HasPrefix(v, "//") || strings.ContainsAny(v, "\\ \t\r\n") {
		return fmt.Errorf("%q is not a path of this site, such as /m/art/logo.svg", v)
	}
	return nil
}

func link(v string) error {
	if sitePath(v) == nil {
		return nil
	}
	if u, err := url.Parse(v); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%q is neither a path of this site nor an https address", v)
	}
	return nil
}

const maxLicences = 3 // the footer has no room for more

func checkLicences(v []Licence) error {
	if len(v) > maxLicences {
		return fmt.Errorf("there are more than %d licences", maxLicences)
	}
	for i, l := range v {
		if slices.ContainsFunc(v[:i], func(other Licence) bool { return other.Name == l.Name }) {
			return fmt.Errorf("licence %q occurs twice", l.Name)
		}
		if l.Name == "" {
			return errors.New("a licence has no name")
		}
		if err := errors.Join(sitePath(l.Image), link(l.Link)); err != nil {
			return err
		}
	}
	return nil
}

var downloadTypes = oneOf("IOS", "Android", "MOBILECONFIG", spec.LinkTelegram, "AppDownloadIcon")

func checkDownloads(v []Download) error {
	for _, d := range v {
		check := link
		if d.ResourceType == "AppDownloadIcon" {
			check = sitePath // the content security policy allows no other images
		}
		if err := errors.Join(downloadTypes(d.ResourceType), check(d.URL)); err != nil {
			return err
		}
	}
	return nil
}
