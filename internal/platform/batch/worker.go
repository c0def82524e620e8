package batch

import (
	"context"
	"errors"
	"time"
)

type worker[T any] struct {
	o     Options
	run   Run[T]
	queue chan *call[T]
	last  lastBatch

	calls []*call[T] // the current batch
	items []T        // the items of calls
}

// work runs batches until the queue is closed. A batch contains all items that are waiting when it starts.
func (w *worker[T]) work() {
	for first := range w.queue {
		if w.o.Ready != nil {
			w.o.Ready(first.key)
		}
		w.take(first)
		w.takeWaiting()
		w.gather(first.key)
		if len(w.calls) == 0 {
			continue
		}
		start := time.Now()
		w.runBatch()
		w.recordBatch(time.Since(start))
		for _, c := range w.calls {
			close(c.done)
		}
		clear(w.calls)
		clear(w.items)
		w.calls, w.items = w.calls[:0], w.items[:0]
	}
}

func (w *worker[T]) take(c *call[T]) {
	if c.state.CompareAndSwap(waiting, taken) {
		w.calls, w.items = append(w.calls, c), append(w.items, c.item)
	}
}

func (w *worker[T]) takeWaiting() {
	for len(w.calls) < w.o.Max {
		select {
		case c, open := <-w.queue:
			if !open {
				return
			}
			w.take(c)
		default:
			return
		}
	}
}

// runBatch runs the batch and stores each call's error.
func (w *worker[T]) runBatch() {
	ctx := context.Background()
	if w.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, w.o.Timeout)
		defer cancel()
	}
	err := try(ctx, w.run, w.items)
	if err == nil {
		return
	}
	split := len(w.items) > 1 && w.o.Split != nil && !errors.Is(err, ErrPanic) && w.o.Split(err)
	for i, c := range w.calls {
		if c.err = err; split {
			c.err = try(ctx, w.run, w.items[i:i+1])
		}
	}
}

// A lastBatch describes a worker's last batch. It is zero unless all items had the same key.
type lastBatch struct {
	key  uint64
	size int           // number of items in the batch, plus those that waited when it ended
	took time.Duration // duration of the run
}

// gather waits until the batch is as large as the last one with the same key, for at most half the duration of the last
// run.
func (w *worker[T]) gather(key uint64) {
	if w.o.Gather == 0 || key != w.last.key || len(w.calls) == 0 || len(w.calls) >= w.last.size {
		return
	}
	timeout := time.After(min(w.last.took/2, w.o.Gather))
	for len(w.calls) < w.last.size {
		select {
		case c, open := <-w.queue:
			if !open {
				return
			}
			w.take(c)
		case <-timeout:
			return
		}
	}
}

func (w *worker[T]) recordBatch(took time.Duration) {
	if w.o.Gather == 0 {
		return
	}
	w.last = lastBatch{key: w.calls[0].key, size: min(len(w.calls)+len(w.queue), w.o.Max), took: took}
	for _, c := range w.calls {
		if c.key != w.last.key {
			w.last = lastBatch{}
			return
		}
	}
}
