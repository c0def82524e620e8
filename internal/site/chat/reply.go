package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// Faults of saved replies.
var (
	ErrReplyUnknown = fault.ForOperators(fault.NotFound, "reply.unknown")
	ErrReplyFull    = fault.ForOperators(fault.Refused, "reply.too_many")
)

const maxReplies = 500

// A SavedReply is a text that operators send often.
type SavedReply struct {
	ID        int64
	Title     string
	Texts     map[string]string // by language
	Version   int64
	UpdatedAt int64
}

func savedReplyOf(row query.ChatReply) (SavedReply, error) {
	r := SavedReply{ID: row.ID, Title: row.Title, Version: row.Version, UpdatedAt: row.UpdatedAt}
	if err := json.Unmarshal([]byte(row.Texts), &r.Texts); err != nil {
		return r, fmt.Errorf("read reply: %w", err)
	}
	return r, nil
}

// normalize cleans a reply's texts and returns them as JSON.
func (r *SavedReply) normalize() (string, error) {
	if r.Title = shorten(clean(r.Title), 80); r.Title == "" {
		return "", ErrEmpty.On("title")
	}
	texts := map[string]string{}
	for language, text := range r.Texts {
		if !slices.Contains(rest.Languages(), language) {
			return "", rest.ErrParam.On("texts")
		}
		if text = clean(text); len([]rune(text)) > maxText {
			return "", rest.ErrParam.On("texts")
		}
		if text != "" {
			texts[language] = text
		}
	}
	if r.Texts = texts; len(texts) == 0 {
		return "", ErrEmpty.On("texts")
	}
	encoded, err := json.Marshal(texts)
	if err != nil {
		return "", fmt.Errorf("encode reply: %w", err)
	}
	return string(encoded), nil
}

// FindReply returns a merchant's saved reply.
func (s *Service) FindReply(ctx context.Context, merchantID, id int64) (SavedReply, error) {
	return findReply(ctx, s.o.Store.Q(), merchantID, id)
}

func findReply(ctx context.Context, q *query.Queries, merchantID, id int64) (SavedReply, error) {
	row, err := q.ChatReplyByID(ctx, id)
	found, err := db.Found("find reply", err)
	if err != nil {
		return SavedReply{}, err
	}
	if !found || row.MerchantID != merchantID {
		return SavedReply{}, ErrReplyUnknown
	}
	return savedReplyOf(row)
}

// CreateReply stores a new reply and returns its id. A repeated request stores no second reply.
func (s *Service) CreateReply(ctx context.Context, request idempotency.Request, merchantID int64, r SavedReply) (id int64, err error) {
	texts, err := r.normalize()
	if err != nil {
		return 0, err
	}
	r.ID = s.o.IDs()
	id, err = idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (int64, error) {
		n, err := tx.Q.CountChatReplies(ctx, merchantID)
		if err != nil {
			return 0, fmt.Errorf("count replies: %w", err)
		}
		if n >= maxReplies {
			return 0, ErrReplyFull
		}
		now := db.Millis(s.o.Now())
		if err := tx.Q.AddChatReply(ctx, query.AddChatReplyParams{ID: r.ID, MerchantID: merchantID, Title: r.Title, Texts: texts, CreatedAt: now}); err != nil {
			return 0, fmt.Errorf("create reply: %w", err)
		}
		return r.ID, s.replyChangedIn(ctx, tx, merchantID, "create", r.ID, nil, r.auditFields())
	})
	s.o.Outbox.Wake()
	return id, err
}

func (r *SavedReply) auditFields() map[string]any {
	return map[string]any{"title": r.Title, "texts": r.Texts}
}

// replyChangedIn updates the operators' screens and writes the audit log.
func (s *Service) replyChangedIn(ctx context.Context, tx *db.Tx, merchantID int64, action string, id int64, before, after any) error {
	if err := s.o.Screens.ChangedOf(ctx, tx, merchantID, "replies", formatID(id)); err != nil {
		return err
	}
	return s.auditIn(ctx, tx, merchantID, action, "reply/"+formatID(id), before, after)
}

// ChangeReply replaces a reply.
func (s *Service) ChangeReply(ctx context.Context, merchantID int64, r SavedReply) error {
	texts, err := r.normalize()
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		before, err := findReply(ctx, tx.Q, merchantID, r.ID)
		if err != nil {
			return err
		}
		n, err := tx.Q.ChangeChatReply(ctx, query.ChangeChatReplyParams{ID: r.ID, Version: r.Version, Title: r.Title, Texts: texts, UpdatedAt: db.Millis(s.o.Now())})
		if err != nil {
			return fmt.Errorf("change reply: %w", err)
		}
		if n == 0 {
			return rest.ErrStale
		}
		return s.replyChangedIn(ctx, tx, merchantID, "change", r.ID, before.auditFields(), r.auditFields())
	})
	s.o.Outbox.Wake()
	return err
}

// DeleteReply deletes a reply.
func (s *Service) DeleteReply(ctx context.Context, merchantID, id, version int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		before, err := findReply(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		n, err := tx.Q.DeleteChatReply(ctx, id, version)
		if err != nil {
			return fmt.Errorf("delete reply: %w", err)
		}
		if n == 0 {
			return rest.ErrStale
		}
		return s.replyChangedIn(ctx, tx, merchantID, "delete", id, before.auditFields(), nil)
	})
	s.o.Outbox.Wake()
	return err
}
