package play

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"fairground/internal/game/lottery/draw"
)

// Groups of regional plays.
const (
	groupLo    = "lo"
	groupDe    = "de"
	groupXien  = "xien"
	groupTruot = "truot"
	groupSide  = "side"
)

func regionalPlays(form draw.Form) []*Play {
	numbers := form.CountWithDigits(2)
	var plays []*Play
	for digits := 2; digits <= 4; digits++ {
		size := power(10, digits)
		plays = append(plays, &Play{
			Code: "lo" + strconv.Itoa(digits), Group: groupLo, Simple: digits == 2,
			Names:    Names{fmt.Sprintf("Lo, %d digits", digits), fmt.Sprintf("Lô %d số", digits)},
			Wins:     fmt.Sprintf("A prize of at least %d digits ends with the number. It pays for each such prize.", digits),
			Pick:     Pick{Kind: PickNumber, From: 0, To: size - 1, Digits: digits, Min: 1, Max: 1},
			MaxLines: min(size, 1000), Outcomes: oneOutcome(1, int64(size)), Prizes: form.CountWithDigits(digits),
			parse: number(digits),
			hits: func(l Line, r *draw.Result) int {
				n := 0
				for _, tail := range r.Tails(digits) {
					if tail == l.text {
						n++
					}
				}
				return n
			},
		})
	}
	plays = append(plays,
		specialPlay("de", Names{"De", "Đề"}, "The special prize ends with the number.", 2, true, func(db int) int { return db % 100 }),
		specialPlay("dau", Names{"Tens digit", "Đầu"}, "The number is the tens digit of the special prize.", 1, true, func(db int) int { return db / 10 % 10 }),
		specialPlay("duoi", Names{"Units digit", "Đuôi"}, "The number is the units digit of the special prize.", 1, true, func(db int) int { return db % 10 }),
		specialPlay("cang3", Names{"Three digits", "3 càng"}, "The special prize ends with the number.", 3, false, func(db int) int { return db % 1000 }),
	)
	for m := 2; m <= 4; m++ {
		plays = append(plays, &Play{
			Code: "xien" + strconv.Itoa(m), Group: groupXien,
			Names: Names{fmt.Sprintf("All of %d", m), fmt.Sprintf("Xiên %d", m)},
			Wins:  "All numbers are among the last two digits of the prizes. It pays once.",
			Pick:  setPick(m, 2, 0, 99), MaxLines: 500, Outcomes: []Outcome{{Chance: chanceOfAll(m, numbers)}},
			parse: set("", m, 2, 0, 99),
			hits: func(l Line, r *draw.Result) int {
				tails := tailSet(r)
				return oneIf(!slices.ContainsFunc(l.numbers, func(n int) bool { return !tails[n] }))
			},
		})
	}
	for _, m := range []int{4, 8, 10} {
		plays = append(plays, &Play{
			Code: "truot" + strconv.Itoa(m), Group: groupTruot,
			Names: Names{fmt.Sprintf("None of %d", m), fmt.Sprintf("Trượt %d", m)},
			Wins:  "No number is among the last two digits of the prizes.",
			Pick:  setPick(m, 2, 0, 99), MaxLines: 500, Outcomes: []Outcome{{Chance: chanceOfNone(m, numbers)}},
			parse: set("", m, 2, 0, 99),
			hits: func(l Line, r *draw.Result) int {
				tails := tailSet(r)
				return oneIf(!slices.ContainsFunc(l.numbers, func(n int) bool { return tails[n] }))
			},
		})
	}
	return append(plays,
		&Play{
			Code: "big-small", Group: groupSide, Simple: true, Names: Names{"Big or small", "Tài xỉu"},
			Wins: "The last two digits of the special prize are 50 to 99 (big) or 00 to 49 (small).",
			Pick: optionPick("big", "small"), MaxLines: 2, Outcomes: oneOutcome(1, 2), parse: option(false, "big", "small"),
			hits: func(l Line, r *draw.Result) int { return oneIf((special(r)%100 >= 50) == (l.text == "big")) },
		},
		&Play{
			Code: "odd-even", Group: groupSide, Simple: true, Names: Names{"Odd or even", "Chẵn lẻ"},
			Wins: "The units digit of the special prize is odd or even.",
			Pick: optionPick("odd", "even"), MaxLines: 2, Outcomes: oneOutcome(1, 2), parse: option(false, "odd", "even"),
			hits: func(l Line, r *draw.Result) int { return oneIf((special(r)%2 == 1) == (l.text == "odd")) },
		},
	)
}

// specialPlay returns a play on some digits of the special prize, which part extracts.
func specialPlay(code string, names Names, wins string, digits int, simple bool, part func(db int) int) *Play {
	size := power(10, digits)
	return &Play{
		Code: code, Group: groupDe, Simple: simple, Names: names, Wins: wins,
		Pick:     Pick{Kind: PickNumber, From: 0, To: size - 1, Digits: digits, Min: 1, Max: 1},
		MaxLines: size, Outcomes: oneOutcome(1, int64(size)), parse: number(digits),
		hits: func(l Line, r *draw.Result) int { return oneIf(part(special(r)) == l.numbers[0]) },
	}
}

// special returns the last three digits of the special prize.
func special(r *draw.Result) int {
	db := r.Special()
	n, _ := parseDigits(db[len(db)-3:], 3)
	return n
}

// tailSet returns the set of the last two digits of all prizes.
func tailSet(r *draw.Result) (tails [100]bool) {
	for _, tail := range r.Tails(2) {
		n, _ := parseDigits(tail, 2)
		tails[n] = true
	}
	return tails
}

func power(n, exponent int) int {
	product := 1
	for range exponent {
		product *= n
	}
	return product
}

// oneIf returns the hits of a line that wins at most once.
func oneIf(win bool) int {
	if win {
		return 1
	}
	return 0
}

// oneOutcome returns the only outcome of a play whose entries all have the same chance.
func oneOutcome(ways, all int64) []Outcome { return []Outcome{{Chance: big.NewRat(ways, all)}} }

func setPick(numbers, digits, from, to int) Pick {
	return Pick{Kind: PickSet, From: from, To: to, Digits: digits, Min: numbers, Max: numbers}
}

func optionPick(options ...string) Pick {
	return Pick{Kind: PickOption, Min: 1, Max: 1, Options: options}
}

// chanceOfAll returns the chance that all of m different numbers are among the last two digits of n prizes, by inclusion
// and exclusion.
func chanceOfAll(m, n int) *big.Rat {
	sum := new(big.Rat)
	for i := range m + 1 {
		term := new(big.Rat).Mul(new(big.Rat).SetInt(new(big.Int).Binomial(int64(m), int64(i))), chanceOfNone(i, n))
		if i%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

// chanceOfNone returns the chance that none of m different numbers is among the last two digits of n prizes.
func chanceOfNone(m, n int) *big.Rat {
	exponent := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(big.NewInt(int64(100-m)), exponent, nil), new(big.Int).Exp(big.NewInt(100), exponent, nil))
}
