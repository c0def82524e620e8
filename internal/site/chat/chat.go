// Package chat is the live chat between customers and customer service. A member has one permanent conversation. A visitor has one
// conversation per browser. Messages are numbered without gaps, so that a client that lost its connection can request all messages after
// the last one it has. The client chooses an id for each message, so that a message that is sent twice is stored once.
package chat

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
)

// States of a conversation.
const (
	None    = "none" // the customer has not written yet
	Waiting = "waiting"
	Open    = "open"
	Closed  = "closed"
)

// Senders of a message.
const (
	FromCustomer = "customer"
	FromOperator = "operator"
	FromSystem   = "system"
)

// Kinds of a message.
const (
	kindText  = "text"
	kindImage = "image"
	kindEvent = "event"
)

// Events of a conversation.
const (
	eventStarted  = "started"
	eventClaimed  = "claimed"
	eventReleased = "released"
	eventClosed   = "closed"
	eventRated    = "rated"
)

// Faults of this package.
var (
	// ErrOffline refuses to start a conversation outside opening hours.
	ErrOffline = fault.New(fault.Refused, "chat.offline")
	// ErrEnded refuses an action that needs a running conversation.
	ErrEnded = fault.New(fault.Conflict, "chat.ended")
	// ErrRated refuses to rate a conversation that has not ended or that already has a rating.
	ErrRated = fault.New(fault.Conflict, "chat.rated")
	// ErrEmpty refuses a text without visible characters.
	ErrEmpty = fault.New(fault.Invalid, "chat.empty")
	// ErrPicture refuses an upload that is not a picture of an accepted format and size.
	ErrPicture = fault.New(fault.Invalid, "chat.picture")
	// ErrUnknown refuses a conversation or picture that does not exist, or that the caller may not see.
	ErrUnknown = fault.New(fault.NotFound, "chat.unknown")
)

// Rate limits.
var (
	messageLimit      = ratelimit.Limit{Burst: 10, Every: 2 * time.Second}
	imageLimit        = ratelimit.Limit{Burst: 5, Every: 20 * time.Second}  // of a member
	visitorLimit      = ratelimit.Limit{Burst: 10, Every: 5 * time.Minute}  // new conversations from one network
	visitorImageLimit = ratelimit.Limit{Burst: 10, Every: 20 * time.Second} // of all visitors from one network
)

const (
	maxText     = 2000 // characters
	maxPreview  = 80
	idleTimeout = 24 * time.Hour
)

// A Rule holds a merchant's chat settings.
type Rule struct {
	Opens, Closes string // HH:MM; equal times mean always open
	Zone          *time.Location
	Service       string // URL of an external chat; empty: this chat is used
}

// isOpen reports whether customer service is open at the given time.
func (r Rule) isOpen(now time.Time) bool {
	timeOfDay := now.In(r.Zone).Format("15:04")
	switch {
	case r.Opens == r.Closes:
		return true
	case r.Opens < r.Closes:
		return r.Opens <= timeOfDay && timeOfDay < r.Closes
	default: // open over midnight
		return r.Opens <= timeOfDay || timeOfDay < r.Closes
	}
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
}

// Options configures a Service.
type Options struct {
	Store   *db.Store
	Outbox  *events.Outbox
	Screens Screens
	Limiter *ratelimit.Stored
	Digest  func(purpose string, parts ...string) []byte // a keyed hash
	Blobs   picture.Blobs
	Rule    func(ctx context.Context, merchantID int64) (Rule, error)
	IDs     db.IDs
	Now     func() time.Time

	// Requests stores the responses to requests that must take effect once.
	Requests *idempotency.Keys
}

// A Service runs the live chat.
type Service struct {
	o        Options
	pictures picture.Store
	decoder  *picture.Decoder
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}, decoder: picture.NewDecoder()}
}

// A Customer is a member or visitor who talks to customer service. The digest of a cookie identifies a visitor.
type Customer struct {
	MerchantID int64
	MemberID   int64  // 0: a visitor
	Visitor    []byte // VisitorDigest of the cookie
	Name       string
	Language   string
	Network    string // used to limit new conversations and pictures of visitors
}

