package validation

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// Portable refuses a pattern that JavaScript (with the flag u) cannot read or reads otherwise than Go does. It is stricter
// than both: what it lets pass means the same to either.
func Portable(pattern string) error {
	if _, err := regexp.Compile(pattern); err != nil {
		return err
	}
	p := portable{rest: pattern}
	for p.rest != "" {
		if err := p.next(); err != nil {
			return fmt.Errorf("%w at %q: browsers could not read it, or would read it otherwise", err, p.rest)
		}
	}
	return nil
}

// portable walks through a pattern.
type portable struct {
	rest string
	atom bool // what stands before may be repeated
}

var (
	errEscape = errors.New("this escape")
	errGroup  = errors.New("this kind of group")
	errClass  = errors.New("this in a class of characters")
	errLone   = errors.New("an unescaped character that means something else elsewhere")

	repetition = regexp.MustCompile(`^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??`)
)

func (p *portable) next() error {
	if n := len(repetition.FindString(p.rest)); n > 0 {
		if !p.atom {
			return errLone
		}
		p.skip(n, false)
		return nil
	}
	switch c := p.rest[0]; {
	case c == '\\':
		return p.escape(`bB`, `^$\.*+?()[]{}|/`)
	case strings.HasPrefix(p.rest, "(?:"):
		p.skip(3, false)
	case strings.HasPrefix(p.rest, "(?"):
		return errGroup
	case strings.IndexByte("(|^$", c) >= 0:
		p.skip(1, false)
	case strings.IndexByte("]{}", c) >= 0:
		return errLone
	case c == '[':
		return p.class()
	default:
		p.skip(1, true)
	}
	return nil
}

func (p *portable) skip(n int, atom bool) { p.rest, p.atom = p.rest[n:], atom }

// escape takes an escaped character: a place, one of a kind, or one that stands for itself.
func (p *portable) escape(places, themselves string) error {
	c := p.rest[1] // Go has read it: there is one
	switch {
	case strings.IndexByte(places, c) >= 0:
		p.skip(2, false)
	case strings.IndexByte("dDwWtnrfv", c) >= 0 || strings.IndexByte(themselves, c) >= 0:
		p.skip(2, true)
	default:
		return errEscape
	}
	return nil
}

// class takes [...]. A hyphen makes a range between two characters, or stands last, or is escaped.
func (p *portable) class() error {
	p.rest = strings.TrimPrefix(p.rest[1:], "^")
	for first := true; ; first = false {
		switch c := p.rest[0]; {
		case c == ']' && !first:
			p.skip(1, true)
			return nil
		case c == ']' || c == '[':
			return errClass
		case c == '\\':
			kind := strings.IndexByte("dDwW", p.rest[1]) >= 0
			if err := p.escape("", `^$\.*+?()[]{}|/-`); err != nil {
				return err
			}
			if kind && strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]") {
				return errClass
			}
		default:
			p.rest = p.rest[1:]
		}
	}
}
