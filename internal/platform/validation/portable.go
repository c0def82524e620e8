package validation

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// CheckPortable returns an error unless a pattern has the same meaning in Go and in JavaScript with the u flag. It is
// stricter than both.
func CheckPortable(pattern string) error {
	if _, err := regexp.Compile(pattern); err != nil {
		return err
	}
	p := patternParser{rest: pattern}
	for p.rest != "" {
		if err := p.next(); err != nil {
			return fmt.Errorf("%w at %q: not supported, because browsers reject it or read it differently", err, p.rest)
		}
	}
	return nil
}

type patternParser struct {
	rest string
	atom bool // the preceding element can be repeated
}

var (
	errEscape = errors.New("escape sequence")
	errGroup  = errors.New("group syntax")
	errClass  = errors.New("character class")
	errBare   = errors.New("unescaped special character")

	repetition = regexp.MustCompile(`^(?:[*+?]|\{[0-9]+(?:,[0-9]*)?\})\??`)
)

func (p *patternParser) next() error {
	if n := len(repetition.FindString(p.rest)); n > 0 {
		if !p.atom {
			return errBare
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
		return errBare
	case c == '[':
		return p.class()
	default:
		p.skip(1, true)
	}
	return nil
}

func (p *patternParser) skip(n int, atom bool) { p.rest, p.atom = p.rest[n:], atom }

// escape reads an escape sequence: an assertion, a character class, or a literal.
func (p *patternParser) escape(assertions, literals string) error {
	c := p.rest[1] // cannot be out of range, because Go compiled the pattern
	switch {
	case strings.IndexByte(assertions, c) >= 0:
		p.skip(2, false)
	case strings.IndexByte("dDwWtnrfv", c) >= 0 || strings.IndexByte(literals, c) >= 0:
		p.skip(2, true)
	default:
		return errEscape
	}
	return nil
}

// class reads [...]. A hyphen is allowed in a range, at the end, or escaped.
func (p *patternParser) class() error {
	p.rest = strings.TrimPrefix(p.rest[1:], "^")
	for first := true; ; first = false {
		switch c := p.rest[0]; {
		case c == ']' && !first:
			p.skip(1, true)
			return nil
		case c == ']' || c == '[':
			return errClass
		case c == '\\':
			isClass := strings.IndexByte("dDwW", p.rest[1]) >= 0
			if err := p.escape("", `^$\.*+?()[]{}|/-`); err != nil {
				return err
			}
			if isClass && strings.HasPrefix(p.rest, "-") && !strings.HasPrefix(p.rest, "-]") {
				return errClass
			}
		default:
			p.rest = p.rest[1:]
		}
	}
}