// VisitorDigest returns the digest of a visitor's cookie.
func (s *Service) VisitorDigest(merchantID int64, token string) []byte {
	return s.o.Digest("chat.visitor", strconv.FormatInt(merchantID, 10), token)
}

// A Draft is a message to send.
type Draft struct {
	ClientID string
	Text     string
	Name     string // entered by a visitor
	Contact  string // entered in the offline form
	Offline  bool

	image         string
	width, height int
}

// clean removes control characters and surrounding white space.
func clean(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) || r == utf8.RuneError {
			return -1
		}
		return r
	}, text))
}

// shorten collapses white space and limits a text to maxLength characters.
func shorten(text string, maxLength int) string {
	if runes := []rune(strings.Join(strings.Fields(text), " ")); len(runes) > maxLength {
		return string(runes[:maxLength-1]) + "…"
	}
	return strings.Join(strings.Fields(text), " ")
}

func (s *Service) find(ctx context.Context, q *query.Queries, who Customer) (c query.Chat, found bool, err error) {
	if who.MemberID != 0 {
		c, err = q.ChatOfMember(ctx, sql.NullInt64{Int64: who.MemberID, Valid: true})
	} else {
		c, err = q.ChatOfVisitor(ctx, who.Visitor)
	}
	found, err = db.Found("find chat", err)
	return c, found && c.MerchantID == who.MerchantID, err
}

// lock finds and locks the customer's conversation. It returns ErrEnded if there is none.
func (s *Service) lock(ctx context.Context, tx *db.Tx, who Customer) (query.Chat, error) {
	c, found, err := s.find(ctx, tx.Q, who)
	if err != nil {
		return c, err
	}
	if !found {
		return c, ErrEnded
	}
	return lockChat(ctx, tx, c.ID)
}

func lockChat(ctx context.Context, tx *db.Tx, id int64) (query.Chat, error) {
	c, err := tx.Q.LockChat(ctx, id)
	if err != nil {
		return c, fmt.Errorf("lock chat: %w", err)
	}
	return c, nil
}

// lockOrCreate returns the customer's conversation, locked. It limits the conversations that visitors of one network create.
func (s *Service) lockOrCreate(ctx context.Context, tx *db.Tx, who Customer) (query.Chat, error) {
	c, err := s.lock(ctx, tx, who)
	if !errors.Is(err, ErrEnded) {
		return c, err
	}
	row := query.AddChatParams{ID: s.o.IDs(), MerchantID: who.MerchantID, Name: who.Name, Language: who.Language, QueuedAt: db.Millis(s.o.Now())}
	if who.MemberID != 0 {
		row.MemberID = sql.NullInt64{Int64: who.MemberID, Valid: true}
	} else {
		row.Visitor = who.Visitor
		if err := s.o.Limiter.TakeAllIn(ctx, tx, ratelimit.NetworkBuckets("chat/network/", who.Network, "", visitorLimit, ratelimit.BlockFactor)); err != nil {
			return c, err
		}
	}
	if _, err := tx.Q.AddChat(ctx, row); err != nil {
		return c, fmt.Errorf("create chat: %w", err)
	}
	return s.lock(ctx, tx, who) // a concurrent request may have created it
}

