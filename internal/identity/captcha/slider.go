package captcha

import (
	"context"
	"errors"
	"math"
	"sync"
	"time"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

const (
	// tolerance is how far from its place a piece may be put, in pixels of the picture.
	tolerance = 5
	// poolSize puzzles are drawn ahead. Drawing is never done while someone waits, save for the very first.
	poolSize = 24
	// patience is how long a request waits for a puzzle when all are given out.
	patience = 2 * time.Second
)

// sliderAnswer stands sealed in a puzzle's id.
type sliderAnswer struct {
	X       int    `json:"x"`
	Network string `json:"n"`
}

// slider gives out a puzzle.
func (s *Service) slider(ctx context.Context, network string) (puzzle, string, error) {
	p, err := s.pool.take(ctx)
	if err != nil {
		return puzzle{}, "", err
	}
	id, err := s.o.Keys.Seal(sliderPurpose, sliderAnswer{X: p.x, Network: network}, sliderFor)
	return p, id, err
}

// slide checks where the piece was put. A puzzle can be tried once.
func (s *Service) slide(ctx context.Context, network, id string, x float64) (string, error) {
	if err := s.o.Limiter.TakeAll(ctx, proofs(network)); err != nil {
		return "", err
	}
	var want sliderAnswer
	mark, err := s.o.Keys.Unseal(sliderPurpose, id, &want)
	if errors.Is(err, secret.ErrStale) {
		return "", ErrChallengeInvalid.On("id")
	}
	if err != nil {
		return "", err
	}
	if want.Network != network {
		return "", ErrChallengeInvalid.On("id")
	}
	first, err := s.spend(ctx, sliderPurpose, mark)
	if err != nil {
		return "", err
	}
	if !first {
		return "", ErrChallengeInvalid.On("id")
	}
	if math.Abs(x-float64(want.X)) > tolerance {
		return "", ErrChallengeMissed
	}
	return s.grant(network, bySlider)
}

// pool draws puzzles ahead, each given out once.
type pool struct {
	begin    sync.Once
	end      sync.Once
	ready    chan puzzle
	stopped  chan struct{}
	done     chan struct{}
	patience time.Duration
}

func newPool(patience time.Duration) *pool {
	return &pool{patience: patience, ready: make(chan puzzle, poolSize), stopped: make(chan struct{}), done: make(chan struct{})}
}

// take gives a puzzle. The first one begins the drawing: commands that never ask for one draw none.
func (p *pool) take(ctx context.Context) (puzzle, error) {
	p.begin.Do(func() { go p.fill() })
	wait := time.NewTimer(p.patience)
	defer wait.Stop()
	select {
	case next := <-p.ready:
		return next, nil
	case <-wait.C:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("all puzzles are given out"))
	case <-p.stopped:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("stopping"))
	case <-ctx.Done():
		return puzzle{}, ctx.Err()
	}
}

func (p *pool) fill() {
	defer close(p.done)
	for {
		next, err := drawPuzzle(newChance())
		if err != nil {
			panic(err) // encoding into memory does not fail
		}
		select {
		case p.ready <- next:
		case <-p.stopped:
			return
		}
	}
}

func (p *pool) close() {
	p.end.Do(func() { close(p.stopped) })
	p.begin.Do(func() { close(p.done) }) // never begun
	<-p.done
}
