package chat

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/fault"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

const (
	tag = "chat"
	// VisitorCookie is the cookie that identifies a visitor.
	VisitorCookie    = "fairground_visitor"
	visitorPath      = "/wps/visitor"
	visitorLifetime  = 180 * 24 * time.Hour
	uploadTimeout    = 45 * time.Second
	clientIDPattern  = "^[A-Za-z0-9._:-]{1,64}$"
	readDescription  = "Messages are plain text. The event `chat` of the event stream says that there is something new; ask for the messages after the last one you have."
	replyDescription = "The clientId makes the message be stored once: sent again, it returns the stored one."
)

var visitorToken = regexp.MustCompile(`^[A-Z2-7]{26}$`)

// A customerKind is a kind of customer with its own endpoints.
type customerKind struct {
	path, prefix string // prefixes of URL paths and of operation ids
	access       rest.Access
	customer     func(ctx context.Context, s *Service) Customer
}

var customerKinds = []customerKind{
	{"/wps/chat", "chat", rest.Real, member},
	{visitorPath + "/chat", "visitorChat", rest.Public, visitor},
}

func member(ctx context.Context, _ *Service) Customer {
	caller, _ := rest.CallerOf(ctx)
	return Customer{MerchantID: caller.MerchantID, MemberID: caller.MemberID, Name: caller.Username, Language: rest.LanguageOf(ctx)}
}

// visitor returns the visitor that the cookie identifies. It sets a new cookie if there is none.
func visitor(ctx context.Context, s *Service) Customer {
	token := rest.CookieOf(ctx, VisitorCookie)
	if !visitorToken.MatchString(token) {
		token = rand.Text()
		rest.SetCookie(ctx, &http.Cookie{ //nolint:gosec // rest.SetCookie sets the rest
			Name: VisitorCookie, Value: token, Path: visitorPath, MaxAge: int(visitorLifetime.Seconds()), SameSite: http.SameSiteStrictMode,
		})
	}
	merchant := rest.MerchantOf(ctx).ID
	return Customer{
		MerchantID: merchant, Visitor: s.VisitorDigest(merchant, token), Language: rest.LanguageOf(ctx), Network: rest.Network(rest.ClientOf(ctx)).String(),
	}
}

// Routes declares the customers' endpoints.
func Routes(a *rest.API, s *Service) {
	launchRoutes(a, s)
	for _, kind := range customerKinds {
		kind.routes(a, s)
	}
}

type launchInput struct {
	B2C         string `query:"b2c" maxLength:"8" doc:"1: a customer of the merchant."`
	Language    string `query:"language" maxLength:"8"`
	BackURL     string `query:"backUrl" maxLength:"512" doc:"Where the chat's back button leads."`
	HeaderColor string `query:"headerColor" maxLength:"16" doc:"For an external chat."`
	Title       string `query:"title" maxLength:"64"`
}

type launchReply struct {
	ChatURL string `json:"chatUrl" doc:"Page of the chat: a path of the app, or the merchant's external service."`
}

type unreadReply struct {
	TotalUnreadCount int64 `json:"totalUnreadCount"`
}

func launchRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/relay/CBS_launchChat", ID: "launchChat", Tag: tag, Module: spec.ModuleChat, Access: rest.Public,
		Summary: "Page of the live chat", Faults: []*fault.Fault{rest.ErrTrial},
		Description: "Visitors may chat too. Trial members may not.",
	}, func(ctx context.Context, in *launchInput) (launchReply, error) {
		if caller, ok := rest.CallerOf(ctx); ok && !caller.Type.Real() {
			return launchReply{}, rest.ErrTrial
		}
		rule, err := s.o.Rule(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			return launchReply{}, err
		}
		return launchReply{launchURL(rule.Service, in)}, nil
	})
	for _, op := range []rest.Op{
		{Path: "/wps/relay/CBS_unreadCount", ID: "unreadChat", Summary: "Number of unread messages of the live chat"},
		{
			Path: "/wps/relay/CSP_unreadCount", ID: "unreadCustomerService", Summary: "Number of unread answers of customer service",
			Description: "Customer service answers in the live chat, so this is the same number as `CBS_unreadCount`. Do not add the two.",
		},
	} {
		op.Method, op.Tag, op.Module, op.Access = http.MethodGet, tag, spec.ModuleChat, rest.Real
		rest.Typed(a, op, func(ctx context.Context, _ *struct{}) (unreadReply, error) {
			caller, _ := rest.CallerOf(ctx)
			n, err := s.Unread(ctx, caller.MemberID)
			return unreadReply{n}, err
		})
	}
}

