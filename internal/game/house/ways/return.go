package ways

import (
	"math/big"

	"fairground/internal/game/house/reels"
)

// all is how many outcomes a spin has, each as likely as any other.
const all = Stops * Stops * Stops * Stops * Stops

// Return is what the machine gives back of what is staked, on average and exactly.
//
// The reels are independent, and each symbol pays for itself: on average a symbol stands on the first reels on as many
// ways as its average counts there multiply to, and it pays for exactly so many reels where the next shows none.
func (m *Machine) Return() *big.Rat {
	spin := big.NewRat(m.weighed(), all*reels.Parts)
	paid := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.Multiplier(false, 0)))
	free := new(big.Rat).Mul(spin, new(big.Rat).SetInt64(m.Multiplier(true, 0)))
	return m.Total(paid, free, m.Scatters())
}

// weighed sums what all outcomes pay, in parts of the stake.
func (m *Machine) weighed() int64 {
	sum := int64(0)
	for n, ways := range m.Scatters().By {
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
