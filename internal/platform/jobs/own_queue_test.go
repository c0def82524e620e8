package jobs

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// hang returns a wait function that blocks until release, and a channel with one value per call.
func hang(t *testing.T) (began chan struct{}, release func(), wait func()) {
	t.Helper()
	began = make(chan struct{}, 100)
	released := make(chan struct{})
	release = sync.OnceFunc(func() { close(released) })
	t.Cleanup(release)
	return began, release, func() { began <- struct{}{}; <-released }
}

func TestHangingWorkBlocksOnlyItsQueue(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		began, release, wait := hang(t)
		done := newAttempts()
		q := newQueue(t, s,
			Task{Name: "slow", Attempts: 1, Wait: noWait, Queue: "slow", Workers: 2, Run: func(context.Context, int64, bool) error { wait(); return nil }},
			Task{Name: "quick", Attempts: 1, Wait: noWait, Queue: "quick", Workers: 1, Run: func(_ context.Context, id int64, last bool) error {
				done.note(id, last)
				return nil
			}})
		err := s.Write(t.Context(), func(tx *db.Tx) error {
			for id := range int64(6) {
				if err := q.Add(t.Context(), tx, "slow", id); err != nil {
					return err
				}
			}
			return q.Add(t.Context(), tx, "quick", 7)
		})
		if err != nil {
			t.Fatal(err)
		}
		var runs atomic.Int64
		work := []Periodic{{Name: "books", Every: time.Second, Queue: "books", Run: func(context.Context) error { runs.Add(1); return nil }}}
		for _, name := range []string{"sweep.a", "sweep.b", "sweep.c", "sweep.d", "sweep.e"} {
			work = append(work, Periodic{Name: name, Every: time.Second, Run: func(context.Context) error { wait(); return nil }})
		}
		run(t, s, q, work...)
		t.Cleanup(release) // before the runner is stopped
		for range 2 + sharedWorkers {
			<-began
		}
		if got := done.await(t, 1); !slices.Equal(got, []attempt{{7, true}}) {
			t.Errorf("attempts %v, want the last of member 7", got)
		}
		before := runs.Load()
		await(t, "work with its own queue continues", func() bool { return runs.Load() >= before+2 })
		if len(began) > 0 {
			t.Error("more concurrent work than workers")
		}
	})
}

// Older releases queued all work in the shared queue.
func TestWorkInSharedQueueRuns(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		done := newAttempts()
		note := func(_ context.Context, id int64, last bool) error { done.note(id, last); return nil }
		earlier := newQueue(t, s, Task{Name: "greet", Attempts: 2, Wait: noWait, Run: note})
		if err := s.Write(t.Context(), func(tx *db.Tx) error { return earlier.Add(t.Context(), tx, "greet", 1) }); err != nil {
			t.Fatal(err)
		}
		if _, err := earlier.client.Insert(t.Context(), periodicArgs{Name: "books"}, uniqueIn("")); err != nil {
			t.Fatal(err)
		}
		var stored int
		err := s.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM river_job WHERE queue = 'default'").Scan(&stored)
		if err != nil || stored != 2 {
			t.Fatalf("%d jobs, %v, want 2", stored, err)
		}
		var runs atomic.Int64
		run(t, s, newQueue(t, s, Task{Name: "greet", Attempts: 2, Wait: noWait, Queue: "greet", Workers: 1, Run: note}),
			Periodic{Name: "books", Every: time.Hour, Queue: "books", Run: func(context.Context) error { runs.Add(1); return nil }})
		if got := done.await(t, 1); !slices.Equal(got, []attempt{{1, false}}) {
			t.Errorf("attempts %v, want the first, not the last", got)
		}
		await(t, "the periodic work is done", func() bool { return runs.Load() > 0 })
	})
}

func TestAttemptTimeout(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	if err := Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	done := newAttempts()
	q := newQueue(t, s, Task{Name: "slow", Attempts: 2, Wait: noWait, Timeout: time.Millisecond, Queue: "slow", Workers: 1, Run: func(ctx context.Context, id int64, last bool) error {
		<-ctx.Done()
		done.note(id, last)
		return ctx.Err()
	}})
	if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, "slow", 1) }); err != nil {
		t.Fatal(err)
	}
	run(t, s, q)
	if got := done.await(t, 2); !slices.Equal(got, []attempt{{1, false}, {1, true}}) {
		t.Errorf("attempts %v, want two, the second one the last", got)
	}
}
