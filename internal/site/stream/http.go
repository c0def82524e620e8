package stream

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/events"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const (
	tag  = "live streams"
	path = "/wps/liveStreams"
)

// A Listed is a stream in the members' list.
type Listed struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Host      string `json:"host" doc:"Who speaks in it; may be empty."`
	Poster    string `json:"poster" doc:"Address of a picture; may be empty."`
	Status    string `json:"status" enum:"live,scheduled,off"`
	Active    bool   `json:"active" doc:"Always true: others are not listed."`
	Streaming bool   `json:"streaming" doc:"It is on air."`
	Recorded  bool   `json:"recorded" doc:"A recording that repeats. Say so next to the video."`
	StartsAt  int64  `json:"startsAt" doc:"Unix milliseconds; 0: none."`
	Viewers   int64  `json:"viewers" doc:"How many watch it now."`
}

func (s *Service) listed(v Stream, viewers int64, language string) Listed {
	state := v.State(s.o.Now())
	return Listed{
		ID: formatID(v.ID), Name: v.Name(language), Host: v.Host, Poster: v.Poster, Status: state, Active: true, Streaming: state == Live, Recorded: v.Recorded, StartsAt: v.StartsAt,
		Viewers: viewers,
	}
}

// A View is a stream with its video.
type View struct {
	Listed

	URL        string `json:"url" doc:"Address of the HLS playlist. Empty while it is not on air."`
	Chat       bool   `json:"chat" doc:"Members may write now."`
	MutedUntil int64  `json:"mutedUntil" doc:"When the caller may write again, in Unix milliseconds; 0: now."`
	Games      []Game `json:"games" doc:"Games to play from it."`

	Reactions []Reaction `json:"reactions" doc:"All kinds, in display order."`
}

type listReply struct {
	List []Listed `json:"list"`
}

// List returns the streams that members see, those on air first.
func (s *Service) List(ctx context.Context, merchantID int64, language string, onlyLive bool) ([]Listed, error) {
	rows, err := s.o.Store.Q().ActiveLiveStreams(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read streams: %w", err)
	}
	all, err := streamsOf(rows)
	if err != nil {
		return nil, err
	}
	viewers, err := s.viewerCounts(ctx, s.o.Store.Q(), merchantID)
	if err != nil {
		return nil, err
	}
	live, later := []Listed{}, []Listed{}
	for _, v := range all {
		switch v.State(s.o.Now()) {
		case Live:
			live = append(live, s.listed(v, viewers[v.ID], language))
		case Scheduled, Off:
			later = append(later, s.listed(v, 0, language))
		}
	}
	if onlyLive {
		return live, nil
	}
	return append(live, later...), nil
}

// Show returns a stream with its video. memberID is 0 for visitors.
func (s *Service) Show(ctx context.Context, merchantID, memberID, id int64, language string) (View, error) {
	q := s.o.Store.Q()
	v, err := s.findVisible(ctx, q, merchantID, id)
	if err != nil {
		return View{}, err
	}
	pulse, err := s.pulse(ctx, q, merchantID, id)
	if err != nil {
		return View{}, err
	}
	out := View{Listed: s.listed(v, pulse.Viewers, language), Reactions: pulse.Reactions, Games: []Game{}}
	if out.Streaming {
		out.URL, out.Chat = v.URL, v.Chat
	}
	if memberID != 0 {
		if out.MutedUntil, err = s.mutedUntil(ctx, q, memberID); err != nil {
			return View{}, err
		}
	}
	if len(v.Games) > 0 {
		if out.Games, err = s.o.Games.GamesByCode(ctx, merchantID, v.Games, language); err != nil {
			return View{}, err
		}
	}
	return out, nil
}

// StreamInput identifies a stream in the operators' endpoints.
type StreamInput struct { //nolint:revive // embedded fields are read only from exported types, and several packages have an input
	ID int64 `path:"id"`
}

// A Ref identifies a stream in the members' endpoints.
type Ref struct {
	ID string `path:"id" maxLength:"20"`
}

func (r Ref) id() (int64, error) {
	id, err := strconv.ParseInt(r.ID, 10, 64)
	if err != nil {
		return 0, ErrUnknown
	}
	return id, nil
}

type listInput struct {
	Streaming bool `query:"streaming" doc:"Only those on air."`
}

type historyInput struct {
	Ref

	After  int64 `query:"after" minimum:"0" doc:"Number of the last message that the client has."`
	Before int64 `query:"before" minimum:"0" doc:"Instead: the last messages before this number."`
}

