package message

import (
	"context"
	"fmt"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// checkTimes validates the start and the end of a draft.
func (d Draft) checkTimes(now int64) error {
	switch {
	case d.StartsAt != 0 && d.StartsAt <= now:
		return ErrSchedule.On("startsAt")
	case d.EndsAt != 0 && d.EndsAt <= max(now, d.StartsAt):
		return ErrSchedule.On("endsAt")
	}
	return nil
}

// isShown reports whether inboxes show a message. The queries of the inbox have the same rule.
func isShown(m query.Message, now int64) bool {
	return m.Status != Scheduled && m.Status != Withdrawn && (m.EndsAt == 0 || m.EndsAt > now)
}

// queueIn queues the job that delivers a message. A message to all members appears in inboxes immediately.
func (s *Service) queueIn(ctx context.Context, tx *db.Tx, id, merchantID int64, audience string) error {
	if audience == ToAll {
		if err := s.changedForAllIn(ctx, tx, merchantID); err != nil {
			return err
		}
	}
	return s.o.Queue.Add(ctx, tx, sendTask, id)
}

// FollowSchedule ends and starts the messages whose time has come. A message whose end has passed is not started. It runs as a periodic job.
func (s *Service) FollowSchedule(ctx context.Context) error {
	now := db.Millis(s.o.Now())
	defer s.o.Outbox.Wake()
	ended, err := s.o.Store.Q().MessagesToEnd(ctx, now)
	if err != nil {
		return fmt.Errorf("read messages that end: %w", err)
	}
	for _, m := range ended {
		if err := s.end(ctx, m); err != nil {
			return fmt.Errorf("end message %d: %w", m.ID, err)
		}
	}
	started, err := s.o.Store.Q().MessagesToStart(ctx, now)
	if err != nil {
		return fmt.Errorf("read messages that start: %w", err)
	}
	for _, m := range started {
		if err := s.start(ctx, m); err != nil {
			return fmt.Errorf("start message %d: %w", m.ID, err)
		}
	}
	return nil
}

// start queues the delivery of a scheduled message, unless it was withdrawn or another replica has started it.
func (s *Service) start(ctx context.Context, m query.Message) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.StartMessage(ctx, m.ID)
		if err != nil || n == 0 {
			return err
		}
		if err := s.queueIn(ctx, tx, m.ID, m.MerchantID, m.Audience); err != nil {
			return err
		}
		return s.o.Screens.ChangedOf(ctx, tx, m.MerchantID, "messages", formatID(m.ID))
	})
}

// end stops the delivery of a message and informs members' open pages. The inbox hides it without this.
func (s *Service) end(ctx context.Context, m query.Message) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.EndMessage(ctx, m.ID)
		if err != nil || n == 0 {
			return err
		}
		if err := s.changedForAllIn(ctx, tx, m.MerchantID); err != nil {
			return err
		}
		return s.o.Screens.ChangedOf(ctx, tx, m.MerchantID, "messages", formatID(m.ID))
	})
}

// Withdraw hides a message from all its recipients. A message that is withdrawn before its start reaches no member.
func (s *Service) Withdraw(ctx context.Context, merchantID, id, version int64, reason string) (query.Message, error) {
	var out query.Message
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		before, err := findForMerchant(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		if before.Status == Withdrawn {
			return ErrWithdrawn
		}
		n, err := tx.Q.WithdrawMessage(ctx, id, version, before.Status)
		if err != nil {
			return err
		}
		if n == 0 {
			return rest.ErrStale
		}
		if out, err = tx.Q.MessageByID(ctx, id); err != nil {
			return err
		}
		if before.Status != Scheduled {
			if err := s.changedForAllIn(ctx, tx, merchantID); err != nil {
				return err
			}
		}
		if err := s.o.Screens.ChangedOf(ctx, tx, merchantID, "messages", formatID(id)); err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.MessageSend), Action: "message.withdraw", Object: "messages/" + formatID(id),
			Before: map[string]string{"status": before.Status}, After: map[string]string{"status": Withdrawn, "reason": reason},
		})
	})
	if err != nil {
		return out, fmt.Errorf("withdraw message: %w", err)
	}
	s.o.Outbox.Wake()
	return out, nil
}

func findForMerchant(ctx context.Context, q *query.Queries, merchantID, id int64) (query.Message, error) {
	m, err := q.MessageByID(ctx, id)
	found, err := db.Found("read message", err)
	if err == nil && (!found || m.MerchantID != merchantID) {
		err = ErrNotFound
	}
	return m, err
}
