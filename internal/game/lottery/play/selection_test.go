package play_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
)

func keysOf(lines []play.Line) string {
	var keys []string
	for _, l := range lines {
		keys = append(keys, l.Key)
	}
	return strings.Join(keys, " ")
}

func TestSelectionLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form                  draw.Form
		code, selection, want string
	}{
		{draw.North, "lo2", "05,17", "05 17"},
		{draw.South, "lo4", "0005", "0005"},
		{draw.North, "xien2", "17-05,00-99", "05-17 00-99"},
		{draw.North, "dau", "7,0", "7 0"},
		{draw.South, "odd-even", "odd,even", "odd even"},
		{draw.SSC, "pos", "1|23|*|*|5", "1:1 2:2 2:3 5:5"},
		{draw.SSC, "pos", "1|*|*|*|*,2|*|*|*|*", "1:1 1:2"},
		{draw.SSC, "last3", "*|*|1|23|5", "1-2-5 1-3-5"},
		{draw.SSC, "group3", "2-1-1", "1-1-2"},
		{draw.SSC, "group6", "3-1-2", "1-2-3"},
		{draw.SSC, "shape", "first:pair,last:pair", "first:pair last:pair"},
		{draw.K3, "sum", "sum-11,sum-3", "sum-11 sum-3"},
		{draw.K3, "two", "two-2-1", "two-1-2"},
		{draw.K3, "any-triple", "any", "any"},
		{draw.PK10, "pos", "01.05|*|*|*|*|*|*|*|*|10", "1:01 1:05 10:10"},
		{draw.PK10, "top2", "01-02,02-01", "01-02 02-01"},
		{draw.PK10, "dragon-tiger", "5:tiger", "5:tiger"},
		{draw.Keno, "pick3", "80-03-17", "03-17-80"},
	} {
		lines, err := mustFind(t, tt.form, tt.code).Parse(tt.selection)
		if err != nil || keysOf(lines) != tt.want {
			t.Errorf("%s %s %q: %s, %v, want %s", tt.form, tt.code, tt.selection, keysOf(lines), err, tt.want)
		}
	}
}

func TestSelectionFaultsReportTheEntry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form            draw.Form
		code, selection string
		want            string // reason index@offset entry
	}{
		{draw.North, "lo2", "", "empty 0@0 "},
		{draw.North, "lo2", "05,", "empty 1@3 "},
		{draw.North, "lo2", "05,5", "digits 1@3 5"},
		{draw.North, "lo2", "05, 17", "digits 1@3  17"},
		{draw.North, "lo2", "05,1a", "digits 1@3 1a"},
		{draw.North, "lo2", "05,٠٥", "digits 1@3 ٠٥"},
		{draw.North, "lo2", "05,17,05", "twice 2@6 05"},
		{draw.North, "cang3", "1234", "digits 0@0 1234"},
		{draw.North, "xien2", "05-17,17-05", "twice 1@6 17-05"},
		{draw.North, "xien2", "05-05", "repeated 0@0 05-05"},
		{draw.North, "xien2", "05", "count 0@0 05"},
		{draw.North, "truot4", "01-02-03-04-05", "count 0@0 01-02-03-04-05"},
		{draw.North, "big-small", "Big", "option 0@0 Big"},
		{draw.SSC, "pos", "1|2|3|4", "count 0@0 1|2|3|4"},
		{draw.SSC, "pos", "*|*|*|*|*", "empty 0@0 *|*|*|*|*"},
		{draw.SSC, "pos", "1||*|*|*", "form 0@0 1||*|*|*"},
		{draw.SSC, "pos", "11|*|*|*|*", "repeated 0@0 11|*|*|*|*"},
		{draw.SSC, "pos", "1*|*|*|*|*", "digits 0@0 1*|*|*|*|*"},
		{draw.SSC, "pos", "12|*|*|*|*,2|*|*|*|*", "twice 1@11 2|*|*|*|*"},
		{draw.SSC, "last3", "1|*|1|2|3", "form 0@0 1|*|1|2|3"},
		{draw.SSC, "last3", "*|*|1|*|3", "form 0@0 *|*|1|*|3"},
		{draw.SSC, "group3", "1-1-1", "repeated 0@0 1-1-1"},
		{draw.SSC, "group3", "1-2-3", "repeated 0@0 1-2-3"},
		{draw.SSC, "group3", "1-1-2,1-2-1", "twice 1@6 1-2-1"},
		{draw.SSC, "shape", "pair", "form 0@0 pair"},
		{draw.SSC, "shape", "second:pair", "option 0@0 second:pair"},
		{draw.K3, "sum", "sum-2", "range 0@0 sum-2"},
		{draw.K3, "sum", "sum-011", "digits 0@0 sum-011"},
		{draw.K3, "sum", "sum-+11", "digits 0@0 sum-+11"},
		{draw.K3, "sum", "sum-99999999999999999999", "range 0@0 sum-99999999999999999999"},
		{draw.K3, "sum", "11", "form 0@0 11"},
		{draw.K3, "two", "1-2", "form 0@0 1-2"},
		{draw.K3, "any-triple", "any,any", "twice 1@4 any"},
		{draw.K3, "three", "three-1-2-7", "range 0@0 three-1-2-7"},
		{draw.PK10, "pos", "1|*|*|*|*|*|*|*|*|*", "digits 0@0 1|*|*|*|*|*|*|*|*|*"},
		{draw.PK10, "pos", "00|*|*|*|*|*|*|*|*|*", "range 0@0 00|*|*|*|*|*|*|*|*|*"},
		{draw.PK10, "top2", "11-01", "range 0@0 11-01"},
		{draw.PK10, "top2", "01-01", "repeated 0@0 01-01"},
		{draw.PK10, "dragon-tiger", "6:dragon", "option 0@0 6:dragon"},
		{draw.PK10, "pos-side", "01:big", "option 0@0 01:big"},
		{draw.Keno, "pick2", "00-01", "range 0@0 00-01"},
		{draw.Keno, "pick2", "81-01", "range 0@0 81-01"},
		{draw.Keno, "sum-side", "tie", "option 0@0 tie"},
	} {
		lines, err := mustFind(t, tt.form, tt.code).Parse(tt.selection)
		if got := faultText(err); !errors.Is(err, play.ErrSelection) || got != tt.want || lines != nil {
			t.Errorf("%s %s %q: %v %q, want %q", tt.form, tt.code, tt.selection, err, got, tt.want)
		}
	}
	if _, err := play.Find(draw.North, "pos"); !errors.Is(err, play.ErrUnknownPlay) {
		t.Errorf("play of another form: %v, want %v", err, play.ErrUnknownPlay)
	}
}

