package message

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/notify"
)

// A Way is a channel through which a message reaches a member. The database contains these values.
type Way string

// The ways.
const (
	Inbox Way = "inbox"
	Push  Way = "push"
	Email Way = "email"
)

// Ways lists all ways.
var Ways = []Way{Inbox, Push, Email}

// emailKind is the notify.Kind of messages that are sent by e-mail.
const emailKind notify.Kind = "message"

// choices holds a member's decisions. A missing entry means the default.
type choices map[Topic]map[Way]bool

// allows reports whether messages of a topic may use a way. If the member has not decided, promotions are not allowed. Other topics may
// use the inbox and push, and rewards may also use e-mail.
func (c choices) allows(t Topic, w Way) bool {
	if allowed, chosen := c[t][w]; chosen {
		return allowed
	}
	return t != Promotion && (w != Email || t == Reward)
}

// isFixed reports whether a member cannot forbid a way. All messages except promotions reach the inbox.
func isFixed(t Topic, w Way) bool { return w == Inbox && t != Promotion }

func choicesOf(ctx context.Context, q *query.Queries, memberID int64) (choices, error) {
	rows, err := q.NotifyChoices(ctx, memberID)
	if err != nil {
		return nil, fmt.Errorf("read choices: %w", err)
	}
	out := choices{}
	for _, r := range rows {
		t := Topic(r.Topic)
		if out[t] == nil {
			out[t] = map[Way]bool{}
		}
		out[t][Way(r.Way)] = r.Allowed
	}
	return out, nil
}

// mayPromote reports whether promotions may reach a member through w. The member must have agreed and must not be on a break.
func (s *Service) mayPromote(ctx context.Context, q *query.Queries, memberID int64, w Way) (bool, error) {
	c, err := choicesOf(ctx, q, memberID)
	if err != nil || !c.allows(Promotion, w) {
		return false, err
	}
	onBreak, err := q.MemberOnBreak(ctx, memberID, db.Millis(s.o.Now()))
	if err != nil {
		return false, fmt.Errorf("read breaks: %w", err)
	}
	return onBreak == 0, nil
}

// A Choice is one setting of the notifications screen.
type Choice struct {
	Topic   Topic
	Way     Way
	Allowed bool
	Fixed   bool
}

// Preferences holds a member's notification settings.
type Preferences struct {
	Choices []Choice
	// AskedAt is the time of the member's last decision about promotions, or 0 if the app should ask.
	AskedAt int64
	// HasEmail reports whether e-mail can reach the member.
	HasEmail bool
	// Browsers is the number of browsers that receive push.
	Browsers int
}

// Preferences returns a member's notification settings.
func (s *Service) Preferences(ctx context.Context, memberID int64) (out Preferences, err error) {
	q := s.o.Store.Q()
	m, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return out, fmt.Errorf("read member: %w", err)
	}
	c, err := choicesOf(ctx, q, memberID)
	if err != nil {
		return out, err
	}
	for _, t := range Topics {
		for _, w := range Ways {
			out.Choices = append(out.Choices, Choice{t, w, c.allows(t, w), isFixed(t, w)})
		}
	}
	if out.AskedAt, err = q.NewestNotifyConsent(ctx, memberID); err != nil {
		return out, fmt.Errorf("read consent: %w", err)
	}
	browsers, err := q.PushSubscriptionsOf(ctx, memberID)
	if err != nil {
		return out, fmt.Errorf("read subscriptions: %w", err)
	}
	out.Browsers, out.HasEmail = len(browsers), m.Email.String != "" && s.o.Mail.Can(notify.Email)
	return out, nil
}

// A Change allows or forbids one way for messages of one topic.
type Change struct {
	Topic   Topic
	Way     Way
	Allowed bool
}

