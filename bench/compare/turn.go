package compare

import (
	"slices"
	"sync"
	"time"
)

// A Subject runs for a duration and returns its rate.
type Subject func(time.Duration) (perSecond float64, err error)

// turn is the duration of one turn. A shorter turn would not let 64 clients connect on a busy machine.
const turn = 2 * time.Second

// A Series holds a Subject's rates, one per turn.
type Series []float64

// InTurn runs each subject for a total duration, in turns. The order of the subjects rotates.
func InTurn(total time.Duration, subjects ...Subject) ([]Series, error) {
	rates := make([]Series, len(subjects))
	for t := range max(1, int(total/turn)) {
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

// Over returns the median ratio of corresponding turns.
func (s Series) Over(other Series) float64 {
	ratios := make(Series, len(s))
	for i := range s {
		ratios[i] = s[i] / other[i]
	}
	return ratios.Middle()
}

// Middle returns the median rate.
func (s Series) Middle() float64 {
	sorted := slices.Sorted(slices.Values(s))
	half := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[half-1] + sorted[half]) / 2
	}
	return sorted[half]
}

// Parallel runs fn n times concurrently and returns one of the errors.
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
