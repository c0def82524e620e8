package lottery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/jobs"
)

const (
	// returnTask returns the stakes of a member on a break. The task's id is the member's.
	returnTask = "lottery.return"
	// messageReturned is the kind of the message about returned stakes.
	messageReturned = "lottery.returned"
)

// ReturnTask returns the task that the server runs for members whose break has begun.
func (s *Service) ReturnTask() jobs.Task {
	return jobs.Task{
		Name: returnTask, Attempts: 25,
		Wait: func(failures int) time.Duration { return min(5*time.Second<<min(failures-1, 10), 10*time.Minute) },
		Run:  func(ctx context.Context, memberID int64, _ bool) error { return s.returnStakes(ctx, memberID) },
	}
}

// QueueReturnIn queues the return of a member's stakes on numeros that are not closed yet. It is called in the transaction that
// begins a break: play must end then, and the member can no longer cancel the orders (PP-07).
func (s *Service) QueueReturnIn(ctx context.Context, tx *db.Tx, memberID int64) error {
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return err
	}
	orders, err := tx.Q.CancellableLotteryOrders(ctx, memberID, millis(now))
	if err != nil || len(orders) == 0 {
		return wrap("read orders", err)
	}
	return s.o.Queue.Add(ctx, tx, returnTask, memberID)
}

// returnStakes cancels the orders of a member on a break, each in its own transaction. The first transaction that returns a stake
// also sends the member a message. returnStakes can be repeated. It does nothing after the break, when the member may have new
// orders.
func (s *Service) returnStakes(ctx context.Context, memberID int64) error {
	err := s.o.Limits.Check(ctx, memberID)
	var onBreak *fault.Fault
	if err == nil || !errors.As(err, &onBreak) {
		return err
	}
	orders, err := s.o.Store.Q().CancellableLotteryOrders(ctx, memberID, millis(s.o.Now()))
	if err != nil {
		return fmt.Errorf("read orders: %w", err)
	}
	var failed error
	message := messageReturned
	for _, id := range orders {
		returned, _, err := s.cancel(ctx, memberID, id, message)
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("cancel order %d: %w", id, err))
		}
		if returned > 0 {
			message = ""
		}
	}
	return failed
}
