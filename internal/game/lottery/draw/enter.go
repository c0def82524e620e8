package draw

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// repeatedDigits is the number of digits from which a repeated number in a prize counts as a mistake. Shorter numbers
// repeat by chance.
const repeatedDigits = 4

// Check returns the result of a regional draw that an operator entered. It refuses prizes that are missing, unknown or
// of the wrong size. Unless allowRepeated is set, it refuses a number of four or more digits that occurs twice in a
// prize: such a result is possible but almost always a mistake.
func Check(form Form, entered map[string][]string, allowRepeated bool) (Result, error) {
	if !form.Regional() {
		return Result{}, badResult(ReasonForm, string(form))
	}
	r := Result{Form: form}
	for _, p := range prizes[form] {
		numbers := entered[p.Code]
		if len(numbers) != p.Count {
			return Result{}, badResult(ReasonCount, p.Code)
		}
		for i, number := range numbers {
			if !isDigits(number, p.Digits) {
				return Result{}, badResult(ReasonDigits, p.Code)
			}
			if p.Digits >= repeatedDigits && !allowRepeated && slices.Contains(numbers[:i], number) {
				return Result{}, badResult(ReasonRepeated, p.Code)
			}
		}
		r.Prizes = append(r.Prizes, slices.Clone(numbers))
	}
	for code := range entered {
		if !slices.ContainsFunc(prizes[form], func(p Prize) bool { return p.Code == code }) {
			return Result{}, badResult(ReasonUnknown, clip(code))
		}
	}
	return r, nil
}

// clip shortens an operator's text for an error message.
func clip(text string) string {
	if len(text) > 20 {
		return text[:20]
	}
	return text
}

func isDigits(text string, n int) bool {
	return len(text) == n && !strings.ContainsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
}

// Text returns the whole result as text, which Parse can parse. A regional result is a list of prizes:
// DB=01234;G1=56789;G2=11111,22222 and so on.
func (r Result) Text() string {
	if !r.Form.Regional() {
		return r.WinNo()
	}
	var rows []string
	for i, p := range prizes[r.Form] {
		rows = append(rows, p.Code+"="+strings.Join(r.Prizes[i], ","))
	}
	return strings.Join(rows, ";")
}

// maxText is the maximum length of a result's text.
const maxText = 4096

// Parse parses the text of a result. A regional result has the format of Result.Text, or is a JSON object with an array
// of numbers for each prize.
func Parse(form Form, text string) (Result, error) {
	text = strings.TrimSpace(text)
	switch {
	case len(text) > maxText:
		return Result{}, badResult(ReasonForm, "")
	case !form.Regional():
		return parseNumbers(form, text)
	case strings.HasPrefix(text, "{"):
		entered, err := parseJSON(text)
		if err != nil {
			return Result{}, err
		}
		return Check(form, entered, true)
	}
	entered := map[string][]string{}
	for row := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		code, numbers, found := strings.Cut(row, "=")
		code = strings.TrimSpace(code)
		if !found {
			return Result{}, badResult(ReasonForm, clip(code))
		}
		if _, twice := entered[code]; twice {
			return Result{}, badResult(ReasonTwice, clip(code))
		}
		list := strings.Split(numbers, ",")
		for i := range list {
			list[i] = strings.TrimSpace(list[i])
		}
		entered[code] = list
	}
	return Check(form, entered, true)
}

// parseJSON parses the JSON object of the API, {"DB": […], …}, with or without an outer "prizes". It refuses a prize that is
// named twice, which encoding/json would accept.
func parseJSON(text string) (map[string][]string, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	entered := map[string][]string{}
	depth := 1
	malformed := func() (map[string][]string, error) { return nil, badResult(ReasonForm, "") }
	if _, err := decoder.Token(); err != nil {
		return malformed()
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return malformed()
		}
		code := fmt.Sprint(key)
		if code == "prizes" && depth == 1 && len(entered) == 0 {
			if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
				return malformed()
			}
			depth = 2
			continue
		}
		var numbers []string
		if err := decoder.Decode(&numbers); err != nil {
			return malformed()
		}
		if _, twice := entered[code]; twice {
			return nil, badResult(ReasonTwice, clip(code))
		}
		entered[code] = numbers
	}
	for range depth {
		if closing, err := decoder.Token(); err != nil || closing != json.Delim('}') {
			return malformed()
		}
	}
	if decoder.More() {
		return malformed()
	}
	return entered, nil
}

// parseNumbers parses the result of a fast draw.
func parseNumbers(form Form, text string) (Result, error) {
	shape := map[Form]struct{ count, width, from, to int }{
		SSC: {5, 1, 0, 9}, K3: {3, 1, 1, 6}, PK10: {PK10Numbers, 2, 1, PK10Numbers}, Keno: {KenoDrawn, 2, 1, KenoNumbers},
	}[form]
	parts := strings.Split(text, ",")
	if shape.count == 0 {
		return Result{}, badResult(ReasonForm, string(form))
	}
	if len(parts) != shape.count {
		return Result{}, badResult(ReasonCount, "")
	}
	r := Result{Form: form}
	for _, part := range parts {
		n, ok := parseNumber(strings.TrimSpace(part), shape.width)
		switch {
		case !ok:
			return Result{}, badResult(ReasonDigits, clip(part))
		case n < shape.from || n > shape.to:
			return Result{}, badResult(ReasonRange, clip(part))
		case (form == PK10 || form == Keno) && slices.Contains(r.Numbers, n):
			return Result{}, badResult(ReasonRepeated, clip(part))
		}
		r.Numbers = append(r.Numbers, n)
	}
	if form == Keno {
		slices.Sort(r.Numbers)
	}
	return r, nil
}
