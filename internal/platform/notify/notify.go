// Package notify sends text messages and e-mail to people outside: through an HTTP gateway and an SMTP server where
// they are configured, and into a local outbox in a demo. A message is queued in the transaction that makes it
// true and sent after it. It knows no domain: who gets which message others decide. Neither a recipient nor a text
// is ever logged.
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

// Channel is how a message travels.
type Channel string

// The channels.
const (
	SMS   Channel = "sms"
	Email Channel = "email"
)

// Message is what one person is told.
type Message struct {
	Channel  Channel
	To       string // a number in E.164, or an e-mail address
	Language string
	Kind     Kind
	Subject  string // of an e-mail
	Text     string
	Until    time.Time // not sent after this; zero means whenever
	// Withheld costs what sending costs and sends nothing: who watches cannot tell whether there is a recipient.
	Withheld bool
}

// What becomes of a message.
const (
	queued   = "queued"
	sent     = "sent"
	failed   = "failed"
	local    = "local"
	withheld = "withheld"
)

// channelTasks names the task that delivers by each channel. Each has a queue of its own, so that no carrier waits for another.
var channelTasks = map[Channel]string{SMS: "notify.sms", Email: "notify.email"}

// sharedTask is what an earlier release queued for messages of every channel, in the queue of all jobs.
const sharedTask = "notify.deliver"

const (
	attempts    = 8
	workers     = 4 // on each channel
	sendTimeout = time.Minute
	firstWait   = 5 * time.Second
	longestWait = 10 * time.Minute
	keepFor     = 30 * 24 * time.Hour
)

// Options of the service.
type Options struct {
	Store    *db.Store
	Queue    *jobs.Queue
	IDs      db.IDs
	Now      func() time.Time
	Log      *slog.Logger
	Client   *http.Client // for the gateway
	SMSURL   string       // of the gateway; empty means none
	SMSKey   string       // signs what is sent to it
	SMTP     string       // smtp://user:pass@host:port or smtps://…; empty means none
	MailFrom string       // who e-mails come from
	Local    bool         // a demo: what has no carrier goes to the local outbox
}

// carrier takes a message out of the house.
type carrier interface {
	// send hands the message over. An error that errFinal wraps will not go away by trying again.
	send(ctx context.Context, id int64, m Message) error
}

// errFinal marks a refusal that trying again will not change.
var errFinal = errors.New("refused for good")

// Service queues and sends.
type Service struct {
	o        Options
	carriers map[Channel]carrier
}

// New checks the settings and declares the sending in the queue.
func New(o Options) (*Service, error) {
	s := &Service{o: o, carriers: map[Channel]carrier{}}
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
	err := o.Queue.Declare(jobs.Task{Name: sharedTask, Attempts: attempts, Wait: wait, Timeout: sendTimeout, Run: s.requeue})
	for channel, task := range channelTasks {
		err = errors.Join(err, o.Queue.Declare(jobs.Task{
			Name: task, Attempts: attempts, Wait: wait, Timeout: sendTimeout, Queue: string(channel), Workers: workers, Run: s.deliver,
		}))
	}
	if err != nil {
		return nil, fmt.Errorf("prepare messages: %w", err)
	}
	return s, nil
}

// wait doubles after each failure, up to a bound.
func wait(failed int) time.Duration {
	return min(firstWait<<min(failed-1, 16), longestWait)
}

// Can tells whether messages of a channel go anywhere.
func (s *Service) Can(c Channel) bool { return s.carriers[c] != nil || s.o.Local }

// SendIn queues a message within the caller's transaction: it leaves after the commit, or not at all.
func (s *Service) SendIn(ctx context.Context, tx *db.Tx, m Message) error {
	if !s.Can(m.Channel) {
		return fmt.Errorf("no way to send by %s", m.Channel)
	}
	now := db.Millis(s.o.Now())
	row := query.AddDispatchParams{
		ID: s.o.IDs(), Channel: string(m.Channel), Recipient: m.To, Language: m.Language, Kind: string(m.Kind),
		Subject: m.Subject, Body: m.Text, State: queued, CreatedAt: now,
	}
	if !m.Until.IsZero() {
		row.UntilAt = db.Millis(m.Until)
	}
	stays := s.carriers[m.Channel] == nil
	switch {
	case m.Withheld:
		row.State, row.Recipient, row.Body = withheld, "", ""
	case stays:
		row.State = local
	}
	if err := tx.Q.AddDispatch(ctx, row); err != nil {
		return fmt.Errorf("queue message: %w", err)
	}
	if stays {
		return nil
	}
	return s.o.Queue.Add(ctx, tx, channelTasks[m.Channel], row.ID)
}

// requeue hands a message that an earlier release has queued to its channel.
func (s *Service) requeue(ctx context.Context, id int64, _ bool) error {
	row, err := s.o.Store.Q().Dispatch(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // swept
	}
	if err == nil && row.State == queued {
		err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
			return s.o.Queue.Add(ctx, tx, channelTasks[Channel(row.Channel)], id)
		})
	}
	if err != nil {
		return fmt.Errorf("queue message by its channel: %w", err)
	}
	return nil
}

// deliver makes one attempt to send a queued message.
func (s *Service) deliver(ctx context.Context, id int64, last bool) error {
	row, err := s.o.Store.Q().Dispatch(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // swept
	}
	if err != nil {
		return fmt.Errorf("read message: %w", err)
	}
	if row.State != queued {
		return nil // withheld, or sent before a crash
	}
	if row.UntilAt != 0 && db.Millis(s.o.Now()) > row.UntilAt {
		return s.giveUp(ctx, id, errors.New("the message is too late to be sent"))
	}
	c := s.carriers[Channel(row.Channel)]
	if c == nil {
		return s.giveUp(ctx, id, fmt.Errorf("no way to send by %s any more", row.Channel))
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

// giveUp ends a message that will not be sent. The queue is silent about what is given up, so it is logged here.
func (s *Service) giveUp(ctx context.Context, id int64, why error) error {
	s.o.Log.ErrorContext(ctx, "message not sent", "message", id, "error", why)
	return jobs.GiveUp(errors.Join(why, s.close(ctx, id, failed)))
}

// close notes what became of a message and blanks its text. What has left cannot be called back, so this is done
// even when the server is about to stop.
func (s *Service) close(ctx context.Context, id int64, state string) error {
	ctx = context.WithoutCancel(ctx)
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.CloseDispatch(ctx, id, state, db.Millis(s.o.Now()))
		return err
	})
	if err != nil {
		return fmt.Errorf("note message as %s: %w", state, err)
	}
	return nil
}

// Sweep forgets old messages, some in each transaction. It is run as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-keepFor))
	for dropped := int64(1); dropped > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropOldDispatches(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old messages: %w", err)
		}
	}
	return nil
}
