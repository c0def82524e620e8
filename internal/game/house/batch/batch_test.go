package batch

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
)

// A recorder records the batches that are written. The first batch blocks until release is closed.
type recorder struct {
	mu      sync.Mutex
	sizes   []int
	written []int
	started chan struct{} // closed when the first batch starts
	release chan struct{}
	once    sync.Once
	fails   func(items []int) error
}

func newRecorder() *recorder {
	return &recorder{started: make(chan struct{}), release: make(chan struct{})}
}

func (r *recorder) write(_ context.Context, items []*int) error {
	r.once.Do(func() {
		close(r.started)
		<-r.release
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sizes = append(r.sizes, len(items))
	var all []int
	for _, n := range items {
		all = append(all, *n)
	}
	if r.fails != nil {
		if err := r.fails(all); err != nil {
			return err
		}
	}
	r.written = append(r.written, all...)
	return nil
}

// await waits until n calls are queued.
func (b *Batcher[T]) await(n int) {
	for {
		b.mu.Lock()
		queued := len(b.waiting)
		b.mu.Unlock()
		if queued >= n {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// queueBehindFirst writes 0, and queues 1 to count while it is being written. It returns each item's error.
func (r *recorder) queueBehindFirst(t *testing.T, count int) []error {
	t.Helper()
	b := &Batcher[int]{write: r.write}
	errs := make([]error, count+1)
	var calls sync.WaitGroup
	do := func(n int) { calls.Go(func() { errs[n] = b.do(t.Context(), &n) }) }
	do(0)
	<-r.started
	for n := 1; n <= count; n++ {
		do(n)
	}
	b.await(count)
	close(r.release)
	calls.Wait()
	return errs
}

func TestConcurrentItemsAreBatched(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	if err := errors.Join(r.queueBehindFirst(t, 300)...); err != nil || !slices.Equal(r.sizes, []int{1, 256, 44}) {
		t.Errorf("batch sizes = %v, error %v, want [1 256 44]", r.sizes, err)
	}
	if slices.Sort(r.written); len(r.written) != 301 || r.written[300] != 300 {
		t.Errorf("written = %v, want 0 to 300", r.written)
	}
}

func TestOneBadItemFailsAlone(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	bad := errors.New("seven")
	r.fails = func(items []int) error {
		if slices.Contains(items, 7) {
			return bad
		}
		return nil
	}
	for n, err := range r.queueBehindFirst(t, 20) {
		if (n == 7) != errors.Is(err, bad) {
			t.Errorf("error of item %d = %v", n, err)
		}
	}
	if len(r.written) != 20 || slices.Contains(r.written, 7) {
		t.Errorf("written = %v, want all but 7", r.written)
	}
}

func TestCancelledCallLeavesTheQueue(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	b := &Batcher[int]{write: r.write}
	do := func(ctx context.Context, n int) error { return b.do(ctx, &n) }
	var calls sync.WaitGroup
	calls.Go(func() { _ = do(t.Context(), 0) })
	<-r.started
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := make(chan error)
	go func() { cancelled <- do(ctx, 1) }()
	b.await(1)
	calls.Go(func() {
		if err := do(t.Context(), 2); err != nil {
			t.Error(err)
		}
	})
	b.await(2)
	cancel()
	if err := <-cancelled; !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	close(r.release)
	calls.Wait()
	if !slices.Equal(r.written, []int{0, 2}) {
		t.Errorf("written = %v, want [0 2]", r.written)
	}
}

func TestPanickingWriterBlocksNobody(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	b := &Batcher[int]{write: func(ctx context.Context, items []*int) error {
		err := r.write(ctx, items)
		if *items[0] == 1 {
			panic("broken")
		}
		return err
	}}
	var calls sync.WaitGroup
	errs := make([]error, 4)
	do := func(n int) {
		calls.Go(func() {
			defer func() { _ = recover() }()
			errs[n] = b.do(t.Context(), &n)
		})
	}
	do(0)
	<-r.started
	do(1)
	b.await(1)
	do(2)
	b.await(2)
	close(r.release)
	calls.Wait()
	if errs[0] != nil || errs[2] == nil {
		t.Errorf("errors = %v, want one for item 2 and none for item 0", errs)
	}
	do(3)
	if calls.Wait(); errs[3] != nil {
		t.Errorf("error of the next item = %v", errs[3])
	}
}

func TestPlayersAreWrittenInParallelOnPostgreSQL(t *testing.T) {
	t.Parallel()
	release, started := make(chan struct{}), make(chan int, 4)
	lanes := New(db.Postgres, func(_ context.Context, items []*int) error {
		started <- *items[0]
		if *items[0] == 1 {
			<-release
		}
		return nil
	})
	var calls sync.WaitGroup
	do := func(player string, n int) {
		calls.Go(func() {
			if err := lanes.Do(t.Context(), player, &n); err != nil {
				t.Error(err)
			}
		})
	}
	do("a", 1)
	if n := <-started; n != 1 {
		t.Fatalf("first batch starts with %d, want 1", n)
	}
	do("a", 2)
	three := 3
	if err := lanes.Do(t.Context(), "b", &three); err != nil { // returns while item 1 is being written
		t.Fatal(err)
	}
	if n := <-started; n != 3 {
		t.Errorf("second batch starts with %d, want 3", n)
	}
	close(release)
	if n := <-started; n != 2 {
		t.Errorf("third batch starts with %d, want 2", n)
	}
	calls.Wait()
}

func TestBatchesAreWrittenOneByOneOnSQLite(t *testing.T) {
	t.Parallel()
	var busy, most atomic.Int32
	lanes := New(db.SQLite, func(context.Context, []*int) error {
		most.Store(max(most.Load(), busy.Add(1)))
		defer busy.Add(-1)
		runtime.Gosched()
		return nil
	})
	var calls sync.WaitGroup
	for i := range 50 {
		calls.Go(func() { _ = lanes.Do(t.Context(), strconv.Itoa(i), &i) })
	}
	if calls.Wait(); most.Load() != 1 {
		t.Errorf("%d concurrent batches, want 1", most.Load())
	}
}
