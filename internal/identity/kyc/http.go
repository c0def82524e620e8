package kyc

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

const (
	tag  = "member"
	path = "/wps/member/kyc"

	// maxText is the maximum length of a text field, in bytes.
	maxText = 1 << 10
	// uploadTimeout is shorter than the server's connection timeout, so that a slow client receives an error response.
	uploadTimeout = 45 * time.Second
)

type kycReply struct {
	State     string `json:"state" enum:"NONE,WAITING,VERIFIED,REFUSED"`
	Reason    string `json:"reason,omitempty" doc:"Why the documents were refused."`
	Name      string `json:"name,omitempty" doc:"As the member sent it, or as verified."`
	BirthDate string `json:"birthDate,omitempty" doc:"YYYY-MM-DD."`
	Images    int    `json:"images" doc:"Number of pictures that are still kept: see kycImage."`
	SentAt    int64  `json:"sentAt,omitempty"`
	DecidedAt int64  `json:"decidedAt,omitempty"`
}

func replyOf(s Status) kycReply {
	return kycReply(s)
}

type submitKycInput struct {
	idempotency.Header

	ContentType string `header:"Content-Type" doc:"multipart/form-data with the fields name, birthDate (YYYY-MM-DD) and documentNumber, and 1 to 3 files named image: PNG or JPEG, at most 5 MB each."`
	RawBody     []byte
}

// form parses the body in memory. The standard parser would write pictures to a temporary folder.
func (in *submitKycInput) form() (d Details, files []File, err error) {
	_, parameters, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		return d, nil, rest.ErrParam.Because(err)
	}
	texts := map[string]*string{"name": &d.Name, "birthDate": &d.BirthDate, "documentNumber": &d.DocumentNumber}
	parts := multipart.NewReader(bytes.NewReader(in.RawBody), parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return d, files, nil
		}
		if err != nil {
			return d, nil, rest.ErrParam.Because(err)
		}
		name := part.FormName()
		target, isText := texts[name]
		limit := maxText
		switch {
		case name == "image" && len(files) == MaxImages:
			return d, nil, ErrImages.On("image").With("max", MaxImages)
		case name == "image":
			limit = picture.MaxBytes
		case !isText || part.FileName() != "":
			return d, nil, rest.ErrParam.On(name)
		}
		data, err := io.ReadAll(io.LimitReader(part, int64(limit)+1))
		if err != nil {
			return d, nil, rest.ErrParam.Because(err)
		}
		switch {
		case !isText && len(data) > limit:
			return d, nil, ErrLarge.On("image")
		case !isText:
			files = append(files, File{part.Header.Get("Content-Type"), data})
		case len(data) > limit:
			return d, nil, rest.ErrParam.On(name)
		default:
			*target = string(data)
		}
	}
}

// Routes registers the endpoints for members.
func Routes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: path, ID: "kyc", Tag: tag, Access: rest.Real, Summary: "The state of the caller's identity check",
	}, func(ctx context.Context, _ *struct{}) (kycReply, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			return kycReply{}, rest.ErrNoSession
		}
		status, err := s.Find(ctx, who.MemberID)
		return replyOf(status), err
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPost, Path: path, ID: "submitKyc", Tag: tag, Access: rest.Real, Summary: "Send details and pictures of a document for the identity check",
		MaxBody: MaxImages*picture.MaxBytes + 64<<10, Timeout: uploadTimeout, Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second},
		Faults: append(validation.Refusals("payeeName", "idNumber"),
			ErrState, ErrAge, ErrBirthDate, ErrImages, ErrFormat, ErrLarge, idempotency.ErrConflict, ratelimit.ErrLimited),
		Description: "Fails while a check is pending and after verification. After a refusal, the member can send new documents. The server removes the pictures' metadata.",
	}, func(ctx context.Context, in *submitKycInput) (kycReply, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			return kycReply{}, rest.ErrNoSession
		}
		d, files, err := in.form()
		if err != nil {
			return kycReply{}, err
		}
		status, err := s.Submit(ctx, Member{who.MemberID, who.MerchantID}, in.IdempotencyKey, d, files)
		return replyOf(status), err
	})
	rest.Handle(a, rest.Op{
		Method: http.MethodGet, Path: path + "/image/{n}", ID: "kycImage", Tag: tag, Access: rest.Real, ContentType: "image/jpeg",
		Summary: "A picture that the caller sent, counted from 1", Faults: []*fault.Fault{ErrNoImage},
	}, picture.Handler("document.jpg", func(r *http.Request) (io.ReadCloser, error) {
		who, ok := rest.CallerOf(r.Context())
		if !ok {
			return nil, rest.ErrNoSession
		}
		number, err := strconv.Atoi(r.PathValue("n"))
		if err != nil {
			return nil, ErrNoImage
		}
		return s.OpenOwn(r.Context(), who.MemberID, number)
	}))
}
