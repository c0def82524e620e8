//go:build !race

package slot

import (
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"testing"
)

// exact are the published figures of each version (docs/games/slot.md), over 32^5 outcomes of a spin.
var exact = []struct {
	spin        *big.Rat // return of a paid spin
	hits, above int64    // outcomes that pay anything, and more than the stake
	most        int64    // highest win, in line stakes
}{
	{big.NewRat(16_135_579, 16_777_216), 15_264_694, 7_679_702, 5170}, // 258.5 times the stake
	{big.NewRat(379_867, 524_288), 15_264_694, 6_193_054, 2770},       // 138.5 times
}

// The test evaluates all outcomes. It has no race to find, and would take minutes with the race detector.
func TestAllOutcomesMatchThePublishedFigures(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		t.Run(fmt.Sprintf("version %d", i+1), func(t *testing.T) {
			t.Parallel()
			m.count(t, i)
		})
	}
}

func (m *Machine) count(t *testing.T, version int) {
	type sums struct{ paid, hits, above, most int64 }
	parts := make([]sums, Stops)
	var workers sync.WaitGroup
	turns := make(chan int, Stops)
	for first := range Stops {
		turns <- first
	}
	close(turns)
	for range runtime.NumCPU() {
		workers.Go(func() {
			for first := range turns {
				part := &parts[first]
				stops := [Reels]int{first}
				for stops[1] = 0; stops[1] < Stops; stops[1]++ {
					for stops[2] = 0; stops[2] < Stops; stops[2]++ {
						stops[3], stops[4] = 0, 0
						paying := m.paying(stops)
						for stops[3] = 0; stops[3] < Stops; stops[3]++ {
							for stops[4] = 0; stops[4] < Stops; stops[4]++ {
								paid := m.pays[m.Scatter][m.scatters(&stops)]
								for _, i := range paying {
									_, _, times := m.line(&stops, i)
									paid += times
								}
								part.paid += paid
								part.most = max(part.most, paid)
								if paid > 0 {
									part.hits++
								}
								if paid > Lines {
									part.above++
								}
							}
						}
					}
				}
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
	want := exact[version]
	if got := big.NewRat(sum.paid, all*Lines); got.Cmp(want.spin) != 0 || got.Cmp(m.spinReturn()) != 0 {
		t.Errorf("return of all outcomes = %s, want the published %s and the computed %s", got, want.spin, m.spinReturn())
	}
	if sum.hits != want.hits || sum.above != want.above || sum.most != want.most {
		t.Errorf("%d hits, %d above the stake, highest win %d, want %+v", sum.hits, sum.above, sum.most, want)
	}
	if most := sum.most * max(1, m.freeMultiplier()); m.best < most {
		t.Errorf("highest win = %d, above the bound %d", most, m.best)
	}
}

// paying returns the lines that pay whatever the last two reels show.
func (m *Machine) paying(stops [Reels]int) []int {
	var found []int
	for i := range m.lines {
		if _, _, times := m.line(&stops, i); times > 0 {
			found = append(found, i)
		}
	}
	return found
}
