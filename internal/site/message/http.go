package message

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const tag = "message"

var readRate = &ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}

type unreadReply struct {
	InboxUnreadCount int `json:"inboxUnreadCount"`
}

type inboxItem struct {
	ID        string `json:"id"`
	Kind      string `json:"kind" doc:"operator, or the kind of a system message, such as deposit.credited."`
	Title     string `json:"title"`
	Preview   string `json:"preview" doc:"Start of the text, plain."`
	Read      bool   `json:"read"`
	CreatedAt int64  `json:"createdAt" doc:"Unix ms."`
}

func itemOf(i Item) inboxItem {
	return inboxItem{ID: formatID(i.ID), Kind: i.Kind, Title: i.Title, Preview: i.preview(), Read: i.Read, CreatedAt: i.CreatedAt}
}

type inboxPage struct {
	List []inboxItem `json:"list"`
	Next string      `json:"next" doc:"Cursor of the next page; empty on the last."`
}

// An inboxMessage is a message that the member opened.
type inboxMessage struct {
	ID        string `json:"id"`
	Kind      string `json:"kind"`
	Title     string `json:"title"`
	Text      string `json:"text,omitempty" doc:"Plain text of a system message."`
	HTML      string `json:"html,omitempty" doc:"Safe HTML of an operator's message."`
	Link      string `json:"link,omitempty" doc:"Path in the app."`
	Read      bool   `json:"read"`
	CreatedAt int64  `json:"createdAt"`
}

type inboxListInput struct {
	Unread   bool   `query:"unread" doc:"Only unread messages."`
	Cursor   string `query:"cursor" maxLength:"64"`
	PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
}

type inboxIDInput struct {
	ID string `query:"id" required:"true" pattern:"^[0-9]{1,19}$"`
}

type inboxBodyInput struct {
	Body struct {
		ID string `json:"id" pattern:"^[0-9]{1,19}$"`
	}
}

type deletedReply struct {
	Deleted int64 `json:"deleted"`
}

type choiceReply struct {
	Topic   string `json:"topic" enum:"money,security,account,reward,promotion"`
	Way     string `json:"way" enum:"inbox,push,email"`
	Allowed bool   `json:"allowed"`
	Fixed   bool   `json:"fixed" doc:"Cannot be switched off."`
}

type preferencesReply struct {
	Choices  []choiceReply `json:"choices"`
	AskedAt  int64         `json:"askedAt" doc:"When the member last decided about promotions, Unix ms; 0: never."`
	HasEmail bool          `json:"hasEmail" doc:"E-mail can reach the member."`
	Browsers int           `json:"browsers" doc:"Browsers that receive push."`
	PushKey  string        `json:"pushKey" doc:"Key that a browser needs to subscribe to push (VAPID), base64url."`
}

type choiceChange struct {
	Topic   string `json:"topic" enum:"money,security,account,reward,promotion"`
	Way     string `json:"way" enum:"inbox,push,email"`
	Allowed bool   `json:"allowed"`
}

type chooseInput struct {
	Body struct {
		Choices []choiceChange `json:"choices" minItems:"1" maxItems:"15"`
	}
}

type subscribeInput struct {
	Body struct {
		Endpoint string `json:"endpoint" minLength:"1" maxLength:"1024"`
		P256dh   string `json:"p256dh" minLength:"1" maxLength:"128"`
		Auth     string `json:"auth" minLength:"1" maxLength:"64"`
	}
}

type unsubscribeInput struct {
	Body struct {
		Endpoint string `json:"endpoint" minLength:"1" maxLength:"1024"`
	}
}

