package play_test

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
)

func mustFind(t testing.TB, form draw.Form, code string) *play.Play {
	t.Helper()
	p, err := play.Find(form, code)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// linesOf returns all lines of a play, or a sample if there are many.
func linesOf(t testing.TB, p *play.Play) []play.Line {
	t.Helper()
	var entries []string
	pick := p.Pick
	numbers := func(yield func(string) bool) {
		for n := pick.From; n <= pick.To; n++ {
			if !yield(play.Padded(n, pick.Digits)) {
				return
			}
		}
	}
	switch pick.Kind {
	case play.PickOption:
		for _, position := range p.PositionNames() {
			for _, option := range pick.Options {
				entries = append(entries, position+option)
			}
		}
	case play.PickNumber:
		entries = slices.Collect(numbers)
	case play.PickPositions:
		separator := "."
		if pick.Digits == 1 {
			separator = ""
		}
		all := strings.Join(slices.Collect(numbers), separator)
		parts := slices.Repeat([]string{all}, pick.Positions)
		if pick.Min == 1 { // last3 uses only the last three positions
			parts[0], parts[1] = "*", "*"
		}
		entries = []string{strings.Join(parts, "|")}
	default:
		var extend func(prefix []string)
		extend = func(prefix []string) {
			if len(prefix) == pick.Min {
				text := pick.Prefix + strings.Join(prefix, "-")
				if _, err := p.Parse(text); err == nil {
					entries = append(entries, text)
				}
				return
			}
			for n := range numbers {
				if len(entries) < 400 && (pick.Kind == play.PickPattern || !slices.Contains(prefix, n)) {
					extend(append(slices.Clone(prefix), n))
				}
			}
		}
		extend(nil)
	}
	var lines []play.Line
	seen := map[string]bool{}
	for _, entry := range entries {
		found, err := p.Parse(entry)
		if err != nil {
			t.Fatalf("%s %s: entry %q: %v", p.Form, p.Code, entry, err)
		}
		for _, l := range found {
			if !seen[l.Key] {
				seen[l.Key] = true
				lines = append(lines, l)
			}
		}
	}
	if len(lines) > 100 {
		step := len(lines)/12 + 1
		var some []play.Line
		for i := 0; i < len(lines); i += step {
			some = append(some, lines[i])
		}
		lines = some
	}
	return lines
}

// compareChance compares the chance of a line with the counted chance.
func compareChance(t *testing.T, p *play.Play, l play.Line, counted *big.Rat) {
	t.Helper()
	if want := p.Chance(l.When); want == nil || want.Cmp(counted) != 0 {
		t.Errorf("%s %s %s: chance %v, counted %v", p.Form, p.Code, l.Key, want, counted)
	}
}

// checkByEnumeration compares the chance of a line with its share of wins among all equally likely results.
func checkByEnumeration(t *testing.T, p *play.Play, l play.Line, results []draw.Result) {
	t.Helper()
	won := int64(0)
	for i := range results {
		won += int64(p.Hits(l, results[i]))
	}
	compareChance(t, p, l, big.NewRat(won, int64(len(results))))
}

func TestSSCChanceByEnumeration(t *testing.T) {
	t.Parallel()
	results := make([]draw.Result, 100_000)
	for n := range results {
		results[n] = draw.Result{Form: draw.SSC, Numbers: []int{n / 10000, n / 1000 % 10, n / 100 % 10, n / 10 % 10, n % 10}}
	}
	for _, p := range play.All(draw.SSC) {
		for _, l := range linesOf(t, p) {
			checkByEnumeration(t, p, l, results)
		}
	}
}

func TestK3ChanceByEnumeration(t *testing.T) {
	t.Parallel()
	var results []draw.Result
	for n := range 216 {
		results = append(results, draw.Result{Form: draw.K3, Numbers: []int{1 + n/36, 1 + n/6%6, 1 + n%6}})
	}
	for _, p := range play.All(draw.K3) {
		for _, l := range linesOf(t, p) {
			checkByEnumeration(t, p, l, results)
		}
	}
}

// A play depends on at most two positions, so the test uses the 90 ordered pairs of numbers at these positions.
func TestPK10ChanceByEnumeration(t *testing.T) {
	t.Parallel()
	permutations := func(first, second int) []draw.Result {
		var results []draw.Result
		for a := 1; a <= 10; a++ {
			for b := 1; b <= 10; b++ {
				if a == b {
					continue
				}
				numbers := make([]int, 10)
				numbers[first], numbers[second] = a, b
				next := 1
				for i := range numbers {
					if i == first || i == second {
						continue
					}
					for next == a || next == b {
						next++
					}
					numbers[i] = next
					next++
				}
				results = append(results, draw.Result{Form: draw.PK10, Numbers: numbers})
			}
		}
		return results
	}
	for _, p := range play.All(draw.PK10) {
		for _, l := range linesOf(t, p) {
			first, second := 0, 1
			if position, _, found := strings.Cut(l.Key, ":"); found {
				n, err := strconv.Atoi(position)
				if err != nil {
					t.Fatal(err)
				}
				first, second = n-1, 10-n
			}
			checkByEnumeration(t, p, l, permutations(first, second))
		}
	}
}

// countSubsets counts the subsets of 1 to n with k members, grouped by a value. The value of the empty set is 0, and step
// returns the value after a member is added.
func countSubsets(n, k int, step func(value, member int) int) map[int]*big.Int {
	ways := make([]map[int]*big.Int, k+1)
	for i := range ways {
		ways[i] = map[int]*big.Int{}
	}
	ways[0][0] = big.NewInt(1)
	for member := 1; member <= n; member++ {
		for size := k - 1; size >= 0; size-- {
			for value, count := range ways[size] {
				newValue := step(value, member)
				if ways[size+1][newValue] == nil {
					ways[size+1][newValue] = new(big.Int)
				}
				ways[size+1][newValue].Add(ways[size+1][newValue], count)
			}
		}
	}
	return ways[k]
}

func TestKenoChanceByCounting(t *testing.T) {
	t.Parallel()
	sumOf := func(value, member int) int { return value + member }
	brute := map[int]int64{} // a small case shows that countSubsets is correct
	for bits := range 1 << 12 {
		size, sum := 0, 0
		for i := range 12 {
			if bits>>i&1 == 1 {
				size++
				sum += i + 1
			}
		}
		if size == 5 {
			brute[sum]++
		}
	}
	for sum, count := range countSubsets(12, 5, sumOf) {
		if count.Int64() != brute[sum] {
			t.Fatalf("5 of 12 numbers with sum %d: %v, want %d", sum, count, brute[sum])
		}
	}
	total := new(big.Int)
	side := map[string]*big.Int{"big": {}, "small": {}, "odd": {}, "even": {}}
	sides := mustFind(t, draw.Keno, "sum-side")
	for sum, count := range countSubsets(80, 20, sumOf) {
		total.Add(total, count)
		for word, ways := range side {
			if word == "big" && sum > 810 || word == "small" && sum < 810 || word == "odd" && sum%2 == 1 || word == "even" && sum%2 == 0 {
				ways.Add(ways, count)
			}
		}
	}
	for _, l := range linesOf(t, sides) {
		compareChance(t, sides, l, new(big.Rat).SetFrac(side[l.When], total))
	}
	for picks := 1; picks <= 10; picks++ {
		p := mustFind(t, draw.Keno, fmt.Sprint("pick", picks))
		ways := countSubsets(80, 20, func(hits, member int) int {
			if member%7 == 0 && member <= 7*picks { // any different numbers will do
				return hits + 1
			}
			return hits
		})[picks]
		compareChance(t, p, play.Line{}, new(big.Rat).SetFrac(ways, total))
	}
}

// regionalResult returns a result whose numbers consist of one repeated digit.
func regionalResult(form draw.Form, digit string) draw.Result {
	r := draw.Result{Form: form}
	for _, p := range form.Prizes() {
		r.Prizes = append(r.Prizes, slices.Repeat([]string{strings.Repeat(digit, p.Digits)}, p.Count))
	}
	return r
}

func TestRegionalChanceByCounting(t *testing.T) {
	t.Parallel()
	for _, form := range []draw.Form{draw.North, draw.South} {
		var specials []draw.Result
		for n := range 1000 {
			r := regionalResult(form, "1")
			r.Prizes[0][0] = strings.Repeat("1", form.Prizes()[0].Digits-3) + fmt.Sprintf("%03d", n)
			specials = append(specials, r)
		}
		for _, p := range play.All(form) {
			switch {
			case p.OnlySpecial:
				for _, l := range linesOf(t, p) {
					checkByEnumeration(t, p, l, specials)
				}
			case p.Prizes > 1:
				checkLoChance(t, form, p)
			default:
				m := p.Pick.Min
				chances := hitDistribution(m, form.CountWithDigits(2))
				want := chances[m]
				if strings.HasPrefix(p.Code, "truot") {
					want = chances[0]
				}
				compareChance(t, p, play.Line{}, want)
			}
		}
	}
}

// checkLoChance checks a lô play, which bets on all prizes. Each prize with enough digits must win once in 10^digits, and
// no other prize may win.
func checkLoChance(t *testing.T, form draw.Form, p *play.Play) {
	t.Helper()
	digits := p.Pick.Digits
	lines, err := p.Parse(strings.Repeat("0", digits-1) + "5")
	if err != nil {
		t.Fatal(err)
	}
	prizes := 0
	r := regionalResult(form, "9")
	for row, prize := range form.Prizes() {
		for column := range prize.Count {
			hits := 0
			for n := range p.Pick.To + 1 {
				if prize.Digits < digits && n >= 100 {
					break
				}
				text := strings.Repeat("0", prize.Digits) + play.Padded(n, digits)
				r.Prizes[row][column] = text[len(text)-prize.Digits:]
				hits += p.Hits(lines[0], r)
			}
			r.Prizes[row][column] = strings.Repeat("9", prize.Digits)
			want := 1
			if prize.Digits < digits {
				want = 0
			}
			if hits != want {
				t.Errorf("%s %s, prize %s: %d hits, want %d", form, p.Code, prize.Code, hits, want)
			}
			prizes += want
		}
	}
	if prizes != p.Prizes {
		t.Errorf("%s %s: the stake counts %d times, but %d prizes can win", form, p.Code, p.Prizes, prizes)
	}
	compareChance(t, p, lines[0], big.NewRat(1, int64(p.Pick.To+1)))
}

// hitDistribution returns, for i from 0 to m, the chance that exactly i of m different two-digit numbers are among n
// random ones.
func hitDistribution(m, n int) []*big.Rat {
	chances := make([]*big.Rat, m+1)
	for i := range chances {
		chances[i] = new(big.Rat)
	}
	chances[0].SetInt64(1)
	for range n {
		next := make([]*big.Rat, m+1)
		for seen := range next {
			next[seen] = new(big.Rat).Mul(chances[seen], big.NewRat(int64(100-m+seen), 100))
			if seen > 0 {
				next[seen].Add(next[seen], new(big.Rat).Mul(chances[seen-1], big.NewRat(int64(m-seen+1), 100)))
			}
		}
		chances = next
	}
	return chances
}

// These chances were published with the rules and are rounded. The other tests are exact.
func TestPublishedChances(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		form       draw.Form
		play, when string
		want       float64
		digits     int // significant
	}{
		{draw.North, "xien2", "", .05488, 4}, {draw.North, "xien3", "", .01230, 4}, {draw.North, "xien4", "", .00267, 3},
		{draw.South, "xien2", "", .02611, 4}, {draw.South, "xien3", "", .003913, 4}, {draw.South, "xien4", "", .000555, 3},
		{draw.North, "truot4", "", 1 / 3.01, 3}, {draw.North, "truot8", "", 1 / 9.50, 3}, {draw.North, "truot10", "", 1 / 17.20, 4},
		{draw.South, "truot4", "", 1 / 2.09, 3}, {draw.South, "truot8", "", 1 / 4.49, 3}, {draw.South, "truot10", "", 1 / 6.66, 3},
		{draw.North, "de", "", .01, 6}, {draw.South, "dau", "", .1, 6}, {draw.North, "cang3", "", .001, 6}, {draw.South, "big-small", "", .5, 6},
		{draw.SSC, "group3", "", .003, 6}, {draw.SSC, "group6", "", .006, 6}, {draw.SSC, "sum-side", "", .5, 6}, {draw.SSC, "dragon-tiger", "tie", .1, 6},
		{draw.SSC, "shape", "half-straight", .36, 6}, {draw.SSC, "shape", "mixed", .3, 6},
		{draw.K3, "sum", "sum-10", 27. / 216, 6}, {draw.K3, "side", "", 105. / 216, 6}, {draw.K3, "pair", "", 16. / 216, 6}, {draw.K3, "two", "", 30. / 216, 6},
		{draw.PK10, "top2", "", 1. / 90, 6}, {draw.PK10, "top2-side", "big", 40. / 90, 6}, {draw.PK10, "top2-side", "small", 50. / 90, 6},
		{draw.Keno, "pick1", "", .25, 6}, {draw.Keno, "pick2", "", 1 / 16.6, 3}, {draw.Keno, "pick3", "", 1 / 72.1, 3}, {draw.Keno, "pick4", "", 1. / 326, 3},
		{draw.Keno, "pick5", "", 1. / 1551, 4}, {draw.Keno, "pick6", "", 1. / 7753, 4}, {draw.Keno, "pick7", "", 1. / 40979, 5},
		{draw.Keno, "pick8", "", 1. / 230115, 6}, {draw.Keno, "pick9", "", 1. / 1380688, 7}, {draw.Keno, "pick10", "", 1. / 8911711, 7},
		{draw.Keno, "sum-side", "big", .4978, 4}, {draw.Keno, "sum-side", "odd", .49999999988, 11},
	} {
		chance := mustFind(t, tt.form, tt.play).Chance(tt.when)
		if chance == nil {
			t.Errorf("%s %s has no outcome %q", tt.form, tt.play, tt.when)
			continue
		}
		got, _ := chance.Float64()
		tolerance := .5 * tt.want
		for range tt.digits - 1 {
			tolerance /= 10
		}
		if difference := got - tt.want; max(difference, -difference) > tolerance*1.01 {
			t.Errorf("%s %s %s: chance %v, published %v", tt.form, tt.play, tt.when, got, tt.want)
		}
	}
	odd, even := mustFind(t, draw.Keno, "sum-side").Chance("odd"), mustFind(t, draw.Keno, "sum-side").Chance("even")
	if new(big.Rat).Add(odd, even).Cmp(big.NewRat(1, 1)) != 0 || odd.Cmp(even) == 0 {
		t.Errorf("keno odd %v, even %v", odd, even)
	}
}

