package chat

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
)

const (
	imageFolder = "chat/"
	imageSide   = 1600 // longer side of a stored picture, in pixels
	pageSize    = 50
)

var imageName = regexp.MustCompile(`^[a-z2-7]{26}\.jpg$`)

// A Message is one entry of a conversation.
type Message struct {
	Seq      int64  `json:"seq" doc:"Number in the conversation, without gaps."`
	From     string `json:"from" enum:"customer,operator,system"`
	Operator string `json:"operator,omitempty" doc:"Name of the operator who wrote it."`
	ClientID string `json:"clientId"`
	Kind     string `json:"kind" enum:"text,image,event"`
	Text     string `json:"text,omitempty" doc:"Plain text. With event: started, claimed, released, closed or rated."`
	Image    string `json:"image,omitempty" doc:"Name of the picture."`
	Width    int64  `json:"width,omitempty"`
	Height   int64  `json:"height,omitempty"`
	At       int64  `json:"at" doc:"Unix milliseconds."`
}

func messageOf(m query.ChatMessage) Message {
	out := Message{Seq: m.Seq, From: m.Sender, Operator: m.Operator, ClientID: m.ClientID, Kind: m.Kind, Width: m.Width, Height: m.Height, At: m.CreatedAt}
	if m.Kind == kindImage {
		out.Image = m.Body
	} else {
		out.Text = m.Body
	}
	return out
}

// Hours are the opening hours of customer service.
type Hours struct {
	Opens  string `json:"opens" doc:"HH:MM in the merchant's time zone."`
	Closes string `json:"closes" doc:"Equal to opens: always open."`
}

// A View is a conversation as its customer sees it.
type View struct {
	Status       string `json:"status" enum:"none,waiting,open,closed"`
	Online       bool   `json:"online" doc:"Customer service is open. Otherwise a new conversation needs the offline form."`
	Hours        Hours  `json:"hours"`
	Position     int64  `json:"position" doc:"Place in the queue from 1; 0: not in the queue."`
	Operator     string `json:"operator,omitempty" doc:"Who answers."`
	LastSeq      int64  `json:"lastSeq" doc:"Number of the last message."`
	Read         int64  `json:"read" doc:"Number of the last message that the operator has read."`
	CustomerRead int64  `json:"customerRead" doc:"Number of the last message that the caller has read."`
	Unread       int64  `json:"unread"`
	CanRate      bool   `json:"canRate"`
	Offline      bool   `json:"offline" doc:"The conversation began with the offline form."`
	Name         string `json:"name,omitempty"`
}

// State returns the customer's conversation.
func (s *Service) State(ctx context.Context, who Customer) (View, error) {
	rule, err := s.o.Rule(ctx, who.MerchantID)
	if err != nil {
		return View{}, err
	}
	v := View{Status: None, Online: rule.isOpen(s.o.Now()), Hours: Hours{rule.Opens, rule.Closes}}
	q := s.o.Store.Q()
	c, found, err := s.find(ctx, q, who)
	if err != nil || !found {
		return v, err
	}
	v.Status, v.Operator, v.LastSeq, v.Read, v.CustomerRead, v.CanRate = c.Status, c.Operator, c.LastSeq, c.OperatorRead, c.CustomerRead, canRate(c)
	v.Offline, v.Name = c.Offline, c.Name
	if c.Status == Waiting {
		ahead, err := q.ChatsBefore(ctx, c.MerchantID, c.QueuedAt, c.ID)
		if err != nil {
			return v, fmt.Errorf("count queue: %w", err)
		}
		v.Position = ahead + 1
	}
	if v.Unread, err = q.CountChatUnread(ctx, c.ID, c.CustomerRead, FromOperator); err != nil {
		return v, fmt.Errorf("count unread messages: %w", err)
	}
	return v, nil
}

// Messages is a page of a conversation's messages, oldest first.
type Messages struct {
	List []Message `json:"list"`
	More bool      `json:"more" doc:"There are more in the asked direction."`
}

// History returns a page of the customer's messages: the first that follow the number after or, if before is not 0, the
// last that precede the number before.
func (s *Service) History(ctx context.Context, who Customer, after, before int64) (Messages, error) {
	c, found, err := s.find(ctx, s.o.Store.Q(), who)
	if err != nil || !found {
		return Messages{List: []Message{}}, err
	}
	return s.messages(ctx, c.ID, after, before)
}

