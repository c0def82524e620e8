package message

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// SegmentFields select members. Empty fields select all.
type SegmentFields struct {
	Type       *int        `json:"type,omitempty" enum:"0,1,2" doc:"0 player, 1 agent, 2 head agent."`
	VIP        string      `json:"vip,omitempty" maxLength:"64" doc:"VIP level, as the member's profile shows it."`
	Language   string      `json:"language,omitempty" enum:",vi,en,ur,pt"`
	SeenSince  int64       `json:"seenSince,omitempty" minimum:"0" doc:"Logged in at or after this time, Unix ms."`
	SeenBefore int64       `json:"seenBefore,omitempty" minimum:"0" doc:"Not logged in since this time, Unix ms."`
	DepositMin rest.Amount `json:"depositMin,omitempty" doc:"Least sum of credited deposits."`
	DepositMax rest.Amount `json:"depositMax,omitempty" doc:"Most sum of credited deposits; 0: no limit."`
}

// AudienceFields select the recipients of a message.
type AudienceFields struct {
	Audience    string        `json:"audience" enum:"member,segment,all"`
	Member      string        `json:"member,omitempty" maxLength:"64" doc:"Username, if the audience is member."`
	Segment     SegmentFields `json:"segment,omitempty"`
	Promotional bool          `json:"promotional,omitempty" doc:"Only to members who agreed to promotions and are not on a break."`
}

// Currencies returns a merchant's currency.
type Currencies func(ctx context.Context, merchantID int64) (money.Currency, error)

func (f AudienceFields) draft(merchantID int64, c money.Currency) (Draft, error) {
	d := Draft{MerchantID: merchantID, Audience: f.Audience, Member: f.Member, Promotional: f.Promotional}
	if f.Audience == ToMember && strings.TrimSpace(f.Member) == "" {
		return d, ErrMember.On("member")
	}
	if f.Audience != ToSegment {
		return d, nil
	}
	g := f.Segment
	d.Segment = Segment{Type: g.Type, VIP: strings.TrimSpace(g.VIP), Language: g.Language, SeenSince: g.SeenSince, SeenBefore: g.SeenBefore}
	for _, a := range []struct {
		field  string
		amount rest.Amount
		target *money.Minor
	}{{"depositMin", g.DepositMin, &d.Segment.DepositMin}, {"depositMax", g.DepositMax, &d.Segment.DepositMax}} {
		if a.amount == "" {
			continue
		}
		var err error
		if *a.target, err = c.Parse(string(a.amount)); err != nil {
			return d, ErrSegment.On(a.field)
		}
	}
	return d, nil
}

type opsMessage struct {
	ID          string          `json:"id"`
	Audience    string          `json:"audience" enum:"member,segment,all"`
	Member      string          `json:"member,omitempty"`
	Segment     *SegmentFields  `json:"segment,omitempty"`
	Title       string          `json:"title"`
	Texts       map[string]Text `json:"texts"`
	Link        string          `json:"link,omitempty"`
	Promotional bool            `json:"promotional"`
	Status      string          `json:"status" enum:"scheduled,sending,sent,ended,withdrawn"`
	Reached     int64           `json:"reached" doc:"Members whose inbox has it. A message to all counts none: it is one row for all."`
	Readers     int64           `json:"readers"`
	CreatedBy   string          `json:"createdBy"`
	CreatedAt   int64           `json:"createdAt"`
	StartsAt    int64           `json:"startsAt" doc:"Unix ms; 0: it was sent at once."`
	EndsAt      int64           `json:"endsAt" doc:"Unix ms; 0: no end."`
	Version     int64           `json:"version"`
}

func opsMessageOf(m query.Message, readers int64, c money.Currency) (opsMessage, error) {
	t, err := textsOf(m.Texts)
	if err != nil {
		return opsMessage{}, err
	}
	out := opsMessage{
		ID: formatID(m.ID), Audience: m.Audience, Title: t.inLanguage("vi").Title, Texts: t, Link: m.Link, Promotional: m.Promotional, Status: m.Status,
		Reached: m.Reached, Readers: readers, CreatedBy: m.CreatedBy, CreatedAt: m.CreatedAt,
		StartsAt: m.StartsAt, EndsAt: m.EndsAt, Version: m.Version,
	}
	switch m.Audience {
	case ToMember:
		var to memberFilter
		err = json.Unmarshal([]byte(m.Filter), &to)
		out.Member = to.Member
	case ToSegment:
		var g Segment
		err = json.Unmarshal([]byte(m.Filter), &g)
		out.Segment = &SegmentFields{Type: g.Type, VIP: g.VIP, Language: g.Language, SeenSince: g.SeenSince, SeenBefore: g.SeenBefore}
		if g.DepositMin > 0 {
			out.Segment.DepositMin = rest.AmountOf(c, g.DepositMin)
		}
		if g.DepositMax > 0 {
			out.Segment.DepositMax = rest.AmountOf(c, g.DepositMax)
		}
	}
	return out, err
}

