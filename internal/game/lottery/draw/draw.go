// Package draw represents the results of lottery draws. It parses and formats results, checks results that operators
// enter, and computes the numbers of our own draws from a committed seed. docs/lottery.md describes the algorithm.
//
// The package stores nothing and does not deal with bets.
package draw

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
)

// ErrResult means that a result does not have the form of its draw. Its field names the prize. Its value "reason" is one
// of the Reason constants.
var ErrResult = fault.ForOperators(fault.Invalid, "lottery.bad_result")

// Reasons of ErrResult.
const (
	ReasonForm     = "form"     // the text cannot be parsed
	ReasonUnknown  = "unknown"  // the draw has no such prize
	ReasonTwice    = "twice"    // the prize is named twice
	ReasonCount    = "count"    // the prize has too many or too few numbers
	ReasonDigits   = "digits"   // a number has the wrong number of digits or other characters
	ReasonRepeated = "repeated" // a long number occurs twice in its prize, which is almost always a mistake
	ReasonRange    = "range"    // a number is outside the range of the draw
)

func badResult(reason, field string) error { return ErrResult.On(field).With("reason", reason) }

// A Form is the format of a draw's results.
type Form string

// Forms of draws.
const (
	SSC   Form = "ssc"   // five digits
	K3    Form = "k3"    // three dice
	PK10  Form = "pk10"  // the numbers 1 to 10 in random order
	Keno  Form = "keno"  // 20 of 80 numbers
	North Form = "north" // 27 prizes of the north of Vietnam
	South Form = "south" // 18 prizes of the centre and the south of Vietnam
)

// Forms returns all forms.
func Forms() []Form { return []Form{SSC, K3, PK10, Keno, North, South} }

// Regional reports whether the form is that of a regional draw, which has several prizes. Operators enter its results.
func (f Form) Regional() bool { return f == North || f == South }

// Sizes of keno and PK10.
const (
	KenoNumbers = 80
	KenoDrawn   = 20
	PK10Numbers = 10
)

// Special is the code of the special prize, the first of a regional draw.
const Special = "DB"

// A Prize is a row of a regional draw.
type Prize struct {
	Code   string
	Count  int
	Digits int
}

var prizes = map[Form][]Prize{
	North: {{Special, 1, 5}, {"G1", 1, 5}, {"G2", 2, 5}, {"G3", 6, 5}, {"G4", 4, 4}, {"G5", 6, 4}, {"G6", 3, 3}, {"G7", 4, 2}},
	South: {{Special, 1, 6}, {"G1", 1, 5}, {"G2", 1, 5}, {"G3", 2, 5}, {"G4", 7, 5}, {"G5", 1, 4}, {"G6", 3, 4}, {"G7", 1, 3}, {"G8", 1, 2}},
}

// Prizes returns the prizes of a regional draw in order.
func (f Form) Prizes() []Prize { return slices.Clone(prizes[f]) }

// CountWithDigits returns how many numbers of a regional draw have at least the given number of digits.
func (f Form) CountWithDigits(digits int) int {
	n := 0
	for _, p := range prizes[f] {
		if p.Digits >= digits {
			n += p.Count
		}
	}
	return n
}

// A Result is the outcome of a draw.
type Result struct {
	Form    Form
	Numbers []int      // of a fast draw, in the order drawn; ascending for keno
	Prizes  [][]string // of a regional draw, in the order of Form.Prizes
}

// Version is the version of the algorithm of FromSeed.
const Version = 1

var saltPattern = regexp.MustCompile(`^[0-9a-f]{32}$`)

// ClientSeed returns the client seed of a game's series. The salt is 32 hexadecimal digits that the operator did not
// choose. ClientSeed panics on invalid values, so the caller must check them.
func ClientSeed(salt, gameCode string) string {
	seed := salt + "-" + gameCode
	if !saltPattern.MatchString(salt) || gameCode == "" || !fairness.GoodClientSeed(seed) {
		panic(fmt.Sprintf("draw: salt %q and game %q make no client seed", salt, gameCode))
	}
	return seed
}

// GoodSalt reports whether text is a salt.
func GoodSalt(text string) bool { return saltPattern.MatchString(text) }

// FromSeed computes the result of a draw. link is the number of the seed in its series.
func FromSeed(form Form, seed fairness.Seed, salt, gameCode string, link int64) Result {
	stream := fairness.NewStream(seed, ClientSeed(salt, gameCode), link)
	r := Result{Form: form}
	switch form {
	case SSC:
		for range 5 {
			r.Numbers = append(r.Numbers, stream.Int(10))
		}
	case K3:
		for range 3 {
			r.Numbers = append(r.Numbers, 1+stream.Int(6))
		}
	case PK10:
		r.Numbers = shuffled(stream, PK10Numbers)
	case Keno:
		r.Numbers = shuffled(stream, KenoNumbers)[:KenoDrawn]
		slices.Sort(r.Numbers)
	case North, South:
		for _, p := range prizes[form] {
			var numbers []string
			for range p.Count {
				number := make([]byte, p.Digits)
				for i := range number {
					number[i] = byte('0' + stream.Int(10))
				}
				numbers = append(numbers, string(number))
			}
			r.Prizes = append(r.Prizes, numbers)
		}
	default:
		panic("draw: unknown form " + string(form))
	}
	return r
}

// shuffled returns 1 to n, shuffled.
func shuffled(stream *fairness.Stream, n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i + 1
	}
	stream.Shuffle(n, func(i, j int) { numbers[i], numbers[j] = numbers[j], numbers[i] })
	return numbers
}

// WinNo returns the short text of a result: the numbers of a fast draw or the special prize of a regional draw.
func (r Result) WinNo() string {
	if r.Form.Regional() {
		return r.Special()
	}
	width := 1
	if r.Form == PK10 || r.Form == Keno {
		width = 2
	}
	texts := make([]string, len(r.Numbers))
	for i, n := range r.Numbers {
		texts[i] = fmt.Sprintf("%0*d", width, n)
	}
	return strings.Join(texts, ",")
}

// Special returns the special prize of a regional draw.
func (r Result) Special() string { return r.Prizes[0][0] }

// Tails returns the last digits of every number that is long enough, in the order of the prizes.
func (r Result) Tails(digits int) []string {
	var tails []string
	for _, row := range r.Prizes {
		for _, number := range row {
			if len(number) >= digits {
				tails = append(tails, number[len(number)-digits:])
			}
		}
	}
	return tails
}

// ByCode returns the prizes of a regional draw by their codes.
func (r Result) ByCode() map[string][]string {
	all := map[string][]string{}
	for i, p := range prizes[r.Form] {
		all[p.Code] = slices.Clone(r.Prizes[i])
	}
	return all
}

// parseNumber parses a number of exactly width digits.
func parseNumber(text string, width int) (int, bool) {
	if !isDigits(text, width) {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