// launchURL returns the URL of the chat. The app's own chat page needs no parameters.
func launchURL(service string, in *launchInput) string {
	if service == "" {
		return "/m/chat"
	}
	values := url.Values{}
	for name, value := range map[string]string{"b2c": in.B2C, "language": in.Language, "backUrl": in.BackURL, "headerColor": in.HeaderColor, "title": in.Title} {
		if value != "" {
			values.Set(name, value)
		}
	}
	target, err := url.Parse(service)
	if err != nil {
		return service
	}
	for name, configured := range target.Query() {
		values[name] = configured // parameters of the configured URL take precedence
	}
	target.RawQuery = values.Encode()
	return target.String()
}

type historyInput struct {
	After  int64 `query:"after" minimum:"0" doc:"Number of the last message that the client has."`
	Before int64 `query:"before" minimum:"0" doc:"Instead: the last messages before this number."`
}

type sendBody struct {
	ClientID string `json:"clientId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
	Text     string `json:"text" minLength:"1" maxLength:"2000"`
	Name     string `json:"name,omitempty" maxLength:"40" doc:"How a visitor wants to be called."`
}

type offlineBody struct {
	ClientID string `json:"clientId" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
	Text     string `json:"text" minLength:"1" maxLength:"2000"`
	Name     string `json:"name,omitempty" maxLength:"40"`
	Contact  string `json:"contact,omitempty" maxLength:"120" doc:"Phone number or e-mail address. Visitors must give one."`
}

// An ImageInput is an uploaded picture.
type ImageInput struct {
	RawBody huma.MultipartFormFiles[struct {
		ClientID string        `form:"clientId" required:"true" pattern:"^[A-Za-z0-9._:-]{1,64}$"`
		Image    huma.FormFile `form:"image" required:"true" doc:"PNG, JPEG or WebP, at most 5 MB. Its metadata is removed."`
	}]
}

func (in *ImageInput) read() (clientID, contentType string, data []byte, err error) {
	form := in.RawBody.Data()
	defer form.Image.Close()
	data, err = io.ReadAll(io.LimitReader(form.Image, picture.MaxBytes+1))
	if err != nil {
		return "", "", nil, rest.ErrParam.On("image").Because(err)
	}
	return form.ClientID, form.Image.ContentType, data, nil
}

type customerReadInput struct {
	Body struct {
		Seq int64 `json:"seq" minimum:"1"`
	}
}

type starsInput struct {
	Body struct {
		Stars   int64  `json:"stars" minimum:"1" maximum:"5"`
		Comment string `json:"comment,omitempty" maxLength:"500"`
	}
}

// op describes an endpoint for this kind of customer.
func (k customerKind) op(method, path, id, summary string, rate ratelimit.Limit, faults ...*fault.Fault) rest.Op {
	return rest.Op{
		Method: method, Path: k.path + path, ID: k.prefix + id, Tag: tag, Module: spec.ModuleChat, Access: k.access, Summary: summary, Rate: &rate, Faults: faults,
	}
}

