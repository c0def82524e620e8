package play

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"fairground/internal/fault"
)

// A Pasted is a bet that a pasted text describes.
type Pasted struct {
	Selection string
	Multiple  int
	Lines     int
}

const (
	maxPaste     = 16 << 10 // bytes of a pasted text
	maxPastedBet = 100      // bets of a pasted text
)

// ReasonMultiple means that a multiple is not from 1 to 9999 or follows no number.
const ReasonMultiple = "multiple"

// ParsePasted parses a text such as "05 17 x10": entries of the play, and a multiple for the entries before it. Spaces,
// commas and semicolons separate entries; a line break ends a bet. For a play of several numbers, an entry can also be
// written as exactly that many single numbers. A fault names the text, its index and its offset in bytes.
func ParsePasted(p *Play, text string) ([]Pasted, error) {
	if len(text) > maxPaste {
		return nil, badEntry("", 0, 0, ReasonTooLong)
	}
	var bets []Pasted
	var group []token
	finish := func(multiple int) error {
		if len(group) == 0 {
			return nil
		}
		selection, lines, err := p.pastedSelection(group)
		if err != nil {
			return err
		}
		if len(bets) == maxPastedBet {
			return badEntry(group[0].text, group[0].index, group[0].offset, ReasonTooLong)
		}
		bets = append(bets, Pasted{Selection: selection, Multiple: multiple, Lines: lines})
		group = nil
		return nil
	}
	for _, t := range tokens(text) {
		if t.text == "\n" {
			if err := finish(1); err != nil {
				return nil, err
			}
			continue
		}
		multiple, isMultiple := cutMultiple(t.text)
		if !isMultiple {
			group = append(group, t)
			continue
		}
		n, err := strconv.Atoi(multiple)
		if err != nil || n < 1 || n > MaxMultiple || multiple[0] == '+' || len(group) == 0 {
			return nil, badEntry(t.text, t.index, t.offset, ReasonMultiple)
		}
		if err := finish(n); err != nil {
			return nil, err
		}
	}
	if err := finish(1); err != nil {
		return nil, err
	}
	if len(bets) == 0 {
		return nil, badEntry("", 0, 0, ReasonEmpty)
	}
	return bets, nil
}

// A token is a word of a pasted text, or a line break.
type token struct {
	text          string
	index, offset int
}

func tokens(text string) []token {
	var list []token
	start, index := -1, 0
	end := func(at int) {
		if start >= 0 {
			list = append(list, token{text[start:at], index, start})
			index++
			start = -1
		}
	}
	for at, c := range text {
		switch {
		case c == '\n':
			end(at)
			list = append(list, token{text: "\n"})
		case unicode.IsSpace(c) || c == ',' || c == ';':
			end(at)
		case start < 0:
			start = at
		}
	}
	end(len(text))
	return list
}

// cutMultiple returns the digits of "x10", "X10" or "×10".
func cutMultiple(text string) (string, bool) {
	for _, sign := range []string{"x", "X", "×"} {
		if rest, found := strings.CutPrefix(text, sign); found {
			return rest, true
		}
	}
	return "", false
}

// pastedSelection returns the selection of a group of entries and its number of lines.
func (p *Play) pastedSelection(group []token) (string, int, error) {
	texts := make([]string, len(group))
	single := true
	for i, t := range group {
		texts[i] = t.text
		_, isNumber := parseDigits(t.text, p.Pick.Digits)
		single = single && isNumber
	}
	severalNumbers := p.Pick.Kind == PickSet || p.Pick.Kind == PickPattern
	if severalNumbers && p.Pick.Min > 1 && single && len(group) == p.Pick.Min {
		selection := p.Pick.Prefix + strings.Join(texts, "-")
		lines, err := p.Parse(selection)
		if err != nil {
			return "", 0, at(err, group[0])
		}
		return selection, len(lines), nil
	}
	for i := range group { // each entry alone first, so that the fault names the right one
		if _, err := p.Parse(texts[i]); err != nil {
			return "", 0, at(err, group[i])
		}
	}
	selection := strings.Join(texts, ",")
	lines, err := p.Parse(selection)
	if err != nil {
		return "", 0, at(err, group[twice(p, texts)])
	}
	return selection, len(lines), nil
}

// twice returns the index of the first entry that names a line again, or 0.
func twice(p *Play, texts []string) int {
	seen := map[string]bool{}
	for i, text := range texts {
		lines, _ := p.parse(text)
		for _, l := range lines {
			if seen[l.Key] {
				return i
			}
			seen[l.Key] = true
		}
	}
	return 0
}

// at moves a fault of a selection to its place in the pasted text.
func at(err error, t token) error {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != ErrSelection.Code {
		return err
	}
	return badEntry(t.text, t.index, t.offset, f.Args["reason"])
}
