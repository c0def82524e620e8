package house

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"sync"

	"fairground/internal/platform/db"
)

// atOnce bounds how many are written in one transaction.
const atOnce = 256

// errUnwritten is what is known of a lot whose writer did not come to its end.
var errUnwritten = errors.New("it is not known what was written")

// together has done at once what many ask for at the same time: a transaction costs about the same for one as for all of them.
// While one lot is being written the next gathers. Whoever comes first writes for all; there is nothing to start or to stop.
type together[T any] struct {
	// do carries a lot out, all of it or nothing, and gives why it could not. What became of each, it writes into it.
	do func(ctx context.Context, lot []*T) error

	mu   sync.Mutex
	next []*asking[T]
	busy bool // somebody writes, or was told to
}

// lanes are some of these side by side: while one waits for the database another writes. All of a player's go one way, so that
// none waits for another's lock on the same player.
type lanes[T any] []*together[T]

// lanesAtOnce is for PostgreSQL; SQLite has one writer.
const lanesAtOnce = 4

func newLanes[T any](engine db.Engine, do func(ctx context.Context, lot []*T) error) lanes[T] {
	l := lanes[T]{{do: do}}
	for engine == db.Postgres && len(l) < lanesAtOnce {
		l = append(l, &together[T]{do: do})
	}
	return l
}

func (l lanes[T]) ask(ctx context.Context, player string, what *T) error {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(player)) // never fails
	return l[int(sum.Sum32()%lanesAtOnce)%len(l)].ask(ctx, what)
}

// asking is somebody who waits.
type asking[T any] struct {
	what *T
	err  error
	told chan struct{} // closed when it is done, or theirs to do for all
	lead bool
}

// ask waits until it is done. Whoever gives up before it is begun is left out; after that the outcome is waited for, which
// takes no longer than driveWithin.
func (g *together[T]) ask(ctx context.Context, what *T) error {
	one := &asking[T]{what: what, told: make(chan struct{})}
	g.mu.Lock()
	g.next = append(g.next, one)
	if !g.busy {
		g.busy, one.lead = true, true
		close(one.told)
	}
	g.mu.Unlock()
	select {
	case <-one.told:
	case <-ctx.Done():
		if g.left(one) {
			return context.Cause(ctx)
		}
		<-one.told
	}
	if one.lead {
		g.work(ctx)
	}
	return one.err
}

// left takes somebody out who gave up; false where it is too late, or where others wait for them to write.
func (g *together[T]) left(one *asking[T]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.Index(g.next, one)
	if at < 0 || one.lead {
		return false
	}
	g.next = slices.Delete(g.next, at, at+1)
	return true
}

// work writes one lot, of which the caller's is the first, and hands what has gathered meanwhile to the first of those.
func (g *together[T]) work(ctx context.Context) {
	g.mu.Lock()
	lot := g.next[:min(len(g.next), atOnce)]
	g.next = slices.Clone(g.next[len(lot):])
	g.mu.Unlock()
	for _, one := range lot {
		one.err = errUnwritten
	}
	defer func() { // also when it panics: the others must not wait for ever
		g.mu.Lock()
		defer g.mu.Unlock()
		for _, one := range lot {
			if !one.lead {
				close(one.told)
			}
		}
		if g.busy = len(g.next) > 0; g.busy {
			g.next[0].lead = true
			close(g.next[0].told)
		}
	}()
	g.write(ctx, lot)
}

// write carries a lot out. Where it fails each is tried alone, so that none of them hurts the others.
func (g *together[T]) write(ctx context.Context, lot []*asking[T]) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), driveWithin)
	defer cancel()
	all := make([]*T, len(lot))
	for i, one := range lot {
		all[i] = one.what
	}
	err := g.do(ctx, all)
	for i, one := range lot {
		if one.err = err; err != nil && len(lot) > 1 {
			one.err = g.do(ctx, all[i:i+1])
		}
	}
}
