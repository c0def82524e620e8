// Package play has the betting rules of the lottery. A play is a kind of bet. The package lists the plays of each form of
// draw, parses selections, and computes costs, payouts, exact chances and returns. It stores nothing and moves no money.
package play

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
)

// Faults of this package.
var (
	ErrUnknownPlay  = fault.New(fault.NotFound, "lottery.unknown_play")
	ErrSelection    = fault.New(fault.Invalid, "lottery.bad_selection") // values: entry (its text), index, offset and reason
	ErrTooManyLines = fault.New(fault.Invalid, "lottery.too_many_lines")
	ErrStake        = fault.New(fault.Invalid, "lottery.stake")
)

// Play types. Traditional has all plays. Entertainment has only the simple ones.
const (
	Traditional   = "trad"
	Entertainment = "ent"
)

// Kinds of Pick.
const (
	PickNumber    = "number"    // an entry is one number
	PickSet       = "set"       // an entry is several different numbers, joined by '-'
	PickPattern   = "pattern"   // an entry is several numbers that may be equal, joined by '-'
	PickPositions = "positions" // an entry has numbers for each position, separated by '|'
	PickOption    = "option"    // an entry is one of Options
)

// A Pick describes the entries of a play, so that a client can draw the right picker.
type Pick struct {
	Kind      string
	Prefix    string // text in front of an entry's numbers
	From, To  int    // range of the numbers
	Digits    int    // digits of each number, with leading zeros
	Min, Max  int    // how many numbers an entry has, per position for PickPositions
	Positions int
	Options   []string
}

// PositionNames returns the prefixes of an option, such as "first:". It returns one empty prefix if the options have no
// positions.
func (p *Play) PositionNames() []string {
	if p.Pick.Kind != PickOption || p.Pick.Positions == 0 {
		return []string{""}
	}
	names := make([]string, p.Pick.Positions)
	for i := range names {
		names[i] = strconv.Itoa(i+1) + ":"
		if p.Form == draw.SSC {
			names[i] = sscThirds[i] + ":"
		}
	}
	return names
}

// An Outcome is a way to win and its exact chance. For lô the chance is per prize.
type Outcome struct {
	When   string // the entry without its position, such as "pair"; empty if all entries of the play have the same chance
	Chance *big.Rat
}

// Names are the names of a game or play.
type Names struct{ EN, VI string }

// A Play is a kind of bet. Plays do not change.
type Play struct {
	Code     string
	Form     draw.Form
	Group    string
	Names    Names
	Wins     string // when a line wins, in English
	Simple   bool   // also in Entertainment
	Pick     Pick
	MaxLines int
	Outcomes []Outcome

	// OnlySpecial means that only the special prize of a regional draw decides.
	OnlySpecial bool

	// Prizes is the number of prizes that can win. A line costs its stake once for each of them.
	Prizes int

	parse func(entry string) ([]Line, string)
	hits  func(Line, *draw.Result) int
}

// A Line is a single bet of a selection.
type Line struct {
	Key  string // unique within the play; exposure is counted per key
	When string // the outcome that it bets on

	position int
	numbers  []int
	text     string
}

// Odds are the payouts for one unit of stake, stake included, by outcome.
type Odds map[string]decimal.Decimal

var registry = sync.OnceValue(func() map[draw.Form][]*Play {
	all := map[draw.Form][]*Play{
		draw.SSC: sscPlays(), draw.K3: k3Plays(), draw.PK10: pk10Plays(), draw.Keno: kenoPlays(),
		draw.North: regionalPlays(draw.North), draw.South: regionalPlays(draw.South),
	}
	for form, plays := range all {
		for _, p := range plays {
			p.Form = form
			p.Prizes = max(p.Prizes, 1)
			p.OnlySpecial = p.Group == groupDe || p.Group == groupSide
		}
	}
	return all
})

// All returns the plays of a form in menu order.
func All(form draw.Form) []*Play { return slices.Clone(registry()[form]) }

// Menu returns the plays of a form and a play type.
func Menu(form draw.Form, playType string) []*Play {
	var menu []*Play
	for _, p := range registry()[form] {
		if playType == Traditional || playType == Entertainment && p.Simple {
			menu = append(menu, p)
		}
	}
	return menu
}

// Find returns a play by its code.
func Find(form draw.Form, code string) (*Play, error) {
	for _, p := range registry()[form] {
		if p.Code == code {
			return p, nil
		}
	}
	return nil, ErrUnknownPlay.With("play", clip(code))
}

// HasOutcomes reports whether the entries of the play differ in chance.
func (p *Play) HasOutcomes() bool { return len(p.Outcomes) > 1 }

// Chance returns the chance of an outcome, or nil if the play does not have it.
func (p *Play) Chance(when string) *big.Rat {
	for _, o := range p.Outcomes {
		if o.When == when {
			return new(big.Rat).Set(o.Chance)
		}
	}
	return nil
}

// Hits returns how often a line wins: for lô the number of matching prizes, otherwise 0 or 1.
func (p *Play) Hits(l Line, r draw.Result) int { return p.hits(l, &r) }

// clip shortens a player's text for an error message.
func clip(text string) string {
	runes := []rune(text)
	if len(runes) > 40 {
		return string(runes[:40])
	}
	return text
}

// ParseResult parses a result for one play. If only the special prize decides, the text may be just that prize.
func (p *Play) ParseResult(text string) (draw.Result, error) {
	text = strings.TrimSpace(text)
	if p.OnlySpecial {
		special, digits := strings.TrimPrefix(text, "DB="), p.Form.Prizes()[0].Digits
		if len(special) == digits {
			if _, ok := parseDigits(special, digits); ok {
				return draw.Result{Form: p.Form, Prizes: [][]string{{special}}}, nil
			}
		}
	}
	return draw.Parse(p.Form, text)
}
