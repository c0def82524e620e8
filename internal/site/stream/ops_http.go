package stream

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const (
	opsTag  = "operators: live streams"
	opsPath = "/ops/v1/streams"
)

// An Editable is a stream as operators see it.
type Editable struct {
	ID        string            `json:"id"`
	Title     string            `json:"title" doc:"The name in Vietnamese, else in English."`
	Status    string            `json:"status" enum:"hidden,scheduled,live,off,ended"`
	Names     map[string]string `json:"names" doc:"By language: vi, en, ur, pt."`
	Host      string            `json:"host"`
	URL       string            `json:"url"`
	Poster    string            `json:"poster"`
	Games     []string          `json:"games"`
	Active    bool              `json:"active"`
	Streaming bool              `json:"streaming"`
	Recorded  bool              `json:"recorded"`
	Chat      bool              `json:"chat"`
	StartsAt  int64             `json:"startsAt"`
	EndsAt    int64             `json:"endsAt"`
	LastSeq   int64             `json:"lastSeq" doc:"Number of the last message."`
	Version   int64             `json:"version"`

	index int
}

func rowOf(v Stream, now time.Time, index int) Editable {
	return Editable{
		ID: formatID(v.ID), Title: v.Name(fallbackLanguages[0]), Status: v.State(now), Names: v.Names, Host: v.Host, URL: v.URL, Poster: v.Poster, Games: v.Games,
		Active: v.Active, Streaming: v.Streaming, Recorded: v.Recorded, Chat: v.Chat, StartsAt: v.StartsAt, EndsAt: v.EndsAt, LastSeq: v.LastSeq,
		Version: v.Version, index: index,
	}
}

type streamBody struct {
	Names    map[string]string `json:"names" doc:"By language: vi, en, ur, pt. Vietnamese or English is needed. Missing languages show Vietnamese, else English."`
	Host     string            `json:"host,omitempty" maxLength:"80" doc:"Who speaks in it."`
	URL      string            `json:"url" maxLength:"512" doc:"Address of the HLS playlist: https, or a path of this site that begins with /m/."`
	Poster   string            `json:"poster,omitempty" maxLength:"512" doc:"Address of a picture."`
	Games    []string          `json:"games,omitempty" maxItems:"12" doc:"Codes of games to play from it."`
	Active   bool              `json:"active,omitempty" doc:"Members see it."`
	Recorded bool              `json:"recorded,omitempty" doc:"A recording that repeats. The app says so next to the video."`
	Chat     bool              `json:"chat,omitempty" doc:"Members may write while it is on air."`
	StartsAt int64             `json:"startsAt,omitempty" minimum:"0" doc:"Unix milliseconds; 0: at once."`
	EndsAt   int64             `json:"endsAt,omitempty" minimum:"0" doc:"Unix milliseconds; 0: no end."`
	Version  int64             `json:"version,omitempty" doc:"The version that was edited. Not used to create."`
	Reason   string            `json:"reason,omitempty" maxLength:"500"`
}

func (b streamBody) stream(id int64) Stream {
	return Stream{
		ID: id, Names: b.Names, Host: b.Host, URL: b.URL, Poster: b.Poster, Games: b.Games, Active: b.Active, Recorded: b.Recorded, Chat: b.Chat,
		StartsAt: b.StartsAt, EndsAt: b.EndsAt, Version: b.Version,
	}
}

// A TalkRow is a chat message as operators see it.
type TalkRow struct {
	Seq        int64  `json:"seq"`
	MemberID   string `json:"memberId" doc:"Empty: an operator wrote it."`
	Operator   string `json:"operator,omitempty" doc:"Operator who wrote it."`
	Username   string `json:"username"`
	Text       string `json:"text"`
	At         int64  `json:"at"`
	HiddenBy   string `json:"hiddenBy,omitempty" doc:"Operator who hid it."`
	MutedUntil int64  `json:"mutedUntil" doc:"When its author may write again; 0: now."`
}

type talkReply struct {
	List []TalkRow `json:"list" doc:"Newest first."`
	More bool      `json:"more"`
}

func opsOp(method, path, id, summary string, required permission.Name, faults ...*fault.Fault) rest.Op {
	return rest.Op{Method: method, Path: path, ID: id, Tag: opsTag, Access: rest.Operators, Permission: required, Summary: summary, Faults: faults}
}

