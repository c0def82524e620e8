package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// Faults of the operators' endpoints.
var (
	// ErrClaimed refuses to claim a conversation that another operator has claimed.
	ErrClaimed = fault.ForOperators(fault.Conflict, "chat.claimed")
	// ErrNotClaimed refuses to write in a conversation that the operator has not claimed.
	ErrNotClaimed = fault.ForOperators(fault.Conflict, "chat.not_claimed")
	// ErrState refuses an action that the conversation's state does not allow.
	ErrState = fault.ForOperators(fault.Conflict, "chat.state")
)

// Actions of operators.
const (
	actionClaim   = "claim"
	actionRelease = "release"
	actionClose   = "close"
)

func formatID(id int64) string { return strconv.FormatInt(id, 10) }

// An Agent is an operator who talks to customers.
type Agent struct {
	ID         int64
	Name       string
	MerchantID int64 // the merchant whose customers the operator serves
}

// Act claims a conversation, releases it to the queue or closes it.
func (s *Service) Act(ctx context.Context, by Agent, id, version int64, action, reason string) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.lockForMerchant(ctx, tx, by.MerchantID, id)
		if err != nil {
			return err
		}
		if c.Version != version {
			return rest.ErrStale
		}
		before := c
		if err := s.actIn(ctx, tx, by, &c, action); err != nil {
			return err
		}
		if err := s.announceIn(ctx, tx, c); err != nil {
			return err
		}
		auditFields := func(c query.Chat) map[string]any { return map[string]any{"status": c.Status, "operator": c.Operator} }
		after := auditFields(c)
		if reason != "" {
			after["reason"] = reason
		}
		return s.auditIn(ctx, tx, by.MerchantID, action, "chat/"+formatID(id), auditFields(before), after)
	})
	s.o.Outbox.Wake()
	return err
}

func (s *Service) actIn(ctx context.Context, tx *db.Tx, by Agent, c *query.Chat, action string) error {
	now := db.Millis(s.o.Now())
	switch action {
	case actionClaim:
		if c.Status == Open && c.OperatorID != by.ID {
			return ErrClaimed.With("operator", c.Operator)
		}
		if c.Status != Waiting {
			return ErrState
		}
		c.Status, c.OperatorID, c.Operator, c.ClaimedAt = Open, by.ID, by.Name, now
		return s.changeIn(ctx, tx, c, eventClaimed, by.Name)
	case actionRelease:
		if c.Status != Open {
			return ErrState
		}
		c.Status, c.OperatorID, c.Operator = Waiting, 0, "" // QueuedAt is unchanged, so the customer keeps the place in the queue
		return s.changeIn(ctx, tx, c, eventReleased, by.Name)
	default:
		if c.Status == Closed {
			return ErrState
		}
		c.Status, c.ClosedAt = Closed, now
		return s.changeIn(ctx, tx, c, eventClosed, by.Name)
	}
}

func (s *Service) auditIn(ctx context.Context, tx *db.Tx, merchantID int64, action, object string, before, after any) error {
	kind, _, _ := strings.Cut(object, "/")
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(permission.ChatAnswer), Action: kind + "." + action, Object: object, Before: before, After: after,
	})
}

// Answer adds an operator's message to a conversation that the operator has claimed. It writes no audit log, because the message names the operator.
func (s *Service) Answer(ctx context.Context, by Agent, id int64, d Draft) (Message, error) {
	d.Text = clean(d.Text)
	if d.image == "" && d.Text == "" {
		return Message{}, ErrEmpty.On("text")
	}
	var out Message
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.lockForMerchant(ctx, tx, by.MerchantID, id)
		if err != nil {
			return err
		}
		stored, err := tx.Q.ChatMessageOfClient(ctx, c.ID, FromOperator, d.ClientID)
		if found, err := db.Found("find message", err); err != nil || found {
			out = messageOf(stored)
			return err
		}
		if c.Status != Open || c.OperatorID != by.ID {
			return ErrNotClaimed
		}
		m := query.ChatMessage{ChatID: c.ID, Sender: FromOperator, Operator: by.Name, ClientID: d.ClientID, Kind: kindText, Body: d.Text}
		if d.image != "" {
			m.Kind, m.Body, m.Width, m.Height = kindImage, d.image, int64(d.width), int64(d.height)
			if err := s.pictures.KeepIn(ctx, tx, imageFolder+d.image); err != nil {
				return err
			}
		}
		if err := s.appendIn(ctx, tx, &c, &m); err != nil {
			return err
		}
		out = messageOf(m)
		return s.announceIn(ctx, tx, c)
	})
	s.o.Outbox.Wake()
	return out, err
}

