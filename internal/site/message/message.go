// Package message stores members' inboxes: messages from operators to one member, a segment or all members, and system messages about
// money, security and the account. It also stores members' notification preferences and sends web push messages. It sanitizes HTML
// before storing it. It never sends promotions to a member who has not agreed to them or who is on a break.
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
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/secret"
)

// Faults of this package.
var (
	ErrUnknown      = fault.New(fault.NotFound, "message.unknown")      // missing, deleted, withdrawn, or another member's
	ErrChoice       = fault.New(fault.Refused, "message.choice")        // this notification cannot be switched off
	ErrSubscription = fault.New(fault.Invalid, "message.subscription")  // not a push subscription of a browser
	ErrText         = fault.ForOperators(fault.Invalid, "message.text") // missing, too long, or without visible text
	ErrLink         = fault.ForOperators(fault.Invalid, "message.link") // not a path of the app
	ErrMember       = fault.ForOperators(fault.Invalid, "message.member")
	ErrSegment      = fault.ForOperators(fault.Invalid, "message.segment")  // a bound that contradicts another, or an amount with too many decimals
	ErrSchedule     = fault.ForOperators(fault.Invalid, "message.schedule") // a start that has passed, or an end that is not after the start
	ErrConsent      = fault.ForOperators(fault.Refused, "message.consent")  // promotional, and the member has not agreed or is on a break
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

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
}

// Mail sends e-mail. *notify.Service implements it.
type Mail interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
	// Recheck sets the check that a message of a kind must pass again when it is sent.
	Recheck(kind notify.Kind, check notify.Check)
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Queue    *jobs.Queue
	Keys     *secret.Keys
	Mail     Mail
	Requests *idempotency.Keys
	Outbox   Outbox
	Screens  Screens
	Client   *http.Client // for push services
	Contact  string       // the operator's mailto: or https: URL for push services
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
}

// A Service stores and sends messages.
type Service struct {
	o         Options
	sanitizer *bluemonday.Policy
}

const (
	sendTask = "message.send"
	pushTask = "message.push"

	// retention is the time after which system messages are deleted.
	retention = 365 * 24 * time.Hour
	// pushLifetime is the time after which an unsent push message is dropped.
	pushLifetime = 24 * time.Hour
)

// New returns a Service and declares its tasks in the queue.
func New(o Options) (*Service, error) {
	s := &Service{o: o, sanitizer: bluemonday.UGCPolicy()}
	wait := func(failed int) time.Duration { return min(5*time.Second<<min(failed-1, 10), 10*time.Minute) }
	for _, t := range []jobs.Task{
		{Name: sendTask, Attempts: 25, Wait: wait, Queue: "message", Workers: 1, Run: s.run},
		{Name: pushTask, Attempts: 6, Wait: wait, Timeout: time.Minute, Queue: "push", Workers: 4, Run: s.push},
	} {
		if err := o.Queue.Declare(t); err != nil {
			return nil, fmt.Errorf("declare message tasks: %w", err)
		}
	}
	if o.Mail != nil { // a benchmark has none
		o.Mail.Recheck(emailKind, s.mayEmail)
	}
	return s, nil
}

// A Reader is the member who reads an inbox.
type Reader struct {
	ID, MerchantID int64
	Language       string
}

// SystemIn writes a system message to a member's inbox, in the transaction of the event that it describes. It also notifies the member
// in the ways that the member allows. It does nothing for accounts without an inbox, such as trial accounts.
func (s *Service) SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error {
	return s.SystemManyIn(ctx, tx, kind, []int64{memberID}, []map[string]string{args})
}

// SendIn writes an operator's plain text to a member's inbox.
func (s *Service) SendIn(ctx context.Context, tx *db.Tx, _, memberID int64, text string) error {
	return s.SystemIn(ctx, tx, memberID, string(Notice), map[string]string{"text": text})
}

// changedIn informs the member's open pages that the inbox changed.
func (s *Service) changedIn(ctx context.Context, tx *db.Tx, memberID int64) error {
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), inboxChanged(memberID))
}

func inboxChanged(memberID int64) events.Message {
	return events.Message{Member: formatID(memberID), Event: Event, Data: json.RawMessage(`{}`)}
}

// changedForAllIn informs the open pages of all members of a merchant. Pages wait a random time before they reload, so that they do not all
// send requests at once.
func (s *Service) changedForAllIn(ctx context.Context, tx *db.Tx, merchantID int64) error {
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: formatID(merchantID), Event: Event, Data: json.RawMessage(`{"all":true}`)})
}

// Sweep deletes old system messages and push messages that were not sent in time. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	for _, drop := range []func(*db.Tx) (int64, error){
		func(tx *db.Tx) (int64, error) { return tx.Q.DropOldInbox(ctx, db.Millis(s.o.Now().Add(-retention))) },
		func(tx *db.Tx) (int64, error) {
			return tx.Q.DropOldPushNotes(ctx, db.Millis(s.o.Now().Add(-pushLifetime)))
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
