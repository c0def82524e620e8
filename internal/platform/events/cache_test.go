package events

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func newTestCache(t *testing.T, bus *Bus, now func() time.Time) *Cache[string, int64] {
	t.Helper()
	c, err := NewCache[string, int64](CacheOptions{Bus: bus, Subject: "things.changed", FreshFor: time.Minute, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestCacheInvalidation(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	start := time.Unix(1_800_000_000, 0)
	var now atomic.Int64
	clock := func() time.Time { return start.Add(time.Duration(now.Load())) }
	cache, otherCache := newTestCache(t, bus, clock), newTestCache(t, bus, clock)
	var stored atomic.Int64
	stored.Store(1)
	read := func(c *Cache[string, int64], key string) int64 {
		t.Helper()
		v, err := c.Get(t.Context(), key, func(context.Context) (int64, error) { return stored.Load(), nil })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	read(cache, "a")
	read(otherCache, "a")
	stored.Store(2)
	if read(cache, "a") != 1 || read(otherCache, "a") != 1 || read(cache, "b") != 2 {
		t.Error("values not cached by key")
	}
	cache.Committed()
	if read(cache, "a") != 2 {
		t.Error("stale value after Committed")
	}
	if read(otherCache, "a") != 2 {
		t.Error("the other cache was not invalidated")
	}
	stored.Store(3)
	now.Store(int64(time.Minute))
	if read(otherCache, "a") != 3 {
		t.Error("stale value after FreshFor")
	}
	// A change during a load must not be hidden by the load's result.
	stored.Store(4)
	cache.Committed()
	if _, err := cache.Get(t.Context(), "a", func(context.Context) (int64, error) { cache.changes.Add(1); return 3, nil }); err != nil {
		t.Fatal(err)
	}
	if read(cache, "a") != 4 {
		t.Error("a load from before the change was cached")
	}
}

func TestCacheSharesLoads(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	c := newTestCache(t, bus, time.Now)
	failed := errors.New("database unavailable")
	if _, err := c.Get(t.Context(), "a", func(context.Context) (int64, error) { return 7, failed }); !errors.Is(err, failed) {
		t.Fatalf("failed load: %v, want %v", err, failed)
	}
	var loads atomic.Int64
	var callers sync.WaitGroup
	for range 50 {
		callers.Go(func() {
			v, err := c.Get(t.Context(), "a", func(context.Context) (int64, error) { time.Sleep(10 * time.Millisecond); return loads.Add(1), nil })
			if v != 1 || err != nil {
				t.Errorf("got %d, %v, want 1", v, err)
			}
		})
	}
	callers.Wait()
}

func hangingLoad(ctx context.Context) (int64, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func newUnsubscribedCache(t *testing.T) *Cache[string, int64] {
	t.Helper()
	c := newCache[string, int64](CacheOptions{FreshFor: time.Minute, Now: time.Now})
	t.Cleanup(c.Close)
	return c
}

// With a hanging database, callers wait for one load only, not past their deadline, and not for other keys.
func TestCacheWithHangingDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newUnsubscribedCache(t)
		start := time.Now()
		var loads atomic.Int64
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() {
				_, err := c.Get(t.Context(), "a", func(ctx context.Context) (int64, error) { loads.Add(1); return hangingLoad(ctx) })
				if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != loadTimeout {
					t.Errorf("waited %v: %v, want %v and a timeout", time.Since(start), err, loadTimeout)
				}
			})
		}
		synctest.Wait()
		callers.Go(func() {
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			if _, err := c.Get(short, "a", hangingLoad); !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
				t.Errorf("returned after %v: %v, want a second and a timeout", time.Since(start), err)
			}
		})
		if v, err := c.Get(t.Context(), "b", func(context.Context) (int64, error) { return 2, nil }); v != 2 || err != nil || time.Since(start) != 0 {
			t.Errorf("another key: %d, %v after %v, want 2 at once", v, err, time.Since(start))
		}
		callers.Wait()
		if loads.Load() != 1 {
			t.Errorf("%d loads for concurrent callers, want 1", loads.Load())
		}
		if v, err := c.Get(t.Context(), "a", func(context.Context) (int64, error) { return 3, nil }); v != 3 || err != nil {
			t.Errorf("after the failure: %d, %v, want 3", v, err)
		}
	})
}

func TestCacheLoadOutlivesFirstCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newUnsubscribedCache(t)
		slow := func(ctx context.Context) (int64, error) {
			select {
			case <-time.After(3 * time.Second):
				return 7, nil
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		first, cancelFirst := context.WithCancel(t.Context())
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, err := c.Get(first, "a", slow); !errors.Is(err, context.Canceled) {
				t.Errorf("canceled caller: %v, want %v", err, context.Canceled)
			}
		})
		synctest.Wait()
		callers.Go(func() {
			if v, err := c.Get(t.Context(), "a", hangingLoad); v != 7 || err != nil {
				t.Errorf("other caller: %d, %v, want 7", v, err)
			}
		})
		synctest.Wait()
		cancelFirst()
		callers.Wait()
	})
}

// A caller after a change never gets the result of an earlier load, and that result is not cached.
func TestCacheIgnoresOlderLoads(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newUnsubscribedCache(t)
		slowLoad := func(wait time.Duration, v int64) func(context.Context) (int64, error) {
			return func(context.Context) (int64, error) { time.Sleep(wait); return v, nil }
		}
		var callers sync.WaitGroup
		callers.Go(func() {
			if v, err := c.Get(t.Context(), "a", slowLoad(5*time.Second, 1)); v != 1 || err != nil {
				t.Errorf("called before the change: %d, %v, want 1", v, err)
			}
		})
		synctest.Wait()
		c.changes.Add(1)
		if v, err := c.Get(t.Context(), "a", slowLoad(time.Second, 2)); v != 2 || err != nil {
			t.Errorf("called after the change: %d, %v, want 2", v, err)
		}
		callers.Wait()
		if v, err := c.Get(t.Context(), "a", hangingLoad); v != 2 || err != nil {
			t.Errorf("after the older load ended: %d, %v, want 2", v, err)
		}
	})
}

func TestCachePanicAndClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newUnsubscribedCache(t)
		if _, err := c.Get(t.Context(), "a", func(context.Context) (int64, error) { panic("broken") }); err == nil || !strings.Contains(err.Error(), "broken") {
			t.Errorf("panic: %v, want an error with \"broken\"", err)
		}
		var callers sync.WaitGroup
		callers.Go(func() {
			if _, err := c.Get(t.Context(), "a", hangingLoad); !errors.Is(err, context.Canceled) {
				t.Errorf("load during Close: %v, want %v", err, context.Canceled)
			}
		})
		synctest.Wait()
		c.Close()
		callers.Wait()
		if _, err := c.Get(t.Context(), "a", hangingLoad); err == nil {
			t.Error("closed cache started a load")
		}
	})
}

func TestNotifyOnClosedBus(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	got := subscribe(t, bus, "news")
	bus.Notify("news", []byte("one"))
	expect(t, got, "one")
	bus.Close()
	bus.Notify("news", []byte("two"))
	expect(t, got, "two")
}
