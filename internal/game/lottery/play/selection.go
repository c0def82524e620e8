package play

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Reasons of ErrSelection.
const (
	ReasonEmpty    = "empty"    // there is no entry
	ReasonForm     = "form"     // the entry does not have the form of the play
	ReasonDigits   = "digits"   // a number has the wrong number of digits or other characters
	ReasonRange    = "range"    // a number is too small or too large
	ReasonCount    = "count"    // the entry has too many or too few numbers or positions
	ReasonRepeated = "repeated" // a number occurs twice in the entry
	ReasonTwice    = "twice"    // the selection names a line twice
	ReasonOption   = "option"   // the play has no such option
	ReasonTooLong  = "too_long" // the text is too long
	reasonTooMany  = "too_many" // the entry alone has more lines than any play allows; becomes ErrTooManyLines
	maxSelection   = 64 << 10   // bytes of a selection
	maxEntryLines  = 1000       // lines of one entry
)

// Parse returns the lines of a selection. The fault for an invalid entry has its text, its index and its offset in bytes.
func (p *Play) Parse(selection string) ([]Line, error) {
	if len(selection) > maxSelection {
		return nil, badEntry("", 0, 0, ReasonTooLong)
	}
	if selection == "" {
		return nil, badEntry("", 0, 0, ReasonEmpty)
	}
	var lines []Line
	seen := map[string]bool{}
	index, offset := 0, 0
	for entry := range strings.SplitSeq(selection, ",") {
		found, reason := p.parse(entry)
		switch {
		case entry == "":
			return nil, badEntry(entry, index, offset, ReasonEmpty)
		case reason == reasonTooMany:
			return nil, ErrTooManyLines.With("max", p.MaxLines)
		case reason != "":
			return nil, badEntry(entry, index, offset, reason)
		}
		for _, l := range found {
			if seen[l.Key] {
				return nil, badEntry(entry, index, offset, ReasonTwice)
			}
			seen[l.Key] = true
		}
		if len(seen) > p.MaxLines {
			return nil, ErrTooManyLines.With("max", p.MaxLines)
		}
		lines = append(lines, found...)
		index++
		offset += len(entry) + 1
	}
	return lines, nil
}

func badEntry(entry string, index, offset int, reason string) error {
	return ErrSelection.With("entry", clip(entry)).With("index", index).With("offset", offset).With("reason", reason)
}

// parseDigits returns the value of a text of exactly n digits.
func parseDigits(text string, n int) (int, bool) {
	if len(text) != n {
		return 0, false
	}
	value := 0
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return 0, false
		}
		value = value*10 + int(c-'0')
	}
	return value, true
}

// number returns a parser of entries that are one number with the given number of digits.
func number(digits int) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		n, ok := parseDigits(entry, digits)
		if !ok {
			return nil, ReasonDigits
		}
		return []Line{{Key: entry, text: entry, numbers: []int{n}}}, ""
	}
}

// numberList parses count numbers joined by '-'.
func numberList(entry string, count, digits, from, to int) ([]int, string) {
	parts := strings.Split(entry, "-")
	if len(parts) != count {
		return nil, ReasonCount
	}
	numbers := make([]int, count)
	for i, part := range parts {
		n, ok := parseDigits(part, digits)
		switch {
		case !ok:
			return nil, ReasonDigits
		case n < from || n > to:
			return nil, ReasonRange
		}
		numbers[i] = n
	}
	return numbers, ""
}

// joinNumbers returns numbers as text. It is the inverse of numberList.
func joinNumbers(numbers []int, digits int) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = Padded(n, digits)
	}
	return strings.Join(texts, "-")
}

// Padded returns a number with leading zeros, as in entries and results.
func Padded(n, digits int) string {
	text := strconv.Itoa(n)
	return strings.Repeat("0", max(0, digits-len(text))) + text
}

// set returns a parser of entries of different numbers in any order, with a prefix such as "two-".
func set(prefix string, count, digits, from, to int) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		rest, ok := strings.CutPrefix(entry, prefix)
		if !ok {
			return nil, ReasonForm
		}
		numbers, reason := numberList(rest, count, digits, from, to)
		if reason != "" {
			return nil, reason
		}
		slices.Sort(numbers)
		if len(slices.Compact(slices.Clone(numbers))) != count {
			return nil, ReasonRepeated
		}
		return []Line{{Key: prefix + joinNumbers(numbers, digits), numbers: numbers}}, ""
	}
}