func faultText(err error) string {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return ""
	}
	return fmt.Sprintf("%s %s@%s %s", f.Args["reason"], f.Args["index"], f.Args["offset"], f.Args["entry"])
}

func TestTooManyLines(t *testing.T) {
	t.Parallel()
	p := mustFind(t, draw.Keno, "pick2")
	var entries []string
	for n := 2; len(entries) <= p.MaxLines; n++ {
		for m := 1; m < n && len(entries) <= p.MaxLines; m++ {
			entries = append(entries, fmt.Sprintf("%02d-%02d", m, n))
		}
	}
	if _, err := p.Parse(strings.Join(entries, ",")); !errors.Is(err, play.ErrTooManyLines) {
		t.Errorf("%d lines: %v, want %v", len(entries), err, play.ErrTooManyLines)
	}
	if lines, err := p.Parse(strings.Join(entries[:p.MaxLines], ",")); err != nil || len(lines) != p.MaxLines {
		t.Errorf("%d lines, %v, want %d", len(lines), err, p.MaxLines)
	}
	if _, err := p.Parse(strings.Repeat("1", 1<<20)); faultText(err) != "too_long 0@0 " {
		t.Errorf("a long text: %v", err)
	}
	all := mustFind(t, draw.SSC, "last3")
	if lines, err := all.Parse("*|*|0123456789|0123456789|0123456789"); err != nil || len(lines) != 1000 {
		t.Errorf("%d lines, %v, want 1000", len(lines), err)
	}
}

func TestStakeAndAmount(t *testing.T) {
	t.Parallel()
	vnd, err := money.Find("VND")
	if err != nil {
		t.Fatal(err)
	}
	limits := play.StandardLimits(vnd)
	lo, de := mustFind(t, draw.North, "lo2"), mustFind(t, draw.South, "de")
	odds := play.Odds{"": decimal.RequireFromString("97")}
	for _, tt := range []struct {
		play     *play.Play
		stake    money.Minor
		multiple int
		want     money.Minor // 0: refused
	}{
		{lo, 1000, 1, 54_000}, {lo, 2000, 10, 1_080_000}, {de, 1000, 9999, 19_998_000}, {de, 50_000_000, 1, 100_000_000},
		{de, 999, 1, 0}, {de, 1500, 1, 0}, {de, 0, 1, 0}, {de, -1000, 1, 0}, {de, 50_001_000, 1, 0}, {de, 1000, 0, 0}, {de, 1000, -1, 0}, {de, 1000, 10_000, 0},
	} {
		bet, err := play.NewBet(tt.play, "05,17", tt.stake, tt.multiple, limits, odds)
		if tt.want == 0 && !errors.Is(err, play.ErrStake) || tt.want != 0 && (err != nil || bet.Amount != tt.want) {
			t.Errorf("%s %d × %d: amount %d, %v, want %d", tt.play.Code, tt.stake, tt.multiple, bet.Amount, err, tt.want)
		}
	}
	huge := limits
	huge.Max = math.MaxInt64 / 1000 * 1000
	if _, err := play.NewBet(de, "05", huge.Max, 9999, huge, odds); !errors.Is(err, play.ErrStake) {
		t.Errorf("an amount out of range: %v, want %v", err, play.ErrStake)
	}
	if _, err := play.NewBet(de, "05", huge.Max/1000, 100, huge, odds); !errors.Is(err, play.ErrStake) {
		t.Errorf("a payout out of range: %v, want %v", err, play.ErrStake)
	}
	if _, err := play.NewBet(de, "05", 1000, 1, limits, play.Odds{}); err == nil {
		t.Error("a bet without odds is accepted")
	}
}