func (s *Service) messages(ctx context.Context, chatID, after, before int64) (Messages, error) {
	q := s.o.Store.Q()
	var rows []query.ChatMessage
	var err error
	if before != 0 {
		rows, err = q.ChatMessagesBefore(ctx, chatID, before, pageSize+1)
	} else {
		rows, err = q.ChatMessagesAfter(ctx, chatID, after, pageSize+1)
	}
	if err != nil {
		return Messages{}, fmt.Errorf("read messages: %w", err)
	}
	out := Messages{List: []Message{}, More: len(rows) > pageSize}
	for _, m := range rows[:min(len(rows), pageSize)] {
		out.List = append(out.List, messageOf(m))
	}
	if before != 0 {
		slices.Reverse(out.List)
	}
	return out, nil
}

// attachPicture checks and stores an uploaded picture and adds its name to a draft. Pictures that no message keeps are deleted later.
func (s *Service) attachPicture(ctx context.Context, d *Draft, contentType string, data []byte) error {
	upload, err := picture.Check(contentType, data)
	if err != nil {
		return ErrPicture.On("image").Because(err)
	}
	rendered, err := s.decoder.Render(ctx, upload, upload.Fit(imageSide))
	if errors.Is(err, picture.ErrFormat) {
		return ErrPicture.On("image").Because(err)
	}
	if err != nil {
		return err
	}
	name, err := s.pictures.Put(ctx, imageFolder, rendered)
	if err != nil {
		return err
	}
	d.image, d.width, d.height = strings.TrimPrefix(name, imageFolder), upload.Width, upload.Height
	return nil
}

// SendImage adds a customer's picture. Decoding and storing it is expensive, so SendImage first refuses what it can.
func (s *Service) SendImage(ctx context.Context, who Customer, clientID, contentType string, data []byte) (Message, error) {
	c, found, err := s.find(ctx, s.o.Store.Q(), who)
	if err != nil {
		return Message{}, err
	}
	if found {
		stored, err := s.o.Store.Q().ChatMessageOfClient(ctx, c.ID, FromCustomer, clientID)
		if found, err := db.Found("find message", err); err != nil || found {
			return messageOf(stored), err
		}
	}
	rule, err := s.o.Rule(ctx, who.MerchantID)
	if err != nil {
		return Message{}, err
	}
	if (!found || c.Status == Closed) && !rule.isOpen(s.o.Now()) {
		return Message{}, ErrOffline
	}
	if err := s.o.Limiter.TakeAll(ctx, imageBuckets(who)); err != nil {
		return Message{}, err
	}
	d := Draft{ClientID: clientID}
	if err := s.attachPicture(ctx, &d, contentType, data); err != nil {
		return Message{}, err
	}
	m, err := s.Send(ctx, who, d)
	var refusal *fault.Fault
	if errors.As(err, &refusal) || err == nil && m.Image != d.image { // not after other errors: the message may be stored
		_ = s.pictures.Drop(ctx, imageFolder+d.image) // if it fails, Sweep deletes the picture
	}
	return m, err
}

// imageBuckets returns the buckets of a customer's pictures. A visitor can have any number of cookies, so the pictures of a network
// count together.
func imageBuckets(who Customer) []ratelimit.Bucket {
	if who.MemberID == 0 {
		return ratelimit.NetworkBuckets("chat/network/", who.Network, "/image", visitorImageLimit, ratelimit.BlockFactor)
	}
	return []ratelimit.Bucket{{Key: "chat/member/" + formatID(who.MemberID) + "/image", Limit: imageLimit}}
}

// OpenImage opens a picture of the customer's conversation. The caller closes it.
func (s *Service) OpenImage(ctx context.Context, who Customer, name string) (io.ReadCloser, error) {
	c, found, err := s.find(ctx, s.o.Store.Q(), who)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ErrUnknown
	}
	return s.openImage(ctx, c.ID, name)
}

func (s *Service) openImage(ctx context.Context, chatID int64, name string) (io.ReadCloser, error) {
	if !imageName.MatchString(name) {
		return nil, ErrUnknown
	}
	n, err := s.o.Store.Q().ChatImage(ctx, chatID, name)
	if err != nil {
		return nil, fmt.Errorf("find picture: %w", err)
	}
	if n == 0 {
		return nil, ErrUnknown
	}
	return s.o.Blobs.Open(ctx, imageFolder+name)
}

func (s *Service) lockForMerchant(ctx context.Context, tx *db.Tx, merchantID, id int64) (query.Chat, error) {
	c, err := s.findForMerchant(ctx, tx.Q, merchantID, id)
	if err != nil {
		return c, err
	}
	return lockChat(ctx, tx, c.ID)
}

func (s *Service) findForMerchant(ctx context.Context, q *query.Queries, merchantID, id int64) (query.Chat, error) {
	c, err := q.ChatByID(ctx, id)
	found, err := db.Found("find chat", err)
	if err == nil && (!found || c.MerchantID != merchantID) {
		err = ErrUnknown
	}
	return c, err
}