type streamSendInput struct {
	Ref

	Body struct {
		ClientID string `json:"clientId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		Text     string `json:"text" minLength:"1" maxLength:"200"`
	}
}

type streamWatchInput struct {
	Ref

	Body struct {
		Viewer string `json:"viewer" pattern:"^[A-Za-z0-9._:-]{1,64}$" doc:"Chosen by the browser, the same for all its calls. Members are counted by their account."`
	}
}

type streamReactInput struct {
	Ref

	Body struct {
		Kind string `json:"kind" enum:"heart,clap,fire,laugh"`
	}
}

func audienceRoutes(a *rest.API, s *Service, op func(method, subpath, id, summary string, access rest.Access, rate ratelimit.Limit, faults ...*fault.Fault) rest.Op) {
	watch := op(http.MethodPost, "/{id}/watch", "liveStreamWatch", "Say that the caller watches a live stream", rest.Public, ratelimit.Limit{Burst: 60, Every: 500 * time.Millisecond}, ErrUnknown, ErrClosed)
	watch.Description = "Counts the caller as a viewer for a minute. Send it every 20 seconds."
	rest.Typed(a, watch, func(ctx context.Context, in *streamWatchInput) (Pulse, error) {
		id, err := in.id()
		if err != nil {
			return Pulse{}, err
		}
		return s.Watch(ctx, rest.MerchantOf(ctx).ID, readerOf(ctx), id, in.Body.Viewer)
	})
	react := op(http.MethodPost, "/{id}/reactions", "liveStreamReact", "React to a live stream", rest.Real, ratelimit.Limit{Burst: 30, Every: time.Second}, ErrUnknown, ErrClosed, ratelimit.ErrLimited)
	rest.Typed(a, react, func(ctx context.Context, in *streamReactInput) (Reaction, error) {
		id, err := in.id()
		if err != nil {
			return Reaction{}, err
		}
		caller, _ := rest.CallerOf(ctx)
		return s.React(ctx, Author{caller.MerchantID, caller.MemberID, caller.Username}, id, in.Body.Kind)
	})
}

func readerOf(ctx context.Context) int64 {
	caller, _ := rest.CallerOf(ctx)
	return caller.MemberID
}

// Routes declares the endpoints of members and visitors.
func Routes(a *rest.API, s *Service, hub *events.Hub, gate rest.Gate) {
	op := func(method, subpath, id, summary string, access rest.Access, rate ratelimit.Limit, faults ...*fault.Fault) rest.Op {
		return rest.Op{Method: method, Path: path + subpath, ID: id, Tag: tag, Access: access, Summary: summary, Rate: &rate, Faults: faults}
	}
	readLimit := ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}
	list := op(http.MethodGet, "", "liveStreams", "Live streams, those on air first", rest.Public, readLimit)
	rest.Typed(a, list, func(ctx context.Context, in *listInput) (listReply, error) {
		all, err := s.List(ctx, rest.MerchantOf(ctx).ID, rest.LanguageOf(ctx), in.Streaming)
		return listReply{all}, err
	})
	rest.Typed(a, op(http.MethodGet, "/{id}", "liveStream", "A live stream with its video and games", rest.Public, readLimit, ErrUnknown), func(ctx context.Context, in *Ref) (View, error) {
		id, err := in.id()
		if err != nil {
			return View{}, err
		}
		return s.Show(ctx, rest.MerchantOf(ctx).ID, readerOf(ctx), id, rest.LanguageOf(ctx))
	})
	messages := op(http.MethodGet, "/{id}/messages", "liveStreamMessages", "Messages next to a live stream", rest.Public, readLimit, ErrUnknown)
	messages.Description = "Messages are plain text. Visitors and trial members read them too."
	rest.Typed(a, messages, func(ctx context.Context, in *historyInput) (Messages, error) {
		id, err := in.id()
		if err != nil {
			return Messages{}, err
		}
		return s.History(ctx, rest.MerchantOf(ctx).ID, readerOf(ctx), id, in.After, in.Before)
	})
	send := op(http.MethodPost, "/{id}/messages", "liveStreamSend", "Write next to a live stream", rest.Real, ratelimit.Limit{Burst: 30, Every: time.Second},
		ErrUnknown, ErrClosed, ErrMuted, ErrEmpty, ratelimit.ErrLimited)
	send.Description = "The clientId makes the message be stored once: sent again, it returns the stored one."
	rest.Typed(a, send, func(ctx context.Context, in *streamSendInput) (Message, error) {
		id, err := in.id()
		if err != nil {
			return Message{}, err
		}
		caller, _ := rest.CallerOf(ctx)
		return s.Send(ctx, Author{caller.MerchantID, caller.MemberID, caller.Username}, id, in.Body.ClientID, in.Body.Text)
	})
	audienceRoutes(a, s, op)
	room := op(http.MethodGet, "/{id}/events", "liveStreamEvents", "Event stream of a live stream's viewers", rest.Public, ratelimit.Limit{Burst: 30, Every: 2 * time.Second}, ErrUnknown)
	room.Description = "- `message`: a new message, as in the list.\n- `hidden`: {seq}: an operator has hidden the message; remove it.\n" +
		"- `reaction`: {kind, total}: members reacted.\n- `changed`: {}: the live stream has changed; load it again.\n- `closed`, `replaced`: as in the members' event stream."
	events.RoomRoutes(a, hub, room, gate, func(ctx context.Context, name string) (int64, error) {
		id, err := Ref{name}.id()
		if err != nil {
			return 0, err
		}
		_, err = s.findVisible(ctx, s.o.Store.Q(), rest.MerchantOf(ctx).ID, id)
		return id, err
	})
}
