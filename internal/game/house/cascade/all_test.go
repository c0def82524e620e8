//go:build !race

package cascade

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"fairground/internal/game/house/reels"
)

// sums are totals over outcomes.
type sums struct {
	pays                 [maxFalls + 1]int64
	scatters             [cells + 1]int64
	hits, above          int64 // outcomes that pay anything, and more than the stake
	most, mostFree, long int64
	reach                [symbols]uint8 // the highest visible count of each symbol
}

// The test evaluates all outcomes. It has no race to find, and would take minutes with the race detector.
func TestAllOutcomesMatchThePublishedFigures(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		t.Run(fmt.Sprintf("version %d", i+1), func(t *testing.T) {
			t.Parallel()
			m.check(t, exact[i], m.all())
		})
	}
}

// all sums over all outcomes.
func (m *Machine) all() *sums {
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
	sum := &sums{}
	for i := range parts {
		sum.add(&parts[i])
	}
	return sum
}

// check compares the totals with the stored and the published ones.
func (m *Machine) check(t *testing.T, want figures, sum *sums) {
	got := counted{Scatters: map[string]int64{}}
	for step := range int(sum.long) + 1 {
		got.Pays = append(got.Pays, sum.pays[step])
	}
	for n, outcomes := range sum.scatters {
		if outcomes > 0 {
			got.Scatters[strconv.Itoa(n)] = outcomes
		}
	}
	if !reflect.DeepEqual(got, m.counted) {
		text, _ := json.Marshal(got)
		t.Errorf("totals = %s, stored %+v", text, m.counted)
	}
	if m.best < sum.most || m.best < sum.mostFree {
		t.Errorf("highest wins = %d and %d, above the bound %d", sum.most, sum.mostFree, m.best)
	}
	if sum.hits != want.hits || sum.above != want.above || sum.most != want.most || sum.mostFree != want.mostFree || sum.long != want.falls {
		t.Errorf("%d hits, %d above the stake, highest win %d, of a free round %d, most falls %d, want hits %v, above %v, most %v, most free %v and long %v", sum.hits, sum.above, sum.most, sum.mostFree, sum.long, want.hits, want.above, want.most, want.mostFree, want.falls)
	}
	var beyond []string
	for name, pay := range m.Data().Pays {
		number, _ := m.Number(name)
		for count := range pay {
			if n, _ := strconv.Atoi(count); n > int(sum.reach[number]) {
				beyond = append(beyond, name+" "+count)
			}
		}
	}
	if slices.Sort(beyond); !slices.Equal(beyond, want.beyond) {
		t.Errorf("unreachable pays = %q, want %q", beyond, want.beyond)
	}
}

func (s *sums) add(part *sums) {
	for i := range s.pays {
		s.pays[i] += part.pays[i]
	}
	for i := range s.scatters {
		s.scatters[i] += part.scatters[i]
	}
	for i := range s.reach {
		s.reach[i] = max(s.reach[i], part.reach[i])
	}
	s.hits += part.hits
	s.above += part.above
	s.most, s.mostFree, s.long = max(s.most, part.most), max(s.mostFree, part.mostFree), max(s.long, part.long)
}

// pass adds all outcomes with one stop of the first reel.
func (m *Machine) pass(first int, sum *sums) {
	b, names := &board{}, len(m.Data().Symbols)
	stops := make([]int, Reels)
	stops[0] = first
	for n := range Stops * Stops * Stops * Stops {
		for reel, left := Reels-1, n; reel > 0; reel, left = reel-1, left/Stops {
			stops[reel] = left % Stops
		}
		m.set(b, stops)
		paid, free, falls := int64(0), int64(0), 0
		for {
			m.count(b)
			pays := int64(0)
			for s := range names {
				if reels.Symbol(s) != m.Scatter {
					pays += m.pays[s][b.counts[s]]
					sum.reach[s] = max(sum.reach[s], b.counts[s])
				}
			}
			more := pays > 0
			if !more {
				pays = m.pays[m.Scatter][b.counts[m.Scatter]]
				sum.scatters[b.counts[m.Scatter]]++
			}
			sum.pays[falls] += pays
			paid += pays * m.Multiplier(false, falls)
			free += pays * m.Multiplier(true, falls)
			if !more {
				break
			}
			falls++ // panics above maxFalls
			m.fall(b)
		}
		sum.most, sum.mostFree, sum.long = max(sum.most, paid), max(sum.mostFree, free), max(sum.long, int64(falls))
		if paid > 0 {
			sum.hits++
		}
		if paid > reels.Parts {
			sum.above++
		}
	}
}
