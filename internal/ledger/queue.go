package ledger

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

const (
	queueLength = 4096
	maxBatch    = 512
)

// A request is a queued post. A worker or the caller moves it out of waiting: the worker to answer it, the caller
// to abandon it.
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

// Post posts a transfer. Queued posts share a transaction. If ctx ends while the post is queued, Post returns the
// context's error and the transfer is never posted. Once a worker has taken it, Post waits for the result.
func (l *Ledger) Post(ctx context.Context, t Transfer) (Posted, error) {
	if err := t.check(); err != nil {
		return Posted{}, err
	}
	if ctx.Err() != nil { // the select below would choose at random
		return Posted{}, fmt.Errorf("post: %w", context.Cause(ctx))
	}
	r := &request{post: post{Transfer: &t, digest: t.hash()}, done: make(chan struct{})}
	l.inFlight.Add(1)
	defer l.inFlight.Add(-1)
	if l.postDirect(&r.post) {
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

func (l *Ledger) startWorker(run func([]*post), end func()) {
	queue := make(chan *request, queueLength)
	l.queues = append(l.queues, queue)
	l.workers.Go(func() { defer end(); l.runBatches(queue, run) })
}

// queueFor returns the same queue for all posts of a member, so that they share a batch instead of waiting for
// each other's lock. Correctness does not depend on it.
func (l *Ledger) queueFor(t *Transfer) chan *request {
	const spread = 0x9E3779B97F4A7C15 // consecutive ids spread over all queues
	return l.queues[uint64(l.memberAccount(t))*spread>>32%uint64(len(l.queues))]
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

func (l *Ledger) enqueue(ctx context.Context, r *request) error {
	// Close waits for this lock before it closes the queues; the workers empty them until then.
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return ErrClosed
	}
	select {
	case l.queueFor(r.Transfer) <- r:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("post: %w", context.Cause(ctx))
	}
}

// runBatches passes queued posts to run, in batches of all that are waiting, until the queue is closed.
func (l *Ledger) runBatches(queue chan *request, run func([]*post)) {
	requests := make([]*request, 0, maxBatch)
	posts := make([]*post, 0, maxBatch)
	var hot hotMember
	for first := range queue {
		if done, busy := l.busy.Load(l.memberAccount(first.Transfer)); busy {
			<-done.(chan struct{}) // its lock would block the batch anyway; meanwhile more posts arrive
		}
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
			case r, open := <-queue:
				if !open {
					break more
				}
				take(r)
			default:
				break more
			}
		}
		for wait := hot.wait(l.memberAccount(first.Transfer), len(posts)); wait != nil; {
			select {
			case r, open := <-queue:
				if open {
					take(r)
				}
				if !open || len(requests) >= hot.size {
					wait = nil
				}
			case <-wait:
				wait = nil
			}
		}
		if len(posts) == 0 {
			continue
		}
		begin := time.Now()
		run(posts)
		hot.note(l, posts, len(queue), time.Since(begin))
		for _, r := range requests {
			close(r.done)
		}
	}
}

// A hotMember describes a worker's last batch if all of it was for one member. Callers that post again and again
// for one member would otherwise settle into two alternating half-size batches, each waiting for the other's lock
// and sync. A short wait joins them into one batch.
type hotMember struct {
	member int64
	size   int           // posts in the last batch and waiting at its end
	took   time.Duration // duration of the last batch
}

const maxWait = 5 * time.Millisecond

func (c *hotMember) wait(member int64, here int) <-chan time.Time {
	if member != c.member || here == 0 || here >= c.size {
		return nil
	}
	return time.After(min(c.took/2, maxWait))
}

func (c *hotMember) note(l *Ledger, posts []*post, waiting int, took time.Duration) {
	*c = hotMember{member: l.memberAccount(posts[0].Transfer), size: min(len(posts)+waiting, maxBatch), took: took}
	for _, p := range posts {
		if l.memberAccount(p.Transfer) != c.member {
			*c = hotMember{}
			return
		}
	}
}

func failAll(posts []*post, err error) {
	for _, p := range posts {
		p.answer, p.err = Posted{}, err
	}
}
