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

// sums is what a pass over outcomes finds.
type sums struct {
	pays                 [mostFalls + 1]int64
	scatters             [cells + 1]int64
	hits, above          int64 // something is paid, more than the stake is paid
	most, mostFree, long int64
	reach                [symbols]uint8 // the most of a symbol that are seen at once
}

// Every outcome that a spin can have, each evaluated as a round is: what was counted and is published is what they sum up
// to. Under the race detector it would take minutes, and there is nothing that it could find.
func TestAllOutcomesReturnWhatIsPublished(t *testing.T) {
	t.Parallel()
	for i, m := range Versions() {
		t.Run(fmt.Sprintf("version %d", i+1), func(t *testing.T) {
			t.Parallel()
			m.hold(t, exact[i], m.all())
		})
	}
}

// all goes through all outcomes.
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

// hold holds what was found against what is written down.
func (m *Machine) hold(t *testing.T, want figures, sum *sums) {
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
		t.Errorf("counted %s, written down %+v", text, m.counted)
	}
	if m.best < sum.most || m.best < sum.mostFree {
		t.Errorf("a spin pays %d, a free round %d; it was thought no more than %d", sum.most, sum.mostFree, m.best)
	}
	if sum.hits != want.hits || sum.above != want.above || sum.most != want.most || sum.mostFree != want.mostFree || sum.long != want.falls {
		t.Errorf("%d hits, %d above the stake, the best pays %d, of a free round %d, the longest falls %d times", sum.hits, sum.above, sum.most, sum.mostFree, sum.long)
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
		t.Errorf("no outcome wins %q", beyond)
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

// pass goes through all outcomes with one stop of the first reel.
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
			falls++ // one too many would be out of range
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
