//go:build !race

package ways

import (
	"math/big"
	"runtime"
	"sync"
	"testing"

	"fairground/internal/game/house/reels"
)

// sums are totals over outcomes.
type sums struct{ paid, hits, above, most int64 }

// The test evaluates all outcomes. It has no race to find, and would take minutes with the race detector.
func TestAllOutcomesMatchThePublishedFigures(t *testing.T) {
	t.Parallel()
	m := Versions()[0]
	parts := make([]sums, Stops)
	turns := make(chan int, Stops)
	for stop := range Stops {
		turns <- stop
	}
	close(turns)
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for stop := range turns {
				m.pass(stop, &parts[stop])
			}
		})
	}
	workers.Wait()
	var sum sums
	for _, part := range parts {
		sum.paid += part.paid
		sum.hits += part.hits
		sum.above += part.above
		sum.most = max(sum.most, part.most)
	}
	if sum.paid != m.totalPay() {
		t.Errorf("all outcomes pay %d, want the computed %d", sum.paid, m.totalPay())
	}
	if sum.hits != exactHits || sum.above != exactAbove || sum.most != exactMost {
		t.Errorf("%d hits, %d above the stake, highest win %d, want hits %v, above %v and most %v", sum.hits, sum.above, sum.most, exactHits, exactAbove, exactMost)
	}
	if m.best < sum.most*m.Multiplier(true, 0) {
		t.Errorf("highest win = %d, above the bound %d", sum.most, m.best)
	}
}

// pass adds all outcomes with one stop of the first reel.
func (m *Machine) pass(first int, sum *sums) {
	var alive [16]reels.Symbol
	var stops [Reels]int
	stops[0] = first
	for stops[1] = range Stops {
		for stops[2] = range Stops {
			n := 0
			for s := range m.pays {
				count, _ := m.count(stops[:minReels], reels.Symbol(s))
				if count == minReels && reels.Symbol(s) != m.Wild && reels.Symbol(s) != m.Scatter {
					alive[n] = reels.Symbol(s)
					n++
				}
			}
			for stops[3] = range Stops {
				for stops[4] = range Stops {
					paid := m.pays[m.Scatter][m.scatters(stops[:])]
					for _, s := range alive[:n] {
						count, ways := m.count(stops[:], s)
						paid += m.pays[s][count] * ways
					}
					sum.paid += paid
					sum.most = max(sum.most, paid)
					if paid > 0 {
						sum.hits++
					}
					if paid > reels.Parts {
						sum.above++
					}
				}
			}
		}
	}
}

func TestExactReturn(t *testing.T) {
	t.Parallel()
	m := Versions()[0]
	if got := big.NewRat(m.totalPay(), all*reels.Parts); got.Cmp(exactSpin) != 0 {
		t.Errorf("return of a spin = %s, want %s", got, exactSpin)
	}
	share := m.Return()
	if got := share.FloatString(8); got != exactReturn || reels.Percent(share) != "96.49" {
		t.Errorf("return = %s, want %s", got, exactReturn)
	}
	if got := m.FreeRounds(m.Scatters()).FloatString(8); got != exactFree {
		t.Errorf("free rounds of a bet = %s, want %s", got, exactFree)
	}
}
