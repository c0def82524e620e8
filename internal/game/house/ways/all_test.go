//go:build !race

package ways

import (
	"math/big"
	"runtime"
	"sync"
	"testing"

	"fairground/internal/game/house/reels"
)

// sums is what a pass over outcomes finds.
type sums struct{ paid, hits, above, most int64 }

// Every outcome that a spin can have, each counted from what its windows show: what Return works out by weighing is what
// they sum up to. Under the race detector it would take minutes, and there is nothing that it could find.
func TestAllOutcomesReturnWhatIsPublished(t *testing.T) {
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
	if sum.paid != m.weighed() {
		t.Errorf("all outcomes pay %d, weighed %d", sum.paid, m.weighed())
	}
	if sum.hits != exactHits || sum.above != exactAbove || sum.most != exactMost {
		t.Errorf("%d hits, %d above the stake, the best pays %d", sum.hits, sum.above, sum.most)
	}
	if m.best < sum.most*m.Multiplier(true, 0) {
		t.Errorf("a spin pays %d, it was thought no more than %d", sum.most, m.best)
	}
}

// pass goes through all outcomes with one stop of the first reel. A symbol that three reels do not show pays nothing.
func (m *Machine) pass(first int, sum *sums) {
	var alive [16]reels.Symbol
	var stops [Reels]int
	stops[0] = first
	for stops[1] = range Stops {
		for stops[2] = range Stops {
			n := 0
			for s := range m.pays {
				count, _ := m.count(stops[:least], reels.Symbol(s))
				if count == least && reels.Symbol(s) != m.Wild && reels.Symbol(s) != m.Scatter {
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

func TestTheReturnIsPublishedExactly(t *testing.T) {
	t.Parallel()
	m := Versions()[0]
	if got := big.NewRat(m.weighed(), all*reels.Parts); got.Cmp(exactSpin) != 0 {
		t.Errorf("a spin returns %s, published %s", got, exactSpin)
	}
	share := m.Return()
	if got := share.FloatString(8); got != exactReturn || reels.Percent(share) != "96.49" {
		t.Errorf("the machine returns %s, published %s", got, exactReturn)
	}
	if got := m.FreeRounds(m.Scatters()).FloatString(8); got != exactFree {
		t.Errorf("a bet brings %s free rounds, published %s", got, exactFree)
	}
}
