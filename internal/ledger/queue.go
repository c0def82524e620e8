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
	maxWait     = 5 * time.Millisecond // for more posts of a member whose posts filled the last batch
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
		return p.answer, p.err
	}
	err := l.queue.Do(ctx, uint64(l.memberAccount(&t)), p)
	switch {
	case err == nil:
		return p.answer, p.err
	case errors.Is(err, batch.ErrClosed):
		return Posted{}, ErrClosed
	case errors.Is(err, batch.ErrPanic):
		return Posted{}, ErrOutcomeUnknown.Because(err)
	default:
		return Posted{}, fmt.Errorf("post: %w", err)
	}
}

// A writer posts batches to the database. One goroutine uses it.
type writer interface {
	// post answers every post, or fails and answers none.
	post(posts []*post) error
	close()
}

// startWriters starts a queue with a worker for each writer. All posts of a member use the same worker, so that they
// share a batch instead of waiting for each other's lock. Correctness does not depend on it.
func (l *Ledger) startWriters(writers ...writer) {
	l.writers = writers
	runs := make([]batch.Run[*post], len(writers))
	for i, w := range writers {
		runs[i] = func(_ context.Context, posts []*post) error { return l.run(w, posts) }
	}
	l.queue = batch.New(batch.Options{Max: maxBatch, Queue: queueLength, Split: causedByPost, Gather: maxWait, Ready: l.awaitDirect}, runs...)
}

// run posts a batch. It returns an error only if the posts are to be posted one by one.
func (l *Ledger) run(w writer, posts []*post) error {
	defer func() {
		if r := recover(); r != nil {
			l.log.Error("panic in a batch", "engine", l.store.Engine, "posts", len(posts), "panic", r)
			panic(r)
		}
	}()
	err := w.post(posts)
	if err == nil || len(posts) > 1 && causedByPost(err) {
		return err
	}
	l.fail(posts, err)
	return nil
}

// fail answers posts with an error. The outcome of a post is unknown if its connection was lost before.
func (l *Ledger) fail(posts []*post, err error) {
	l.log.Error("post batch", "engine", l.store.Engine, "posts", len(posts), "error", err)
	for _, p := range posts {
		p.answer, p.err = Posted{}, publicError(err)
		if p.unknown {
			p.err = ErrOutcomeUnknown.Because(err)
		}
	}
}

// awaitDirect waits for the direct post of a member account: its lock would block the batch anyway.
func (l *Ledger) awaitDirect(member uint64) {
	if done, busy := l.busy.Load(int64(member)); busy {
		<-done.(chan struct{})
	}
}

// memberAccount returns the member's account of a transfer, and the lower id if both are members'.
func (l *Ledger) memberAccount(t *Transfer) int64 {
	if _, house := l.derived.Load(t.Debit); house {
		return t.Credit
	}
	if _, house := l.derived.Load(t.Credit); house {
		return t.Debit
	}
	return min(t.Debit, t.Credit)
}
