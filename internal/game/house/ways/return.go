package ways

import (
	"math/big"

	"fairground/internal/game/house/reels"
)

// all is the number of outcomes of a spin. They are equally likely.
const all = Stops * Stops * Stops * Stops * Stops

// Return returns the exact return to player (RTP).
//
// The reels are independent, and symbols pay independently. So the mean number of ways of a symbol on the first reels is the
// product of its mean counts there. It pays for exactly n reels if the next reel does not show it.
func (m *Machine) Return() *big.Rat {
	spin := big.NewRat(m.totalPay(), all*reels.Parts)
	paid := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.Multiplier(false, 0)))
	free := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.Multiplier(true, 0)))
	return m.Total(paid, free, m.Scatters())
}

// totalPay returns the sum of the payouts of all outcomes, in parts of the stake.
func (m *Machine) totalPay() int64 {
	sum := int64(0)
	for n, ways := range m.Scatters().Outcomes {
		sum += ways * m.pays[m.Scatter][n]
	}
	for number := range m.pays {
		s := reels.Symbol(number)
		if s == m.Scatter || s == m.Wild {
			continue
		}
		ways := int64(1) // summed over all stops of the reels so far
		for reel := range Reels {
			shown, without := int64(0), int64(0)
			for stop := range Stops {
				n := int64(m.seen[reel][stop][s])
				shown += n
				if n == 0 {
					without++
				}
			}
			rest := int64(1)
			for range Reels - 1 - reel {
				rest *= Stops
			}
			sum += m.pays[s][reel] * ways * without * rest
			ways *= shown
		}
		sum += m.pays[s][Reels] * ways
	}
	return sum
}
