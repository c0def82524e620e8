// Package batch writes concurrent requests in one transaction: it costs about as much for many as for one.
package batch

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"sync"
	"time"

	"fairground/internal/platform/db"
)

// Max is the largest number of items in one batch.
const Max = 256

const timeout = 12 * time.Second

// errAborted is returned for the items of a batch whose writer panicked.
var errAborted = errors.New("the batch was aborted: it is unknown what was written")

// A Batcher collects items while a batch is being written. The first waiting caller writes the next batch for all of them,
// so a Batcher has no goroutine to start or stop.
type Batcher[T any] struct {
	// write writes a batch, all of it or nothing. It stores each item's result in the item.
	write func(ctx context.Context, items []*T) error

	mu      sync.Mutex
	waiting []*call[T]
	busy    bool // a caller is writing, or was made the writer
}

// Lanes are parallel batchers. All items of a player use the same one, so that no batch waits for another's lock on that player.
type Lanes[T any] []*Batcher[T]

// postgresLanes is the number of lanes on PostgreSQL. SQLite has one writer, and one lane.
const postgresLanes = 4

// New returns the lanes for a database engine.
func New[T any](engine db.Engine, write func(ctx context.Context, items []*T) error) Lanes[T] {
	l := Lanes[T]{{write: write}}
	for engine == db.Postgres && len(l) < postgresLanes {
		l = append(l, &Batcher[T]{write: write})
	}
	return l
}

// Do writes a player's item as part of a batch, and returns when it is written.
func (l Lanes[T]) Do(ctx context.Context, player string, item *T) error {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(player)) // never fails
	return l[int(sum.Sum32()%postgresLanes)%len(l)].do(ctx, item)
}

type call[T any] struct {
	item  *T
	err   error
	ready chan struct{} // closed when the item is written, or when the caller becomes the writer
	leads bool
}

// do waits until the item is written. A caller whose context ends leaves the queue; once its batch has begun it waits for the
// outcome, at most for the timeout.
func (b *Batcher[T]) do(ctx context.Context, item *T) error {
	c := &call[T]{item: item, ready: make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, c)
	if !b.busy {
		b.busy, c.leads = true, true
		close(c.ready)
	}
	b.mu.Unlock()
	select {
	case <-c.ready:
	case <-ctx.Done():
		if b.remove(c) {
			return context.Cause(ctx)
		}
		<-c.ready
	}
	if c.leads {
		b.lead(ctx)
	}
	return c.err
}

// remove takes a call out of the queue. It reports false when the call's batch has begun, or when the call leads.
func (b *Batcher[T]) remove(c *call[T]) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	at := slices.Index(b.waiting, c)
	if at < 0 || c.leads {
		return false
	}
	b.waiting = slices.Delete(b.waiting, at, at+1)
	return true
}

// lead writes one batch, which begins with the caller's item, and makes the first of those still waiting the next writer.
func (b *Batcher[T]) lead(ctx context.Context) {
	b.mu.Lock()
	calls := b.waiting[:min(len(b.waiting), Max)]
	b.waiting = slices.Clone(b.waiting[len(calls):])
	b.mu.Unlock()
	for _, c := range calls {
		c.err = errAborted
	}
	defer func() { // also after a panic: the others must not wait forever
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, c := range calls {
			if !c.leads {
				close(c.ready)
			}
		}
		if b.busy = len(b.waiting) > 0; b.busy {
			b.waiting[0].leads = true
			close(b.waiting[0].ready)
		}
	}()
	b.writeAll(ctx, calls)
}

// writeAll writes a batch. If that fails it writes each item alone, so that one bad item fails no other.
func (b *Batcher[T]) writeAll(ctx context.Context, calls []*call[T]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	items := make([]*T, len(calls))
	for i, c := range calls {
		items[i] = c.item
	}
	err := b.write(ctx, items)
	for i, c := range calls {
		if c.err = err; err != nil && len(calls) > 1 {
			c.err = b.write(ctx, items[i:i+1])
		}
	}
}
