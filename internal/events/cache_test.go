package events

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
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

func TestCacheHearsOfChanges(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	start := time.Unix(1_800_000_000, 0)
	var now atomic.Int64
	clock := func() time.Time { return start.Add(time.Duration(now.Load())) }
	here, there := newTestCache(t, bus, clock), newTestCache(t, bus, clock)
	var truth atomic.Int64
	truth.Store(1)
	read := func(c *Cache[string, int64], key string) int64 {
		t.Helper()
		v, err := c.Get(key, func() (int64, error) { return truth.Load(), nil })
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	read(here, "a")
	read(there, "a")
	truth.Store(2)
	if read(here, "a") != 1 || read(there, "a") != 1 || read(here, "b") != 2 {
		t.Error("not kept, or not kept apart")
	}
	here.Changed()
	if read(here, "a") != 2 {
		t.Error("the one who changed it reads what was before")
	}
	for wait := 0; read(there, "a") != 2; wait++ {
		if wait > 5000 {
			t.Fatal("the other never heard")
		}
		time.Sleep(time.Millisecond)
	}
	truth.Store(3)
	now.Store(int64(time.Minute))
	if read(there, "a") != 3 {
		t.Error("what changed without word is never seen")
	}
	// A change that comes in while the old state is being read must not be covered by it.
	truth.Store(4)
	here.Changed()
	if _, err := here.Get("a", func() (int64, error) { here.changes.Add(1); return 3, nil }); err != nil {
		t.Fatal(err)
	}
	if read(here, "a") != 4 {
		t.Error("a reading that began before the change is kept")
	}
}

func TestCacheLoadsOnceForMany(t *testing.T) {
	t.Parallel()
	bus := openBus(t, BusOptions{})
	c := newTestCache(t, bus, time.Now)
	failed := errors.New("the database is away")
	if _, err := c.Get("a", func() (int64, error) { return 7, failed }); !errors.Is(err, failed) {
		t.Fatalf("a failed loading: %v", err)
	}
	var loads atomic.Int64
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			v, err := c.Get("a", func() (int64, error) { time.Sleep(10 * time.Millisecond); return loads.Add(1), nil })
			if v != 1 || err != nil {
				t.Errorf("got %d, %v", v, err)
			}
		})
	}
	all.Wait()
}

func TestTellNeverFails(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	bus := openBus(t, BusOptions{Log: slog.New(slog.NewTextHandler(&log, nil))})
	got := heard(t, bus, "news")
	bus.Tell("news", []byte("one"), time.Minute)
	expect(t, got, "one")
	bus.Close()
	bus.Tell("news", []byte("two"), time.Minute)
	if !strings.Contains(log.String(), "unseen_for_at_most=1m0s") {
		t.Errorf("the log says %q", log.String())
	}
}
