// Package notify sends text messages through an HTTP gateway and e-mail through SMTP. In a demo, messages are kept in a
// local outbox instead. A message is queued in the caller's transaction and sent after the commit. Recipients and texts are
// never logged.
package notify

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/jobs"
)

// A Channel is SMS or e-mail. It is stored in the database.
type Channel string

// The channels.
const (
	SMS   Channel = "sms"
	Email Channel = "email"
)

// A Message is one text message or e-mail to one recipient.
type Message struct {
	Channel  Channel
	To       string // a number in E.164, or an e-mail address
	Language string
	Kind     Kind
	Subject  string // e-mail only
	Text     string
	Until    time.Time // the message is not sent later than this; zero means no limit
	// Withheld messages are queued but not sent. They take as long as others, so timing does not reveal whether an account
	// exists.
	Withheld bool
	// Origin is the argument of the check of the message's kind. If it is empty, the message is not checked again.
	Origin string
}

// A Check reports whether a message that waited in the queue may still be sent.
type Check func(ctx context.Context, origin string) (bool, error)

// States of a message. They are stored in the database.
const (
	queued   = "queued"
	sent     = "sent"
	failed   = "failed"
	local    = "local"
	withheld = "withheld"
)

// channelTasks maps each channel to its task. Each channel has its own queue, so that a slow carrier does not block the
// other channel.
var channelTasks = map[Channel]string{SMS: "notify.sms", Email: "notify.email"}

// sharedTask is the task of messages queued by releases that had one queue for all channels.
const sharedTask = "notify.deliver"

const (
	attempts    = 8
	workers     = 4 // per channel
	sendTimeout = time.Minute
	minBackoff  = 5 * time.Second
	maxBackoff  = 10 * time.Minute
	retention   = 30 * 24 * time.Hour
)

// Options configures New.
type Options struct {
	Store    *db.Store
	Queue    *jobs.Queue
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
	Client   *http.Client // for the SMS gateway
	SMSURL   string       // URL of the SMS gateway; empty means none
	SMSKey   string       // signs the requests to the SMS gateway
	SMTP     string       // smtp://user:pass@host:port or smtps://…; empty means none
	MailFrom string       // sender of e-mail
	Local    bool         // in a demo: messages of a channel without a carrier go to the local outbox
}

// A carrier sends messages of one channel.
type carrier interface {
	// send sends a message. An error that wraps errFinal must not be retried.
	send(ctx context.Context, id int64, m Message) error
}

// errFinal marks a failure that a retry cannot fix.
var errFinal = errors.New("permanent failure")

// A Service queues and sends messages.
type Service struct {
	o        Options
	carriers map[Channel]carrier
	checks   map[Kind]Check
}

// New checks the options and declares the delivery tasks in the queue.
func New(o Options) (*Service, error) {
	s := &Service{o: o, carriers: map[Channel]carrier{}, checks: map[Kind]Check{}}
	if o.SMSURL != "" {
		g, err := newGateway(o)
		if err != nil {
			return nil, err
		}
		s.carriers[SMS] = g
	}
	if o.SMTP != "" {
		m, err := newMailer(o)
		if err != nil {
			return nil, err
		}
		s.carriers[Email] = m
	}
	err := o.Queue.Declare(jobs.Task{Name: sharedTask, Attempts: attempts, Wait: backoff, Timeout: sendTimeout, Run: s.requeue})
	for channel, task := range channelTasks {
		err = errors.Join(err, o.Queue.Declare(jobs.Task{
			Name: task, Attempts: attempts, Wait: backoff, Timeout: sendTimeout, Queue: string(channel), Workers: workers, Run: s.deliver,
		}))
	}
	if err != nil {
		return nil, fmt.Errorf("declare message tasks: %w", err)
	}
	return s, nil
}

// backoff returns the wait after a number of failures. It doubles up to maxBackoff.
func backoff(failures int) time.Duration {
	return min(minBackoff<<min(failures-1, 16), maxBackoff)
}

// Can reports whether the service can send messages of a channel.
func (s *Service) Can(c Channel) bool { return s.carriers[c] != nil || s.o.Local }

