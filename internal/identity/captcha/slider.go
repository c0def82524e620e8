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
	// poolSize is the number of puzzles generated in advance.
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

// checkSlide returns a pass if x is close enough to the puzzle's answer. Every puzzle allows one answer, right or wrong.
func (s *Service) checkSlide(ctx context.Context, network, id string, x float64) (string, error) {
	if err := s.o.Limiter.TakeAll(ctx, answerBuckets(network)); err != nil {
		return "", err
	}
	var want sliderAnswer
	tokenInfo, err := s.o.Keys.Unseal(sliderPurpose, id, &want)
	if errors.Is(err, secret.ErrInvalid) {
		return "", ErrChallengeInvalid.On("id")
	}
	if err != nil {
		return "", err
	}
	if want.Network != network {
		return "", ErrChallengeInvalid.On("id")
	}
	firstUse, err := s.markUsed(ctx, sliderPurpose, tokenInfo)
	if err != nil {
		return "", err
	}
	if !firstUse {
		return "", ErrChallengeInvalid.On("id")
	}
	if math.Abs(x-float64(want.X)) > tolerance {
		return "", ErrSliderMissed
	}
	return s.o.Keys.Seal(passPurpose, pass{Network: network}, passLifetime)
}

// A pool generates puzzles in advance, because drawing one is slow.
type pool struct {
	startOnce sync.Once
	stopOnce  sync.Once
	puzzles   chan puzzle
	stop      chan struct{}
	done      chan struct{}
	timeout   time.Duration
}

func newPool(timeout time.Duration) *pool {
	return &pool{timeout: timeout, puzzles: make(chan puzzle, poolSize), stop: make(chan struct{}), done: make(chan struct{})}
}

// take returns the next puzzle. The first call starts the goroutine, so that commands that need no puzzle generate none.
func (p *pool) take(ctx context.Context) (puzzle, error) {
	p.startOnce.Do(func() { go p.fill() })
	timer := time.NewTimer(p.timeout)
	defer timer.Stop()
	select {
	case nextPuzzle := <-p.puzzles:
		return nextPuzzle, nil
	case <-timer.C:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("no puzzle was drawn in time"))
	case <-p.stop:
		return puzzle{}, rest.ErrUnavailable.Because(errors.New("the server is stopping"))
	case <-ctx.Done():
		return puzzle{}, ctx.Err()
	}
}

func (p *pool) fill() {
	defer close(p.done)
	for {
		nextPuzzle, err := drawPuzzle(newRNG())
		if err != nil {
			panic(err) // encoding to memory cannot fail
		}
		select {
		case p.puzzles <- nextPuzzle:
		case <-p.stop:
			return
		}
	}
}

func (p *pool) close() {
	p.stopOnce.Do(func() { close(p.stop) })
	p.startOnce.Do(func() { close(p.done) }) // fill never started
	<-p.done
}
