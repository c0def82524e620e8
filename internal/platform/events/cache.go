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
)

// loadTimeout bounds one loading, whoever waits for it: less than a request may take, so that its fault is told.
const loadTimeout = 10 * time.Second

// Cache keeps what was read or worked out from the database until somebody, here or in another replica, says
// that it changed. It is for things that are few and asked for by every request: all of them stay in memory.
// It never gives what was read before a change to somebody who asks after it, not even while it loads.
type Cache[K comparable, V any] struct {
	o       CacheOptions
	changes atomic.Int64
	values  atomic.Pointer[map[K]cached[V]] // replaced whole, so that reading it costs no lock
	mu      sync.Mutex                      // held for moments only, never while something is loaded
	loading map[K]*loading[V]
	closed  context.Context // ends with the cache, and its loadings with it
	end     context.CancelFunc
	loads   sync.WaitGroup
	stop    func()
}

// CacheOptions say of what a cache hears and how long it believes what it knows.
type CacheOptions struct {
	Bus     *Bus
	Subject string
	// FreshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	FreshFor time.Duration
	Now      func() time.Time
	// Heard, if given, is called after word of a change has come and what was kept is no longer believed.
	OnChange func()
}

// cached is good until its time, and only while no change was heard of since its reading began.
type cached[V any] struct {
	value   V
	until   time.Time
	changes int64
}

// loading is a reading under way. What it found may be read once done is closed.
type loading[V any] struct {
	found cached[V]
	err   error
	done  chan struct{}
}

// NewCache makes an empty cache that listens for changes.
func NewCache[K comparable, V any](o CacheOptions) (*Cache[K, V], error) {
	c := newCache[K, V](o)
	var err error
	if c.stop, err = o.Bus.Subscribe(o.Subject, func([]byte) {
		c.changes.Add(1)
		if o.OnChange != nil {
			o.OnChange()
		}
	}); err != nil {
		return nil, fmt.Errorf("listen for changes: %w", err)
	}
	return c, nil
}

// newCache makes one that hears nothing.
func newCache[K comparable, V any](o CacheOptions) *Cache[K, V] {
	c := &Cache[K, V]{o: o, loading: map[K]*loading[V]{}, stop: func() {}}
	c.values.Store(&map[K]cached[V]{})
	c.closed, c.end = context.WithCancel(context.Background()) //nolint:gosec // Close calls it
	return c
}

// Close stops listening, and ends what is still being loaded.
func (c *Cache[K, V]) Close() {
	c.stop()
	c.mu.Lock()
	c.end()
	c.mu.Unlock()
	c.loads.Wait()
}

// Get gives what is kept under key, loaded anew when it is old. Many who ask at once wait for one loading, each
// no longer than its own ctx lets it; the loading goes on for the others. load's context is its own.
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
		return none, fmt.Errorf("wait for loading: %w", ctx.Err())
	}
}

// join gives the loading of key that sees all changes so far, begun here when there is none.
func (c *Cache[K, V]) join(ctx context.Context, key K, load func(context.Context) (V, error)) (*loading[V], error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// One may have ended since the caller looked.
	if v, ok := c.fresh(key); ok {
		return &loading[V]{found: cached[V]{value: v}, done: ended}, nil
	}
	changes := c.changes.Load()
	if l, ok := c.loading[key]; ok && l.found.changes == changes {
		return l, nil
	}
	if c.closed.Err() != nil {
		return nil, errors.New("the cache is closed")
	}
	// One that began before a change may still be under way for those who asked then; it is not kept.
	l := &loading[V]{done: make(chan struct{})}
	l.found.until, l.found.changes = c.o.Now().Add(c.o.FreshFor), changes
	c.loading[key] = l
	c.loads.Go(func() { c.run(context.WithoutCancel(ctx), key, l, load) })
	return l, nil
}

// ended is the sign of loadings that need none.
var ended = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

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

// recoverLoad makes a fault of a panic: no caller stands above a loading to catch it, and it would end the server.
func recoverLoad[V any](ctx context.Context, load func(context.Context) (V, error)) (v V, err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = fmt.Errorf("loading panicked: %v\n%s", broken, debug.Stack())
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

// Changed is called after a commit: this replica reads anew from now on, the others as soon as they hear.
func (c *Cache[K, V]) Changed() {
	c.changes.Add(1)
	c.o.Bus.Notify(c.o.Subject, nil, c.o.FreshFor)
}
