//go:build !race

package slot

import (
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"testing"
)

// exact are the figures of each version, of 32^5 equally likely outcomes of a spin. They are published in
// docs/games/slot.md.
var exact = []struct {
	spin        *big.Rat // what a paid spin returns
	hits, above int64    // something is paid, more than the stake is paid: by the paid spin
	most        int64    // times the stake of a line, by a paid spin
}{
	{big.NewRat(16_135_579, 16_777_216), 15_264_694, 7_679_702, 5170}, // 258.5 times the whole
	{big.NewRat(379_867, 524_288), 15_264_694, 6_193_054, 2770},       // 138.5 times
}

// Every outcome there is, each evaluated as a round is: what Return works out by weighing is what they sum up to. Under
// the race detector it would take minutes, and there is nothing that it could find.
func TestAllOutcomesReturnWhatIsPublished(t *testing.T) {
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
		t.Errorf("all outcomes return %s, published %s, weighed %s", got, want.spin, m.spinReturn())
	}
	if sum.hits != want.hits || sum.above != want.above || sum.most != want.most {
		t.Errorf("%d outcomes pay something, %d more than the stake, the best %d; published %+v", sum.hits, sum.above, sum.most, want)
	}
	if most := sum.most * max(1, m.freeMultiplier()); m.best < most {
		t.Errorf("a spin pays %d, it was thought no more than %d", most, m.best)
	}
}

// paying are the lines that pay whatever the last two reels show: three in a row are needed, and always paid.
func (m *Machine) paying(stops [Reels]int) []int {
	var found []int
	for i := range m.lines {
		if _, _, times := m.line(&stops, i); times > 0 {
			found = append(found, i)
		}
	}
	return found
}
