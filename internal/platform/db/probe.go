package db

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// probeInterval is how long a result is reused.
	probeInterval = 3 * time.Second
	// probeTimeout ends a write to a database that hangs. Callers wait less.
	probeTimeout = 15 * time.Second
)

// A Probe checks with a write whether the database accepts writes. It runs at most one write at once and one per
// interval.
type Probe struct {
	store *Store
	now   func() time.Time

	mu   sync.Mutex
	last *probeRun // nil: none yet
}

type probeRun struct {
	done chan struct{}
	at   time.Time // time of completion
	err  error
}

// NewProbe returns a Probe. It does nothing until Check is called.
func NewProbe(store *Store, now func() time.Time) *Probe { return &Probe{store: store, now: now} }

// Check returns nil if the last write succeeded. It waits for a running write until ctx ends.
func (p *Probe) Check(ctx context.Context) error {
	t := p.current()
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return fmt.Errorf("wait for write: %w", ctx.Err())
	}
}

func (p *Probe) current() *probeRun {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		select {
		case <-p.last.done:
			if p.now().Sub(p.last.at) < probeInterval {
				return p.last
			}
		default:
			return p.last // still running
		}
	}
	t := &probeRun{done: make(chan struct{})}
	p.last = t
	go func() {
		defer close(t.done)
		ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
		defer cancel()
		t.err = p.store.Write(ctx, func(tx *Tx) error { return tx.Q.TouchInstallation(ctx) })
		t.at = p.now()
	}()
	return t
}
