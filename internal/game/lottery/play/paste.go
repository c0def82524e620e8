package play

import (
	"errors"
	"strconv"
	"strings"
	"unicode"

	"fairground/internal/fault"
)

// A Pasted is a bet in a pasted text.
type Pasted struct {
	Selection string
	Multiple  int
	Lines     int
}

const (
	maxPaste      = 16 << 10 // bytes of a pasted text
	maxPastedBets = 100
)

// ReasonMultiple means that a multiple is not from 1 to 9999, or has no entry before it.
const ReasonMultiple = "multiple"

// ParsePasted parses a text such as "05 17 x10": entries of the play, and a multiple for the entries before it. Spaces,
// commas and semicolons separate entries. A line break ends a bet. For a play of several numbers, an entry can also be
// written as exactly that many single numbers. A fault has the invalid text, its index and its offset in bytes.
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
		if len(bets) == maxPastedBets {
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
	endToken := func(end int) {
		if start >= 0 {
			list = append(list, token{text[start:end], index, start})
			index++
			start = -1
		}
	}
	for offset, c := range text {
		switch {
		case c == '\n':
			endToken(offset)
			list = append(list, token{text: "\n"})
		case unicode.IsSpace(c) || c == ',' || c == ';':
			endToken(offset)
		case start < 0:
			start = offset
		}
	}
	endToken(len(text))
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
	onlyNumbers := true
	for i, t := range group {
		texts[i] = t.text
		_, isNumber := parseDigits(t.text, p.Pick.Digits)
		onlyNumbers = onlyNumbers && isNumber
	}
	severalNumbers := p.Pick.Kind == PickSet || p.Pick.Kind == PickPattern
	if severalNumbers && p.Pick.Min > 1 && onlyNumbers && len(group) == p.Pick.Min {
		selection := p.Pick.Prefix + strings.Join(texts, "-")
		lines, err := p.Parse(selection)
		if err != nil {
			return "", 0, atToken(err, group[0])
		}
		return selection, len(lines), nil
	}
	for i := range group { // parse each entry alone first, so that the fault names the invalid one
		if _, err := p.Parse(texts[i]); err != nil {
			return "", 0, atToken(err, group[i])
		}
	}
	selection := strings.Join(texts, ",")
	lines, err := p.Parse(selection)
	if err != nil {
		return "", 0, atToken(err, group[firstRepeated(p, texts)])
	}
	return selection, len(lines), nil
}

// firstRepeated returns the index of the first entry that repeats a line of an earlier entry, or 0.
func firstRepeated(p *Play, texts []string) int {
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

// atToken changes the position of a fault to that of a token in the pasted text.
func atToken(err error, t token) error {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != ErrSelection.Code {
		return err
	}
	return badEntry(t.text, t.index, t.offset, f.Args["reason"])
}
