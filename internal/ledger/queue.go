package ledger

import (
	"context"
	"fmt"
	"sync/atomic"
)

const (
	queueLength = 4096
	maxBatch    = 512
)

// request is a post waiting for its turn. Whoever moves it out of waiting first owns it: the lane that
// will answer it, or the caller that gave up.
type request struct {
	post
	state atomic.Uint32
	done  chan struct{}
}

const (
	waiting uint32 = iota
	taken
	abandoned
)

// Post moves money, or says why not. Posts that wait at the same time share a transaction. A caller whose
// context ends while its post still waits gets the context's error and the post never happens; once it is
// under way its true answer is awaited, however long the database takes within the ledger's own limits.
func (l *Ledger) Post(ctx context.Context, t Transfer) (Posted, error) {
	if err := t.check(); err != nil {
		return Posted{}, err
	}
	r := &request{post: post{Transfer: &t, digest: t.hash()}, done: make(chan struct{})}
	l.underway.Add(1)
	defer l.underway.Add(-1)
	if ctx.Err() == nil && l.postAlone(&r.post) {
		return r.answer, r.err
	}
	if err := l.enqueue(ctx, r); err != nil {
		return Posted{}, err
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, abandoned) {
			return Posted{}, fmt.Errorf("post: %w", context.Cause(ctx))
		}
		<-r.done
	}
	return r.answer, r.err
}

func (l *Ledger) enqueue(ctx context.Context, r *request) error {
	// Close waits for this lock before it closes the queue, and the lanes empty the queue until then.
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return ErrClosed
	}
	select {
	case l.queue <- r:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("post: %w", context.Cause(ctx))
	}
}

// batches hands every queued post to run, as many at a time as are waiting, until the queue is closed.
func (l *Ledger) batches(run func([]*post)) {
	requests := make([]*request, 0, maxBatch)
	posts := make([]*post, 0, maxBatch)
	for first := range l.queue {
		requests, posts = requests[:0], posts[:0]
		take := func(r *request) {
			if r.state.CompareAndSwap(waiting, taken) {
				requests, posts = append(requests, r), append(posts, &r.post)
			}
		}
		take(first)
	more:
		for len(requests) < maxBatch {
			select {
			case r, open := <-l.queue:
				if !open {
					break more
				}
				take(r)
			default:
				break more
			}
		}
		if len(posts) == 0 {
			continue
		}
		run(posts)
		for _, r := range requests {
			close(r.done)
		}
	}
}

// failAll gives every post the same error.
func failAll(posts []*post, err error) {
	for _, p := range posts {
		p.answer, p.err = Posted{}, err
	}
}
