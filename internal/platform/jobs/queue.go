package jobs

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/riverqueue/river"

	"fairground/internal/platform/db"
)

// Task is work that a transaction asks for once: it is done after the commit, by any replica, and not at all when
// the transaction is undone. After a crash a run may be repeated: Run must bear that.
type Task struct {
	Name     string // stable: it is stored
	Attempts int
	Wait     func(failed int) time.Duration // before the next attempt, after so many failures
	Timeout  time.Duration                  // of an attempt; zero means five minutes
	Queue    string                         // of its own, stable: it is stored; empty means the shared one
	Workers  int                            // on its own queue, at most, in each process
	// Run does it. last says that no attempt follows this one; GiveUp ends the task before.
	Run func(ctx context.Context, id int64, last bool) error
}

// Queue takes tasks in. It works without a Runner: commands ask, a server does.
type Queue struct {
	client *river.Client[*sql.Tx]
	tasks  map[string]Task
}

// NewQueue makes a queue that knows no task yet.
func NewQueue(store *db.Store) (*Queue, error) {
	client, err := river.NewClient(driver(store.Engine, store.Writer), &river.Config{})
	if err != nil {
		return nil, fmt.Errorf("prepare queue: %w", err)
	}
	return &Queue{client, map[string]Task{}}, nil
}

// Declare makes a task known, once, before it is asked for.
func (q *Queue) Declare(t Task) error {
	if t.Name == "" || t.Attempts < 1 || t.Wait == nil || t.Run == nil || q.tasks[t.Name].Run != nil ||
		(t.Queue == "") != (t.Workers == 0) || t.Timeout < 0 || t.Timeout > runTimeout {
		return fmt.Errorf("task %q is not well declared", t.Name)
	}
	q.tasks[t.Name] = t
	return nil
}

// Add asks for a task, within the caller's transaction. id says what it is about: the rest stands in the caller's
// own tables, for what is stored here may be read by operators.
func (q *Queue) Add(ctx context.Context, tx *db.Tx, name string, id int64) error {
	t, known := q.tasks[name]
	if !known {
		return fmt.Errorf("no task is called %q", name)
	}
	_, err := q.client.InsertTx(ctx, tx.Tx, taskArgs{Name: name, ID: id}, &river.InsertOpts{MaxAttempts: t.Attempts, Queue: t.Queue})
	if err != nil {
		return fmt.Errorf("queue task %s: %w", name, err)
	}
	return nil
}

// prepare adds the queues of tasks that have their own.
func (q *Queue) prepare(queues map[string]river.QueueConfig) error {
	if q == nil {
		return nil
	}
	for _, t := range q.tasks {
		if t.Queue == "" {
			continue
		}
		if _, taken := queues[t.Queue]; taken {
			return fmt.Errorf("the queue of task %s, %s, is another's", t.Name, t.Queue)
		}
		queues[t.Queue] = river.QueueConfig{MaxWorkers: t.Workers}
	}
	return nil
}

// GiveUp says that trying a task again would not help.
func GiveUp(err error) error { return river.JobCancel(err) }

// taskArgs is how a task stands in the table.
type taskArgs struct {
	Name string `json:"name"`
	ID   int64  `json:"id"`
}

// Kind is the stored name of all tasks.
func (taskArgs) Kind() string { return "task" }

type taskWorker struct {
	river.WorkerDefaults[taskArgs]
	queue *Queue
	now   func() time.Time
}

// While replicas are replaced, an older one comes upon tasks of a newer: it leaves them, at no cost to their
// attempts. What nobody has known for so long was given up by its program.
const (
	leaveUnknown  = 10 * time.Second
	forgetUnknown = 24 * time.Hour
)

// Work makes one attempt.
func (w *taskWorker) Work(ctx context.Context, job *river.Job[taskArgs]) error {
	t, known := w.find(job.Args.Name)
	if !known && w.now().Sub(job.CreatedAt) < forgetUnknown {
		return river.JobSnooze(leaveUnknown)
	}
	if !known {
		return river.JobCancel(fmt.Errorf("no task is called %q any more", job.Args.Name))
	}
	return t.Run(ctx, job.Args.ID, job.Attempt >= job.MaxAttempts)
}

// Timeout is the task's; zero means the runner's.
func (w *taskWorker) Timeout(job *river.Job[taskArgs]) time.Duration {
	t, _ := w.find(job.Args.Name)
	return t.Timeout
}

// NextRetry asks the task. River does not count the attempts that were left to others.
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
