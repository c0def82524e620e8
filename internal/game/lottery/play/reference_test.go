package play_test

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"sort"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
)

// The reference implementation computes payouts from the texts of selections and results. It shares no code with the
// package: it expands each entry into lines and compares each line with the text of the result.

// refNumbers returns the numbers of a text such as "3,0,7" or "05-17".
func refNumbers(text, separator string) []int {
	var numbers []int
	for _, part := range strings.Split(text, separator) {
		n, err := strconv.Atoi(part)
		if err != nil {
			panic(err)
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// refPrizes returns the numbers of a regional result from its text.
func refPrizes(result string) (special string, all []string) {
	for i, row := range strings.Split(result, ";") {
		_, numbers, _ := strings.Cut(row, "=")
		if i == 0 {
			special = numbers
		}
		all = append(all, strings.Split(numbers, ",")...)
	}
	return special, all
}

// refExpand returns the lines of a selection. A line for a position is "position:number".
func refExpand(form draw.Form, code, selection string) []string {
	var lines []string
	for _, entry := range strings.Split(selection, ",") {
		parts := strings.Split(entry, "|")
		switch code {
		case "pos":
			for i, part := range parts {
				switch {
				case part == "*":
				case form == draw.PK10:
					for _, n := range strings.Split(part, ".") {
						lines = append(lines, fmt.Sprintf("%d:%s", i, n))
					}
				default:
					for _, n := range strings.Split(part, "") {
						lines = append(lines, fmt.Sprintf("%d:%s", i, n))
					}
				}
			}
		case "last3":
			for _, a := range strings.Split(parts[2], "") {
				for _, b := range strings.Split(parts[3], "") {
					for _, c := range strings.Split(parts[4], "") {
						lines = append(lines, a+","+b+","+c)
					}
				}
			}
		default:
			lines = append(lines, entry)
		}
	}
	return lines
}

func sortedText(numbers []int) string {
	sort.Ints(numbers)
	return fmt.Sprint(numbers)
}

func sumOf(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// refSide reports whether total is on the named side. Totals up to low are small, totals from high on are big.
func refSide(word string, total, low, high int) bool {
	return word == "small" && total <= low || word == "big" && total >= high || word == "odd" && total%2 != 0 || word == "even" && total%2 == 0
}

// refHits returns how often a line wins, and the outcome whose odds apply.
func refHits(form draw.Form, code, line, result string) (hits int, when string) {
	var won bool
	if form == draw.North || form == draw.South {
		special, all := refPrizes(result)
		switch {
		case strings.HasPrefix(code, "lo"):
			for _, prize := range all {
				if strings.HasSuffix(prize, line) {
					hits++
				}
			}
			return hits, ""
		case code == "de" || code == "cang3" || code == "duoi":
			won = strings.HasSuffix(special, line)
		case code == "dau":
			won = special[len(special)-2:len(special)-1] == line
		case code == "big-small":
			won = (special[len(special)-2:] >= "50") == (line == "big")
		case code == "odd-even":
			won = strings.ContainsAny(special[len(special)-1:], "13579") == (line == "odd")
		default:
			found := 0
			chosen := strings.Split(line, "-")
			for _, number := range chosen {
				for _, prize := range all {
					if strings.HasSuffix(prize, number) {
						found++
						break
					}
				}
			}
			won = strings.HasPrefix(code, "xien") && found == len(chosen) || strings.HasPrefix(code, "truot") && found == 0
		}
	} else {
		won, when = refFast(form, code, line, refNumbers(result, ","))
	}
	if won {
		hits = 1
	}
	return hits, when
}

// refFast reports whether a line of a fast draw wins, and returns the outcome whose odds apply.
func refFast(form draw.Form, code, line string, r []int) (won bool, when string) {
	position, word, _ := strings.Cut(line, ":")
	index, _ := strconv.Atoi(position) // from 0 for pos, otherwise from 1
	_, number, _ := strings.Cut(line, "-")
	switch {
	case code == "pos":
		return fmt.Sprint(r[index]) == strings.TrimPrefix(word, "0") || r[index] == 0 && word == "0", ""
	case code == "last3":
		return fmt.Sprintf("%d,%d,%d", r[2], r[3], r[4]) == line, ""
	case code == "group3" || code == "group6":
		return sortedText(refNumbers(line, "-")) == sortedText([]int{r[2], r[3], r[4]}), ""
	case form == draw.SSC && code == "sum-side":
		return refSide(line, sumOf(r), 22, 23), ""
	case form == draw.SSC && code == "dragon-tiger":
		return map[string]bool{"dragon": r[0] > r[4], "tiger": r[0] < r[4], "tie": r[0] == r[4]}[line], line
	case code == "shape":
		start := map[string]int{"first": 0, "middle": 1, "last": 2}[position]
		return refShape(r[start:start+3]) == word, word
	case code == "sum":
		return "sum-"+strconv.Itoa(sumOf(r)) == line, line
	case code == "side":
		return refSide(line, sumOf(r), 10, 11) && (r[0] != r[1] || r[1] != r[2]), ""
	case code == "top2":
		return fmt.Sprintf("%02d-%02d", r[0], r[1]) == line, ""
	case code == "top2-sum":
		return "sum-"+strconv.Itoa(r[0]+r[1]) == line, line
	case code == "top2-side":
		return refSide(line, r[0]+r[1], 11, 12), line
	case code == "pos-side":
		return refSide(word, r[index-1], 5, 6), ""
	case code == "dragon-tiger":
		return (r[index-1] > r[10-index]) == (word == "dragon"), ""
	case code == "sum-side":
		return refSide(line, sumOf(r), 809, 811), line
	}
	counts := map[int]int{}
	for _, n := range r {
		counts[n]++
	}
	switch code {
	case "triple", "pair":
		n, _ := strconv.Atoi(number)
		return counts[n] == 3 || code == "pair" && counts[n] == 2, ""
	case "any-triple":
		return len(counts) == 1, ""
	case "straight":
		return strings.Contains("[1 2 3][2 3 4][3 4 5][4 5 6]", sortedText(append([]int{}, r...))), ""
	case "two", "three":
		line = number
	}
	for _, n := range refNumbers(line, "-") { // two, three and keno
		if counts[n] == 0 {
			return false, ""
		}
	}
	return true, ""
}

// refShape returns the shape of three digits. It uses the gaps between the digits on a circle of ten.
func refShape(digits []int) string {
	d := append([]int{}, digits...)
	sort.Ints(d)
	gaps := []int{d[1] - d[0], d[2] - d[1], 10 + d[0] - d[2]}
	zeros, ones := 0, 0
	for _, gap := range gaps {
		switch gap {
		case 0:
			zeros++
		case 1:
			ones++
		}
	}
	switch {
	case zeros == 2:
		return "triple"
	case zeros == 1:
		return "pair"
	case ones == 2:
		return "straight"
	case ones == 1:
		return "half-straight"
	}
	return "mixed"
}

func refPay(p *play.Play, selection, result string, stake money.Minor, multiple int, odds play.Odds) (lines int, payout *big.Int) {
	sum := new(big.Rat)
	all := refExpand(p.Form, p.Code, selection)
	for _, line := range all {
		hits, when := refHits(p.Form, p.Code, line, result)
		if hits == 0 {
			continue
		}
		value, ok := new(big.Rat).SetString(odds[when].String())
		if !ok {
			panic("odds")
		}
		value.Mul(value, new(big.Rat).SetInt64(int64(stake)*int64(multiple)))
		sum.Add(sum, value.Mul(value, new(big.Rat).SetInt64(int64(hits))))
	}
	return len(all), new(big.Int).Quo(sum.Num(), sum.Denom())
}

// drawEntry returns a random entry. Half of the entries use numbers of the result, so that rare plays win, too.
func drawEntry(t *rapid.T, p *play.Play, r draw.Result) string {
	pick := p.Pick
	fromResult := rapid.Bool().Draw(t, "from the result")
	var drawn []string
	if p.Form.Regional() {
		if p.OnlySpecial {
			db := r.Special()
			drawn = []string{db[len(db)-max(pick.Digits, 1):]}
		} else {
			drawn = r.Tails(max(pick.Digits, 1))
		}
	} else {
		numbers := r.Numbers
		if p.Form == draw.SSC && pick.Kind != play.PickPositions {
			numbers = numbers[2:]
		}
		for _, n := range numbers {
			drawn = append(drawn, play.Padded(n, max(pick.Digits, 1)))
		}
	}
	number := func(i int) string {
		if fromResult {
			if pick.Kind == play.PickPositions || p.Code == "top2" {
				return drawn[i]
			}
			return rapid.SampledFrom(drawn).Draw(t, "came")
		}
		return play.Padded(rapid.IntRange(pick.From, pick.To).Draw(t, "number"), pick.Digits)
	}
	switch pick.Kind {
	case play.PickOption:
		return rapid.SampledFrom(p.PositionNames()).Draw(t, "position") + rapid.SampledFrom(pick.Options).Draw(t, "option")
	case play.PickNumber:
		return number(0)
	case play.PickPositions:
		parts := make([]string, pick.Positions)
		for i := range parts {
			parts[i] = "*"
			if p.Code == "last3" && i >= 2 || p.Code == "pos" && rapid.Bool().Draw(t, "used") {
				parts[i] = number(i)
				more := play.Padded(rapid.IntRange(pick.From, pick.To).Draw(t, "more"), pick.Digits)
				if more != parts[i] {
					parts[i] += map[bool]string{true: "", false: "."}[pick.Digits == 1] + more
				}
			}
		}
		if p.Code == "last3" {
			parts[0], parts[1] = "*", "*"
		}
		return strings.Join(parts, "|")
	}
	var numbers []string
	for i := 0; len(numbers) < pick.Min; i++ {
		n := number(min(i, pick.Min-1))
		if i > 40 { // the result has too few different numbers
			n = play.Padded(rapid.IntRange(pick.From, pick.To).Draw(t, "other"), pick.Digits)
		}
		if pick.Kind == play.PickPattern || !contains(numbers, n) {
			numbers = append(numbers, n)
		}
	}
	return pick.Prefix + strings.Join(numbers, "-")
}

func contains(list []string, text string) bool {
	for _, item := range list {
		if item == text {
			return true
		}
	}
	return false
}

// A ticket is a random bet with a random result.
type ticket struct {
	selection string
	result    draw.Result
	stake     money.Minor
	multiple  int
	odds      play.Odds
}

func tickets(p *play.Play) *rapid.Generator[ticket] {
	return rapid.Custom(func(t *rapid.T) ticket {
		seed := sha256.Sum256([]byte(rapid.StringN(4, 8, -1).Draw(t, "seed")))
		r := draw.FromSeed(p.Form, seed, strings.Repeat("0", 32), "test", 1)
		if p.Form == draw.K3 && rapid.IntRange(0, 3).Draw(t, "triple") == 0 {
			r.Numbers[1], r.Numbers[2] = r.Numbers[0], r.Numbers[0]
		}
		var entries []string
		for range rapid.IntRange(1, 6).Draw(t, "entries") {
			entries = append(entries, drawEntry(t, p, r))
		}
		return ticket{
			selection: strings.Join(entries, ","), result: r,
			stake:    money.Minor(rapid.IntRange(1, 100_000).Draw(t, "stake")),
			multiple: rapid.IntRange(1, play.MaxMultiple).Draw(t, "multiple"),
			odds:     play.StandardOdds(p, rapid.SampledFrom(play.Modes(p.Form)).Draw(t, "mode")),
		}
	})
}

func TestPayoutEqualsReference(t *testing.T) {
	t.Parallel()
	currency, err := money.Find("CNY")
	if err != nil {
		t.Fatal(err)
	}
	limits := play.StandardLimits(currency)
	limits.Unit, limits.Min = 1, 1 // stakes of 1 make rounding visible
	for _, form := range draw.Forms() {
		for _, p := range play.All(form) {
			t.Run(string(form)+" "+p.Code, func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					if _, reason := checkTicket(p, tickets(p).Draw(t, "ticket"), limits); reason != "" {
						t.Fatalf("the ticket is wrong: %s", reason)
					}
				})
				for i := range 1000 { // these tickets are the same in every run
					won, reason := checkTicket(p, tickets(p).Example(i), limits)
					if reason != "" {
						t.Fatalf("ticket %d is wrong: %s", i, reason)
					}
					if won {
						return
					}
				}
				t.Error("none of 1000 tickets won, so winning is not tested")
			})
		}
	}
}

// checkTicket compares a ticket's payout with the reference. It skips an invalid ticket, such as one with a repeated line.
func checkTicket(p *play.Play, c ticket, limits play.Limits) (won bool, reason string) {
	bet, err := play.NewBet(p, c.selection, c.stake, c.multiple, limits, c.odds)
	if err != nil {
		return false, ""
	}
	got, wins := bet.Pay(c.result)
	lines, want := refPay(p, c.selection, c.result.Text(), c.stake, c.multiple, c.odds)
	if len(bet.Lines) != lines || int64(bet.Amount) != int64(lines)*int64(c.stake)*int64(c.multiple)*int64(p.Prizes) {
		return false, fmt.Sprintf("%q has %d lines and costs %d, want %d lines", c.selection, len(bet.Lines), bet.Amount, lines)
	}
	if big.NewInt(int64(got)).Cmp(want) != 0 || len(wins) == 0 && want.Sign() > 0 {
		return false, fmt.Sprintf("%q on %s pays %d, want %d", c.selection, c.result.Text(), got, want)
	}
	exposure := money.Minor(0)
	for _, l := range bet.Lines {
		exposure += bet.Exposure(l)
	}
	if got > exposure {
		return false, fmt.Sprintf("%q pays %d, above the exposure %d", c.selection, got, exposure)
	}
	return got > 0, ""
}