// Recheck sets the check that messages of a kind must pass again when they are sent. It must be called before the queue runs.
func (s *Service) Recheck(kind Kind, check Check) { s.checks[kind] = check }

// SendIn queues a message in the transaction tx. The message is sent after the commit.
func (s *Service) SendIn(ctx context.Context, tx *db.Tx, m Message) error {
	if !s.Can(m.Channel) {
		return fmt.Errorf("no carrier for %s: configure one", m.Channel)
	}
	now := db.Millis(s.o.Now())
	row := query.AddDispatchParams{
		ID: s.o.IDs(), Channel: string(m.Channel), Recipient: m.To, Language: m.Language, Kind: string(m.Kind),
		Subject: m.Subject, Body: m.Text, State: queued, Origin: m.Origin, CreatedAt: now,
	}
	if !m.Until.IsZero() {
		row.UntilAt = db.Millis(m.Until)
	}
	isLocal := s.carriers[m.Channel] == nil
	switch {
	case m.Withheld:
		row.State, row.Recipient, row.Body = withheld, "", ""
	case isLocal:
		row.State = local
	}
	if err := tx.Q.AddDispatch(ctx, row); err != nil {
		return fmt.Errorf("queue message: %w", err)
	}
	if isLocal {
		return nil
	}
	return s.o.Queue.Add(ctx, tx, channelTasks[m.Channel], row.ID)
}

// requeue moves a message of sharedTask to the queue of its channel.
func (s *Service) requeue(ctx context.Context, id int64, _ bool) error {
	row, err := s.o.Store.Q().Dispatch(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // Sweep has deleted the message
	}
	if err == nil && row.State == queued {
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			return s.o.Queue.Add(ctx, tx, channelTasks[Channel(row.Channel)], id)
		})
	}
	if err != nil {
		return fmt.Errorf("move message to its channel's queue: %w", err)
	}
	return nil
}

// deliver makes one attempt to send a queued message.
func (s *Service) deliver(ctx context.Context, id int64, last bool) error {
	row, err := s.o.Store.Q().Dispatch(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // Sweep has deleted the message
	}
	if err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	if row.State != queued {
		return nil // withheld, or sent by an attempt that crashed later
	}
	if row.UntilAt != 0 && db.Millis(s.o.Now()) > row.UntilAt {
		return s.giveUp(ctx, id, errors.New("the message expired before it was sent"))
	}
	c := s.carriers[Channel(row.Channel)]
	if c == nil {
		return s.giveUp(ctx, id, fmt.Errorf("no carrier for %s is configured any more", row.Channel))
	}
	if check := s.checks[Kind(row.Kind)]; check != nil && row.Origin != "" {
		allowed, err := check(ctx, row.Origin)
		if err != nil {
			return fmt.Errorf("check message again: %w", err)
		}
		if !allowed {
			return s.close(ctx, id, withheld)
		}
	}
	err = c.send(ctx, id, Message{
		Channel: Channel(row.Channel), To: row.Recipient, Language: row.Language, Kind: Kind(row.Kind),
		Subject: row.Subject, Text: row.Body,
	})
	switch {
	case err == nil:
		return s.close(ctx, id, sent)
	case errors.Is(err, errFinal), last:
		return s.giveUp(ctx, id, err)
	}
	return err
}

// giveUp marks a message as failed. It logs the cause, because the queue does not.
func (s *Service) giveUp(ctx context.Context, id int64, cause error) error {
	s.o.Log.ErrorContext(ctx, "message not sent", "message", id, "error", cause)
	return jobs.GiveUp(errors.Join(cause, s.close(ctx, id, failed)))
}

// close stores the final state of a message and clears its text. It ignores cancellation, because a sent message must be
// marked as sent.
func (s *Service) close(ctx context.Context, id int64, state string) error {
	ctx = context.WithoutCancel(ctx)
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.CloseDispatch(ctx, id, state, db.Millis(s.o.Now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("mark message as %s: %w", state, err)
	}
	return nil
}

// Sweep deletes old messages in batches. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-retention))
	for deleted := int64(1); deleted > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropOldDispatches(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old messages: %w", err)
		}
	}
	return nil
}
