package chat

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const opsTag = "operators: chat"

// OpsRoutes declares the operators' endpoints.
func OpsRoutes(a *rest.API, s *Service) {
	listRoutes(a, s)
	actionRoutes(a, s)
	replyRoutes(a, s)
}

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{Method: method, Path: path, ID: id, Tag: opsTag, Access: rest.Operators, Permission: permission.ChatAnswer, Summary: summary, Faults: faults}
}

func agentOf(ctx context.Context) Agent {
	operator, _ := rest.OperatorOf(ctx)
	return Agent{operator.ID, operator.Name, rest.MerchantOf(ctx).ID}
}

// A Row is a conversation in the operators' list.
type Row struct {
	ID           string `json:"id"`
	Status       string `json:"status" enum:"waiting,open,closed"`
	Name         string `json:"name"`
	MemberID     string `json:"memberId,omitempty" doc:"Absent: a visitor, whose name nobody has verified."`
	Verified     bool   `json:"verified" doc:"The customer is logged in."`
	Contact      string `json:"contact,omitempty" doc:"From the offline form."`
	Offline      bool   `json:"offline"`
	Language     string `json:"language"`
	Operator     string `json:"operator,omitempty"`
	Mine         bool   `json:"mine" doc:"The caller has claimed it."`
	Unread       int64  `json:"unread"`
	Preview      string `json:"preview"`
	LastSeq      int64  `json:"lastSeq"`
	CustomerRead int64  `json:"customerRead"`
	OperatorRead int64  `json:"operatorRead"`
	Rating       int64  `json:"rating" doc:"Of the last conversation, 1 to 5; 0: none."`
	QueuedAt     int64  `json:"queuedAt"`
	ClosedAt     int64  `json:"closedAt"`
	UpdatedAt    int64  `json:"updatedAt"`
	Version      int64  `json:"version"`
}

func rowOf(c query.Chat, unread int64, by Agent) Row {
	r := Row{
		ID: formatID(c.ID), Status: c.Status, Name: c.Name, Verified: c.MemberID.Valid, Contact: c.Contact, Offline: c.Offline, Language: c.Language,
		Operator: c.Operator, Mine: c.Status == Open && c.OperatorID == by.ID, Unread: unread, Preview: c.Preview, LastSeq: c.LastSeq,
		CustomerRead: c.CustomerRead, OperatorRead: c.OperatorRead, Rating: c.Rating, QueuedAt: c.QueuedAt, ClosedAt: c.ClosedAt, UpdatedAt: c.UpdatedAt,
		Version: c.Version,
	}
	if c.MemberID.Valid {
		r.MemberID = formatID(c.MemberID.Int64)
	}
	return r
}

type noteReply struct {
	Operator string `json:"operator"`
	Text     string `json:"text"`
	At       int64  `json:"at"`
}

type ratingReply struct {
	Operator string `json:"operator"`
	Stars    int64  `json:"stars"`
	Comment  string `json:"comment,omitempty"`
	At       int64  `json:"at"`
}

type detailReply struct {
	Row

	Notes   []noteReply   `json:"notes" doc:"Only operators see them."`
	Ratings []ratingReply `json:"ratings"`
}

type listInput struct {
	oplist.Params

	Mine bool `query:"mine" doc:"Only conversations that the caller has claimed."`
}

// ChatInput identifies a conversation.
type ChatInput struct { //nolint:revive // embedded fields are read only from exported types, and several packages have an input
	ID int64 `path:"id"`
}

// hasPermission always succeeds, because rest checks the permission that the Op names.
func hasPermission(context.Context, string) error { return nil }

