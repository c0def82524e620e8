package events

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"fairground/internal/platform/db"
)

// loadTimeout is shorter than a request's timeout, so that the request can report the failure.
const loadTimeout = 10 * time.Second

// A Cache keeps values from the database until this or another replica reports a change. It keeps all values in memory, so
// use it for a few values that every request needs. Get never returns a value that was read before a change that was
// reported before the call, not even from a load in progress.
type Cache[K comparable, V any] struct {
	o       CacheOptions
	changes atomic.Int64
	values  atomic.Pointer[map[K]cached[V]] // replaced as a whole, so that reads need no lock
	mu      sync.Mutex                      // not held during a load
	loading map[K]*loading[V]
	closed  context.Context // Close cancels it, which cancels all loads
	end     context.CancelFunc
	loads   sync.WaitGroup
	stops   []func()
}

// CacheOptions configure a Cache.
type CacheOptions struct {
	Bus     *Bus
	Subject string
	// FreshFor is how long a value is used if no change is reported.
	FreshFor time.Duration
	Now      func() time.Time
	// OnChange, if not nil, is called after a change has invalidated the cache.
	OnChange func()
}

// A cached value is valid until the given time, as long as no change has been reported since its load started.
type cached[V any] struct {
	value   V
	until   time.Time
	changes int64 // the cache's number of changes when the load started
}

// A loading is a load in progress. Read found and err only after done is closed.
type loading[V any] struct {
	found cached[V]
	err   error
	done  chan struct{}
}

// NewCache returns an empty cache that subscribes to changes.
func NewCache[K comparable, V any](o CacheOptions) (*Cache[K, V], error) {
	c := newCache[K, V](o)
	for _, subject := range []string{o.Subject, SubjectMissed} {
		stop, err := o.Bus.Subscribe(subject, func([]byte) {
			c.Drop()
			if o.OnChange != nil {
				o.OnChange()
			}
		})
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("listen for changes: %w", err)
		}
		c.stops = append(c.stops, stop)
	}
	return c, nil
}

func newCache[K comparable, V any](o CacheOptions) *Cache[K, V] {
	c := &Cache[K, V]{o: o, loading: map[K]*loading[V]{}}
	c.values.Store(&map[K]cached[V]{})
	c.closed, c.end = context.WithCancel(context.Background()) //nolint:gosec // Close calls it
	return c
}

// Close unsubscribes and cancels loads.
func (c *Cache[K, V]) Close() {
	for _, stop := range c.stops {
		stop()
	}
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.loads.Wait()
}

// Get returns the value of key and loads it if needed. Concurrent callers share one load. If a caller's ctx ends, the load
// continues for the other callers.
func (c *Cache[K, V]) Get(ctx context.Context, key K, load func(context.Context) (V, error)) (V, error) {
	if v, ok := c.fresh(key); ok {
		return v, nil
	}
	var none V
	l, err := c.join(ctx, key, load)
	if err != nil {
		return none, err
	}
	select {
	case <-l.done:
		return l.found.value, l.err
	case <-ctx.Done():
		return none, fmt.Errorf("wait for load: %w", ctx.Err())
	}
}

// join returns a load of key that started after the last reported change. It starts one if needed.
func (c *Cache[K, V]) join(ctx context.Context, key K, load func(context.Context) (V, error)) (*loading[V], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// A load may have finished since the caller's check.
	if v, ok := c.fresh(key); ok {
		return &loading[V]{found: cached[V]{value: v}, done: closedChannel}, nil
	}
	changes := c.changes.Load()
	if l, ok := c.loading[key]; ok && l.found.changes == changes {
		return l, nil
	}
	if c.closed.Err() != nil {
		return nil, errors.New("cache is closed")
	}
	// An older load, from before a change, continues for its callers, but its result is not cached.
	l := &loading[V]{done: make(chan struct{})}
	l.found.until, l.found.changes = c.o.Now().Add(c.o.FreshFor), changes
	c.loading[key] = l
	c.loads.Go(func() { c.run(context.WithoutCancel(ctx), key, l, load) })
	return l, nil
}

// closedChannel is the done channel of finished loads.
var closedChannel = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (c *Cache[K, V]) run(ctx context.Context, key K, l *loading[V], load func(context.Context) (V, error)) {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	defer context.AfterFunc(c.closed, cancel)()
	l.found.value, l.err = recoverLoad(ctx, load)
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(l.done)
	if c.loading[key] == l {
		delete(c.loading, key)
	}
	if l.err != nil || l.found.changes != c.changes.Load() {
		return
	}
	values := maps.Clone(*c.values.Load())
	values[key] = l.found
	c.values.Store(&values)
}

// recoverLoad calls load and converts a panic to an error. A panic in a load's goroutine would stop the process.
func recoverLoad[V any](ctx context.Context, load func(context.Context) (V, error)) (v V, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("load panicked: %v\n%s", reason, debug.Stack())
		}
	}()
	if v, err = load(ctx); err != nil {
		var none V
		return none, err
	}
	return v, nil
}

func (c *Cache[K, V]) fresh(key K) (V, bool) {
	v, ok := (*c.values.Load())[key]
	return v.value, ok && v.changes == c.changes.Load() && c.o.Now().Before(v.until)
}

// ChangeIn records in the transaction tx that the cached data changes. Call Committed after the commit.
func (c *Cache[K, V]) ChangeIn(ctx context.Context, tx *db.Tx) error {
	return c.o.Bus.AddIn(ctx, tx, c.o.Subject, nil)
}

// Committed invalidates all caches of the subject, in this process immediately and on other replicas when they read the
// change. Call it after the commit of a transaction that called ChangeIn.
func (c *Cache[K, V]) Committed() { c.o.Bus.Notify(c.o.Subject, nil) }

// Drop invalidates this cache only.
func (c *Cache[K, V]) Drop() { c.changes.Add(1) }
