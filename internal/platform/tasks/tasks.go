// Package tasks keeps the queue of tasks that wait for operators. A domain adds a task in the transaction that makes it
// necessary, and closes it in the transaction that completes it.
package tasks

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// States of a task.
const (
	Open    = "open"
	Claimed = "claimed"
	Done    = "done"
)

// Faults of this package.
var (
	ErrUnknown = fault.ForOperators(fault.NotFound, "task.unknown")
	ErrClaimed = fault.ForOperators(fault.Conflict, "task.claimed")
	ErrDone    = fault.ForOperators(fault.Conflict, "task.done")
)

// A Task is work that waits for an operator.
type Task struct {
	MerchantID int64
	Kind       string // such as hold
	Reference  string // identifies the task among those of its kind
	Object     string // path of the object in the operators' API, such as members/1234
	Permission permission.Name
}

// Screens notifies operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
}

// A Queue holds the tasks.
type Queue struct {
	Store   *db.Store
	IDs     db.IDs
	Now     func() time.Time
	Screens Screens
}

// AddIn adds a task in the transaction tx. An open task with the same kind and reference stays unchanged. A closed one is
// reopened.
func (q *Queue) AddIn(ctx context.Context, tx *db.Tx, t Task) error {
	n, err := tx.Q.AddTask(ctx, query.AddTaskParams{
		ID: q.IDs(), MerchantID: t.MerchantID, Kind: t.Kind, Reference: t.Reference, Object: t.Object, Permission: string(t.Permission), CreatedAt: db.Millis(q.Now()),
	})
	if err != nil {
		return fmt.Errorf("add task: %w", err)
	}
	return q.changed(ctx, tx, t.MerchantID, n, "")
}

// DoneIn closes a task in the transaction tx. It does nothing if no such task is open.
func (q *Queue) DoneIn(ctx context.Context, tx *db.Tx, kind, reference string) error {
	n, err := tx.Q.CloseTask(ctx, query.CloseTaskParams{Now: db.Millis(q.Now()), DoneBy: audit.Actor(ctx), Kind: kind, Reference: reference})
	if err != nil {
		return fmt.Errorf("close task: %w", err)
	}
	return q.changed(ctx, tx, 0, n, "") // without an id, the merchant does not matter
}

func (q *Queue) changed(ctx context.Context, tx *db.Tx, merchantID, rows int64, id string) error {
	if rows == 0 || q.Screens == nil {
		return nil
	}
	return q.Screens.ChangedOf(ctx, tx, merchantID, "tasks", id)
}

// A Visitor is the operator who acts on a task.
type Visitor struct {
	Name       string
	MerchantID int64 // 0 means all merchants
	Can        func(permission.Name) bool
}

// Find returns a task that the operator may see.
func (q *Queue) Find(ctx context.Context, by Visitor, id int64) (query.Task, error) {
	return find(ctx, q.Store.Q(), by, id)
}

func find(ctx context.Context, from *query.Queries, by Visitor, id int64) (query.Task, error) {
	row, err := from.Task(ctx, id)
	found, err := db.Found("read task", err)
	if err != nil {
		return row, err
	}
	if !found || by.MerchantID != 0 && row.MerchantID != by.MerchantID || !by.Can(permission.Name(row.Permission)) {
		return row, ErrUnknown
	}
	return row, nil
}

// Act claims a task, releases it or closes it. A task that another operator has claimed can be released but not closed.
func (q *Queue) Act(ctx context.Context, by Visitor, id, version int64, action string) (query.Task, error) {
	var out query.Task
	err := q.Store.Write(ctx, func(tx *db.Tx) error {
		row, err := find(ctx, tx.Q, by, id)
		if err != nil {
			return err
		}
		switch {
		case row.Version != version:
			return rest.ErrStale
		case row.State == Done:
			return ErrDone
		case row.State == Claimed && row.ClaimedBy != by.Name && action != "release":
			return ErrClaimed.With("operator", row.ClaimedBy)
		}
		change := query.ChangeTaskParams{ID: id, Version: version, State: Open}
		switch action {
		case "claim":
			change.State, change.ClaimedBy = Claimed, by.Name
		case "done":
			change.State, change.ClaimedBy, change.DoneAt, change.DoneBy = Done, row.ClaimedBy, db.Millis(q.Now()), by.Name
		}
		n, err := tx.Q.ChangeTask(ctx, change)
		if err != nil {
			return fmt.Errorf("change task: %w", err)
		}
		if n == 0 {
			return rest.ErrStale
		}
		if err := q.changed(ctx, tx, row.MerchantID, n, strconv.FormatInt(id, 10)); err != nil {
			return err
		}
		if out, err = tx.Q.Task(ctx, id); err != nil {
			return fmt.Errorf("read task: %w", err)
		}
		return audit.Append(ctx, tx, q.Now(), audit.Entry{
			MerchantID: row.MerchantID, Permission: row.Permission, Action: "task." + action, Object: "task/" + strconv.FormatInt(id, 10),
			Before: map[string]string{"state": row.State, "claimedBy": row.ClaimedBy}, After: map[string]string{"state": out.State, "claimedBy": out.ClaimedBy},
		})
	})
	return out, err
}