type messageListInput struct{ oplist.Params }

type messageIDInput struct {
	ID int64 `path:"id"`
}

type sendMessageInput struct {
	idempotency.Header

	Body struct {
		AudienceFields

		Texts    map[string]Text `json:"texts" doc:"By language: vi, en, ur, pt. Vietnamese or English is needed."`
		Link     string          `json:"link,omitempty" maxLength:"512" doc:"Path in the app, such as /m/activity."`
		StartsAt int64           `json:"startsAt,omitempty" minimum:"0" doc:"When it is delivered, Unix ms; 0: at once. Consent and breaks are checked then."`
		EndsAt   int64           `json:"endsAt,omitempty" minimum:"0" doc:"When inboxes cease to show it, Unix ms; 0: no end."`
		Reason   string          `json:"reason,omitempty" maxLength:"500"`
	}
}

type previewInput struct {
	Body struct{ AudienceFields }
}

type previewReply struct {
	Members int64 `json:"members" doc:"Members who would get the message now."`
}

type withdrawMessageInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version" minimum:"1"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{
		Method: method, Path: path, ID: id, Tag: "operators: messages", Access: rest.Operators, Permission: permission.MessageSend, Summary: summary, MaxBody: 512 << 10, Faults: faults,
	}
}

// OpsRoutes declares the operators' endpoints.
func OpsRoutes(a *rest.API, s *Service, currency Currencies) {
	const path = "/ops/v1/messages"
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[messageListInput, opsMessage]{
		Op: opsOp(http.MethodGet, path, "opsMessages", "Messages that operators have sent, newest first"), Permission: string(permission.MessageSend),
		Sorts: []string{"createdAt"}, States: []string{Scheduled, Sending, Sent, Ended, Withdrawn}, File: "messages.csv",
		Columns: []oplist.Column[opsMessage]{
			{Name: "id", Text: func(m opsMessage) string { return m.ID }}, {Name: "audience", Text: func(m opsMessage) string { return m.Audience }},
			{Name: "title", Text: func(m opsMessage) string { return m.Title }}, {Name: "status", Text: func(m opsMessage) string { return m.Status }},
			{Name: "reached", Text: func(m opsMessage) string { return formatID(m.Reached) }}, {Name: "readers", Text: func(m opsMessage) string { return formatID(m.Readers) }},
			{Name: "createdBy", Text: func(m opsMessage) string { return m.CreatedBy }}, {Name: "createdAt", Text: func(m opsMessage) string { return formatID(m.CreatedAt) }},
			{Name: "startsAt", Text: func(m opsMessage) string { return formatID(m.StartsAt) }}, {Name: "endsAt", Text: func(m opsMessage) string { return formatID(m.EndsAt) }},
		},
		Select: func(ctx context.Context, in *messageListInput, after page.Key, limit int) ([]opsMessage, error) {
			merchant := rest.MerchantOf(ctx).ID
			c, err := currency(ctx, merchant)
			if err != nil {
				return nil, err
			}
			return s.opsList(ctx, merchant, c, in, after, limit)
		},
		Key: func(m opsMessage, _ string) page.Key {
			id, _ := strconv.ParseInt(m.ID, 10, 64)
			return page.Key{At: m.CreatedAt, ID: id}
		},
	})
	rest.Typed(a, opsOp(http.MethodGet, path+"/{id}", "opsMessage", "A message", ErrNotFound), func(ctx context.Context, in *messageIDInput) (opsMessage, error) {
		merchant := rest.MerchantOf(ctx).ID
		c, err := currency(ctx, merchant)
		if err != nil {
			return opsMessage{}, err
		}
		m, err := findForMerchant(ctx, s.o.Store.Q(), merchant, in.ID)
		if err != nil {
			return opsMessage{}, err
		}
		return s.opsMessage(ctx, m, c)
	})
	preview := opsOp(http.MethodPost, path+"/preview", "opsPreviewMessage", "How many members a message would reach", ErrMember, ErrSegment)
	preview.Description = "Changes nothing."
	rest.Typed(a, preview, func(ctx context.Context, in *previewInput) (previewReply, error) {
		merchant := rest.MerchantOf(ctx).ID
		c, err := currency(ctx, merchant)
		if err != nil {
			return previewReply{}, err
		}
		d, err := in.Body.draft(merchant, c)
		if err != nil {
			return previewReply{}, err
		}
		n, err := s.Count(ctx, d)
		return previewReply{n}, err
	})
	send := opsOp(http.MethodPost, path, "opsSendMessage", "Send a message to one member, a segment or all", ErrText, ErrLink, ErrMember, ErrSegment, ErrSchedule, ErrConsent, idempotency.ErrConflict)
	rest.Typed(a, send, func(ctx context.Context, in *sendMessageInput) (opsMessage, error) {
		merchant := rest.MerchantOf(ctx).ID
		operator, _ := rest.OperatorOf(ctx)
		c, err := currency(ctx, merchant)
		if err != nil {
			return opsMessage{}, err
		}
		d, err := in.Body.draft(merchant, c)
		if err != nil {
			return opsMessage{}, err
		}
		d.Texts, d.Link, d.StartsAt, d.EndsAt = in.Body.Texts, strings.TrimSpace(in.Body.Link), in.Body.StartsAt, in.Body.EndsAt
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: send.ID, Key: in.IdempotencyKey, Content: in.Body}
		return s.send(ctx, request, d, c, in.Body.Reason)
	})
	rest.Typed(a, opsOp(http.MethodPost, path+"/{id}/withdraw", "opsWithdrawMessage", "Hide a message from everyone who has it, or cancel a scheduled one", ErrNotFound, ErrWithdrawn, rest.ErrStale),
		func(ctx context.Context, in *withdrawMessageInput) (opsMessage, error) {
			merchant := rest.MerchantOf(ctx).ID
			c, err := currency(ctx, merchant)
			if err != nil {
				return opsMessage{}, err
			}
			m, err := s.Withdraw(ctx, merchant, in.ID, in.Body.Version, in.Body.Reason)
			if err != nil {
				return opsMessage{}, err
			}
			return s.opsMessage(ctx, m, c)
		})
}