// OpsRoutes declares the operators' endpoints.
func OpsRoutes(a *rest.API, s *Service) {
	editRoutes(a, s)
	moderationRoutes(a, s)
}

type opsListInput struct{ oplist.Params }

func (s *Service) rows(ctx context.Context, in *opsListInput, after page.Key, limit int) ([]Editable, error) {
	all, err := s.All(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return nil, err
	}
	now, search := s.o.Now(), strings.ToLower(in.Q)
	matching := []Editable{}
	for _, v := range all {
		matches := strings.Contains(strings.ToLower(v.Host), search)
		for _, name := range v.Names {
			matches = matches || strings.Contains(strings.ToLower(name), search)
		}
		if !matches || in.State != "" && v.State(now) != in.State || v.StartsAt < in.From || in.To != 0 && v.StartsAt >= in.To {
			continue
		}
		matching = append(matching, rowOf(v, now, len(matching)))
	}
	return oplist.Slice(matching, after, limit), nil
}

func editRoutes(a *rest.API, s *Service) {
	editPermission := permission.ContentEdit
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[opsListInput, Editable]{
		Op: opsOp(http.MethodGet, opsPath, "opsStreams", "Live streams in display order", editPermission), Permission: string(editPermission),
		Sorts: []string{"order"}, States: []string{Hidden, Scheduled, Live, Off, Ended}, File: "streams.csv",
		Columns: []oplist.Column[Editable]{
			{Name: "id", Text: func(r Editable) string { return r.ID }}, {Name: "title", Text: func(r Editable) string { return r.Title }},
			{Name: "status", Text: func(r Editable) string { return r.Status }}, {Name: "url", Text: func(r Editable) string { return r.URL }},
		},
		Select: s.rows, Key: func(r Editable, _ string) page.Key { return oplist.IndexKey(r.index) },
	})
	show := func(ctx context.Context, id int64) (Editable, error) {
		v, err := s.Find(ctx, rest.MerchantOf(ctx).ID, id)
		return rowOf(v, s.o.Now(), 0), err
	}
	rest.Typed(a, opsOp(http.MethodGet, opsPath+"/{id}", "opsStream", "A live stream", editPermission, ErrUnknown), func(ctx context.Context, in *StreamInput) (Editable, error) {
		return show(ctx, in.ID)
	})
	type createInput struct {
		idempotency.Header

		Body streamBody
	}
	create := opsOp(http.MethodPost, opsPath, "opsCreateStream", "Create a live stream", editPermission, ErrMalformed, ErrFull, idempotency.ErrConflict)
	rest.Typed(a, create, func(ctx context.Context, in *createInput) (Editable, error) {
		operator, _ := rest.OperatorOf(ctx)
		merchantID := rest.MerchantOf(ctx).ID
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: create.ID, Key: in.IdempotencyKey, Content: []any{merchantID, in.Body}}
		id, err := s.Create(ctx, request, merchantID, in.Body.stream(0), in.Body.Reason)
		if err != nil {
			return Editable{}, err
		}
		return show(ctx, id)
	})
	type changeInput struct {
		StreamInput

		Body streamBody
	}
	rest.Typed(a, opsOp(http.MethodPut, opsPath+"/{id}", "opsChangeStream", "Change a live stream", editPermission, ErrUnknown, ErrMalformed, rest.ErrStale), func(ctx context.Context, in *changeInput) (Editable, error) {
		if err := s.Change(ctx, rest.MerchantOf(ctx).ID, in.Body.stream(in.ID), in.Body.Reason); err != nil {
			return Editable{}, err
		}
		return show(ctx, in.ID)
	})
	type streamActInput struct {
		StreamInput

		Action string `path:"action" enum:"start,stop,move,delete"`
		Body   struct {
			Version int64  `json:"version" minimum:"1"`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
			After   string `json:"after,omitempty" pattern:"^[0-9]{0,19}$" doc:"Move: id of the stream before it. Empty: first."`
		}
	}
	rest.Typed(a, opsOp(http.MethodPost, opsPath+"/{id}/{action}", "opsStreamAction", "Start, stop, move or delete a live stream", editPermission, ErrUnknown, rest.ErrStale), func(ctx context.Context, in *streamActInput) (struct{}, error) {
		merchantID, version, reason := rest.MerchantOf(ctx).ID, in.Body.Version, in.Body.Reason
		switch in.Action {
		case "delete":
			return struct{}{}, s.Delete(ctx, merchantID, in.ID, version, reason)
		case "move":
			after := int64(0)
			if in.Body.After != "" {
				var err error
				if after, err = strconv.ParseInt(in.Body.After, 10, 64); err != nil {
					return struct{}{}, rest.ErrParam.On("after")
				}
			}
			return struct{}{}, s.Move(ctx, merchantID, in.ID, version, after, reason)
		default:
			return struct{}{}, s.SetStreaming(ctx, merchantID, in.ID, version, in.Action == "start", reason)
		}
	})
}

