package db

import (
	"context"
	"fmt"
	"sync"
	"time"
)

const (
	// probeFresh is how long one try to write answers for all who ask.
	probeFresh = 3 * time.Second
	// probeLongest ends a try at a database that hangs; whoever asks waits less.
	probeLongest = 15 * time.Second
)

// Probe finds out whether the database takes writes, by writing. However many ask, it tries once at a time and
// once in a few seconds.
type Probe struct {
	store *Store
	now   func() time.Time

	mu   sync.Mutex
	last *try // nil: none yet
}

type try struct {
	done chan struct{}
	at   time.Time // when it was done
	err  error
}

// NewProbe makes one; it does nothing until it is asked.
func NewProbe(store *Store, now func() time.Time) *Probe { return &Probe{store: store, now: now} }

// Check gives nil when the last write went well. It waits for one that is under way no longer than ctx lets it.
func (p *Probe) Check(ctx context.Context) error {
	t := p.current()
	select {
	case <-t.done:
		return t.err
	case <-ctx.Done():
		return fmt.Errorf("wait for a write: %w", ctx.Err())
	}
}

func (p *Probe) current() *try {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		select {
		case <-p.last.done:
			if p.now().Sub(p.last.at) < probeFresh {
				return p.last
			}
		default:
			return p.last // under way
		}
	}
	t := &try{done: make(chan struct{})}
	p.last = t
	go func() {
		defer close(t.done)
		ctx, cancel := context.WithTimeout(context.Background(), probeLongest)
		defer cancel()
		t.err = p.store.Write(ctx, func(tx *Tx) error { return tx.Q.TouchInstallation(ctx) })
		t.at = p.now()
	}()
	return t
}
