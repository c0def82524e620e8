package play

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"fairground/internal/game/lottery/draw"
)

// Groups of fast plays.
const (
	groupPosition = "position"
	groupLast     = "last"
	groupSum      = "sum"
	groupDragon   = "dragon-tiger"
	groupShape    = "shape"
	groupDice     = "dice"
	groupTop      = "top2"
	groupPick     = "pick"
)

var (
	sides      = []string{"big", "small", "odd", "even"}
	sscThirds  = []string{"first", "middle", "last"}
	sscShapes  = []string{"triple", "straight", "pair", "half-straight", "mixed"}
	dragons    = []string{"dragon", "tiger"}
	dragonsTie = []string{"dragon", "tiger", "tie"}
)

// side reports whether total is on the named side. Totals from the given one on are big.
func side(word string, total, from int) bool {
	switch word {
	case "big":
		return total >= from
	case "small":
		return total < from
	case "odd":
		return total%2 == 1
	}
	return total%2 == 0
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// outcomes returns an outcome for each word. ways[i] of all equally likely results win on words[i].
func outcomes(all int64, words []string, ways ...int64) []Outcome {
	list := make([]Outcome, len(words))
	for i, word := range words {
		list[i] = Outcome{When: word, Chance: big.NewRat(ways[i], all)}
	}
	return list
}

// sumOutcomes returns the outcomes of consecutive sums, such as "sum-3", and their words.
func sumOutcomes(all int64, lowest int, ways ...int64) ([]Outcome, []string) {
	words := make([]string, len(ways))
	for i := range ways {
		words[i] = "sum-" + strconv.Itoa(lowest+i)
	}
	return outcomes(all, words, ways...), words
}

func sscPlays() []*Play {
	anyOrder := func(l Line, r *draw.Result) int {
		return oneIf(slices.Equal(l.numbers, slices.Sorted(slices.Values(r.Numbers[2:]))))
	}
	return []*Play{
		{
			Code: "pos", Group: groupPosition, Simple: true, Names: Names{"Position", "Định vị"}, Wins: "The position shows the digit.",
			Pick:     Pick{Kind: PickPositions, From: 0, To: 9, Digits: 1, Min: 0, Max: 10, Positions: 5},
			MaxLines: 50, Outcomes: oneOutcome(1, 10), parse: eachPosition(5, 1, 0, 9, ""),
			hits: func(l Line, r *draw.Result) int { return oneIf(r.Numbers[l.position] == l.numbers[0]) },
		},
		{
			Code: "last3", Group: groupLast, Names: Names{"Last three in order", "3 số cuối"}, Wins: "The last three digits are these, in order.",
			Pick:     Pick{Kind: PickPositions, From: 0, To: 9, Digits: 1, Min: 1, Max: 10, Positions: 5},
			MaxLines: 1000, Outcomes: oneOutcome(1, 1000), parse: lastThree,
			hits: func(l Line, r *draw.Result) int { return oneIf(slices.Equal(l.numbers, r.Numbers[2:])) },
		},
		{
			Code: "group3", Group: groupLast, Names: Names{"Last three with a pair", "Tổ 3"}, Wins: "The last three digits are these, in any order.",
			Pick:     Pick{Kind: PickPattern, From: 0, To: 9, Digits: 1, Min: 3, Max: 3},
			MaxLines: 90, Outcomes: oneOutcome(3, 1000), parse: pairOfThree, hits: anyOrder,
		},
		{
			Code: "group6", Group: groupLast, Names: Names{"Last three, all different", "Tổ 6"}, Wins: "The last three digits are these, in any order.",
			Pick: setPick(3, 1, 0, 9), MaxLines: 120, Outcomes: oneOutcome(6, 1000), parse: set("", 3, 1, 0, 9), hits: anyOrder,
		},
		{
			Code: "sum-side", Group: groupSum, Simple: true, Names: Names{"Total: big, small, odd, even", "Tổng: tài xỉu, chẵn lẻ"},
			Wins: "The total of the five digits is 23 or more (big), 22 or less (small), odd or even.",
			Pick: optionPick(sides...), MaxLines: 4, Outcomes: oneOutcome(1, 2), parse: option(false, sides...),
			hits: func(l Line, r *draw.Result) int { return oneIf(side(l.text, sum(r.Numbers), 23)) },
		},
		{
			Code: "dragon-tiger", Group: groupDragon, Simple: true, Names: Names{"Dragon, tiger, tie", "Rồng hổ hòa"},
			Wins: "The first digit is above (dragon), below (tiger) or equal to (tie) the last. A tie loses dragon and tiger.",
			Pick: optionPick(dragonsTie...), MaxLines: 3, Outcomes: outcomes(100, dragonsTie, 45, 45, 10), parse: option(true, dragonsTie...),
			hits: func(l Line, r *draw.Result) int {
				difference := r.Numbers[0] - r.Numbers[4]
				return oneIf(l.text == "dragon" && difference > 0 || l.text == "tiger" && difference < 0 || l.text == "tie" && difference == 0)
			},
		},
		{
			Code: "shape", Group: groupShape, Names: Names{"Shape of three digits", "Dạng ba số"},
			Wins: "The first, middle or last three digits are all equal (triple), three in a row in any order (straight), exactly two equal (pair), with two neighbours but neither pair nor straight (half-straight), or other (mixed). 9 and 0 are neighbours.",
			Pick: Pick{Kind: PickOption, Min: 1, Max: 1, Positions: 3, Options: sscShapes}, MaxLines: 15,
			Outcomes: outcomes(1000, sscShapes, 10, 60, 270, 360, 300), parse: placed(true, sscThirds, sscShapes),
			hits: func(l Line, r *draw.Result) int {
				return oneIf(shapeOf(r.Numbers[l.position], r.Numbers[l.position+1], r.Numbers[l.position+2]) == l.text)
			},
		},
	}
}

// shapeOf returns the shape of three digits. 9 and 0 are neighbours.
func shapeOf(a, b, c int) string {
	neighbours := func(x, y int) int { return oneIf((x+1)%10 == y || (y+1)%10 == x) }
	pairs := neighbours(a, b) + neighbours(b, c) + neighbours(a, c)
	switch {
	case a == b && b == c:
		return "triple"
	case a == b || b == c || a == c:
		return "pair"
	case pairs == 2:
		return "straight"
	case pairs == 1:
		return "half-straight"
	}
	return "mixed"
}

func k3Plays() []*Play {
	sums, words := sumOutcomes(216, 3, 1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1)
	faces := func(prefix string) []string {
		var options []string
		for face := 1; face <= 6; face++ {
			options = append(options, prefix+strconv.Itoa(face))
		}
		return options
	}
	triple := func(r *draw.Result) bool { return r.Numbers[0] == r.Numbers[1] && r.Numbers[1] == r.Numbers[2] }
	showing := func(r *draw.Result, face int) int {
		n := 0
		for _, number := range r.Numbers {
			n += oneIf(number == face)
		}
		return n
	}
	containsAll := func(l Line, r *draw.Result) int {
		return oneIf(!slices.ContainsFunc(l.numbers, func(n int) bool { return !slices.Contains(r.Numbers, n) }))
	}
	return []*Play{
		{
			Code: "sum", Group: groupSum, Simple: true, Names: Names{"Total", "Tổng"}, Wins: "The dice have this total.",
			Pick: optionPick(words...), MaxLines: 16, Outcomes: sums, parse: numbered(true, "sum-", 3, 18),
			hits: func(l Line, r *draw.Result) int { return oneIf(sum(r.Numbers) == l.numbers[0]) },
		},
		{
			Code: "side", Group: groupSum, Simple: true, Names: Names{"Big, small, odd, even", "Tài xỉu, chẵn lẻ"},
			Wins: "The total is 11 or more (big), 10 or less (small), odd or even. Three equal dice lose.",
			Pick: optionPick(sides...), MaxLines: 4, Outcomes: oneOutcome(105, 216), parse: option(false, sides...),
			hits: func(l Line, r *draw.Result) int { return oneIf(!triple(r) && side(l.text, sum(r.Numbers), 11)) },
		},
		{
			Code: "triple", Group: groupDice, Simple: true, Names: Names{"Named triple", "Bộ ba"}, Wins: "All three dice show the number.",
			Pick: optionPick(faces("triple-")...), MaxLines: 6, Outcomes: oneOutcome(1, 216), parse: numbered(false, "triple-", 1, 6),
			hits: func(l Line, r *draw.Result) int { return oneIf(showing(r, l.numbers[0]) == 3) },
		},
		{
			Code: "any-triple", Group: groupDice, Simple: true, Names: Names{"Any triple", "Bộ ba bất kỳ"}, Wins: "All three dice show the same number.",
			Pick: optionPick("any"), MaxLines: 1, Outcomes: oneOutcome(6, 216), parse: option(false, "any"),
			hits: func(_ Line, r *draw.Result) int { return oneIf(triple(r)) },
		},
		{
			Code: "pair", Group: groupDice, Simple: true, Names: Names{"Pair", "Cặp đôi"}, Wins: "At least two dice show the number.",
			Pick: optionPick(faces("pair-")...), MaxLines: 6, Outcomes: oneOutcome(16, 216), parse: numbered(false, "pair-", 1, 6),
			hits: func(l Line, r *draw.Result) int { return oneIf(showing(r, l.numbers[0]) >= 2) },
		},
		{
			Code: "two", Group: groupDice, Names: Names{"Two numbers", "Hai số khác nhau"}, Wins: "Both numbers appear.",
			Pick: Pick{Kind: PickSet, Prefix: "two-", From: 1, To: 6, Digits: 1, Min: 2, Max: 2}, MaxLines: 15, Outcomes: oneOutcome(30, 216), parse: set("two-", 2, 1, 1, 6), hits: containsAll,
		},
		{
			Code: "three", Group: groupDice, Names: Names{"Three numbers", "Ba số khác nhau"}, Wins: "The dice show exactly these three numbers.",
			Pick: Pick{Kind: PickSet, Prefix: "three-", From: 1, To: 6, Digits: 1, Min: 3, Max: 3}, MaxLines: 20, Outcomes: oneOutcome(6, 216), parse: set("three-", 3, 1, 1, 6), hits: containsAll,
		},
		{
			Code: "straight", Group: groupDice, Names: Names{"Straight", "Ba số liên tiếp"}, Wins: "The dice show 123, 234, 345 or 456 in any order.",
			Pick: optionPick("straight"), MaxLines: 1, Outcomes: oneOutcome(24, 216), parse: option(false, "straight"),
			hits: func(_ Line, r *draw.Result) int {
				dice := slices.Sorted(slices.Values(r.Numbers))
				return oneIf(dice[0]+1 == dice[1] && dice[1]+1 == dice[2])
			},
		},
	}
}

func pk10Plays() []*Play {
	sums, words := sumOutcomes(90, 3, 2, 2, 4, 4, 6, 6, 8, 8, 10, 8, 8, 6, 6, 4, 4, 2, 2)
	var ten []string
	for position := 1; position <= 10; position++ {
		ten = append(ten, strconv.Itoa(position))
	}
	return []*Play{
		{
			Code: "pos", Group: groupPosition, Simple: true, Names: Names{"Position", "Định vị"}, Wins: "The position shows the number.",
			Pick:     Pick{Kind: PickPositions, From: 1, To: 10, Digits: 2, Min: 0, Max: 10, Positions: 10},
			MaxLines: 100, Outcomes: oneOutcome(1, 10), parse: eachPosition(10, 2, 1, 10, "."),
			hits: func(l Line, r *draw.Result) int { return oneIf(r.Numbers[l.position] == l.numbers[0]) },
		},
		{
			Code: "top2", Group: groupTop, Names: Names{"First two in order", "Hai vị trí đầu"}, Wins: "The first and the second number are these, in order.",
			Pick: setPick(2, 2, 1, 10), MaxLines: 90, Outcomes: oneOutcome(1, 90), parse: ordered(2, 2, 1, 10),
			hits: func(l Line, r *draw.Result) int { return oneIf(slices.Equal(l.numbers, r.Numbers[:2])) },
		},
		{
			Code: "top2-sum", Group: groupTop, Names: Names{"Sum of the first two", "Tổng hai vị trí đầu"}, Wins: "The first two numbers have this sum.",
			Pick: optionPick(words...), MaxLines: 17, Outcomes: sums, parse: numbered(true, "sum-", 3, 19),
			hits: func(l Line, r *draw.Result) int { return oneIf(sum(r.Numbers[:2]) == l.numbers[0]) },
		},
		{
			Code: "top2-side", Group: groupTop, Simple: true, Names: Names{"Sum of the first two: sides", "Tổng hai vị trí đầu: tài xỉu, chẵn lẻ"},
			Wins: "The sum of the first two numbers is 12 or more (big), 11 or less (small), odd or even.",
			Pick: optionPick(sides...), MaxLines: 4, Outcomes: outcomes(90, sides, 40, 50, 50, 40), parse: option(true, sides...),
			hits: func(l Line, r *draw.Result) int { return oneIf(side(l.text, sum(r.Numbers[:2]), 12)) },
		},
		{
			Code: "pos-side", Group: groupPosition, Simple: true, Names: Names{"Position: sides", "Vị trí: tài xỉu, chẵn lẻ"},
			Wins: "The position shows 6 to 10 (big), 1 to 5 (small), an odd or an even number.",
			Pick: Pick{Kind: PickOption, Min: 1, Max: 1, Positions: 10, Options: sides}, MaxLines: 40, Outcomes: oneOutcome(1, 2), parse: placed(false, ten, sides),
			hits: func(l Line, r *draw.Result) int { return oneIf(side(l.text, r.Numbers[l.position], 6)) },
		},
		{
			Code: "dragon-tiger", Group: groupDragon, Simple: true, Names: Names{"Dragon or tiger", "Rồng hổ"},
			Wins: "Position k, 1 to 5, is above (dragon) or below (tiger) position 11 - k.",
			Pick: Pick{Kind: PickOption, Min: 1, Max: 1, Positions: 5, Options: dragons}, MaxLines: 10, Outcomes: oneOutcome(1, 2), parse: placed(false, ten[:5], dragons),
			hits: func(l Line, r *draw.Result) int {
				return oneIf((r.Numbers[l.position] > r.Numbers[9-l.position]) == (l.text == "dragon"))
			},
		},
	}
}

func kenoPlays() []*Play {
	var plays []*Play
	all := new(big.Int).Binomial(draw.KenoNumbers, draw.KenoDrawn)
	for picks := 1; picks <= 10; picks++ {
		ways := new(big.Int).Binomial(int64(draw.KenoNumbers-picks), int64(draw.KenoDrawn-picks))
		plays = append(plays, &Play{
			Code: "pick" + strconv.Itoa(picks), Group: groupPick, Simple: true,
			Names: Names{fmt.Sprintf("Pick %d", picks), fmt.Sprintf("Chọn %d", picks)}, Wins: "All numbers are drawn.",
			Pick: setPick(picks, 2, 1, draw.KenoNumbers), MaxLines: 200,
			Outcomes: []Outcome{{Chance: new(big.Rat).SetFrac(ways, all)}},
			parse:    set("", picks, 2, 1, draw.KenoNumbers),
			hits: func(l Line, r *draw.Result) int {
				return oneIf(!slices.ContainsFunc(l.numbers, func(n int) bool {
					_, drawn := slices.BinarySearch(r.Numbers, n)
					return !drawn
				}))
			},
		})
	}
	ways := kenoSides()
	chance := func(word string) *big.Rat {
		return new(big.Rat).SetFrac(new(big.Int).SetUint64(ways[word]), all)
	}
	p := &Play{
		Code: "sum-side", Group: groupSum, Simple: true, Names: Names{"Sum: big, small, odd, even", "Tổng: tài xỉu, chẵn lẻ"},
		Wins: "The sum of the 20 numbers is above 810 (big), below 810 (small), odd or even. 810 loses big and small.",
		Pick: optionPick(sides...), MaxLines: 4, parse: option(true, sides...),
		hits: func(l Line, r *draw.Result) int { return oneIf(kenoSide(l.text, sum(r.Numbers))) },
	}
	for _, word := range sides {
		p.Outcomes = append(p.Outcomes, Outcome{When: word, Chance: chance(word)})
	}
	return append(plays, p)
}

// kenoMiddle is the average sum of a keno draw.
const kenoMiddle = 810

// kenoSide reports whether total is on the named side. The average is neither big nor small.
func kenoSide(word string, total int) bool {
	return side(word, total, kenoMiddle+1) && (word != "small" || total < kenoMiddle)
}

// kenoSides returns the number of possible draws on each side. There are fewer than 2^63 draws.
func kenoSides() map[string]uint64 {
	const maxSum = draw.KenoDrawn*draw.KenoNumbers + 1
	var ways [draw.KenoDrawn + 1][maxSum]uint64 // by the count of numbers and their sum
	ways[0][0] = 1
	for n := 1; n <= draw.KenoNumbers; n++ {
		for k := draw.KenoDrawn; k > 0; k-- {
			for total := n; total < maxSum; total++ {
				ways[k][total] += ways[k-1][total-n]
			}
		}
	}
	draws := map[string]uint64{}
	for total, n := range ways[draw.KenoDrawn] {
		for _, word := range sides {
			if kenoSide(word, total) {
				draws[word] += n
			}
		}
	}
	return draws
}