// AnswerImage adds an operator's picture.
func (s *Service) AnswerImage(ctx context.Context, by Agent, id int64, clientID, contentType string, data []byte) (Message, error) {
	c, err := s.findForMerchant(ctx, s.o.Store.Q(), by.MerchantID, id)
	if err != nil {
		return Message{}, err
	}
	if c.Status != Open || c.OperatorID != by.ID {
		return Message{}, ErrNotClaimed
	}
	d := Draft{ClientID: clientID}
	if err := s.attachPicture(ctx, &d, contentType, data); err != nil {
		return Message{}, err
	}
	return s.Answer(ctx, by, id, d)
}

// ReadAs marks the messages up to number seq as read, if the operator has claimed the conversation. For other operators it does nothing.
func (s *Service) ReadAs(ctx context.Context, by Agent, id, seq int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.findForMerchant(ctx, tx.Q, by.MerchantID, id)
		if err != nil || c.OperatorID != by.ID {
			return err
		}
		n, err := tx.Q.ReadAsOperator(ctx, seq, c.ID)
		if err != nil || n == 0 {
			return err
		}
		return s.announceIn(ctx, tx, c)
	})
	s.o.Outbox.Wake()
	return err
}

// TypingAs informs the customer that the operator is typing.
func (s *Service) TypingAs(ctx context.Context, by Agent, id int64) error {
	c, err := s.findForMerchant(ctx, s.o.Store.Q(), by.MerchantID, id)
	if err != nil || c.Status != Open || c.OperatorID != by.ID {
		return err
	}
	data, err := json.Marshal(struct {
		Operator string `json:"operator"`
	}{by.Name})
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return s.publish(ctx, customerMessage(c, "chat.typing", data))
}

// AddNote adds a note that only operators see.
func (s *Service) AddNote(ctx context.Context, by Agent, id int64, text string) error {
	text = clean(text)
	if text == "" {
		return ErrEmpty.On("text")
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.findForMerchant(ctx, tx.Q, by.MerchantID, id)
		if err != nil {
			return err
		}
		note := query.AddChatNoteParams{ID: s.o.IDs(), ChatID: c.ID, Operator: by.Name, Body: text, CreatedAt: db.Millis(s.o.Now())}
		if err := tx.Q.AddChatNote(ctx, note); err != nil {
			return fmt.Errorf("add note: %w", err)
		}
		if err := s.o.Screens.ChangedOf(ctx, tx, by.MerchantID, "chats", formatID(id)); err != nil {
			return err
		}
		return s.auditIn(ctx, tx, by.MerchantID, "note", "chat/"+formatID(id), nil, map[string]any{"text": text})
	})
}

// Transcript returns a conversation as text.
func (s *Service) Transcript(ctx context.Context, merchantID, id int64) (string, error) {
	c, err := s.findForMerchant(ctx, s.o.Store.Q(), merchantID, id)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Chat %d with %s\n\n", c.ID, c.Name)
	for after, more := int64(0), true; more; {
		page, err := s.messages(ctx, id, after, 0)
		if err != nil {
			return "", err
		}
		for _, m := range page.List {
			after = m.Seq
			who := c.Name
			if m.From != FromCustomer {
				who = m.Operator
			}
			text := m.Text
			switch m.Kind {
			case kindImage:
				text = "[picture " + m.Image + "]"
			case kindEvent:
				text = "[" + text + "]"
			}
			fmt.Fprintf(&b, "%s %s: %s\n", time.UnixMilli(m.At).UTC().Format(time.RFC3339), who, strings.ReplaceAll(text, "\n", "\n  "))
		}
		more = page.More
	}
	return b.String(), nil
}

// OpenImageOf opens a picture of a merchant's conversation. The caller closes it.
func (s *Service) OpenImageOf(ctx context.Context, merchantID, id int64, name string) (io.ReadCloser, error) {
	if _, err := s.findForMerchant(ctx, s.o.Store.Q(), merchantID, id); err != nil {
		return nil, err
	}
	return s.openImage(ctx, id, name)
}
