package events

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Cache keeps what was read or worked out from the database until somebody, here or in another replica, says
// that it changed. It is for things that are few and asked for by every request: all of them stay in memory.
type Cache[K comparable, V any] struct {
	o       CacheOptions
	changes atomic.Int64
	values  atomic.Pointer[map[K]cached[V]] // replaced whole, so that reading it costs no lock
	loading sync.Mutex
	stop    func()
}

// CacheOptions say of what a cache hears and how long it believes what it knows.
type CacheOptions struct {
	Bus     *Bus
	Subject string
	// FreshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	FreshFor time.Duration
	Now      func() time.Time
}

// cached is good until its time, and only while no change was heard of since its reading began.
type cached[V any] struct {
	value   V
	until   time.Time
	changes int64
}

// NewCache makes an empty cache that listens for changes.
func NewCache[K comparable, V any](o CacheOptions) (*Cache[K, V], error) {
	c := &Cache[K, V]{o: o}
	c.values.Store(&map[K]cached[V]{})
	var err error
	if c.stop, err = o.Bus.Subscribe(o.Subject, func([]byte) { c.changes.Add(1) }); err != nil {
		return nil, fmt.Errorf("listen for changes: %w", err)
	}
	return c, nil
}

// Close stops listening.
func (c *Cache[K, V]) Close() { c.stop() }

// Get gives what is kept under key, loaded anew when it is old. Many who ask at once wait for one loading.
func (c *Cache[K, V]) Get(key K, load func() (V, error)) (V, error) {
	if v, ok := c.fresh(key); ok {
		return v, nil
	}
	c.loading.Lock()
	defer c.loading.Unlock()
	if v, ok := c.fresh(key); ok {
		return v, nil
	}
	next := cached[V]{until: c.o.Now().Add(c.o.FreshFor), changes: c.changes.Load()}
	var err error
	if next.value, err = load(); err != nil {
		var none V
		return none, err
	}
	values := maps.Clone(*c.values.Load())
	values[key] = next
	c.values.Store(&values)
	return next.value, nil
}

func (c *Cache[K, V]) fresh(key K) (V, bool) {
	v, ok := (*c.values.Load())[key]
	return v.value, ok && v.changes == c.changes.Load() && c.o.Now().Before(v.until)
}

// Changed is called after a commit: this replica reads anew from now on, the others as soon as they hear.
func (c *Cache[K, V]) Changed() {
	c.changes.Add(1)
	c.o.Bus.Tell(c.o.Subject, nil, c.o.FreshFor)
}
