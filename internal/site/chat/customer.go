package chat

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
)

// Typing informs the operator that the customer is typing.
func (s *Service) Typing(ctx context.Context, who Customer) error {
	c, found, err := s.find(ctx, s.o.Store.Q(), who)
	if err != nil || !found || c.Status != Open {
		return err
	}
	data, err := json.Marshal(struct {
		Chat string `json:"chat"`
	}{strconv.FormatInt(c.ID, 10)})
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return s.publish(ctx, events.Message{Merchant: strconv.FormatInt(c.MerchantID, 10), Event: "typing", Data: data, Operators: true})
}

func (s *Service) publish(ctx context.Context, m events.Message) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.o.Outbox.Add(ctx, tx, s.o.Now(), m) })
	s.o.Outbox.Wake()
	return err
}

// Read marks the messages up to number seq as read by the customer.
func (s *Service) Read(ctx context.Context, who Customer, seq int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, found, err := s.find(ctx, tx.Q, who)
		if err != nil || !found {
			return err
		}
		n, err := tx.Q.ReadAsCustomer(ctx, seq, c.ID)
		if err != nil || n == 0 {
			return err
		}
		return s.announceIn(ctx, tx, c)
	})
	s.o.Outbox.Wake()
	return err
}

// End closes the customer's conversation.
func (s *Service) End(ctx context.Context, who Customer) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.lock(ctx, tx, who)
		if err != nil {
			return err
		}
		if c.Status == Closed {
			return ErrEnded
		}
		return s.closeIn(ctx, tx, &c, "")
	})
	s.o.Outbox.Wake()
	return err
}

func (s *Service) closeIn(ctx context.Context, tx *db.Tx, c *query.Chat, operator string) error {
	c.Status, c.ClosedAt = Closed, db.Millis(s.o.Now())
	if err := s.changeIn(ctx, tx, c, eventClosed, operator); err != nil {
		return err
	}
	return s.announceIn(ctx, tx, *c)
}

// Rate stores the customer's rating of the last conversation.
func (s *Service) Rate(ctx context.Context, who Customer, stars int64, comment string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.lock(ctx, tx, who)
		if errors.Is(err, ErrEnded) {
			return ErrRated
		}
		if err != nil {
			return err
		}
		if !canRate(c) {
			return ErrRated
		}
		c.Rating = stars
		if err := s.changeIn(ctx, tx, &c, eventRated, ""); err != nil {
			return err
		}
		err = tx.Q.AddChatRating(ctx, query.AddChatRatingParams{
			ChatID: c.ID, Seq: c.LastSeq, Operator: c.Operator, Stars: stars, Comment: shorten(clean(comment), 500), CreatedAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return fmt.Errorf("store rating: %w", err)
		}
		return s.announceIn(ctx, tx, c)
	})
	s.o.Outbox.Wake()
	return err
}

// canRate reports whether the customer may rate the last conversation: it is closed, an operator had it at the end, and it has no rating
// yet. A conversation that was back in the queue when it was closed has no operator to rate.
func canRate(c query.Chat) bool { return c.Status == Closed && c.Operator != "" && c.Rating == 0 }

// Unread returns the number of operators' messages that a member has not read.
func (s *Service) Unread(ctx context.Context, memberID int64) (int64, error) {
	c, err := s.o.Store.Q().ChatOfMember(ctx, sql.NullInt64{Int64: memberID, Valid: true})
	if found, err := db.Found("find chat", err); err != nil || !found {
		return 0, err
	}
	return s.o.Store.Q().CountChatUnread(ctx, c.ID, c.CustomerRead, FromOperator)
}

// VisitorChat returns the id of the conversation that belongs to a visitor's cookie, or 0.
func (s *Service) VisitorChat(ctx context.Context, merchantID int64, token string) (int64, error) {
	c, found, err := s.find(ctx, s.o.Store.Q(), Customer{MerchantID: merchantID, Visitor: s.VisitorDigest(merchantID, token)})
	if !found {
		c.ID = 0
	}
	return c.ID, err
}

// CloseIdle closes open conversations that have had no message for a day. It does not close conversations in the queue.
func (s *Service) CloseIdle(ctx context.Context) error {
	cutoff := db.Millis(s.o.Now().Add(-idleTimeout))
	ids, err := s.o.Store.Q().IdleChats(ctx, cutoff)
	if err != nil {
		return fmt.Errorf("find idle chats: %w", err)
	}
	for _, id := range ids {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			c, err := lockChat(ctx, tx, id)
			if err != nil || c.Status != Open || c.UpdatedAt >= cutoff {
				return err
			}
			return s.closeIn(ctx, tx, &c, "")
		})
		if err != nil {
			return err
		}
	}
	s.o.Outbox.Wake()
	return nil
}
