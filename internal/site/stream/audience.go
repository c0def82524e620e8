package stream

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/ratelimit"
)

const (
	// viewerLifetime is the time after which a viewer without a heartbeat has left.
	viewerLifetime = time.Minute
	// announceEvery is the shortest time between two events about the same reaction, so that many reactions cause few events.
	announceEvery = time.Second
)

// reactionLimit limits a member's reactions on all streams together.
var reactionLimit = ratelimit.Limit{Burst: 5, Every: 2 * time.Second}

// A Reaction is a counter of one kind of reaction.
type Reaction struct {
	Kind  string `json:"kind" enum:"heart,clap,fire,laugh"`
	Total int64  `json:"total"`
}

// Kinds lists the kinds of reactions in display order.
var Kinds = []string{"heart", "clap", "fire", "laugh"}

// A Pulse says how many watch a stream now and how they react.
type Pulse struct {
	Viewers   int64      `json:"viewers"`
	Reactions []Reaction `json:"reactions" doc:"All kinds, in display order."`
}

func (s *Service) viewerCounts(ctx context.Context, q *query.Queries, merchantID int64) (map[int64]int64, error) {
	rows, err := q.CountLiveStreamViewers(ctx, merchantID, db.Millis(s.o.Now().Add(-viewerLifetime)))
	if err != nil {
		return nil, fmt.Errorf("count viewers: %w", err)
	}
	out := map[int64]int64{}
	for _, r := range rows {
		out[r.StreamID] = r.Viewers
	}
	return out, nil
}

func (s *Service) pulse(ctx context.Context, q *query.Queries, merchantID, id int64) (Pulse, error) {
	counts, err := s.viewerCounts(ctx, q, merchantID)
	if err != nil {
		return Pulse{}, err
	}
	rows, err := q.LiveStreamReactions(ctx, id)
	if err != nil {
		return Pulse{}, fmt.Errorf("read reactions: %w", err)
	}
	totals := map[string]int64{}
	for _, r := range rows {
		totals[r.Kind] = r.Total
	}
	out := Pulse{Viewers: counts[id]}
	for _, kind := range Kinds {
		out.Reactions = append(out.Reactions, Reaction{kind, totals[kind]})
	}
	return out, nil
}

// Watch counts a viewer for the next minute. memberID is 0 for visitors, whom visitor identifies.
func (s *Service) Watch(ctx context.Context, merchantID, memberID, id int64, visitor string) (Pulse, error) {
	viewer := "v" + visitor
	if memberID != 0 {
		viewer = "m" + formatID(memberID)
	}
	var out Pulse
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		v, err := s.findVisible(ctx, tx.Q, merchantID, id)
		if err != nil {
			return err
		}
		if v.State(s.o.Now()) != Live {
			return ErrClosed
		}
		if err := tx.Q.WatchLiveStream(ctx, id, viewer, db.Millis(s.o.Now())); err != nil {
			return fmt.Errorf("count viewer: %w", err)
		}
		out, err = s.pulse(ctx, tx.Q, merchantID, id)
		return err
	})
	return out, err
}

// React counts a member's reaction to a stream that is on air.
func (s *Service) React(ctx context.Context, by Author, id int64, kind string) (Reaction, error) {
	var out Reaction
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		v, err := s.findVisible(ctx, tx.Q, by.MerchantID, id)
		if err != nil {
			return err
		}
		if v.State(s.o.Now()) != Live {
			return ErrClosed
		}
		if err := s.o.Limiter.TakeIn(ctx, tx, "stream/reaction/"+formatID(by.MemberID), reactionLimit); err != nil {
			return err
		}
		row, err := tx.Q.ReactToLiveStream(ctx, id, kind)
		if err != nil {
			return fmt.Errorf("count reaction: %w", err)
		}
		out = Reaction{kind, row.Total}
		now := db.Millis(s.o.Now())
		if now < row.AnnouncedAt+announceEvery.Milliseconds() {
			return nil // the next heartbeat of each viewer brings the total
		}
		if err := tx.Q.SetLiveStreamReactionAnnounced(ctx, id, kind, now); err != nil {
			return fmt.Errorf("mark reaction: %w", err)
		}
		return s.announceIn(ctx, tx, by.MerchantID, id, eventReaction, out)
	})
	s.o.Outbox.Wake()
	return out, err
}

// Speak adds an operator's message to the chat of a stream that members see.
func (s *Service) Speak(ctx context.Context, merchantID, id int64, operator, clientID, text string) (Message, error) {
	text = clean(text)
	if text == "" {
		return Message{}, ErrEmpty.On("text")
	}
	var out Message
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if _, err := s.findVisible(ctx, tx.Q, merchantID, id); err != nil {
			return err
		}
		stored, err := tx.Q.LiveStreamNoticeOfClient(ctx, id, operator, clientID)
		if found, err := db.Found("find message", err); err != nil || found {
			out = messageOf(stored, 0)
			return err
		}
		seq, err := tx.Q.NextLiveStreamSeq(ctx, id)
		if err != nil {
			return fmt.Errorf("number message: %w", err)
		}
		m := query.LiveStreamMessage{StreamID: id, Seq: seq, Operator: operator, ClientID: clientID, Body: text, CreatedAt: db.Millis(s.o.Now())}
		err = tx.Q.AddLiveStreamNotice(ctx, query.AddLiveStreamNoticeParams{
			StreamID: m.StreamID, Seq: m.Seq, Operator: m.Operator, ClientID: m.ClientID, Body: m.Body, CreatedAt: m.CreatedAt,
		})
		if err != nil {
			return fmt.Errorf("add message: %w", err)
		}
		out = messageOf(m, 0)
		if err := s.announceIn(ctx, tx, merchantID, id, eventMessage, out); err != nil {
			return err
		}
		return s.recordIn(ctx, tx, merchantID, permission.ChatAnswer, "speak", id, nil, map[string]any{"seq": seq, "text": text}, "")
	})
	s.o.Outbox.Wake()
	return out, err
}
