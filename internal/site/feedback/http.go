package feedback

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

const (
	tag     = "member"
	path    = "/wps/member/feedback"
	opsPath = "/ops/v1/feedback"

	// maxText is the maximum size of a text field of the form, in bytes.
	maxText = 4 << 10
	// uploadTimeout is shorter than the server's connection timeout, so that a slow client receives an error response.
	uploadTimeout = 45 * time.Second
)

type feedbackReply struct {
	ID         string `json:"id"`
	Category   string `json:"category" enum:"deposit,withdrawal,game,account,suggestion,other"`
	Content    string `json:"content"`
	Images     int    `json:"images" doc:"Number of pictures: see feedbackImage."`
	Status     string `json:"status" enum:"open,answered"`
	Answer     string `json:"answer,omitempty"`
	AnsweredAt int64  `json:"answeredAt,omitempty"`
	CreatedAt  int64  `json:"createdAt"`
}

func replyOf(f query.Feedback) feedbackReply {
	return feedbackReply{
		ID: formatID(f.ID), Category: f.Category, Content: f.Content, Images: len(imagesOf(f.Images)), Status: f.Status, Answer: f.Answer,
		AnsweredAt: f.AnsweredAt, CreatedAt: f.CreatedAt,
	}
}

type feedbackPage struct {
	List []feedbackReply `json:"list"`
	Next string          `json:"next" doc:"Cursor of the next page; empty on the last."`
}

type feedbackListInput struct {
	Cursor string `query:"cursor" maxLength:"64"`
}

type sendFeedbackInput struct {
	idempotency.Header

	ContentType string `header:"Content-Type" doc:"multipart/form-data with the fields category and content, and up to 3 files named image: PNG or JPEG, at most 5 MB each."`
	RawBody     []byte
}

// form parses the body in memory. The standard parser would write pictures to temporary files.
func (in *sendFeedbackInput) form() (d Draft, err error) {
	_, parameters, err := mime.ParseMediaType(in.ContentType)
	if err != nil || parameters["boundary"] == "" {
		return d, rest.ErrParam.Because(err)
	}
	parts := multipart.NewReader(bytes.NewReader(in.RawBody), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return d, nil
		}
		if err != nil {
			return d, rest.ErrParam.Because(err)
		}
		name := part.FormName()
		texts := map[string]*string{"category": &d.Category, "content": &d.Content}
		target, isText := texts[name]
		limit := maxText
		switch {
		case name == "image" && len(d.Files) == MaxImages:
			return d, ErrImages.On("image").With("max", MaxImages)
		case name == "image":
			limit = picture.MaxBytes
		case !isText || part.FileName() != "":
			return d, rest.ErrParam.On(name)
		}
		data, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
		switch {
		case err != nil:
			return d, rest.ErrParam.Because(err)
		case isText && len(data) > limit:
			return d, rest.ErrParam.On(name)
		case isText:
			*target = string(data)
		case len(data) > limit:
			return d, ErrLarge.On("image")
		default:
			d.Files = append(d.Files, File{part.Header.Get("Content-Type"), data})
		}
	}
}

// Routes declares the members' endpoints.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: path, ID: "feedback", Tag: tag, Access: rest.Real, Summary: "The caller's feedback with its answers, newest first",
	}, func(ctx context.Context, in *feedbackListInput) (feedbackPage, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			return feedbackPage{}, rest.ErrNoSession
		}
		rows, next, err := s.Own(ctx, who.MemberID, in.Cursor)
		out := feedbackPage{List: make([]feedbackReply, len(rows)), Next: next}
		for i, r := range rows {
			out.List[i] = replyOf(r)
		}
		return out, err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: path, ID: "sendFeedback", Tag: tag, Access: rest.Real, Summary: "Send feedback with pictures to the operator",
		MaxBody: MaxImages*picture.MaxBytes + 64<<10, Timeout: uploadTimeout, Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second},
		Faults: append(validation.Refusals("feedback"), ErrCategory, ErrImages, ErrFormat, ErrLarge, idempotency.ErrConflict, ratelimit.ErrLimited),
	}, func(ctx context.Context, in *sendFeedbackInput) (feedbackReply, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			return feedbackReply{}, rest.ErrNoSession
		}
		d, err := in.form()
		if err != nil {
			return feedbackReply{}, err
		}
		row, err := s.Send(ctx, Member{who.MemberID, who.MerchantID}, in.IdempotencyKey, d)
		return replyOf(row), err
	})
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: path + "/{id}/image/{n}", ID: "feedbackImage", Tag: tag, Access: rest.Real, ContentType: "image/jpeg",
		Summary: "A picture that the caller sent, counted from 1", Faults: []*fault.Fault{ErrNoImage},
	}, picture.Handler("feedback.jpg", func(r *http.Request) (io.ReadCloser, error) {
		who, ok := rest.CallerOf(r.Context())
		if !ok {
			return nil, rest.ErrNoSession
		}
		id, number, err := imageParams(r)
		if err != nil {
			return nil, err
		}
		return s.OpenOwn(r.Context(), who.MemberID, id, number)
	}))
}

func imageParams(r *http.Request) (id int64, number int, err error) {
	id, err = strconv.ParseInt(r.PathValue("id"), 10, 64)
	number, numberErr := strconv.Atoi(r.PathValue("n"))
	if err != nil || numberErr != nil {
		return 0, 0, ErrNoImage
	}
	return id, number, nil
}

