package batch_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/batch"
)

func TestKeysAreRunInParallel(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := batch.New(options(), r.run, r.run, r.run, r.run)
		defer b.Close()
		begin := time.Now()
		var calls sync.WaitGroup
		took := map[string]time.Duration{}
		var mu sync.Mutex
		for _, c := range []struct {
			name, key string
		}{{"first", "a"}, {"same key", "a"}, {"other key", "b"}} {
			calls.Go(func() {
				if err := b.Do(t.Context(), batch.StringKey(c.key), 1); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
				mu.Lock()
				defer mu.Unlock()
				took[c.name] = time.Since(begin)
			})
			synctest.Wait()
		}
		calls.Wait()
		if took["first"] != time.Second || took["same key"] != 2*time.Second || took["other key"] != time.Second {
			t.Errorf("durations = %v, want 1s, the same key 2s", took)
		}
	})
}

func TestOneWorkerRunsOneBatchAtATime(t *testing.T) {
	t.Parallel()
	var running, most atomic.Int32
	b := batch.New(options(), func(context.Context, []int) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		return nil
	})
	defer b.Close()
	var calls sync.WaitGroup
	for i := range 500 {
		calls.Go(func() { _ = b.Do(t.Context(), uint64(i), i) })
	}
	calls.Wait()
	if got := most.Load(); got != 1 {
		t.Errorf("%d concurrent batches, want 1", got)
	}
}

// TestGatherJoinsCallersOfOneKey has 8 callers that send items in a loop, and whose calls return one after another.
func TestGatherJoinsCallersOfOneKey(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		gather time.Duration
		key    func(caller int) uint64
		want   []int
	}{
		{"one key", 5 * time.Millisecond, func(int) uint64 { return 1 }, []int{1, 8, 8, 8}},
		{"several keys", 5 * time.Millisecond, func(n int) uint64 { return uint64(n) }, []int{1, 7, 1, 7}},
		{"no gathering", 0, func(int) uint64 { return 1 }, []int{1, 7, 1, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var r recorder
				o := options()
				o.Gather = c.gather
				b := batch.New(o, r.run)
				var calls sync.WaitGroup
				for n := range 8 {
					calls.Go(func() {
						for range 4 {
							_ = b.Do(t.Context(), c.key(n), n)
							time.Sleep(time.Duration(n+1) * time.Microsecond)
						}
					})
					synctest.Wait()
				}
				calls.Wait()
				b.Close()
				if got := r.sizes()[:4]; !slices.Equal(got, c.want) {
					t.Errorf("first batch sizes = %v, want %v", got, c.want)
				}
			})
		})
	}
}

func TestGatherStopsWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		o := options()
		o.Gather = 5 * time.Millisecond
		b := batch.New(o, r.run)
		defer b.Close()
		var calls sync.WaitGroup
		for n := range 4 {
			calls.Go(func() { _ = b.Do(t.Context(), 1, n) })
			synctest.Wait()
		}
		calls.Wait()
		begin := time.Now()
		if err := b.Do(t.Context(), 1, 4); err != nil { // the last batch had three items
			t.Errorf("Do: got %v, want no error", err)
		}
		if got, want := time.Since(begin), time.Second+5*time.Millisecond; got != want {
			t.Errorf("a lone item took %v, want %v", got, want)
		}
	})
}

func TestReadyDelaysTheBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		o := options()
		o.Ready = func(key uint64) {
			if key == 1 {
				time.Sleep(time.Minute)
			}
		}
		b := batch.New(o, r.run)
		defer b.Close()
		var calls sync.WaitGroup
		for n := range 3 { // all arrive during the wait
			calls.Go(func() { _ = b.Do(t.Context(), 1, n) })
			synctest.Wait()
		}
		calls.Wait()
		if want := []int{3}; !slices.Equal(r.sizes(), want) {
			t.Errorf("batch sizes = %v, want %v", r.sizes(), want)
		}
	})
}
