// Package jobs runs background work with River, on both database engines. Periodic work is queued by one leader among all
// replicas. Tasks are queued by transactions. River records every run. Failures are logged and retried. Work that must not
// wait for other work has its own queue.
package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverdatabasesql"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"fairground/internal/platform/db"
)

// Periodic is work that runs at an interval. Runs never overlap. After a crash a run may repeat, so Run must be
// idempotent.
type Periodic struct {
	Name  string // stored in the database: do not change
	Every time.Duration
	Run   func(context.Context) error
	Queue string // name of a separate queue, stored in the database: do not change; empty means the shared queue
}

const (
	// sharedWorkers is the number of workers of the shared queue.
	sharedWorkers = 4

	runTimeout = 5 * time.Minute
	// rescueAfter is the time after which an unfinished run is considered crashed and runs again.
	rescueAfter = runTimeout + time.Minute
	retention   = time.Hour // of completed runs
)

// migrationLock is the key of the advisory lock for migrations. The number is arbitrary.
const migrationLock = 0x66616972

// Migrate updates River's tables.
func Migrate(ctx context.Context, store *db.Store) error {
	if store.Engine == db.Postgres {
		conn, err := store.Writer.Conn(ctx)
		if err != nil {
			return fmt.Errorf("migrate jobs: %w", err)
		}
		defer conn.Close()
		if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", migrationLock); err != nil {
			return fmt.Errorf("migrate jobs: %w", err)
		}
		defer func() {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock) // released with the session anyway
		}()
	}
	m, err := migrator(store.Engine, store.Writer)
	if err != nil {
		return fmt.Errorf("migrate jobs: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate jobs: %w", err)
	}
	return nil
}

// Current reports whether River's tables are up to date.
func Current(ctx context.Context, store *db.Store) (bool, error) {
	m, err := migrator(store.Engine, store.Reader)
	if err != nil {
		return false, fmt.Errorf("check job tables: %w", err)
	}
	state, err := m.Validate(ctx)
	if err != nil {
		return false, fmt.Errorf("check job tables: %w", err)
	}
	return state.OK, nil
}

func migrator(engine db.Engine, pool *sql.DB) (*rivermigrate.Migrator[*sql.Tx], error) {
	return rivermigrate.New(driver(engine, pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
}

func driver(engine db.Engine, pool *sql.DB) riverdriver.Driver[*sql.Tx] {
	if engine == db.SQLite {
		return riversqlite.New(pool)
	}
	return riverdatabasesql.New(pool)
}

// A Runner runs the work of this process.
type Runner struct{ client *river.Client[*sql.Tx] }

// New returns a Runner for the periodic work and for the tasks declared in queue, which may be nil. Call Start to start it.
func New(store *db.Store, log *slog.Logger, queue *Queue, work ...Periodic) (*Runner, error) {
	w := &worker{work: make(map[string]Periodic, len(work)), now: time.Now}
	config := &river.Config{
		Logger:                      warningsOnly(log),
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: sharedWorkers}},
		Workers:                     river.NewWorkers(),
		ErrorHandler:                reporter{log},
		JobTimeout:                  runTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		CompletedJobRetentionPeriod: retention,
		PollOnly:                    true, // periodic work needs no notifications, and SQLite has none
	}
	for _, p := range work {
		if p.Name == "" || p.Every <= 0 || p.Run == nil || w.work[p.Name].Run != nil {
			return nil, fmt.Errorf("invalid periodic work %q: it needs a unique name, an interval and a function", p.Name)
		}
		w.work[p.Name] = p
		if p.Queue != "" {
			config.Queues[p.Queue] = river.QueueConfig{MaxWorkers: 1} // runs never overlap
		}
		config.PeriodicJobs = append(config.PeriodicJobs, river.NewPeriodicJob(
			river.PeriodicInterval(p.Every),
			func() (river.JobArgs, *river.InsertOpts) { return periodicArgs{Name: p.Name}, uniqueIn(p.Queue) },
			&river.PeriodicJobOpts{ID: p.Name, RunOnStart: true},
		))
	}
	if err := river.AddWorkerSafely(config.Workers, w); err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	if err := queue.prepare(config.Queues); err != nil {
		return nil, err
	}
	if err := river.AddWorkerSafely(config.Workers, &taskWorker{queue: queue, now: time.Now}); err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	client, err := river.NewClient(driver(store.Engine, store.Writer), config)
	if err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	return &Runner{client}, nil
}

// ResetRunning makes work that was running when its server died run again immediately, instead of after rescueAfter. Call
// it before Start, and only if no other server uses the database.
func ResetRunning(ctx context.Context, store *db.Store) error {
	if _, err := store.Writer.ExecContext(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running'"); err != nil {
		return fmt.Errorf("reset running jobs: %w", err)
	}
	return nil
}

// Start starts the work. It continues until Stop is called, even if ctx ends.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start jobs: %w", err)
	}
	return nil
}

// Stop waits for running work, and cancels it when ctx ends.
func (r *Runner) Stop(ctx context.Context) error {
	err := r.client.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		stopCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		err = r.client.StopAndCancel(stopCtx)
	}
	if err != nil {
		return fmt.Errorf("stop jobs: %w", err)
	}
	return nil
}

type periodicArgs struct {
	Name string `json:"name"`
}

// Kind returns the stored name of all periodic work.
func (periodicArgs) Kind() string { return "periodic" }

// uniqueIn returns options for the queue that prevent a run from being queued while a run with the same name is waiting,
// running or to be retried, in any queue.
func uniqueIn(queue string) *river.InsertOpts {
	return &river.InsertOpts{Queue: queue, UniqueOpts: river.UniqueOpts{
		ByArgs: true,
		ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		},
	}}
}

type worker struct {
	river.WorkerDefaults[periodicArgs]
	work map[string]Periodic
	now  func() time.Time
}

// Work runs the work once.
func (w *worker) Work(ctx context.Context, job *river.Job[periodicArgs]) error {
	p, known := w.work[job.Args.Name]
	if !known {
		return river.JobCancel(fmt.Errorf("unknown periodic work %q", job.Args.Name))
	}
	return p.Run(ctx)
}

// NextRetry returns the time of the next attempt. The wait grows with each attempt, but is never longer than the interval.
func (w *worker) NextRetry(job *river.Job[periodicArgs]) time.Time {
	wait := time.Duration(job.Attempt) * 5 * time.Second
	if p := w.work[job.Args.Name]; p.Every > 0 {
		wait = min(wait, p.Every)
	}
	return w.now().Add(wait)
}

type reporter struct{ log *slog.Logger }

func (r reporter) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	r.log.ErrorContext(ctx, "job failed", "job", string(job.EncodedArgs), "attempt", job.Attempt, "error", err)
	return nil
}

func (r reporter) HandlePanic(ctx context.Context, job *rivertype.JobRow, reason any, trace string) *river.ErrorHandlerResult {
	r.log.ErrorContext(ctx, "job panicked", "job", string(job.EncodedArgs), "attempt", job.Attempt, "panic", reason, "stack", trace)
	return nil
}

// warningsOnly drops River's messages below the level Warn.
func warningsOnly(log *slog.Logger) *slog.Logger { return slog.New(atLeastWarn{log.Handler()}) }

type atLeastWarn struct{ slog.Handler }

func (h atLeastWarn) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

func (h atLeastWarn) WithAttrs(attrs []slog.Attr) slog.Handler {
	return atLeastWarn{h.Handler.WithAttrs(attrs)}
}

func (h atLeastWarn) WithGroup(name string) slog.Handler {
	return atLeastWarn{h.Handler.WithGroup(name)}
}
