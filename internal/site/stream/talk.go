package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// Events of a stream.
const (
	eventMessage  = "message"
	eventHidden   = "hidden"
	eventChanged  = "changed"
	eventReaction = "reaction"
)

// A Message is a message in the chat next to a stream.
type Message struct {
	Seq  int64  `json:"seq" doc:"Number in the chat. Numbers of hidden messages are missing."`
	Name string `json:"name" doc:"The member's masked name. Empty: an operator's message."`
	Text string `json:"text" doc:"Plain text."`
	At   int64  `json:"at" doc:"Unix milliseconds."`
	Mine bool   `json:"mine,omitempty" doc:"The caller wrote it."`
	// Operator is true for messages of the house. Viewers do not see which operator wrote them.
	Operator bool `json:"operator,omitempty" doc:"An operator wrote it."`
}

// Messages is a page of a chat, oldest first.
type Messages struct {
	List []Message `json:"list"`
	More bool      `json:"more" doc:"There are more in the asked direction."`
}

func messageOf(m query.LiveStreamMessage, memberID int64) Message {
	if m.Operator != "" {
		return Message{Seq: m.Seq, Text: m.Body, At: m.CreatedAt, Operator: true}
	}
	return Message{Seq: m.Seq, Name: rest.Mask(m.Username), Text: m.Body, At: m.CreatedAt, Mine: m.MemberID.Int64 == memberID}
}

// clean removes control characters and puts a text on one line.
func clean(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)), " ")
}

// An Author is a member who writes a message.
type Author struct {
	MerchantID, MemberID int64
	Username             string
}

// Send adds a member's message to the chat of a stream that is on air.
func (s *Service) Send(ctx context.Context, by Author, id int64, clientID, text string) (Message, error) {
	text = clean(text)
	if text == "" {
		return Message{}, ErrEmpty.On("text")
	}
	var out Message
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		v, err := s.findVisible(ctx, tx.Q, by.MerchantID, id)
		if err != nil {
			return err
		}
		stored, err := tx.Q.LiveStreamMessageOfClient(ctx, id, nullID(by.MemberID), clientID)
		if found, err := db.Found("find message", err); err != nil || found {
			out = messageOf(stored, by.MemberID)
			return err
		}
		if v.State(s.o.Now()) != Live || !v.Chat {
			return ErrClosed
		}
		until, err := s.mutedUntil(ctx, tx.Q, by.MemberID)
		if err != nil {
			return err
		}
		if until != 0 {
			return ErrMuted
		}
		if err := s.o.Limiter.TakeIn(ctx, tx, "stream/member/"+formatID(by.MemberID), messageLimit); err != nil {
			return err
		}
		seq, err := tx.Q.NextLiveStreamSeq(ctx, id)
		if err != nil {
			return fmt.Errorf("number message: %w", err)
		}
		m := query.LiveStreamMessage{StreamID: id, Seq: seq, MemberID: nullID(by.MemberID), Username: by.Username, ClientID: clientID, Body: text, CreatedAt: db.Millis(s.o.Now())}
		err = tx.Q.AddLiveStreamMessage(ctx, query.AddLiveStreamMessageParams{
			StreamID: m.StreamID, Seq: m.Seq, MemberID: m.MemberID, Username: m.Username, ClientID: m.ClientID, Body: m.Body, CreatedAt: m.CreatedAt,
		})
		if err != nil {
			return fmt.Errorf("add message: %w", err)
		}
		out = messageOf(m, by.MemberID)
		if err := s.o.Screens.ChangedOf(ctx, tx, by.MerchantID, "streams", formatID(id)); err != nil {
			return err
		}
		return s.announceIn(ctx, tx, by.MerchantID, id, eventMessage, messageOf(m, 0))
	})
	s.o.Outbox.Wake()
	return out, err
}

// announceIn sends an event to the viewers of a stream.
func (s *Service) announceIn(ctx context.Context, tx *db.Tx, merchantID, id int64, event string, data any) error {
	encoded, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encode event: %w", err)
	}
	return s.o.Outbox.Add(ctx, tx, s.o.Now(), events.Message{Merchant: formatID(merchantID), Member: events.RoomKey(id), Event: event, Data: encoded})
}

// mutedUntil returns the end of a member's mute, or 0 if the member is not muted.
func (s *Service) mutedUntil(ctx context.Context, q *query.Queries, memberID int64) (int64, error) {
	until, err := q.MutedOnLiveStreams(ctx, memberID)
	found, err := db.Found("read mute", err)
	if err != nil || !found || until <= db.Millis(s.o.Now()) {
		return 0, err
	}
	return until, nil
}

// History returns a page of a stream's messages: the first ones whose number is above after. If before is not 0, it returns the last ones
// whose number is below before. memberID is 0 for visitors.
func (s *Service) History(ctx context.Context, merchantID, memberID, id, after, before int64) (Messages, error) {
	q := s.o.Store.Q()
	if _, err := s.findVisible(ctx, q, merchantID, id); err != nil {
		return Messages{}, err
	}
	var rows []query.LiveStreamMessage
	var err error
	if before != 0 {
		rows, err = q.LiveStreamMessagesBefore(ctx, id, before, pageSize+1)
	} else {
		rows, err = q.LiveStreamMessagesAfter(ctx, id, after, pageSize+1)
	}
	if err != nil {
		return Messages{}, fmt.Errorf("read messages: %w", err)
	}
	out := Messages{List: []Message{}, More: len(rows) > pageSize}
	for _, m := range rows[:min(len(rows), pageSize)] {
		out.List = append(out.List, messageOf(m, memberID))
	}
	if before != 0 {
		slices.Reverse(out.List)
	}
	return out, nil
}