func moderationRoutes(a *rest.API, s *Service) {
	moderatePermission := permission.ChatAnswer
	type talkInput struct {
		StreamInput

		Before int64 `query:"before" minimum:"0" doc:"Number of the oldest message that the client has."`
	}
	rest.Typed(a, opsOp(http.MethodGet, opsPath+"/{id}/messages", "opsStreamMessages", "Messages next to a live stream, also hidden ones", moderatePermission, ErrUnknown), func(ctx context.Context, in *talkInput) (talkReply, error) {
		return s.messageList(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Before)
	})
	type streamSpeakInput struct {
		StreamInput

		Body struct {
			ClientID string `json:"clientId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
			Text     string `json:"text" minLength:"1" maxLength:"200"`
		}
	}
	speak := opsOp(http.MethodPost, opsPath+"/{id}/messages", "opsSpeakOnStream", "Write next to a live stream", moderatePermission, ErrUnknown, ErrEmpty)
	speak.Description = "Viewers see that the house wrote it. The clientId makes the message be stored once: sent again, it returns the stored one."
	rest.Typed(a, speak, func(ctx context.Context, in *streamSpeakInput) (Message, error) {
		operator, _ := rest.OperatorOf(ctx)
		return s.Speak(ctx, rest.MerchantOf(ctx).ID, in.ID, operator.Name, in.Body.ClientID, in.Body.Text)
	})
	type streamHideInput struct {
		StreamInput

		Body struct {
			Seq    int64  `json:"seq" minimum:"1"`
			Reason string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	hide := opsOp(http.MethodPost, opsPath+"/{id}/hide", "opsHideStreamMessage", "Hide a message", moderatePermission, ErrUnknown)
	hide.Description = "It disappears from viewers' screens at once."
	rest.Typed(a, hide, func(ctx context.Context, in *streamHideInput) (struct{}, error) {
		operator, _ := rest.OperatorOf(ctx)
		return struct{}{}, s.Hide(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Body.Seq, operator.Name, in.Body.Reason)
	})
	type streamMuteInput struct {
		StreamInput

		Body struct {
			Seq     int64  `json:"seq" minimum:"1" doc:"A message of the member."`
			Minutes int64  `json:"minutes" minimum:"0" maximum:"43200" doc:"0 ends the mute."`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, opsOp(http.MethodPost, opsPath+"/{id}/mute", "opsMuteOnStreams", "Mute the author of a message on all live streams", moderatePermission, ErrUnknown), func(ctx context.Context, in *streamMuteInput) (struct{}, error) {
		operator, _ := rest.OperatorOf(ctx)
		return struct{}{}, s.Mute(ctx, rest.MerchantOf(ctx).ID, in.ID, in.Body.Seq, time.Duration(in.Body.Minutes)*time.Minute, operator.Name, in.Body.Reason)
	})
}

func (s *Service) messageList(ctx context.Context, merchantID, id, before int64) (talkReply, error) {
	if _, err := s.Find(ctx, merchantID, id); err != nil {
		return talkReply{}, err
	}
	if before == 0 {
		before = math.MaxInt64
	}
	rows, err := s.o.Store.Q().AllLiveStreamMessages(ctx, id, before, pageSize+1)
	if err != nil {
		return talkReply{}, fmt.Errorf("read messages: %w", err)
	}
	out, now := talkReply{List: []TalkRow{}, More: len(rows) > pageSize}, db.Millis(s.o.Now())
	for _, m := range rows[:min(len(rows), pageSize)] {
		row := TalkRow{Seq: m.Seq, Operator: m.Operator, Username: m.Username, Text: m.Body, At: m.CreatedAt, HiddenBy: m.HiddenBy}
		if m.MemberID.Valid {
			row.MemberID = formatID(m.MemberID.Int64)
		}
		if m.MutedUntil > now {
			row.MutedUntil = m.MutedUntil
		}
		out.List = append(out.List, row)
	}
	return out, nil
}