func (k customerKind) routes(a *rest.API, s *Service) {
	highRate, lowRate := ratelimit.Limit{Burst: 120, Every: 250 * time.Millisecond}, ratelimit.Limit{Burst: 30, Every: time.Second}
	state := k.op(http.MethodGet, "", "", "The caller's conversation", highRate)
	state.Description = readDescription
	rest.Typed(a, state, func(ctx context.Context, _ *struct{}) (View, error) { return s.State(ctx, k.customer(ctx, s)) })
	rest.Typed(a, k.op(http.MethodGet, "/messages", "Messages", "Messages of the caller's conversation", highRate), func(ctx context.Context, in *historyInput) (Messages, error) {
		return s.History(ctx, k.customer(ctx, s), in.After, in.Before)
	})
	send := k.op(http.MethodPost, "/messages", "Send", "Send a message", lowRate, ErrEmpty, ErrOffline, ratelimit.ErrLimited)
	send.Description = replyDescription
	type sendInput struct{ Body sendBody }
	rest.Typed(a, send, func(ctx context.Context, in *sendInput) (Message, error) {
		return s.Send(ctx, k.customer(ctx, s), Draft{ClientID: in.Body.ClientID, Text: in.Body.Text, Name: in.Body.Name})
	})
	type offlineInput struct{ Body offlineBody }
	offline := k.op(http.MethodPost, "/offline", "Offline", "Leave a message outside opening hours", lowRate, ErrEmpty, ratelimit.ErrLimited)
	offline.Description = replyDescription
	rest.Typed(a, offline, func(ctx context.Context, in *offlineInput) (Message, error) {
		return s.Send(ctx, k.customer(ctx, s), Draft{ClientID: in.Body.ClientID, Text: in.Body.Text, Name: in.Body.Name, Contact: in.Body.Contact, Offline: true})
	})
	sendImage := k.op(http.MethodPost, "/images", "SendImage", "Send a picture", lowRate, ErrPicture, ErrOffline, ratelimit.ErrLimited)
	sendImage.MaxBody, sendImage.Timeout, sendImage.Description = picture.MaxBytes+64<<10, uploadTimeout, replyDescription
	rest.Typed(a, sendImage, func(ctx context.Context, in *ImageInput) (Message, error) {
		clientID, contentType, data, err := in.read()
		if err != nil {
			return Message{}, err
		}
		return s.SendImage(ctx, k.customer(ctx, s), clientID, contentType, data)
	})
	showImage := k.op(http.MethodGet, "/images/{name}", "Image", "A picture of the caller's conversation", highRate, ErrUnknown)
	showImage.ContentType = "image/jpeg"
	rest.Handle(a, showImage, picture.Handler("picture.jpg", func(r *http.Request) (io.ReadCloser, error) {
		return s.OpenImage(r.Context(), k.customer(r.Context(), s), r.PathValue("name"))
	}))
	rest.Typed(a, k.op(http.MethodPost, "/typing", "Typing", "Tell the operator that the caller writes", lowRate), func(ctx context.Context, _ *struct{}) (struct{}, error) {
		return struct{}{}, s.Typing(ctx, k.customer(ctx, s))
	})
	rest.Typed(a, k.op(http.MethodPost, "/read", "Read", "Mark messages as read", highRate), func(ctx context.Context, in *customerReadInput) (struct{}, error) {
		return struct{}{}, s.Read(ctx, k.customer(ctx, s), in.Body.Seq)
	})
	rest.Typed(a, k.op(http.MethodPost, "/close", "Close", "End the conversation", lowRate, ErrEnded), func(ctx context.Context, _ *struct{}) (View, error) {
		who := k.customer(ctx, s)
		if err := s.End(ctx, who); err != nil {
			return View{}, err
		}
		return s.State(ctx, who)
	})
	rest.Typed(a, k.op(http.MethodPost, "/rate", "Rate", "Rate the conversation that ended", lowRate, ErrRated), func(ctx context.Context, in *starsInput) (View, error) {
		who := k.customer(ctx, s)
		if err := s.Rate(ctx, who, in.Body.Stars, in.Body.Comment); err != nil {
			return View{}, err
		}
		return s.State(ctx, who)
	})
}

// FindVisitor returns the ids of the merchant and of the visitor's conversation. The conversation is 0 if there is none.
func (s *Service) FindVisitor(ctx context.Context) (merchantID, chatID int64, err error) {
	token, merchant := rest.CookieOf(ctx, VisitorCookie), rest.MerchantOf(ctx).ID
	if !visitorToken.MatchString(token) {
		return merchant, 0, nil
	}
	chatID, err = s.VisitorChat(ctx, merchant, token)
	return merchant, chatID, err
}