// Routes declares the members' endpoints.
func Routes(a *rest.API, s *Service) {
	inboxCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/EMFE_getInboxUnreadCount", ID: "inboxUnreadCount", Summary: "Number of unread messages in the inbox",
	}, func(ctx context.Context, who Reader, _ *struct{}) (unreadReply, error) {
		n, err := s.Unread(ctx, who)
		return unreadReply{n}, err
	})
	inboxCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/EMFE_getInboxMessages", ID: "inboxMessages", Summary: "Messages in the inbox, newest first",
	}, func(ctx context.Context, who Reader, in *inboxListInput) (inboxPage, error) {
		items, next, err := s.List(ctx, who, in.Unread, in.Cursor, in.PageSize)
		out := inboxPage{List: make([]inboxItem, len(items)), Next: next}
		for i, item := range items {
			out.List[i] = itemOf(item)
		}
		return out, err
	})
	inboxCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/EMFE_getInboxMessage", ID: "inboxMessage", Summary: "A message of the inbox", Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, who Reader, in *inboxIDInput) (inboxMessage, error) {
		id, err := idOf(in.ID)
		if err != nil {
			return inboxMessage{}, err
		}
		i, err := s.Find(ctx, who, id)
		return inboxMessage{ID: formatID(i.ID), Kind: i.Kind, Title: i.Title, Text: i.Text, HTML: i.HTML, Link: i.Link, Read: i.Read, CreatedAt: i.CreatedAt}, err
	})
	inboxCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/EMFE_markInboxMessageAsRead", ID: "readInboxMessage", Summary: "Mark a message as read", Rate: readRate, Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, who Reader, in *inboxBodyInput) (struct{}, error) {
		id, err := idOf(in.Body.ID)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.MarkRead(ctx, who, id)
	})
	inboxCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/EMFE_markAllInboxMessagesAsRead", ID: "readInbox", Summary: "Mark all messages as read", Rate: readRate,
	}, func(ctx context.Context, who Reader, _ *struct{}) (struct{}, error) {
		return struct{}{}, s.MarkAllRead(ctx, who)
	})
	inboxCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/EMFE_deleteInboxMessage", ID: "deleteInboxMessage", Summary: "Delete a message", Rate: readRate, Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, who Reader, in *inboxBodyInput) (struct{}, error) {
		id, err := idOf(in.Body.ID)
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.Delete(ctx, who, id)
	})
	inboxCall(a, rest.Op{
		Method: http.MethodPost, Path: "/wps/relay/EMFE_deleteReadInboxMessages", ID: "deleteReadInbox", Summary: "Delete all read messages", Rate: readRate,
	}, func(ctx context.Context, who Reader, _ *struct{}) (deletedReply, error) {
		n, err := s.DeleteRead(ctx, who)
		return deletedReply{n}, err
	})
	notificationRoutes(a, s)
}

func notificationRoutes(a *rest.API, s *Service) {
	const path = "/wps/member/notifications"
	preferences := func(ctx context.Context, memberID int64) (preferencesReply, error) {
		p, err := s.Preferences(ctx, memberID)
		if err != nil {
			return preferencesReply{}, err
		}
		key, err := s.PushKey(ctx)
		out := preferencesReply{Choices: make([]choiceReply, len(p.Choices)), AskedAt: p.AskedAt, HasEmail: p.HasEmail, Browsers: p.Browsers, PushKey: key}
		for i, c := range p.Choices {
			out.Choices[i] = choiceReply{string(c.Topic), string(c.Way), c.Allowed, c.Fixed}
		}
		return out, err
	}
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: path, ID: "notifications", Summary: "What may notify the caller, and by which way",
	}, func(ctx context.Context, who rest.Caller, _ *struct{}) (preferencesReply, error) {
		return preferences(ctx, who.MemberID)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPut, Path: path, ID: "chooseNotifications", Summary: "Allow or forbid notifications", Rate: readRate, Faults: []*fault.Fault{ErrChoice},
		Description: "Promotions are off until the member allows them. Each decision about promotions is kept.",
	}, func(ctx context.Context, who rest.Caller, in *chooseInput) (preferencesReply, error) {
		changes := make([]Change, len(in.Body.Choices))
		for i, c := range in.Body.Choices {
			changes[i] = Change{Topic(c.Topic), Way(c.Way), c.Allowed}
		}
		if err := s.Choose(ctx, who.MemberID, changes); err != nil {
			return preferencesReply{}, err
		}
		return preferences(ctx, who.MemberID)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: path + "/push", ID: "subscribeToPush", Summary: "Send push messages to this browser", Rate: readRate, Faults: []*fault.Fault{ErrSubscription},
	}, func(ctx context.Context, who rest.Caller, in *subscribeInput) (struct{}, error) {
		return struct{}{}, s.Subscribe(ctx, who.MemberID, who.SessionID, Subscription{in.Body.Endpoint, in.Body.P256dh, in.Body.Auth})
	})
	memberCall(a, rest.Op{
		Method: http.MethodDelete, Path: path + "/push", ID: "unsubscribeFromPush", Summary: "Send no push messages to this browser", Rate: readRate,
	}, func(ctx context.Context, who rest.Caller, in *unsubscribeInput) (struct{}, error) {
		return struct{}{}, s.Unsubscribe(ctx, who.MemberID, in.Body.Endpoint)
	})
}

// inboxCall declares an endpoint of the inbox. Trial members have no inbox.
func inboxCall[I, O any](a *rest.API, op rest.Op, do func(context.Context, Reader, *I) (O, error)) {
	op.Module = spec.ModuleInbox
	memberCall(a, op, func(ctx context.Context, who rest.Caller, in *I) (O, error) {
		return do(ctx, Reader{who.MemberID, who.MerchantID, rest.LanguageOf(ctx)}, in)
	})
}

func memberCall[I, O any](a *rest.API, op rest.Op, do func(context.Context, rest.Caller, *I) (O, error)) {
	op.Tag, op.Access = tag, rest.Real
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var zero O
			return zero, rest.ErrNoSession
		}
		return do(ctx, who, in)
	})
}

// idOf parses a message id. A number of 19 digits may overflow.
func idOf(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, ErrUnknown
	}
	return id, nil
}
