package content

import (
	"bytes"
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	paging "fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const (
	opsTag = "content"
	// maxEntryBody is enough for texts of the maximum size in all languages.
	maxEntryBody  = 512 << 10
	uploadTimeout = 45 * time.Second
)

type textReply struct {
	Title   string `json:"title"`
	Content string `json:"content" required:"false" doc:"HTML. It is sanitized when it is stored and when it is shown."`
	Tag     string `json:"tag" required:"false" doc:"Small line above a banner's title."`
	Action  string `json:"action" required:"false" doc:"Label of a banner's button."`
	Image   string `json:"image" required:"false" doc:"Replaces the entry's image in this language."`
}

type entryBody struct {
	Code      string               `json:"code,omitempty" maxLength:"48" doc:"Name of the entry; a page's is in its address. Fixed after creation. Default: a generated one."`
	Agents    bool                 `json:"agents,omitempty" doc:"Announcement for agents instead of players."`
	Group     string               `json:"group,omitempty" maxLength:"32" doc:"Place of a banner."`
	Execution string               `json:"execution,omitempty" enum:"A,B,F," doc:"Popups: A with a session, F at the first login, B without a session."`
	Parent    string               `json:"parent,omitempty" maxLength:"48" doc:"Help: code of the article's topic; empty: a topic."`
	URL       string               `json:"url,omitempty" maxLength:"512"`
	Image     string               `json:"image,omitempty" maxLength:"512"`
	StartsAt  int64                `json:"startsAt,omitempty" minimum:"0" doc:"Unix milliseconds. Default of a new entry: now."`
	EndsAt    int64                `json:"endsAt,omitempty" minimum:"0" doc:"Unix milliseconds; 0: no end."`
	Published bool                 `json:"published,omitempty" doc:"false: a draft."`
	Texts     map[string]textReply `json:"texts" doc:"By language: vi, en, ur, pt. Vietnamese or English is needed. Missing languages show Vietnamese, else English."`
	Version   int64                `json:"version,omitempty" doc:"The version that was edited. Not used to create."`
	Reason    string               `json:"reason,omitempty" maxLength:"500"`
}

type entryReply struct {
	ID        string               `json:"id"`
	Code      string               `json:"code"`
	Title     string               `json:"title" doc:"In Vietnamese, else in English."`
	Status    string               `json:"status" enum:"draft,scheduled,published,ended"`
	Agents    bool                 `json:"agents"`
	Group     string               `json:"group"`
	Execution string               `json:"execution"`
	Parent    string               `json:"parent" doc:"Help: code of the article's topic."`
	Helpful   int64                `json:"helpful" doc:"Help: votes of readers whom it helped."`
	Unhelpful int64                `json:"unhelpful" doc:"Help: votes of readers whom it did not help."`
	URL       string               `json:"url"`
	Image     string               `json:"image"`
	StartsAt  int64                `json:"startsAt" doc:"Unix milliseconds."`
	EndsAt    int64                `json:"endsAt" doc:"Unix milliseconds; 0: no end."`
	Published bool                 `json:"published"`
	Languages []string             `json:"languages" doc:"Languages with a text."`
	Texts     map[string]textReply `json:"texts"`
	Version   int64                `json:"version"`

	index int
}

func replyOf(e Entry, now time.Time, index int) entryReply {
	r := entryReply{
		ID: strconv.FormatInt(e.ID, 10), Code: e.Code, Title: e.Title(), Status: e.State(now), Agents: e.Agents, Group: e.Group, Execution: e.Execution,
		URL: e.URL, Image: e.Image, StartsAt: max(0, e.Starts.UnixMilli()), Published: e.Published, Languages: []string{}, Texts: map[string]textReply{},
		Version: e.Version, Parent: e.Parent, Helpful: e.Helpful, Unhelpful: e.Unhelpful, index: index,
	}
	if !e.Ends.IsZero() {
		r.EndsAt = e.Ends.UnixMilli()
	}
	for _, l := range languages {
		if t, ok := e.Texts[l]; ok {
			r.Languages = append(r.Languages, l)
			r.Texts[l] = textReply(t)
		}
	}
	return r
}