// Send adds a customer's message and starts a conversation if none is running.
func (s *Service) Send(ctx context.Context, who Customer, d Draft) (Message, error) {
	d.Text, d.Name, d.Contact = clean(d.Text), shorten(clean(d.Name), 40), shorten(clean(d.Contact), 120)
	if d.image == "" && d.Text == "" {
		return Message{}, ErrEmpty.On("text")
	}
	if d.Offline && d.Contact == "" && who.MemberID == 0 {
		return Message{}, ErrEmpty.On("contact")
	}
	rule, err := s.o.Rule(ctx, who.MerchantID)
	if err != nil {
		return Message{}, err
	}
	var out Message
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		c, err := s.lockOrCreate(ctx, tx, who)
		if err != nil {
			return err
		}
		stored, err := tx.Q.ChatMessageOfClient(ctx, c.ID, FromCustomer, d.ClientID)
		if found, err := db.Found("find message", err); err != nil || found {
			out = messageOf(stored)
			return err
		}
		if err := s.o.Limiter.TakeIn(ctx, tx, "chat/"+formatID(c.ID), messageLimit); err != nil {
			return err
		}
		if c.Status == Closed {
			if !d.Offline && !rule.isOpen(s.o.Now()) {
				return ErrOffline
			}
			if err := s.startIn(ctx, tx, &c, d); err != nil {
				return err
			}
		}
		m := query.ChatMessage{ChatID: c.ID, Sender: FromCustomer, ClientID: d.ClientID, Kind: kindText, Body: d.Text}
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

// startIn puts a conversation in the queue.
func (s *Service) startIn(ctx context.Context, tx *db.Tx, c *query.Chat, d Draft) error {
	now := db.Millis(s.o.Now())
	c.Status, c.Offline, c.OperatorID, c.Operator, c.Rating, c.QueuedAt, c.ClaimedAt, c.ClosedAt = Waiting, d.Offline, 0, "", 0, now, 0, 0
	if d.Contact != "" {
		c.Contact = d.Contact
	}
	if d.Name != "" && !c.MemberID.Valid {
		c.Name = d.Name
	}
	return s.changeIn(ctx, tx, c, eventStarted, "")
}

// changeIn stores the state of a conversation and adds an event to its messages.
func (s *Service) changeIn(ctx context.Context, tx *db.Tx, c *query.Chat, event, operator string) error {
	c.Version++
	err := tx.Q.SetChatState(ctx, query.SetChatStateParams{
		ID: c.ID, Status: c.Status, Offline: c.Offline, OperatorID: c.OperatorID, Operator: c.Operator, Rating: c.Rating, QueuedAt: c.QueuedAt,
		ClaimedAt: c.ClaimedAt, ClosedAt: c.ClosedAt, Contact: c.Contact, Name: c.Name, UpdatedAt: db.Millis(s.o.Now()),
	})
	if err != nil {
		return fmt.Errorf("change chat: %w", err)
	}
	return s.appendIn(ctx, tx, c, &query.ChatMessage{ChatID: c.ID, Sender: FromSystem, Operator: operator, Kind: kindEvent, Body: event})
}

// appendIn adds a message to a locked conversation.
func (s *Service) appendIn(ctx context.Context, tx *db.Tx, c *query.Chat, m *query.ChatMessage) error {
	m.Seq, m.CreatedAt = c.LastSeq+1, db.Millis(s.o.Now())
	if m.Kind == kindEvent {
		m.ClientID = strconv.FormatInt(m.Seq, 10)
	}
	if err := tx.Q.AddChatMessage(ctx, query.AddChatMessageParams(*m)); err != nil {
		return fmt.Errorf("add message: %w", err)
	}
	c.LastSeq, c.UpdatedAt = m.Seq, m.CreatedAt
	switch m.Kind {
	case kindText:
		c.Preview = shorten(m.Body, maxPreview)
	case kindImage:
		c.Preview = ""
	}
	err := tx.Q.AdvanceChat(ctx, query.AdvanceChatParams{
		ID: c.ID, LastSeq: c.LastSeq, Preview: c.Preview, CustomerRead: c.CustomerRead, OperatorRead: c.OperatorRead, UpdatedAt: c.UpdatedAt,
	})
	if err != nil {
		return fmt.Errorf("advance chat: %w", err)
	}
	return nil
}

// announceIn informs the customer's browsers and the operators' screens that a conversation changed.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, c query.Chat) error {
	data, err := json.Marshal(struct {
		Seq int64 `json:"seq"`
	}{c.LastSeq})
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	if err := s.o.Outbox.Add(ctx, tx, s.o.Now(), customerMessage(c, "chat", data)); err != nil {
		return err
	}
	return s.o.Screens.ChangedOf(ctx, tx, c.MerchantID, "chats", strconv.FormatInt(c.ID, 10))
}

// customerMessage returns an event that is sent to the customer of a conversation.
func customerMessage(c query.Chat, event string, data []byte) events.Message {
	m := events.Message{Merchant: strconv.FormatInt(c.MerchantID, 10), Member: events.VisitorKey(c.ID), Event: event, Data: data}
	if c.MemberID.Valid {
		m.Member = strconv.FormatInt(c.MemberID.Int64, 10)
	}
	return m
}
