// Package message keeps members' inboxes: messages of operators to one member, a segment or all, and messages of the system about
// money, security and the account. It also keeps what may notify a member and by which way, and sends web push. It sanitizes HTML before
// storing it. It never sends anything promotional to a member without consent or on a break.
package message

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/microcosm-cc/bluemonday"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// Faults of this package.
var (
	ErrUnknown      = fault.New(fault.NotFound, "message.unknown")      // not there, deleted, withdrawn, or of another member
	ErrChoice       = fault.New(fault.Refused, "message.choice")        // this way cannot be switched off
	ErrSubscription = fault.New(fault.Invalid, "message.subscription")  // not a push subscription of a browser
	ErrText         = fault.ForOperators(fault.Invalid, "message.text") // missing, too long, or without visible text
	ErrLink         = fault.ForOperators(fault.Invalid, "message.link") // not a path of the app
	ErrMember       = fault.ForOperators(fault.Invalid, "message.member")
	ErrSegment      = fault.ForOperators(fault.Invalid, "message.segment") // a bound that contradicts another, or an amount with too many decimals
	ErrConsent      = fault.ForOperators(fault.Refused, "message.consent") // promotional, and the member has not agreed or is on a break
	ErrWithdrawn    = fault.ForOperators(fault.Conflict, "message.withdrawn")
	ErrNotFound     = fault.ForOperators(fault.NotFound, "message.not_found")
)

// Event is the name of the event that a member's pages receive when the inbox changes.
const Event = "inbox.changed"

// Outbox publishes events after the commit.
type Outbox interface {
	Add(ctx context.Context, tx *db.Tx, now time.Time, messages ...events.Message) error
	Wake()
}

// Desk informs operators' open screens that an object changed.
type Desk interface {
	Changed(ctx context.Context, tx *db.Tx, things, id string) error
}

// Mail sends e-mail. *notify.Service implements it.
type Mail interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Queue    *jobs.Queue
	Keys     *secret.Keys
	Mail     Mail
	Requests *idempotency.Keys
	Outbox   Outbox
	Desk     Desk
	Client   *http.Client // for push services
	Contact  string       // address of the operator for push services, as mailto: or https:
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
}

// A Service keeps messages.
type Service struct {
	o    Options
	safe *bluemonday.Policy
}

const (
	sendTask = "message.send"
	pushTask = "message.push"

	// keepTime is how long system messages are kept.
	keepTime = 365 * 24 * time.Hour
	// pushTime is how long a push message may wait.
	pushTime = 24 * time.Hour
)

// New returns a Service and declares its tasks in the queue.
func New(o Options) (*Service, error) {
	s := &Service{o: o, safe: bluemonday.UGCPolicy()}
	wait := func(failed int) time.Duration { return min(5*time.Second<<min(failed-1, 10), 10*time.Minute) }
	for _, t := range []jobs.Task{
		{Name: sendTask, Attempts: 25, Wait: wait, Queue: "message", Workers: 1, Run: s.run},
		{Name: pushTask, Attempts: 6, Wait: wait, Timeout: time.Minute, Queue: "push", Workers: 4, Run: s.push},
	} {
		if err := o.Queue.Declare(t); err != nil {
			return nil, fmt.Errorf("declare message tasks: %w", err)
		}
	}
	return s, nil
}

// A Reader is the member who reads an inbox.
type Reader struct {
	ID, MerchantID int64
	Language       string
}

// SystemIn writes a message of the system to a member's inbox, in the transaction of the event that it describes. It also notifies the
// member by the ways that the member has chosen. Trial and other accounts have no inbox.
func (s *Service) SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error {
	k := Kind(kind)
	topic, known := topics[k]
	if !known {
		return fmt.Errorf("unknown kind of message %q", kind)
	}
	m, err := tx.Q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read member: %w", err)
	}
	if !rest.MemberType(m.Type).Real() {
		return nil
	}
	data, err := json.Marshal(args)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	_, err = tx.Q.AddInbox(ctx, query.AddInboxParams{ID: s.o.IDs(), MemberID: memberID, Kind: kind, Args: string(data), CreatedAt: db.Millis(s.o.Now())})
	if err != nil {
		return fmt.Errorf("write message: %w", err)
	}
	if err := s.changedIn(ctx, tx, memberID); err != nil {
		return err
	}
	title, text := systemText(k, m.Language, args)
	return s.notifyIn(ctx, tx, &m, topic, note{Title: title, Body: text, Path: links[k]})
}

// SendIn writes a plain text of an operator to a member's inbox.
func (s *Service) SendIn(ctx context.Context, tx *db.Tx, _, memberID int64, text string) error {
	return s.SystemIn(ctx, tx, memberID, string(Notice), map[string]string{"text": text})
}

// changedIn informs the member's pages.
func (s *Service) changedIn(ctx context.Context, tx *db.Tx, memberID int64) error {
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Member: formatID(memberID), Event: Event, Data: json.RawMessage(`{}`)})
}

// Sweep deletes old system messages and push messages that were not sent in time. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	for _, drop := range []func(*db.Tx) (int64, error){
		func(tx *db.Tx) (int64, error) { return tx.Q.DropOldInbox(ctx, db.Millis(s.o.Now().Add(-keepTime))) },
		func(tx *db.Tx) (int64, error) {
			return tx.Q.DropOldPushNotes(ctx, db.Millis(s.o.Now().Add(-pushTime)))
		},
	} {
		for dropped := int64(1); dropped > 0; {
			err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
				dropped, err = drop(tx)
				return err
			})
			if err != nil {
				return fmt.Errorf("drop old messages: %w", err)
			}
		}
	}
	return nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }

func nullID(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: true} }
