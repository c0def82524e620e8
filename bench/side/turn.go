package side

import (
	"slices"
	"sync"
	"time"
)

// Subject is something whose rate is measured for a while.
type Subject func(time.Duration) (perSecond float64, err error)

// turn is how long each Subject is measured at a time. Subjects of one comparison take turns, so that whatever
// else the machine does disturbs all alike. A second is too short for 64 clients to connect where much else runs.
const turn = 2 * time.Second

// Series are the rates of one Subject, a turn each.
type Series []float64

// InTurn measures subjects in turn, each for so long in all. None of them always comes first.
func InTurn(each time.Duration, subjects ...Subject) ([]Series, error) {
	rates := make([]Series, len(subjects))
	for t := range max(1, int(each/turn)) {
		for n := range subjects {
			i := (t + n) % len(subjects)
			rate, err := subjects[i](turn)
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rates, nil
}

// Over is the middle of the ratios of turns that were taken side by side.
func (s Series) Over(other Series) float64 {
	ratios := make(Series, len(s))
	for i := range s {
		ratios[i] = s[i] / other[i]
	}
	return ratios.Middle()
}

// Middle is the rate that half of the turns reached.
func (s Series) Middle() float64 {
	sorted := slices.Sorted(slices.Values(s))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// Parallel runs fn so many times at once, and gives one of its errors.
func Parallel(n int, fn func(int) error) error {
	var wg sync.WaitGroup
	errs := make(chan error, n)
	for i := range n {
		wg.Go(func() {
			if err := fn(i); err != nil {
				errs <- err
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}