// Choose stores a member's decisions. It also keeps a record of each decision about promotions.
func (s *Service) Choose(ctx context.Context, memberID int64, changes []Change) error {
	for _, c := range changes {
		if !slices.Contains(Topics, c.Topic) || !slices.Contains(Ways, c.Way) || isFixed(c.Topic, c.Way) && !c.Allowed {
			return ErrChoice
		}
	}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		now := db.Millis(s.o.Now())
		for _, c := range changes {
			err := tx.Q.PutNotifyChoice(ctx, query.PutNotifyChoiceParams{MemberID: memberID, Topic: string(c.Topic), Way: string(c.Way), Allowed: c.Allowed, ChangedAt: now})
			if err == nil && c.Topic == Promotion {
				err = tx.Q.AddNotifyConsent(ctx, query.AddNotifyConsentParams{ID: s.o.IDs(), MemberID: memberID, Way: string(c.Way), Allowed: c.Allowed, At: now})
			}
			if err != nil {
				return err
			}
		}
		return s.changedIn(ctx, tx, memberID) // consent changes which messages the inbox shows
	})
	if err != nil {
		return fmt.Errorf("store choices: %w", err)
	}
	s.o.Outbox.Wake()
	return nil
}

// A note is the content of a push message or e-mail.
type note struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Path  string `json:"path,omitempty"` // in the app
}

// An origin holds the facts that decide whether a push message or e-mail may be sent. It is stored with the queued message.
type origin struct {
	Member  int64 `json:"member"`
	Topic   Topic `json:"topic"`
	Message int64 `json:"message,omitempty"` // the operator's message, or 0
}

// mayNotify reports whether a push message or e-mail may be sent now: the member allows it, is not on a break, and the operator's message
// has neither ended nor been withdrawn. It is asked when a message is queued and again when it is sent.
func (s *Service) mayNotify(ctx context.Context, q *query.Queries, o origin, w Way) (bool, error) {
	c, err := choicesOf(ctx, q, o.Member)
	if err != nil || !c.allows(o.Topic, w) {
		return false, err
	}
	if o.Topic == Promotion || o.Topic == Reward { // nothing invites a member on a break to play
		onBreak, err := q.MemberOnBreak(ctx, o.Member, db.Millis(s.o.Now()))
		if err != nil {
			return false, fmt.Errorf("read breaks: %w", err)
		}
		if onBreak > 0 {
			return false, nil
		}
	}
	if o.Message == 0 {
		return true, nil
	}
	m, err := q.MessageByID(ctx, o.Message)
	if err != nil {
		return false, fmt.Errorf("read message: %w", err)
	}
	return isShown(m, db.Millis(s.o.Now())), nil
}

// mayEmail reports whether an e-mail that waited in the queue may still be sent.
func (s *Service) mayEmail(ctx context.Context, stored string) (bool, error) {
	var o origin
	if err := json.Unmarshal([]byte(stored), &o); err != nil {
		return false, fmt.Errorf("decode origin of an e-mail: %w", err)
	}
	return s.mayNotify(ctx, s.o.Store.Q(), o, Email)
}

// notifyIn queues push messages and an e-mail for a member, if the member allows them. messageID is the operator's message, or 0.
func (s *Service) notifyIn(ctx context.Context, tx *db.Tx, m *query.Member, topic Topic, messageID int64, n note) error {
	o := origin{m.ID, topic, messageID}
	allowed, err := s.mayNotify(ctx, tx.Q, o, Push)
	if err != nil {
		return err
	}
	if allowed {
		if err := s.queuePushIn(ctx, tx, o, n); err != nil {
			return err
		}
	}
	if m.Email.String == "" || !s.o.Mail.Can(notify.Email) {
		return nil
	}
	if allowed, err = s.mayNotify(ctx, tx.Q, o, Email); err != nil || !allowed {
		return err
	}
	stored, err := json.Marshal(o)
	if err != nil {
		return fmt.Errorf("encode origin of an e-mail: %w", err)
	}
	return s.o.Mail.SendIn(ctx, tx, notify.Message{
		Channel: notify.Email, To: m.Email.String, Language: m.Language, Kind: emailKind, Subject: n.Title, Text: n.Body, Origin: string(stored),
	})
}