type opsFeedback struct {
	ID         string `json:"id"`
	MemberID   string `json:"memberId"`
	Member     string `json:"member"`
	Category   string `json:"category" enum:"deposit,withdrawal,game,account,suggestion,other"`
	Content    string `json:"content"`
	Images     int    `json:"images" doc:"Number of pictures: see opsFeedbackImage."`
	Status     string `json:"status" enum:"open,answered"`
	Answer     string `json:"answer,omitempty"`
	AnsweredBy string `json:"answeredBy,omitempty"`
	AnsweredAt int64  `json:"answeredAt,omitempty"`
	CreatedAt  int64  `json:"createdAt"`
	Version    int64  `json:"version"`
}

func opsFeedbackOf(f query.FeedbackByIDRow) opsFeedback {
	return opsFeedback{
		ID: formatID(f.ID), MemberID: formatID(f.MemberID), Member: f.Member, Category: f.Category, Content: f.Content, Images: len(imagesOf(f.Images)),
		Status: f.Status, Answer: f.Answer, AnsweredBy: f.AnsweredBy, AnsweredAt: f.AnsweredAt, CreatedAt: f.CreatedAt, Version: f.Version,
	}
}

type opsListInput struct {
	oplist.Params

	Category string `query:"category" enum:",deposit,withdrawal,game,account,suggestion,other"`
}

type opsIDInput struct {
	ID int64 `path:"id"`
}

type answerInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version" minimum:"1"`
		Text    string `json:"text" minLength:"1" maxLength:"4000" doc:"At most 1,000 characters. The member reads it."`
	}
}

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{Method: method, Path: path, ID: id, Tag: "operators: messages", Access: rest.Operators, Permission: permission.MessageSend, Summary: summary, Faults: faults}
}

// OpsRoutes declares the operators' endpoints.
func OpsRoutes(a *rest.API, s *Service) {
	list := opsOp(http.MethodGet, opsPath, "opsFeedbackList", "Feedback of members, newest first")
	list.Description = "q is a username or an id."
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[opsListInput, opsFeedback]{
		Op: list, Permission: string(permission.MessageSend), Sorts: []string{"createdAt"}, States: []string{Open, Answered}, File: "feedback.csv",
		Columns: []oplist.Column[opsFeedback]{
			{Name: "id", Text: func(f opsFeedback) string { return f.ID }}, {Name: "member", Text: func(f opsFeedback) string { return f.Member }},
			{Name: "category", Text: func(f opsFeedback) string { return f.Category }}, {Name: "content", Text: func(f opsFeedback) string { return f.Content }},
			{Name: "status", Text: func(f opsFeedback) string { return f.Status }}, {Name: "answer", Text: func(f opsFeedback) string { return f.Answer }},
			{Name: "createdAt", Text: func(f opsFeedback) string { return formatID(f.CreatedAt) }},
		},
		Select: func(ctx context.Context, in *opsListInput, after page.Key, limit int) ([]opsFeedback, error) {
			return s.opsList(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
		Key: func(f opsFeedback, _ string) page.Key {
			id, _ := strconv.ParseInt(f.ID, 10, 64)
			return page.Key{At: f.CreatedAt, ID: id}
		},
	})
	rest.Typed(a, opsOp(http.MethodGet, opsPath+"/{id}", "opsFeedback", "A feedback", ErrUnknown), func(ctx context.Context, in *opsIDInput) (opsFeedback, error) {
		row, err := s.Find(ctx, rest.MerchantOf(ctx).ID, in.ID)
		return opsFeedbackOf(row), err
	})
	image := opsOp(http.MethodGet, opsPath+"/{id}/image/{n}", "opsFeedbackImage", "A picture of a feedback, counted from 1", ErrNoImage)
	image.ContentType = "image/jpeg"
	rest.Handle(a, image, picture.Handler("feedback.jpg", func(r *http.Request) (io.ReadCloser, error) {
		id, number, err := imageParams(r)
		if err != nil {
			return nil, err
		}
		return s.OpenFor(r.Context(), rest.MerchantOf(r.Context()).ID, id, number)
	}))
	rest.Typed(a, opsOp(http.MethodPost, opsPath+"/{id}/answer", "opsAnswerFeedback", "Answer feedback", ErrUnknown, ErrAnswered, ErrAnswer, rest.ErrStale),
		func(ctx context.Context, in *answerInput) (opsFeedback, error) {
			merchant := rest.MerchantOf(ctx).ID
			if err := s.Answer(ctx, merchant, in.ID, in.Body.Version, in.Body.Text); err != nil {
				return opsFeedback{}, err
			}
			row, err := s.Find(ctx, merchant, in.ID)
			return opsFeedbackOf(row), err
		})
}

func (s *Service) opsList(ctx context.Context, merchantID int64, in *opsListInput, after page.Key, limit int) ([]opsFeedback, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MerchantFeedback(ctx, query.MerchantFeedbackParams{
		MerchantID: merchantID, Since: in.From, Until: until, Status: in.State, Category: in.Category, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	})
	if err != nil {
		return nil, err
	}
	out := make([]opsFeedback, len(rows))
	for i, r := range rows {
		out[i] = opsFeedbackOf(query.FeedbackByIDRow(r))
	}
	return out, nil
}
