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
	if ctx.Err() != nil { // else the queue and the context's end would be drawn by lot
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

// startWorker lets run answer what comes into a queue of its own.
func (l *Ledger) startWorker(run func([]*post), end func()) {
	queue := make(chan *request, queueLength)
	l.queues = append(l.queues, queue)
	l.workers.Go(func() { defer end(); l.runBatches(queue, run) })
}

// queueFor gives all posts of a member the same lane: two would each take half of what waits, and the second half would
// wait for the first one's lock instead of being grouped with it. Nothing but speed depends on it.
func (l *Ledger) queueFor(t *Transfer) chan *request {
	const spread = 0x9E3779B97F4A7C15 // ids that follow each other are not to follow a pattern of lanes
	return l.queues[uint64(l.memberAccount(t))*spread>>32%uint64(len(l.queues))]
}

// memberAccount gives the member's account of a transfer; of two members', always the same one of them.
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
	// Close waits for this lock before it closes the queue, and the lanes empty the queue until then.
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

// batches hands every queued post to run, as many at a time as are waiting, until the queue is closed.
func (l *Ledger) runBatches(queue chan *request, run func([]*post)) {
	requests := make([]*request, 0, maxBatch)
	posts := make([]*post, 0, maxBatch)
	var hot hotMember
	for first := range queue {
		if done, busy := l.busy.Load(l.memberAccount(first.Transfer)); busy {
			<-done.(chan struct{}) // the lock would be waited for anyhow; meanwhile others come to share the batch
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

// hotMember is what a lane knows of callers who all post for one member, again and again. Those of a batch come back while the
// next one is under way, and would go on in two halves for ever, each behind the other's lock and sync: a lane that waits for
// them a moment has them all in one.
type hotMember struct {
	member int64
	size   int           // how many there were: in the last batch, and waiting when it was done
	took   time.Duration // that batch
}

// maxWait bounds what a post may lose by waiting for company.
const maxWait = 5 * time.Millisecond

// wait gives what ends the waiting; nil where nobody is expected.
func (c *hotMember) wait(member int64, here int) <-chan time.Time {
	if member != c.member || here == 0 || here >= c.size {
		return nil
	}
	return time.After(min(c.took/2, maxWait))
}

// note learns from a batch that was posted. Who was waited for in vain is not expected again.
func (c *hotMember) note(l *Ledger, posts []*post, waiting int, took time.Duration) {
	*c = hotMember{member: l.memberAccount(posts[0].Transfer), size: min(len(posts)+waiting, maxBatch), took: took}
	for _, p := range posts {
		if l.memberAccount(p.Transfer) != c.member {
			*c = hotMember{}
			return
		}
	}
}

// failAll gives every post the same error.
func failAll(posts []*post, err error) {
	for _, p := range posts {
		p.answer, p.err = Posted{}, err
	}
}
