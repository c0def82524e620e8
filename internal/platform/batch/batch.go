// Package batch collects items from concurrent callers and writes many of them in one transaction. The package does not
// access a database itself: the run function of its user writes each batch.
package batch

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

var (
	// ErrClosed is returned by Do after Close.
	ErrClosed = errors.New("the batcher is closed")
	// ErrPanic is the error of every item in a batch whose run panicked. The batch may or may not have been written.
	ErrPanic = errors.New("a panic ended the batch: it is unknown what was written")
)

// Options configure a Batcher.
type Options struct {
	Max     int           // maximum number of items in one batch
	Queue   int           // maximum number of items that wait for one worker; further callers block
	Timeout time.Duration // for a batch, including its items if they are run one by one; 0 means none

	// Split reports whether a single item can have caused err. If so, the items are run one by one, so that the others
	// succeed. If Split is nil, all items of the batch fail.
	Split func(err error) bool

	// Gather is the maximum time to wait for more items after a batch whose items all had the same key. 0 means no wait.
	// Without the wait, callers that send items of one key in a loop would form two alternating batches of half the size.
	Gather time.Duration

	// Ready blocks while run would have to wait for the key's lock, so that more items arrive meanwhile. It may be nil.
	Ready func(key uint64)
}

// A Run writes all items of a batch, or none. It stores each item's result in the item. It must not retain the slice.
type Run[T any] func(ctx context.Context, items []T) error

// A Batcher has one worker per run function. The workers run their batches in parallel.
type Batcher[T any] struct {
	shards  []*worker[T]
	workers sync.WaitGroup

	closing sync.RWMutex // read: adding to a queue; write: closing the queues
	closed  bool
}

// New starts a worker for each run function. Close stops them.
func New[T any](o Options, runs ...Run[T]) *Batcher[T] {
	b := &Batcher[T]{}
	for _, run := range runs {
		w := &worker[T]{o: o, run: run, queue: make(chan *call[T], o.Queue)}
		b.shards = append(b.shards, w)
		b.workers.Go(w.work)
	}
	return b
}

// A call is a queued item. The worker changes its state from waiting to taken, or the caller changes it to abandoned.
type call[T any] struct {
	item  T
	key   uint64
	state atomic.Uint32
	err   error
	done  chan struct{}
}

const (
	waiting uint32 = iota
	taken
	abandoned
)

// Do queues an item and returns after it has been run. Items with the same key use the same worker, so that no batch waits
// for another's lock. If ctx ends while the item is queued, Do returns the context's error and the item is never run. Once
// a worker has taken the item, Do waits for the result, even if ctx ends.
func (b *Batcher[T]) Do(ctx context.Context, key uint64, item T) error {
	if ctx.Err() != nil { // the select statements below would choose at random
		return context.Cause(ctx)
	}
	c := &call[T]{item: item, key: key, done: make(chan struct{})}
	if err := b.enqueue(ctx, c); err != nil {
		return err
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		if c.state.CompareAndSwap(waiting, abandoned) {
			return context.Cause(ctx)
		}
		<-c.done
	}
	return c.err
}

func (b *Batcher[T]) enqueue(ctx context.Context, c *call[T]) error {
	// Close waits for this lock before it closes the queues. Until then the workers empty them, so sending cannot block
	// forever.
	b.closing.RLock()
	defer b.closing.RUnlock()
	if b.closed {
		return ErrClosed
	}
	const spread = 0x9E3779B97F4A7C15 // spreads consecutive keys over all workers
	select {
	case b.shards[c.key*spread>>32%uint64(len(b.shards))].queue <- c:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close runs all accepted items and then stops the workers. Later calls to Do return ErrClosed.
func (b *Batcher[T]) Close() {
	b.closing.Lock()
	if !b.closed {
		b.closed = true
		for _, w := range b.shards {
			close(w.queue)
		}
	}
	b.closing.Unlock()
	b.workers.Wait()
}

// Queued returns the number of items that no worker has taken.
func (b *Batcher[T]) Queued() (n int) {
	for _, w := range b.shards {
		n += len(w.queue)
	}
	return n
}

// StringKey returns the key for a string.
func StringKey(name string) uint64 {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(name)) // never fails
	return sum.Sum64()
}

// try calls run and converts a panic to an error, so that the callers do not wait forever.
func try[T any](ctx context.Context, run Run[T], items []T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v\n%s", ErrPanic, r, debug.Stack())
		}
	}()
	return run(ctx, items)
}