func listRoutes(a *rest.API, s *Service) {
	list := opsOp(http.MethodGet, "/ops/v1/chats", "opsChats", "Conversations, last changed first")
	list.Description = "q finds a name, a contact or an id. The sort wait lists the longest wait in the queue first."
	oplist.Register(a, hasPermission, oplist.List[listInput, Row]{
		Op: list, Permission: string(permission.ChatAnswer), Sorts: []string{"updatedAt", sortWait}, States: []string{Waiting, Open, Closed}, File: "chats.csv",
		Columns: []oplist.Column[Row]{
			{Name: "id", Text: func(r Row) string { return r.ID }}, {Name: "status", Text: func(r Row) string { return r.Status }},
			{Name: "name", Text: func(r Row) string { return r.Name }}, {Name: "operator", Text: func(r Row) string { return r.Operator }},
			{Name: "rating", Text: func(r Row) string { return formatID(r.Rating) }}, {Name: "updatedAt", Text: func(r Row) string { return formatID(r.UpdatedAt) }},
		},
		Key: keyOf,
		Select: func(ctx context.Context, in *listInput, after page.Key, limit int) ([]Row, error) {
			return s.list(ctx, agentOf(ctx), in, after, limit)
		},
	})
	rest.Typed(a, opsOp(http.MethodGet, "/ops/v1/chats/{id}", "opsChat", "A conversation with its notes and ratings", ErrUnknown), func(ctx context.Context, in *ChatInput) (detailReply, error) {
		return s.detail(ctx, agentOf(ctx), in.ID)
	})
	type messagesInput struct {
		ChatInput

		After  int64 `query:"after" minimum:"0"`
		Before int64 `query:"before" minimum:"0"`
	}
	rest.Typed(a, opsOp(http.MethodGet, "/ops/v1/chats/{id}/messages", "opsChatMessages", "Messages of a conversation", ErrUnknown), func(ctx context.Context, in *messagesInput) (Messages, error) {
		if _, err := s.findForMerchant(ctx, s.o.Store.Q(), rest.MerchantOf(ctx).ID, in.ID); err != nil {
			return Messages{}, err
		}
		return s.messages(ctx, in.ID, in.After, in.Before)
	})
	transcript := opsOp(http.MethodGet, "/ops/v1/chats/{id}/transcript", "opsChatTranscript", "A conversation as a text file", ErrUnknown)
	transcript.ContentType = "text/plain"
	rest.Handle(a, transcript, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		text := ""
		if err != nil {
			err = ErrUnknown
		} else {
			text, err = s.Transcript(r.Context(), rest.MerchantOf(r.Context()).ID, id)
		}
		if err != nil {
			rest.WriteError(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "chat-"+formatID(id)+".txt"))
		_, _ = io.WriteString(w, text) // fails only when the client is gone
	}))
	image := opsOp(http.MethodGet, "/ops/v1/chats/{id}/images/{name}", "opsChatImage", "A picture of a conversation", ErrUnknown)
	image.ContentType = "image/jpeg"
	rest.Handle(a, image, picture.Handler("picture.jpg", func(r *http.Request) (io.ReadCloser, error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		if err != nil {
			return nil, ErrUnknown
		}
		return s.OpenImageOf(r.Context(), rest.MerchantOf(r.Context()).ID, id, r.PathValue("name"))
	}))
}

// sortWait lists the conversation that has waited longest first.
const sortWait = "wait"

func keyOf(r Row, sort string) page.Key {
	id, _ := strconv.ParseInt(r.ID, 10, 64)
	if sort == sortWait { // an early time sorts first
		return page.Key{At: math.MaxInt64 - r.QueuedAt, ID: math.MaxInt64 - id}
	}
	return page.Key{At: r.UpdatedAt, ID: id}
}

func (s *Service) list(ctx context.Context, by Agent, in *listInput, after page.Key, limit int) ([]Row, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	filter := query.MerchantChatsParams{
		MerchantID: by.MerchantID, Since: in.From, Until: until, Status: in.State, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	}
	if in.Mine {
		filter.OperatorID = by.ID
	}
	list := s.o.Store.Q().MerchantChats
	if in.Sort == sortWait {
		list = s.listByWait
	}
	rows, err := list(ctx, filter)
	if err != nil {
		return nil, fmt.Errorf("list chats: %w", err)
	}
	out := make([]Row, len(rows))
	for i, r := range rows {
		out[i] = rowOf(query.Chat{
			ID: r.ID, MerchantID: r.MerchantID, MemberID: r.MemberID, Name: r.Name, Contact: r.Contact, Language: r.Language, Status: r.Status, Offline: r.Offline,
			OperatorID: r.OperatorID, Operator: r.Operator, LastSeq: r.LastSeq, CustomerRead: r.CustomerRead, OperatorRead: r.OperatorRead, Preview: r.Preview,
			Rating: r.Rating, QueuedAt: r.QueuedAt, ClosedAt: r.ClosedAt, Version: r.Version, UpdatedAt: r.UpdatedAt,
		}, r.Unread, by)
	}
	return out, nil
}

func (s *Service) listByWait(ctx context.Context, f query.MerchantChatsParams) ([]query.MerchantChatsRow, error) {
	rows, err := s.o.Store.Q().MerchantChatsByWait(ctx, query.MerchantChatsByWaitParams{
		MerchantID: f.MerchantID, Since: f.Since, Until: f.Until, Status: f.Status, OperatorID: f.OperatorID, Text: f.Text,
		AfterAt: math.MaxInt64 - f.BeforeAt, AfterID: math.MaxInt64 - f.BeforeID, Most: f.Most,
	})
	out := make([]query.MerchantChatsRow, len(rows))
	for i, r := range rows {
		out[i] = query.MerchantChatsRow(r)
	}
	return out, err
}

