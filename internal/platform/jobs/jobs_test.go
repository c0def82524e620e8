package jobs

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "12") // they mostly wait for River's clock
	dbtest.Main(m)
}

type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.buf.String()
}

func TestCurrent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		check := func(want bool) {
			t.Helper()
			if got, err := Current(t.Context(), s); got != want || err != nil {
				t.Errorf("current is %v, %v, want %v", got, err, want)
			}
		}
		check(false)
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		check(true)
		if _, err := s.Writer.ExecContext(t.Context(), "DELETE FROM river_migration WHERE version > 2"); err != nil {
			t.Fatal(err)
		}
		check(false)
	})
}

func start(t *testing.T, s *db.Store, log *slog.Logger, work ...Periodic) *Runner {
	t.Helper()
	if err := Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	r, err := New(s, log, nil, work...)
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
	return r
}

func await(t *testing.T, what string, met func() bool) {
	t.Helper()
	for wait := 0; !met(); wait++ {
		if wait > 2400 {
			t.Fatalf("timed out waiting for: %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestPeriodicWork(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		var good, bad, worse atomic.Int64
		var out syncBuffer
		log := slog.New(slog.NewTextHandler(&out, nil))
		start(t, s, log,
			Periodic{Name: "good", Every: time.Second, Run: func(context.Context) error { good.Add(1); return nil }},
			Periodic{Name: "bad", Every: time.Second, Run: func(context.Context) error {
				if bad.Add(1) == 1 {
					return errors.New("first time unlucky")
				}
				return nil
			}},
			Periodic{Name: "worse", Every: time.Second, Run: func(context.Context) error {
				if worse.Add(1) == 1 {
					panic("broken")
				}
				return nil
			}},
		)
		await(t, "good work runs again and again", func() bool { return good.Load() >= 2 })
		await(t, "work that failed is tried again", func() bool { return bad.Load() >= 2 })
		await(t, "work that panicked is tried again", func() bool { return worse.Load() >= 2 })
		for _, want := range []string{"job failed", "first time unlucky", "job panicked", "broken"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("log does not contain %q", want)
			}
		}
	})
}

func TestReplicasRunPeriodicWorkOnce(t *testing.T) {
	t.Parallel()
	o := dbtest.Migrated(t, db.Postgres)
	var runs, running, maxRunning atomic.Int64
	work := Periodic{Name: "rare", Every: time.Hour, Run: func(context.Context) error {
		runs.Add(1)
		if n := running.Add(1); n > maxRunning.Load() {
			maxRunning.Store(n)
		}
		time.Sleep(500 * time.Millisecond)
		running.Add(-1)
		return nil
	}}
	log := slog.New(slog.DiscardHandler)
	for range 3 {
		start(t, dbtest.Open(t, o), log, work)
	}
	await(t, "it runs", func() bool { return runs.Load() > 0 })
	time.Sleep(2 * time.Second)
	if runs.Load() != 1 || maxRunning.Load() != 1 {
		t.Errorf("%d runs, %d concurrent; want 1 and 1", runs.Load(), maxRunning.Load())
	}
}

func TestResetRunning(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		if err := Migrate(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		var runs atomic.Int64
		log := slog.New(slog.DiscardHandler)
		work := Periodic{Name: "rare", Every: time.Hour, Run: func(context.Context) error { runs.Add(1); return nil }}
		dead, err := New(s, log, nil, work)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := dead.client.Insert(t.Context(), periodicArgs{Name: work.Name}, uniqueIn("")); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Writer.ExecContext(t.Context(), "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = CURRENT_TIMESTAMP"); err != nil {
			t.Fatal(err)
		}
		if err := ResetRunning(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		start(t, s, log, work)
		await(t, "the run is done", func() bool { return runs.Load() == 1 })
	})
}

func TestMigrateRepeatedAndConcurrent(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		t.Parallel()
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := Migrate(t.Context(), s); err != nil {
					t.Errorf("Migrate: got %v, want no error", err)
				}
			})
			if s.Engine == db.SQLite {
				all.Wait() // one process per file; only PostgreSQL has replicas
			}
		}
		all.Wait()
	})
}

func TestInvalidPeriodicWork(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	run := func(context.Context) error { return nil }
	for _, work := range [][]Periodic{
		{{Every: time.Second, Run: run}},
		{{Name: "a", Run: run}},
		{{Name: "a", Every: time.Second}},
		{{Name: "a", Every: time.Second, Run: run}, {Name: "a", Every: time.Second, Run: run}},
	} {
		if _, err := New(s, slog.New(slog.DiscardHandler), nil, work...); err == nil {
			t.Errorf("%+v was accepted", work)
		}
	}
}

func TestStopWaitsForRunningWork(t *testing.T) {
	t.Parallel()
	s := dbtest.SQLite(t)
	if err := Migrate(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	began, ended := make(chan struct{}), atomic.Bool{}
	r, err := New(s, slog.New(slog.DiscardHandler), nil, Periodic{Name: "long", Every: time.Hour, Run: func(context.Context) error {
		close(began)
		time.Sleep(300 * time.Millisecond)
		ended.Store(true)
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	select {
	case <-began:
	case <-time.After(time.Minute):
		t.Fatal("work did not begin")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if !ended.Load() {
		t.Error("work was canceled")
	}
}