// send creates a message and writes the audit log. A repeated request creates no second message.
func (s *Service) send(ctx context.Context, request idempotency.Request, d Draft, c money.Currency, reason string) (opsMessage, error) {
	out, err := idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (opsMessage, error) {
		m, err := s.CreateIn(ctx, tx, d)
		if err != nil {
			return opsMessage{}, err
		}
		err = audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: d.MerchantID, Permission: string(permission.MessageSend), Action: "message.send", Object: "messages/" + formatID(m.ID),
			After: map[string]any{
				"audience": m.Audience, "filter": json.RawMessage(m.Filter), "texts": json.RawMessage(m.Texts), "link": m.Link, "promotional": m.Promotional,
				"startsAt": m.StartsAt, "endsAt": m.EndsAt, "reason": reason,
			},
		})
		if err != nil {
			return opsMessage{}, err
		}
		return opsMessageOf(m, 0, c)
	})
	s.o.Outbox.Wake()
	return out, err
}

func (s *Service) opsMessage(ctx context.Context, m query.Message, c money.Currency) (opsMessage, error) {
	readers, err := s.o.Store.Q().MessageReaders(ctx, nullID(m.ID))
	if err != nil {
		return opsMessage{}, err
	}
	return opsMessageOf(m, readers, c)
}

func (s *Service) opsList(ctx context.Context, merchantID int64, c money.Currency, in *messageListInput, after page.Key, limit int) ([]opsMessage, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	pattern := "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(in.Q) + "%"
	rows, err := s.o.Store.Q().MerchantMessages(ctx, query.MerchantMessagesParams{
		MerchantID: merchantID, Since: in.From, Until: until, Status: in.State, Text: in.Q, Pattern: pattern, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	})
	if err != nil {
		return nil, err
	}
	out := make([]opsMessage, len(rows))
	for i, r := range rows {
		m := query.Message{
			ID: r.ID, MerchantID: r.MerchantID, Audience: r.Audience, Filter: r.Filter, Texts: r.Texts, Link: r.Link, Promotional: r.Promotional, Status: r.Status,
			Reached: r.Reached, LastMember: r.LastMember, CreatedBy: r.CreatedBy, CreatedAt: r.CreatedAt,
			StartsAt: r.StartsAt, EndsAt: r.EndsAt, Version: r.Version,
		}
		if out[i], err = opsMessageOf(m, r.Readers, c); err != nil {
			return nil, err
		}
	}
	return out, nil
}
