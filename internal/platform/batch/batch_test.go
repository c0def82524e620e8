package batch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/batch"
)

// A recorder records the batches that run. Each batch takes one second of virtual time.
type recorder struct {
	mu    sync.Mutex
	runs  [][]int
	fails func(items []int) error
}

func (r *recorder) run(_ context.Context, items []int) error {
	time.Sleep(time.Second)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs = append(r.runs, slices.Clone(items))
	if r.fails != nil {
		return r.fails(items)
	}
	return nil
}

func (r *recorder) sizes() (sizes []int) {
	for _, items := range r.runs {
		sizes = append(sizes, len(items))
	}
	return sizes
}

func options() batch.Options { return batch.Options{Max: 256, Queue: 512} }

// queueBehindFirst runs item 0, and queues 1 to count while it runs. It returns each item's error.
func (r *recorder) queueBehindFirst(t *testing.T, o batch.Options, count int) []error {
	t.Helper()
	b := batch.New(o, r.run)
	defer b.Close()
	errs := make([]error, count+1)
	var calls sync.WaitGroup
	for n := range count + 1 {
		calls.Go(func() { errs[n] = b.Do(t.Context(), 1, n) })
		synctest.Wait()
	}
	if got := b.Queued(); got != count {
		t.Errorf("Queued = %d, want %d", got, count)
	}
	calls.Wait()
	return errs
}

func TestConcurrentItemsAreBatched(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		if err := errors.Join(r.queueBehindFirst(t, options(), 300)...); err != nil {
			t.Errorf("got %v, want no error", err)
		}
		if want := []int{1, 256, 44}; !slices.Equal(r.sizes(), want) {
			t.Errorf("batch sizes = %v, want %v", r.sizes(), want)
		}
		for i, n := range slices.Concat(r.runs...) {
			if n != i {
				t.Fatalf("item %d of the batches = %d, want %d", i, n, i)
			}
		}
	})
}

func TestBadItemFailsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		bad := errors.New("seven")
		r := recorder{fails: func(items []int) error {
			if slices.Contains(items, 7) {
				return bad
			}
			return nil
		}}
		o := options()
		o.Split = func(err error) bool { return errors.Is(err, bad) }
		for n, err := range r.queueBehindFirst(t, o, 20) {
			if want := n == 7; want != (err != nil) || want && !errors.Is(err, bad) {
				t.Errorf("error of item %d = %v, want an error: %t", n, err, want)
			}
		}
		if got := len(r.runs); got != 22 {
			t.Errorf("%d runs, want 22: the first item, the batch, and 20 items one by one", got)
		}
	})
}

func TestBatchFailsTogetherWithoutSplit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		down := errors.New("down")
		r := recorder{fails: func([]int) error { return down }}
		o := options()
		o.Split = func(error) bool { return false }
		for n, err := range r.queueBehindFirst(t, o, 5) {
			if !errors.Is(err, down) {
				t.Errorf("error of item %d = %v, want %v", n, err, down)
			}
		}
		if want := []int{1, 5}; !slices.Equal(r.sizes(), want) {
			t.Errorf("batch sizes = %v, want %v", r.sizes(), want)
		}
	})
}

func TestCancelledCallerLeavesTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := batch.New(options(), r.run)
		defer b.Close()
		ctx, cancel := context.WithCancelCause(t.Context())
		left := errors.New("left")
		errs := make([]error, 3)
		var calls sync.WaitGroup
		for n, c := range []context.Context{ctx, ctx, t.Context()} { // item 0 is running when ctx ends
			calls.Go(func() { errs[n] = b.Do(c, 1, n) })
			synctest.Wait()
		}
		cancel(left)
		synctest.Wait()
		if !errors.Is(errs[1], left) {
			t.Errorf("error of the queued item = %v, want %v", errs[1], left)
		}
		calls.Wait()
		if errs[0] != nil || errs[2] != nil {
			t.Errorf("errors of the other items = %v and %v, want none", errs[0], errs[2])
		}
		if err := b.Do(ctx, 1, 3); !errors.Is(err, left) {
			t.Errorf("error with an ended context = %v, want %v", err, left)
		}
		if got := slices.Concat(r.runs...); !slices.Equal(got, []int{0, 2}) {
			t.Errorf("items run = %v, want [0 2]", got)
		}
	})
}

func TestCancelledCallerDoesNotCancelItsBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := batch.New(batch.Options{Max: 2, Queue: 2, Timeout: time.Minute}, func(ctx context.Context, _ []int) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
				return nil
			}
		})
		defer b.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := b.Do(ctx, 1, 1); err != nil {
			t.Errorf("error = %v, want none", err)
		}
	})
}

func TestTimeoutEndsTheBatch(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := batch.New(batch.Options{Max: 2, Queue: 2, Timeout: time.Minute}, func(ctx context.Context, _ []int) error {
			<-ctx.Done()
			return ctx.Err()
		})
		defer b.Close()
		if err := b.Do(t.Context(), 1, 1); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error = %v, want %v", err, context.DeadlineExceeded)
		}
	})
}

func TestPanicReleasesAllCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := recorder{fails: func(items []int) error {
			if slices.Contains(items, 1) {
				panic("broken")
			}
			return nil
		}}
		b := batch.New(batch.Options{Max: 2, Queue: 9, Split: func(error) bool { return true }}, r.run)
		defer b.Close()
		errs := make([]error, 4)
		var calls sync.WaitGroup
		for n := range errs {
			calls.Go(func() { errs[n] = b.Do(t.Context(), 1, n) })
			synctest.Wait()
		}
		calls.Wait()
		for n, err := range errs { // the batches are 0; 1 and 2; 3
			if want := n == 1 || n == 2; want != errors.Is(err, batch.ErrPanic) || !want && err != nil {
				t.Errorf("error of item %d = %v, want %v: %t", n, err, batch.ErrPanic, want)
			}
		}
		if !strings.Contains(errs[2].Error(), "broken") || !strings.Contains(errs[2].Error(), "batch_test.go") {
			t.Errorf("error = %v, want the panic's value and stack", errs[2])
		}
	})
}

func TestFullQueueBlocksCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := batch.New(batch.Options{Max: 8, Queue: 2}, r.run)
		defer b.Close()
		var calls sync.WaitGroup
		for n := range 3 { // one runs, two wait
			calls.Go(func() {
				if err := b.Do(t.Context(), 1, n); err != nil {
					t.Errorf("error of item %d = %v, want none", n, err)
				}
			})
			synctest.Wait()
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := b.Do(ctx, 1, 3); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error with a full queue = %v, want %v", err, context.DeadlineExceeded)
		}
		calls.Wait()
		if want := []int{1, 2}; !slices.Equal(r.sizes(), want) {
			t.Errorf("batch sizes = %v, want %v", r.sizes(), want)
		}
	})
}

func TestCloseRunsAcceptedItems(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var r recorder
		b := batch.New(options(), r.run)
		errs := make([]error, 5)
		var calls sync.WaitGroup
		for n := range errs {
			calls.Go(func() { errs[n] = b.Do(t.Context(), 1, n) })
			synctest.Wait()
		}
		b.Close()
		b.Close()
		calls.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Errorf("errors of the accepted items = %v, want none", err)
		}
		if err := b.Do(t.Context(), 1, 5); !errors.Is(err, batch.ErrClosed) {
			t.Errorf("error after Close = %v, want %v", err, batch.ErrClosed)
		}
	})
}
