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
	// tolerance is the maximum distance of the piece from its position, in pixels.
	tolerance = 5
	// poolSize is the number of puzzles drawn ahead of requests.
	poolSize = 24
	// puzzleTimeout is the maximum wait for a puzzle when the pool is empty.
	puzzleTimeout = 2 * time.Second
)

type sliderAnswer struct {
	X       int    `json:"x"`
	Network string `json:"n"`
}

func (s *Service) issuePuzzle(ctx context.Context, network string) (puzzle, string, error) {
	p, err := s.pool.take(ctx)
	if err != nil {
		return puzzle{}, "", err
	}
	id, err := s.o.Keys.Seal(sliderPurpose, sliderAnswer{X: p.x, Network: network}, sliderLifetime)
	return p, id, err
}

// checkSlide returns a pass when x is close enough to the puzzle's answer. Any answer uses the puzzle up.
func (s *Service) checkSlide(ctx context.Context, network, id string, x float64) (string, error) {
	if err := s.o.Limiter.TakeAll(ctx, proofBuckets(network)); err != nil {
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
	return s.o.Keys.Seal(passPurpose, pass{Network: network}, passLifetime)
}

type pool struct {
	startOnce sync.Once
	stopOnce  sync.Once
	ready     chan puzzle
	stopped   chan struct{}
	done      chan struct{}
	timeout   time.Duration
}

func newPool(timeout time.Duration) *pool {
	return &pool{timeout: timeout, ready: make(chan puzzle, poolSize), stopped: make(chan struct{}), done: make(chan struct{})}
}

// take returns the next puzzle. The first call starts the drawing, so that commands that need no puzzle draw none.
func (p *pool) take(ctx context.Context) (puzzle, error) {
	p.startOnce.Do(func() { go p.fill() })
	wait := time.NewTimer(p.timeout)
	defer wait.Stop()
	select {
	case next := <-p.ready:
		return next, nil
	case <-wait.C:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("no puzzle was drawn in time"))
	case <-p.stopped:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("the server is stopping"))
	case <-ctx.Done():
		return puzzle{}, ctx.Err()
	}
}

func (p *pool) fill() {
	defer close(p.done)
	for {
		next, err := drawPuzzle(newRNG())
		if err != nil {
			panic(err) // encoding to memory cannot fail
		}
		select {
		case p.ready <- next:
		case <-p.stopped:
			return
		}
	}
}

func (p *pool) close() {
	p.stopOnce.Do(func() { close(p.stopped) })
	p.startOnce.Do(func() { close(p.done) }) // fill never started
	<-p.done
}