// ordered returns a parser of entries of different numbers whose order matters.
func ordered(count, digits, from, to int) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		numbers, reason := numberList(entry, count, digits, from, to)
		if reason != "" {
			return nil, reason
		}
		sorted := slices.Sorted(slices.Values(numbers))
		if len(slices.Compact(sorted)) != count {
			return nil, ReasonRepeated
		}
		return []Line{{Key: entry, numbers: numbers}}, ""
	}
}

// pairOfThree parses an entry of three digits, exactly two of which are equal, in any order.
func pairOfThree(entry string) ([]Line, string) {
	numbers, reason := numberList(entry, 3, 1, 0, 9)
	if reason != "" {
		return nil, reason
	}
	slices.Sort(numbers)
	if len(slices.Compact(slices.Clone(numbers))) != 2 {
		return nil, ReasonRepeated
	}
	return []Line{{Key: joinNumbers(numbers, 1), numbers: numbers}}, ""
}

// option returns a parser of entries that are one of the words. If outcomes is set, each word is an outcome.
func option(outcomes bool, words ...string) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		if !slices.Contains(words, entry) {
			return nil, ReasonOption
		}
		l := Line{Key: entry, text: entry}
		if outcomes {
			l.When = entry
		}
		return []Line{l}, ""
	}
}

// numbered returns a parser of entries such as "sum-11": a prefix and a number without leading zeros. If outcomes is
// set, each entry is an outcome.
func numbered(outcomes bool, prefix string, from, to int) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		rest, ok := strings.CutPrefix(entry, prefix)
		if !ok {
			return nil, ReasonForm
		}
		n, err := strconv.Atoi(rest)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return nil, ReasonRange
		case err != nil || strconv.Itoa(n) != rest:
			return nil, ReasonDigits
		case n < from || n > to:
			return nil, ReasonRange
		}
		l := Line{Key: entry, numbers: []int{n}}
		if outcomes {
			l.When = entry
		}
		return []Line{l}, ""
	}
}

// placed returns a parser of entries such as "first:pair" or "1:big": a position and a word. If outcomes is set, each
// word is an outcome.
func placed(outcomes bool, positions, words []string) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		position, word, found := strings.Cut(entry, ":")
		index := slices.Index(positions, position)
		switch {
		case !found:
			return nil, ReasonForm
		case index < 0 || !slices.Contains(words, word):
			return nil, ReasonOption
		}
		l := Line{Key: entry, position: index, text: word}
		if outcomes {
			l.When = word
		}
		return []Line{l}, ""
	}
}

// positions splits an entry such as "1|23|*|*|5" into the numbers of each position. The separator between the numbers of
// a position may be empty.
func positions(entry string, count, digits, from, to int, separator string) ([][]int, string) {
	parts := strings.Split(entry, "|")
	if len(parts) != count {
		return nil, ReasonCount
	}
	all := make([][]int, count)
	for i, part := range parts {
		switch part {
		case "*":
			continue
		case "":
			return nil, ReasonForm
		}
		for text := range strings.SplitSeq(part, separator) {
			n, ok := parseDigits(text, digits)
			switch {
			case !ok:
				return nil, ReasonDigits
			case n < from || n > to:
				return nil, ReasonRange
			case slices.Contains(all[i], n):
				return nil, ReasonRepeated
			}
			all[i] = append(all[i], n)
		}
	}
	return all, ""
}

// eachPosition returns a parser that makes a line of each number at each position.
func eachPosition(count, digits, from, to int, separator string) func(string) ([]Line, string) {
	return func(entry string) ([]Line, string) {
		all, reason := positions(entry, count, digits, from, to, separator)
		if reason != "" {
			return nil, reason
		}
		var lines []Line
		for position, numbers := range all {
			for _, n := range numbers {
				lines = append(lines, Line{Key: strconv.Itoa(position+1) + ":" + Padded(n, digits), position: position, numbers: []int{n}})
			}
		}
		if len(lines) == 0 {
			return nil, ReasonEmpty
		}
		return lines, ""
	}
}

// lastThree parses an entry for the last three of five positions. Every combination is a line.
func lastThree(entry string) ([]Line, string) {
	all, reason := positions(entry, 5, 1, 0, 9, "")
	switch {
	case reason != "":
		return nil, reason
	case len(all[0])+len(all[1]) > 0 || len(all[2])*len(all[3])*len(all[4]) == 0:
		return nil, ReasonForm
	case len(all[2])*len(all[3])*len(all[4]) > maxEntryLines:
		return nil, reasonTooMany
	}
	var lines []Line
	for _, a := range all[2] {
		for _, b := range all[3] {
			for _, c := range all[4] {
				numbers := []int{a, b, c}
				lines = append(lines, Line{Key: joinNumbers(numbers, 1), numbers: numbers})
			}
		}
	}
	return lines, ""
}