func (b entryBody) entry(kind Kind, now time.Time) Entry {
	e := Entry{
		Kind: kind, Code: b.Code, Agents: b.Agents && kind == Announcements, Group: b.Group, Execution: b.Execution, URL: b.URL, Image: b.Image,
		Starts: now, Published: b.Published, Texts: map[string]Text{}, Version: b.Version, Reason: b.Reason,
	}
	if kind == Help {
		e.Parent = b.Parent
	}
	if b.StartsAt != 0 {
		e.Starts = time.UnixMilli(b.StartsAt)
	}
	if b.EndsAt != 0 {
		e.Ends = time.UnixMilli(b.EndsAt)
	}
	for l, t := range b.Texts {
		e.Texts[l] = Text(t)
	}
	return e
}

type entryListInput struct{ oplist.Params }

type entryInput struct {
	ID int64 `path:"id"`
}

type createEntryInput struct {
	idempotency.Header

	Body entryBody
}

type changeEntryInput struct {
	ID   int64 `path:"id"`
	Body entryBody
}

type entryActionInput struct {
	ID     int64  `path:"id"`
	Action string `path:"action" enum:"publish,unpublish,delete,move"`
	Body   struct {
		Version int64  `json:"version"`
		After   string `json:"after,omitempty" pattern:"^[0-9]{0,19}$" doc:"With move: id of the entry before it; empty: first."`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

type pictureInput struct {
	ContentType string `header:"Content-Type" doc:"multipart/form-data with one file: image/png, image/jpeg or image/webp."`
	RawBody     []byte
}

// file returns the first file of a multipart body, with its type.
func (in *pictureInput) file() (contentType string, data []byte, err error) {
	_, parameters, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		return "", nil, ErrPicture.Because(err)
	}
	parts := multipart.NewReader(bytes.NewReader(in.RawBody), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err != nil {
			return "", nil, ErrPicture.Because(err)
		}
		if part.FileName() == "" {
			continue
		}
		data, err := io.ReadAll(part) // limited by the size of the body
		if err != nil {
			return "", nil, ErrPicture.Because(err)
		}
		return part.Header.Get("Content-Type"), data, nil
	}
}

type pictureReply struct {
	Address string `json:"address" doc:"For the field image, or for HTML."`
}

// OpsRoutes declares the operators' endpoints for content.
func OpsRoutes(a *rest.API, s *Service) {
	for _, kind := range []Kind{Announcements, Banners, Popups, Pages, Help} {
		entryRoutes(a, s, kind)
	}
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: "/ops/v1/pictures", ID: "opsAddPicture", Tag: opsTag, Access: rest.Operators, Permission: permission.ContentEdit,
		Summary: "Upload a picture for content", MaxBody: picture.MaxBytes + 4<<10, Timeout: uploadTimeout, Faults: []*fault.Fault{ErrPicture, ratelimit.ErrLimited},
		Description: "It is deleted after a day unless an entry uses it.",
	}, func(ctx context.Context, in *pictureInput) (pictureReply, error) {
		contentType, data, err := in.file()
		if err != nil {
			return pictureReply{}, err
		}
		path, err := s.AddPicture(ctx, contentType, data)
		return pictureReply{path}, err
	})
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: pictureRoute + "{name}", ID: "contentPicture", Tag: opsTag, Access: rest.Public, ContentType: "image/jpeg",
		Summary: "A picture of the site's content", Faults: []*fault.Fault{ErrUnknown},
	}, picture.Handler("picture.jpg", func(r *http.Request) (io.ReadCloser, error) {
		return s.OpenPicture(r.Context(), r.PathValue("name"))
	}))
}

