package ledger

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/batch"
)

const (
	queueLength = 4096
	maxBatch    = 512
	maxWait     = 5 * time.Millisecond // how long a worker waits for more posts of a member whose posts filled its last batch
)

// Post posts a transfer. Queued posts share a transaction. If ctx ends while the post is queued, Post returns the
// context's error and the transfer is never posted. Once a worker has taken it, Post waits for the result.
func (l *Ledger) Post(ctx context.Context, t Transfer) (Posted, error) {
	if err := t.check(); err != nil {
		return Posted{}, err
	}
	if ctx.Err() != nil {
		return Posted{}, fmt.Errorf("post: %w", context.Cause(ctx))
	}
	p := &post{Transfer: &t, digest: t.hash()}
	l.inFlight.Add(1)
	defer l.inFlight.Add(-1)
	if l.postDirect(p) {
		return p.result, p.err
	}
	err := l.queue.Do(ctx, uint64(l.memberAccount(&t)), p)
	switch {
	case err == nil:
		return p.result, p.err
	case errors.Is(err, batch.ErrClosed):
		return Posted{}, ErrClosed
	case errors.Is(err, batch.ErrPanic):
		return Posted{}, ErrOutcomeUnknown.Because(err)
	default:
		return Posted{}, fmt.Errorf("post: %w", err)
	}
}

// A writer posts batches to the database. Only one goroutine uses it.
type writer interface {
	// writeBatch sets the result of every post, or returns an error and sets none.
	writeBatch(posts []*post) error
	close()
}

// startWriters starts a queue with a worker for each writer. All posts of a member use the same worker, so that they
// share a batch and do not wait for each other's lock. This is only an optimisation.
func (l *Ledger) startWriters(writers ...writer) {
	l.writers = writers
	runs := make([]batch.Run[*post], len(writers))
	for i, w := range writers {
		runs[i] = func(_ context.Context, posts []*post) error { return l.run(w, posts) }
	}
	l.queue = batch.New(batch.Options{Max: maxBatch, Queue: queueLength, Split: causedByPost, Gather: maxWait, Ready: l.awaitDirect}, runs...)
}

// run posts a batch. It returns an error only if the queue should retry the posts one by one.
func (l *Ledger) run(w writer, posts []*post) error {
	defer func() {
		if r := recover(); r != nil {
			l.log.Error("panic in a batch", "engine", l.store.Engine, "posts", len(posts), "panic", r)
			panic(r)
		}
	}()
	err := w.writeBatch(posts)
	if err == nil || len(posts) > 1 && causedByPost(err) {
		return err
	}
	l.fail(posts, err)
	return nil
}

// fail sets the error of every post. The outcome of a post is unknown if a connection was lost after it was sent.
func (l *Ledger) fail(posts []*post, err error) {
	l.log.Error("post batch", "engine", l.store.Engine, "posts", len(posts), "error", err)
	for _, p := range posts {
		p.result, p.err = Posted{}, publicError(err)
		if p.outcomeUnknown {
			p.err = ErrOutcomeUnknown.Because(err)
		}
	}
}

// awaitDirect waits for the direct post of a member account, because its lock would block the batch anyway.
func (l *Ledger) awaitDirect(member uint64) {
	if done, busy := l.busy.Load(int64(member)); busy {
		<-done.(chan struct{})
	}
}

// memberAccount returns the member account of a transfer. If both accounts belong to members, it returns the lower id.
func (l *Ledger) memberAccount(t *Transfer) int64 {
	if _, house := l.derived.Load(t.Debit); house {
		return t.Credit
	}
	if _, house := l.derived.Load(t.Credit); house {
		return t.Debit
	}
	return min(t.Debit, t.Credit)
}
