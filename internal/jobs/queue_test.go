package jobs

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
)

// attempt is one run of a task.
type attempt struct {
	id   int64
	last bool
}

// attempts collects the runs of a task, and says when there are enough.
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
		case <-time.After(20 * time.Second):
			t.Fatal("the task does not run")
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.all)
}

func soon(int) time.Duration { return 0 }

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

func run(t *testing.T, s *db.Store, q *Queue) {
	t.Helper()
	r, err := New(s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	r.Take(q)
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
}

// A task is done when its transaction was committed, and tried again until it is done.
func TestTasksFollowTheirTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		done := newAttempts()
		q := newQueue(t, s, Task{Name: "greet", Attempts: 3, Wait: soon, Run: func(_ context.Context, id int64, last bool) error {
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
			t.Errorf("%v", got)
		}
	})
}

func TestATaskCanGiveUp(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	if err := Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	done := newAttempts()
	q := newQueue(t, s,
		Task{Name: "hopeless", Attempts: 5, Wait: soon, Run: func(_ context.Context, id int64, last bool) error {
			done.note(id, last)
			return GiveUp(errors.New("nobody there"))
		}},
		Task{Name: "next", Attempts: 1, Wait: soon, Run: func(_ context.Context, id int64, last bool) error {
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
		t.Errorf("tried again after giving up: %v", got)
	}
}

func TestTasksAreWellDeclared(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	nothing := func(context.Context, int64, bool) error { return nil }
	q := newQueue(t, s, Task{Name: "a", Attempts: 1, Wait: soon, Run: nothing})
	for name, task := range map[string]Task{
		"no name":    {Attempts: 1, Wait: soon, Run: nothing},
		"no attempt": {Name: "b", Wait: soon, Run: nothing},
		"no wait":    {Name: "b", Attempts: 1, Run: nothing},
		"no work":    {Name: "b", Attempts: 1, Wait: soon},
		"twice":      {Name: "a", Attempts: 1, Wait: soon, Run: nothing},
	} {
		if q.Declare(task) == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := s.Write(t.Context(), func(tx *db.Tx) error { return q.Add(t.Context(), tx, "b", 1) }); err == nil {
		t.Error("an unknown task is taken")
	}
}

// What a newer program queued and this one does not know is laid aside, not tried for ever.
func TestUnknownTasksAreLaidAside(t *testing.T) {
	t.Parallel()
	w := &taskWorker{now: time.Now}
	if _, known := w.find("a"); known {
		t.Error("known without a queue")
	}
	w.queue = newQueue(t, dbtest.SQLite(t))
	if _, known := w.find("a"); known {
		t.Error("known though nobody declared it")
	}
}
