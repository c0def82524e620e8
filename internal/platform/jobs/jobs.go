// Package jobs runs work that no request waits for, on River, on both engines: periodic work by one leader
// among all replicas, and tasks that a transaction asks for; each run recorded, a failed one logged and tried again. Work that must not wait for
// other work has a queue of its own. It knows no domain: what is to be done comes in as functions.
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

// Periodic is work that is to be done every so often. Runs never overlap, but after a crash one may be
// repeated: Run must bear that.
type Periodic struct {
	Name  string // stable: it is stored
	Every time.Duration
	Run   func(context.Context) error
	Queue string // of its own, stable: it is stored; empty means the one that all other periodic work shares
}

const (
	// sharedWorkers work on what has no queue of its own, and on what releases before there were others have queued.
	sharedWorkers = 4

	runTimeout = 5 * time.Minute
	// crashedAfter is when a run that has not ended is taken to have died with its server, and is done again.
	crashedAfter = runTimeout + time.Minute
	keepDone     = time.Hour
)

// migrationLock is the advisory lock under which replicas take turns; any number that is ours alone will do.
const migrationLock = 0x66616972

// Migrate brings River's tables up to date.
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
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", migrationLock) // ends with the session anyway
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

// Current tells whether River's tables are up to date. It only reads.
func Current(ctx context.Context, store *db.Store) (bool, error) {
	m, err := migrator(store.Engine, store.Reader)
	if err != nil {
		return false, fmt.Errorf("look at jobs' tables: %w", err)
	}
	state, err := m.Validate(ctx)
	if err != nil {
		return false, fmt.Errorf("look at jobs' tables: %w", err)
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

// Runner does the work of this process.
type Runner struct{ client *river.Client[*sql.Tx] }

// New prepares the periodic work and the tasks of a queue, which may be nil; Start begins them. The queue's tasks are declared by then.
func New(store *db.Store, log *slog.Logger, queue *Queue, work ...Periodic) (*Runner, error) {
	w := &worker{work: make(map[string]Periodic, len(work)), now: time.Now}
	config := &river.Config{
		Logger:                      quiet(log),
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: sharedWorkers}},
		Workers:                     river.NewWorkers(),
		ErrorHandler:                reporter{log},
		JobTimeout:                  runTimeout,
		RescueStuckJobsAfter:        crashedAfter,
		CompletedJobRetentionPeriod: keepDone,
		PollOnly:                    true, // periodic work needs no waking, and SQLite knows none
	}
	for _, p := range work {
		if p.Name == "" || p.Every <= 0 || p.Run == nil || w.work[p.Name].Run != nil {
			return nil, fmt.Errorf("periodic work %q is not well declared", p.Name)
		}
		w.work[p.Name] = p
		if p.Queue != "" {
			config.Queues[p.Queue] = river.QueueConfig{MaxWorkers: 1} // runs never overlap
		}
		config.PeriodicJobs = append(config.PeriodicJobs, river.NewPeriodicJob(
			river.PeriodicInterval(p.Every),
			func() (river.JobArgs, *river.InsertOpts) { return periodicArgs{Name: p.Name}, onlyOneIn(p.Queue) },
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

// Free lets work be done again at once that was under way when its server died: otherwise it waits for crashedAfter. It is for a
// server that knows that no other works on the database, before it starts its own.
func Free(ctx context.Context, store *db.Store) error {
	if _, err := store.Writer.ExecContext(ctx, "UPDATE river_job SET state = 'available' WHERE state = 'running'"); err != nil {
		return fmt.Errorf("free jobs: %w", err)
	}
	return nil
}

// Start begins the work. It goes on until Stop, whatever becomes of ctx.
func (r *Runner) Start(ctx context.Context) error {
	if err := r.client.Start(context.WithoutCancel(ctx)); err != nil {
		return fmt.Errorf("start jobs: %w", err)
	}
	return nil
}

// Stop lets running work end, and cuts it off when ctx ends first.
func (r *Runner) Stop(ctx context.Context) error {
	err := r.client.Stop(ctx)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		cut, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
		defer cancel()
		err = r.client.StopAndCancel(cut)
	}
	if err != nil {
		return fmt.Errorf("stop jobs: %w", err)
	}
	return nil
}

// periodicArgs is how a due run stands in the table.
type periodicArgs struct {
	Name string `json:"name"`
}

// Kind is the stored name of all periodic work.
func (periodicArgs) Kind() string { return "periodic" }

// onlyOneIn: a run is not queued while another of the same name waits, runs or is to be tried again, in whichever queue.
func onlyOneIn(queue string) *river.InsertOpts {
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

// Work does one run.
func (w *worker) Work(ctx context.Context, job *river.Job[periodicArgs]) error {
	p, known := w.work[job.Args.Name]
	if !known {
		return river.JobCancel(fmt.Errorf("no work is called %q any more", job.Args.Name))
	}
	return p.Run(ctx)
}

// NextRetry waits a little longer each time, but never past the next regular run.
func (w *worker) NextRetry(job *river.Job[periodicArgs]) time.Time {
	wait := time.Duration(job.Attempt) * 5 * time.Second
	if p := w.work[job.Args.Name]; p.Every > 0 {
		wait = min(wait, p.Every)
	}
	return w.now().Add(wait)
}

// reporter logs what failed; River then tries again.
type reporter struct{ log *slog.Logger }

func (r reporter) HandleError(ctx context.Context, job *rivertype.JobRow, err error) *river.ErrorHandlerResult {
	r.log.ErrorContext(ctx, "job failed", "job", string(job.EncodedArgs), "attempt", job.Attempt, "error", err)
	return nil
}

func (r reporter) HandlePanic(ctx context.Context, job *rivertype.JobRow, broken any, trace string) *river.ErrorHandlerResult {
	r.log.ErrorContext(ctx, "job panicked", "job", string(job.EncodedArgs), "attempt", job.Attempt, "panic", broken, "stack", trace)
	return nil
}

// quiet keeps River's own chatter out of the log: from warnings on it is worth reading.
func quiet(log *slog.Logger) *slog.Logger { return slog.New(atLeastWarn{log.Handler()}) }

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