func entryRoutes(a *rest.API, s *Service, kind Kind) {
	path := "/ops/v1/" + string(kind)
	title := strings.ToUpper(string(kind[:1])) + string(kind[1:])
	singular := strings.TrimSuffix(title, "s")
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{
			Method: method, Path: path, ID: id, Tag: opsTag, Access: rest.Operators, Permission: permission.ContentEdit, Summary: summary,
			MaxBody: maxEntryBody, Faults: faults,
		}
	}
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[entryListInput, entryReply]{
		Op: op(http.MethodGet, path, "opsList"+title, title+" in display order"), Permission: string(permission.ContentEdit),
		Sorts: []string{"order"}, States: []string{StateDraft, StateScheduled, StatePublished, StateEnded}, File: string(kind) + ".csv",
		Columns: []oplist.Column[entryReply]{
			{Name: "id", Text: func(r entryReply) string { return r.ID }}, {Name: "code", Text: func(r entryReply) string { return r.Code }},
			{Name: "title", Text: func(r entryReply) string { return r.Title }}, {Name: "status", Text: func(r entryReply) string { return r.Status }},
			{Name: "languages", Text: func(r entryReply) string { return strings.Join(r.Languages, " ") }},
		},
		Select: func(ctx context.Context, in *entryListInput, after paging.Key, limit int) ([]entryReply, error) {
			return s.listEntries(ctx, kind, in, after, limit)
		},
		Key: func(r entryReply, _ string) paging.Key { return oplist.IndexKey(r.index) },
	})
	rest.Typed(a, op(http.MethodGet, path+"/{id}", "opsGet"+singular, "One of the "+string(kind), ErrMissing), func(ctx context.Context, in *entryInput) (entryReply, error) {
		e, err := s.FindEntry(ctx, rest.MerchantOf(ctx).ID, kind, in.ID)
		return replyOf(e, s.o.Now(), 0), err
	})
	create := op(http.MethodPost, path, "opsCreate"+singular, "Create one of the "+string(kind), ErrMalformed, ErrTaken, ErrHasArticles, idempotency.ErrConflict)
	rest.Typed(a, create, func(ctx context.Context, in *createEntryInput) (entryReply, error) {
		operator, _ := rest.OperatorOf(ctx)
		merchantID := rest.MerchantOf(ctx).ID
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: create.ID, Key: in.IdempotencyKey, Content: []any{merchantID, in.Body}}
		e, err := s.CreateEntry(ctx, request, merchantID, in.Body.entry(kind, s.o.Now()))
		return replyOf(e, s.o.Now(), 0), err
	})
	rest.Typed(a, op(http.MethodPut, path+"/{id}", "opsEdit"+singular, "Edit one of the "+string(kind), ErrMalformed, ErrMissing, ErrHasArticles, rest.ErrStale), func(ctx context.Context, in *changeEntryInput) (entryReply, error) {
		e := in.Body.entry(kind, s.o.Now())
		e.ID = in.ID
		e, err := s.ChangeEntry(ctx, rest.MerchantOf(ctx).ID, e)
		return replyOf(e, s.o.Now(), 0), err
	})
	rest.Typed(a, op(http.MethodPost, path+"/{id}/{action}", "opsChange"+singular, "Publish, hide, move or delete one of the "+string(kind), ErrMissing, ErrHasArticles, rest.ErrStale), func(ctx context.Context, in *entryActionInput) (struct{}, error) {
		return struct{}{}, s.act(ctx, kind, in)
	})
}

func (s *Service) listEntries(ctx context.Context, kind Kind, in *entryListInput, after paging.Key, limit int) ([]entryReply, error) {
	all, err := s.Entries(ctx, rest.MerchantOf(ctx).ID, kind)
	if err != nil {
		return nil, err
	}
	now, search := s.o.Now(), strings.ToLower(in.Q)
	matching := []entryReply{}
	for _, e := range all {
		matches := strings.Contains(strings.ToLower(e.Code), search)
		for _, t := range e.Texts {
			matches = matches || strings.Contains(strings.ToLower(t.Title), search)
		}
		startsAt := e.Starts.UnixMilli()
		if !matches || in.State != "" && e.State(now) != in.State || startsAt < in.From || in.To != 0 && startsAt >= in.To {
			continue
		}
		matching = append(matching, replyOf(e, now, len(matching)))
	}
	return oplist.Slice(matching, after, limit), nil
}

func (s *Service) act(ctx context.Context, kind Kind, in *entryActionInput) error {
	merchantID, ref := rest.MerchantOf(ctx).ID, Entry{ID: in.ID, Kind: kind, Version: in.Body.Version, Reason: in.Body.Reason}
	switch in.Action {
	case "delete":
		return s.DeleteEntry(ctx, merchantID, ref)
	case "move":
		after, err := parseAfter(in.Body.After)
		if err != nil {
			return err
		}
		return s.MoveEntry(ctx, merchantID, ref, after)
	default:
		_, err := s.Publish(ctx, merchantID, ref, in.Action == "publish")
		return err
	}
}

// parseAfter parses the id of the entry that precedes a moved entry. The empty text means 0, the first place.
func parseAfter(text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, rest.ErrParam.On("after")
	}
	return id, nil
}
