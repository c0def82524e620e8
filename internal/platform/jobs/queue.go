package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"fairground/internal/platform/db"
)

// A Task is work that a transaction queues once. Any replica runs it after the commit. After a crash a run may repeat, so
// Run must be idempotent.
type Task struct {
	Name     string                           // stored in the database: do not change
	Attempts int                              // maximum number of attempts
	Wait     func(failures int) time.Duration // delay after the given number of failures
	Timeout  time.Duration                    // for one attempt; 0 means five minutes
	Queue    string                           // name of a separate queue, stored in the database: do not change; empty means the shared queue
	Workers  int                              // number of workers of the separate queue, per process
	// Run runs one attempt. last reports whether it is the last attempt. An error from GiveUp prevents further attempts.
	Run func(ctx context.Context, id int64, last bool) error
}

// A Queue accepts tasks. It works without a Runner, so that commands can add tasks that a server runs.
type Queue struct {
	client *river.Client[*sql.Tx]
	tasks  map[string]Task
}

// NewQueue returns a queue without declared tasks.
func NewQueue(store *db.Store) (*Queue, error) {
	client, err := river.NewClient(driver(store.Engine, store.Writer), &river.Config{})
	if err != nil {
		return nil, fmt.Errorf("prepare queue: %w", err)
	}
	return &Queue{client, map[string]Task{}}, nil
}

// Declare registers a task. Each task must be declared once, before Add.
func (q *Queue) Declare(t Task) error {
	if t.Name == "" || t.Attempts < 1 || t.Wait == nil || t.Run == nil || q.tasks[t.Name].Run != nil ||
		(t.Queue == "") != (t.Workers == 0) || t.Timeout < 0 || t.Timeout > runTimeout {
		return fmt.Errorf("invalid task %q: check its name, attempts, wait, timeout and queue", t.Name)
	}
	q.tasks[t.Name] = t
	return nil
}

// Add queues a task in the transaction tx. id identifies the row that the task works on. The data itself stays in the
// caller's tables, because operators can read the queue.
func (q *Queue) Add(ctx context.Context, tx *db.Tx, name string, id int64) error {
	t, known := q.tasks[name]
	if !known {
		return fmt.Errorf("unknown task %q", name)
	}
	_, err := q.client.InsertTx(ctx, tx.Tx, taskArgs{Name: name, ID: id}, &river.InsertOpts{MaxAttempts: t.Attempts, Queue: t.Queue})
	if err != nil {
		return fmt.Errorf("queue task %s: %w", name, err)
	}
	return nil
}

// prepare adds the tasks' own queues to queues.
func (q *Queue) prepare(queues map[string]river.QueueConfig) error {
	if q == nil {
		return nil
	}
	for _, t := range q.tasks {
		if t.Queue == "" {
			continue
		}
		if _, taken := queues[t.Queue]; taken {
			return fmt.Errorf("task %s: queue %s is already used", t.Name, t.Queue)
		}
		queues[t.Queue] = river.QueueConfig{MaxWorkers: t.Workers}
	}
	return nil
}

// GiveUp returns an error that prevents further attempts of a task.
func GiveUp(err error) error { return river.JobCancel(err) }

type taskArgs struct {
	Name string `json:"name"`
	ID   int64  `json:"id"`
}

// Kind returns the stored name of all tasks.
func (taskArgs) Kind() string { return "task" }

type taskWorker struct {
	river.WorkerDefaults[taskArgs]
	queue *Queue
	now   func() time.Time
}

// During a rolling update, an older replica may find tasks that only a newer one knows. It snoozes them, which does not use
// up an attempt. A task that stays unknown for unknownTaskMaxAge is canceled.
const (
	unknownTaskDelay  = 10 * time.Second
	unknownTaskMaxAge = 24 * time.Hour
)

// Work runs one attempt.
func (w *taskWorker) Work(ctx context.Context, job *river.Job[taskArgs]) error {
	t, known := w.find(job.Args.Name)
	if !known && w.now().Sub(job.CreatedAt) < unknownTaskMaxAge {
		return river.JobSnooze(unknownTaskDelay)
	}
	if !known {
		return river.JobCancel(fmt.Errorf("unknown task %q", job.Args.Name))
	}
	return t.Run(ctx, job.Args.ID, job.Attempt >= job.MaxAttempts)
}

// Timeout returns the task's timeout. 0 means the default of the runner.
func (w *taskWorker) Timeout(job *river.Job[taskArgs]) time.Duration {
	t, _ := w.find(job.Args.Name)
	return t.Timeout
}

// NextRetry returns the time of the next attempt. River does not count snoozes as attempts.
func (w *taskWorker) NextRetry(job *river.Job[taskArgs]) time.Time {
	t, known := w.find(job.Args.Name)
	if !known {
		return w.now()
	}
	return w.now().Add(t.Wait(job.Attempt))
}

func (w *taskWorker) find(name string) (Task, bool) {
	if w.queue == nil {
		return Task{}, false
	}
	t, known := w.queue.tasks[name]
	return t, known
}