// StandardOdds are the highest odds with three decimal places whose return does not exceed that of the mode.
func TestStandardOddsOfEveryPlay(t *testing.T) {
	t.Parallel()
	for _, form := range draw.Forms() {
		for _, p := range play.All(form) {
			for _, mode := range play.Modes(form) {
				odds := play.StandardOdds(p, mode)
				if err := play.CheckOdds(p, mode, odds, decimal.RequireFromString("0.97")); err != nil {
					t.Errorf("%s %s %s: %v", form, p.Code, mode.Code, err)
				}
				for _, o := range p.Outcomes {
					limit := new(big.Rat).SetFrac64(97, 100)
					got := mode.TotalReturn(p, o.When, odds[o.When])
					more := mode.TotalReturn(p, o.When, odds[o.When].Add(decimal.New(1, -3)))
					if got.Cmp(limit) > 0 || more.Cmp(limit) <= 0 {
						t.Errorf("%s %s %s %s: return %s at %s, want just up to 0.97", form, p.Code, mode.Code, o.When, got.FloatString(6), odds[o.When])
					}
					raised := play.Odds{}
					for when, value := range odds {
						raised[when] = value
					}
					raised[o.When] = odds[o.When].Add(decimal.New(1, -3))
					if err := play.CheckOdds(p, mode, raised, decimal.RequireFromString("0.97")); err == nil {
						t.Errorf("%s %s %s %s: odds %s are accepted", form, p.Code, mode.Code, o.When, raised[o.When])
					}
				}
			}
		}
	}
}
