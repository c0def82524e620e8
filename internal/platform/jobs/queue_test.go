package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

type attempt struct {
	id   int64
	last bool
}

type attempts struct {
	mu   sync.Mutex
	all  []attempt
	seen chan struct{}
}

func newAttempts() *attempts { return &attempts{seen: make(chan struct{}, 100)} }

func (a *attempts) note(id int64, last bool) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, attempt{id, last})
	a.seen <- struct{}{}
	return len(a.all)
}

func (a *attempts) await(t *testing.T, n int) []attempt {
	t.Helper()
	for range n {
		select {
		case <-a.seen:
		case <-time.After(time.Minute):
			t.Fatal("task did not run")
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

func noWait(int) time.Duration { return 0 }

func newQueue(t *testing.T, s *db.Store, tasks ...Task) *Queue {
	t.Helper()
	q, err := NewQueue(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range tasks {
		if err := q.Declare(task); err != nil {
			t.Fatal(err)
		}
	}
	return q
}

func run(t *testing.T, s *db.Store, q *Queue, work ...Periodic) {
	t.Helper()
	r, err := New(s, slog.New(slog.DiscardHandler), q, work...)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
}

func TestTaskRunsAfterCommit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		done := newAttempts()
		q := newQueue(t, s, Task{Name: "greet", Attempts: 3, Wait: noWait, Run: func(_ context.Context, id int64, last bool) error {
			if done.note(id, last) < 3 {
				return errors.New("not yet")
			}
			return nil
		}})
		undone := errors.New("undone")
		err := s.Write(t.Context(), func(tx *db.Tx) error {
			if err := q.Add(t.Context(), tx, "greet", 1); err != nil {
				return err
			}
			return undone
		})
		if !errors.Is(err, undone) {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, "greet", 2) }); err != nil {
			t.Fatal(err)
		}
		run(t, s, q)
		if got := done.await(t, 3); !slices.Equal(got, []attempt{{2, false}, {2, false}, {2, true}}) {
			t.Errorf("attempts %v, want three of job 2, the third one the last", got)
		}
	})
}

func TestGiveUp(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	if err := Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	done := newAttempts()
	q := newQueue(t, s,
		Task{Name: "hopeless", Attempts: 5, Wait: noWait, Run: func(_ context.Context, id int64, last bool) error {
			done.note(id, last)
			return GiveUp(errors.New("no recipient"))
		}},
		Task{Name: "next", Attempts: 1, Wait: noWait, Run: func(_ context.Context, id int64, last bool) error {
			done.note(id, last)
			return nil
		}})
	add := func(name string, id int64) {
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, name, id) }); err != nil {
			t.Fatal(err)
		}
	}
	add("hopeless", 1)
	run(t, s, q)
	done.await(t, 1)
	add("next", 2)
	if got := done.await(t, 1); !slices.Equal(got, []attempt{{1, false}, {2, true}}) {
		t.Errorf("attempts %v, want no retry after GiveUp", got)
	}
}

func TestInvalidTasks(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	nothing := func(context.Context, int64, bool) error { return nil }
	q := newQueue(t, s, Task{Name: "a", Attempts: 1, Wait: noWait, Run: nothing})
	for name, task := range map[string]Task{
		"no name":    {Attempts: 1, Wait: noWait, Run: nothing},
		"no attempt": {Name: "b", Wait: noWait, Run: nothing},
		"no wait":    {Name: "b", Attempts: 1, Run: nothing},
		"no work":    {Name: "b", Attempts: 1, Wait: noWait},
		"twice":      {Name: "a", Attempts: 1, Wait: noWait, Run: nothing},
		"no workers": {Name: "b", Attempts: 1, Wait: noWait, Run: nothing, Queue: "b"},
		"no queue":   {Name: "b", Attempts: 1, Wait: noWait, Run: nothing, Workers: 1},
		"too long":   {Name: "b", Attempts: 1, Wait: noWait, Run: nothing, Timeout: time.Hour},
	} {
		if q.Declare(task) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, "b", 1) }); err == nil {
		t.Error("unknown task was accepted")
	}
}

// An older replica leaves an unknown task to newer replicas, and does not use up its attempts.
func TestUnknownTaskIsSnoozed(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		done := newAttempts()
		var waited atomic.Int64
		newer := newQueue(t, s, Task{Name: "new", Attempts: 2, Run: func(_ context.Context, id int64, last bool) error {
			if done.note(id, last) == 1 {
				return errors.New("not yet")
			}
			return nil
		}, Wait: func(failed int) time.Duration { waited.Store(int64(failed)); return 0 }})
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return newer.Add(t.Context(), tx, "new", 1) }); err != nil {
			t.Fatal(err)
		}
		older, err := New(s, slog.New(slog.DiscardHandler), newQueue(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := older.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		await(t, "the older replica snoozes it", func() bool { return state(t, s) == "scheduled" })
		if err := older.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		// End the snooze.
		if _, err := s.Writer.ExecContext(t.Context(), "UPDATE river_job SET state = 'available', scheduled_at = created_at"); err != nil {
			t.Fatal(err)
		}
		run(t, s, newer)
		if got := done.await(t, 2); !slices.Equal(got, []attempt{{1, false}, {1, true}}) || waited.Load() != 1 {
			t.Errorf("attempts %v, Wait called with %d, want two attempts and 1", got, waited.Load())
		}
	})
}

func state(t *testing.T, s *db.Store) (state string) {
	t.Helper()
	if err := s.Reader.QueryRowContext(t.Context(), "SELECT state FROM river_job").Scan(&state); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestOldUnknownTaskIsCanceled(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	w := &taskWorker{now: func() time.Time { return now }}
	of := func(age time.Duration) *river.Job[taskArgs] {
		return &river.Job[taskArgs]{JobRow: &rivertype.JobRow{CreatedAt: now.Add(-age)}, Args: taskArgs{Name: "old"}}
	}
	for _, queue := range []*Queue{nil, newQueue(t, dbtest.SQLite(t))} {
		w.queue = queue
		var left *rivertype.JobSnoozeError
		if err := w.Work(t.Context(), of(time.Hour)); !errors.As(err, &left) {
			t.Errorf("one hour old: %v, want that the job waits", err)
		}
		var given *rivertype.JobCancelError
		if err := w.Work(t.Context(), of(25*time.Hour)); !errors.As(err, &given) {
			t.Errorf("25 hours old: %v, want that the job is given up", err)
		}
	}
}

func TestTaskOfCrashedServerRuns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		done := newAttempts()
		q := newQueue(t, s, Task{Name: "greet", Attempts: 3, Wait: noWait, Run: func(_ context.Context, id int64, last bool) error {
			done.note(id, last)
			return nil
		}})
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, "greet", 1) }); err != nil {
			t.Fatal(err)
		}
		then := "now() - interval '7 minutes'"
		if s.Engine == db.SQLite {
			then = "datetime('now', '-7 minutes')"
		}
		if _, err := s.Writer.ExecContext(t.Context(), "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = "+then); err != nil {
			t.Fatal(err)
		}
		run(t, s, q)
		if got := done.await(t, 1); !slices.Equal(got, []attempt{{1, false}}) {
			t.Errorf("attempts %v", got)
		}
	})
}