func TestPayoutIsRoundedDownOncePerBet(t *testing.T) {
	t.Parallel()
	cny, err := money.Find("CNY")
	if err != nil {
		t.Fatal(err)
	}
	limits := play.StandardLimits(cny)
	limits.Unit, limits.Min = 1, 1
	r, err := draw.Parse(draw.PK10, "01,02,03,04,05,06,07,08,09,10")
	if err != nil {
		t.Fatal(err)
	}
	bet, err := play.NewBet(mustFind(t, draw.PK10, "pos-side"), "1:small,2:small,10:even", 1, 1, limits, play.Odds{"": decimal.RequireFromString("1.555")})
	if err != nil {
		t.Fatal(err)
	}
	if got, wins := bet.Pay(r); got != 4 || len(wins) != 3 { // 3 × 1.555 = 4.665; rounding each line would result in 3
		t.Errorf("payout %d with %d wins, want 4 with 3", got, len(wins))
	}
	zy, found := play.FindMode(draw.PK10, "ZY")
	if !found {
		t.Fatal("PK10 has no ZY")
	}
	for amount, want := range map[money.Minor]money.Minor{0: 0, 66: 0, 67: 1, 1000: 15, 133: 1, math.MaxInt64: 138350580552821637} {
		if got := zy.PaidBack(amount); got != want {
			t.Errorf("rebate on %d = %d, want %d", amount, got, want)
		}
	}
}

// A valid selection has different lines, at most MaxLines, and each line's outcome has a chance.
func FuzzSelection(f *testing.F) {
	for _, text := range []string{"05,17", "05-17", "1|23|*|*|5", "*|*|1|23|5", "1-1-2", "first:pair", "sum-11", "two-1-2", "01.05|*|*|*|*|*|*|*|*|10", "1:big", "any", "٠٥", "\xff|"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range draw.Forms() {
			for _, p := range play.All(form) {
				lines, err := p.Parse(text)
				if err != nil {
					if !errors.Is(err, play.ErrSelection) && !errors.Is(err, play.ErrTooManyLines) {
						t.Fatalf("%s %s: fault %v", form, p.Code, err)
					}
				} else if len(lines) == 0 || len(lines) > p.MaxLines {
					t.Fatalf("%s %s: %d lines", form, p.Code, len(lines))
				}
				seen := map[string]bool{}
				for _, l := range lines {
					if seen[l.Key] || p.Chance(l.When) == nil {
						t.Fatalf("%s %s: line %q", form, p.Code, l.Key)
					}
					seen[l.Key] = true
				}
			}
		}
	})
}

func TestGamesPlaysAndModes(t *testing.T) {
	t.Parallel()
	games := play.Games(schedule.StandardWeek())
	ids, codes := map[int]bool{}, map[string]bool{}
	groups := play.Groups()
	for _, g := range games {
		if ids[g.ID] || codes[g.Code] {
			t.Errorf("game %d %s is listed twice", g.ID, g.Code)
		}
		ids[g.ID], codes[g.Code] = true, true
		if err := g.Timetable.Check(); err != nil {
			t.Errorf("%s: %v", g.Code, err)
		}
		if !slices.ContainsFunc(groups, func(group play.Group) bool { return group.ID == g.GroupID }) {
			t.Errorf("%s: unknown group %d", g.Code, g.GroupID)
		}
		_ = draw.ClientSeed(strings.Repeat("0", 32), g.Code) // panics if the code is too long
	}
	if want := 6 + 14 + 21 + 12; len(games) != want { // provinces of the north, the centre and the south, and fast games
		t.Errorf("%d games, want %d", len(games), want)
	}
	for _, form := range draw.Forms() {
		all, simple := play.Menu(form, play.Traditional), play.Menu(form, play.Entertainment)
		if len(all) != len(play.All(form)) || len(simple) == 0 || len(simple) > len(all) || len(play.Menu(form, "x")) != 0 {
			t.Errorf("%s: %d plays, %d simple", form, len(all), len(simple))
		}
		if modes := play.Modes(form); len(modes) != 2 || modes[1].Code != "ZY" || (modes[0].Code == "Lott") != form.Regional() {
			t.Errorf("%s: modes %v", form, modes)
		}
		codes := map[string]bool{}
		for _, p := range all {
			if codes[p.Code] || p.Names.EN == "" || p.Names.VI == "" || p.Wins == "" || p.MaxLines < 1 {
				t.Errorf("%s %s is incomplete or listed twice", form, p.Code)
			}
			codes[p.Code] = true
		}
	}
}