func (s *Service) detail(ctx context.Context, by Agent, id int64) (detailReply, error) {
	q := s.o.Store.Q()
	c, err := s.findForMerchant(ctx, q, by.MerchantID, id)
	if err != nil {
		return detailReply{}, err
	}
	unread, err := q.CountChatUnread(ctx, id, c.OperatorRead, FromCustomer)
	if err != nil {
		return detailReply{}, fmt.Errorf("count unread messages: %w", err)
	}
	notes, err := q.ChatNotes(ctx, id)
	if err != nil {
		return detailReply{}, fmt.Errorf("read notes: %w", err)
	}
	ratings, err := q.ChatRatings(ctx, id)
	if err != nil {
		return detailReply{}, fmt.Errorf("read ratings: %w", err)
	}
	out := detailReply{rowOf(c, unread, by), make([]noteReply, 0, len(notes)), make([]ratingReply, 0, len(ratings))}
	for _, n := range notes {
		out.Notes = append(out.Notes, noteReply{n.Operator, n.Body, n.CreatedAt})
	}
	for _, r := range ratings {
		out.Ratings = append(out.Ratings, ratingReply{r.Operator, r.Stars, r.Comment, r.CreatedAt})
	}
	return out, nil
}

func actionRoutes(a *rest.API, s *Service) {
	act := opsOp(http.MethodPost, "/ops/v1/chats/{id}/{action}", "opsChatAction", "Claim, release or close a conversation", ErrUnknown, rest.ErrStale, ErrClaimed, ErrState)
	type chatActInput struct {
		ChatInput

		Action string `path:"action" enum:"claim,release,close"`
		Body   struct {
			Version int64  `json:"version" minimum:"1"`
			Reason  string `json:"reason,omitempty" maxLength:"500"`
		}
	}
	rest.Typed(a, act, func(ctx context.Context, in *chatActInput) (detailReply, error) {
		if err := s.Act(ctx, agentOf(ctx), in.ID, in.Body.Version, in.Action, clean(in.Body.Reason)); err != nil {
			return detailReply{}, err
		}
		return s.detail(ctx, agentOf(ctx), in.ID)
	})
	send := opsOp(http.MethodPost, "/ops/v1/chats/{id}/messages", "opsChatSend", "Send a message to the customer", ErrUnknown, ErrNotClaimed, ErrEmpty)
	send.Description = replyDescription
	type chatAnswerInput struct {
		ChatInput

		Body struct {
			ClientID string `json:"clientId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
			Text     string `json:"text" minLength:"1" maxLength:"2000"`
		}
	}
	rest.Typed(a, send, func(ctx context.Context, in *chatAnswerInput) (Message, error) {
		return s.Answer(ctx, agentOf(ctx), in.ID, Draft{ClientID: in.Body.ClientID, Text: in.Body.Text})
	})
	image := opsOp(http.MethodPost, "/ops/v1/chats/{id}/images", "opsChatSendImage", "Send a picture to the customer", ErrUnknown, ErrNotClaimed, ErrPicture, ratelimit.ErrLimited)
	image.MaxBody, image.Timeout = picture.MaxBytes+64<<10, uploadTimeout
	type opsPicture struct {
		ChatInput
		ImageInput
	}
	rest.Typed(a, image, func(ctx context.Context, in *opsPicture) (Message, error) {
		clientID, contentType, data, err := in.read()
		if err != nil {
			return Message{}, err
		}
		return s.AnswerImage(ctx, agentOf(ctx), in.ID, clientID, contentType, data)
	})
	typing := opsOp(http.MethodPost, "/ops/v1/chats/{id}/typing", "opsChatTyping", "Tell the customer that the operator writes", ErrUnknown)
	typing.Rate = &ratelimit.Limit{Burst: 60, Every: time.Second}
	rest.Typed(a, typing, func(ctx context.Context, in *ChatInput) (struct{}, error) {
		return struct{}{}, s.TypingAs(ctx, agentOf(ctx), in.ID)
	})
	type chatSeenInput struct {
		ChatInput

		Body struct {
			Seq int64 `json:"seq" minimum:"1"`
		}
	}
	rest.Typed(a, opsOp(http.MethodPost, "/ops/v1/chats/{id}/read", "opsChatRead", "Mark messages as read", ErrUnknown), func(ctx context.Context, in *chatSeenInput) (struct{}, error) {
		return struct{}{}, s.ReadAs(ctx, agentOf(ctx), in.ID, in.Body.Seq)
	})
	type chatNoteInput struct {
		ChatInput

		Body struct {
			Text string `json:"text" minLength:"1" maxLength:"2000"`
		}
	}
	rest.Typed(a, opsOp(http.MethodPost, "/ops/v1/chats/{id}/notes", "opsChatNote", "Add a note for operators", ErrUnknown, ErrEmpty), func(ctx context.Context, in *chatNoteInput) (detailReply, error) {
		if err := s.AddNote(ctx, agentOf(ctx), in.ID, in.Body.Text); err != nil {
			return detailReply{}, err
		}
		return s.detail(ctx, agentOf(ctx), in.ID)
	})
}
