package slot

import (
	"math/big"

	"fairground/internal/game/house/reels"
)

// all is the number of equally likely outcomes.
const all = Stops * Stops * Stops * Stops * Stops

// Return returns the exact return to player (RTP).
//
// A line takes one symbol from each reel, and all stops are equally likely. So every line has the same distribution of symbols,
// and the return of one line is the return of all. Scatters are counted per reel, and the reels are independent. A free round
// is a spin with another multiplier.
func (m *Machine) Return() *big.Rat {
	spin := m.spinReturn()
	paid := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.Multiplier(false, 0)))
	free := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.freeMultiplier()))
	return m.Total(paid, free, m.Scatters())
}

func (m *Machine) spinReturn() *big.Rat {
	spin := m.lineReturn()
	return spin.Add(spin, m.scatterReturn())
}

// lineReturn sums over all rows of five symbols, weighted by the number of stops that show each.
func (m *Machine) lineReturn() *big.Rat {
	var counts [Reels][]int64
	for reel := range counts {
		counts[reel] = make([]int64, len(m.pays))
		for _, s := range m.strips[reel][:Stops] {
			counts[reel][s]++
		}
	}
	return big.NewRat(m.weigh(&counts, 0, 1, m.Wild, 0, 0), all)
}

// weigh returns the sum of pay × weight over all symbols that this reel and the next ones can show. The reels before it
// show count equal symbols.
func (m *Machine) weigh(counts *[Reels][]int64, reel int, weight int64, of reels.Symbol, count, wilds int) int64 {
	if reel == Reels {
		return weight * m.payOf(of, count, wilds)
	}
	sum := int64(0)
	for i, n := range counts[reel] {
		if n == 0 {
			continue
		}
		s, next, wild := reels.Symbol(i), of, wilds
		switch {
		case s == m.Wild:
			if wilds == reel {
				wild++
			}
		case of == m.Wild && s != m.Scatter:
			next = s
		case s != of:
			// The run of equal symbols ends here, and any symbols may follow.
			ended := weight * n * m.payOf(of, count, wilds)
			for range Reels - 1 - reel {
				ended *= Stops
			}
			sum += ended
			continue
		}
		sum += m.weigh(counts, reel+1, weight*n, next, count+1, wild)
	}
	return sum
}

func (m *Machine) payOf(of reels.Symbol, count, wilds int) int64 {
	return max(m.pays[of][count], m.pays[m.Wild][wilds])
}

func (m *Machine) scatterReturn() *big.Rat {
	sum := int64(0)
	for n, ways := range m.Scatters().Outcomes {
		sum += ways * m.pays[m.Scatter][min(n, Reels)]
	}
	return big.NewRat(sum, all*Lines)
}
