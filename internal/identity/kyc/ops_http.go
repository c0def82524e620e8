package kyc

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

const opsPath = "/ops/v1/kyc"

// Warnings for the operator who reviews a check.
const (
	signalShared = "document_shared" // another account sent the same document number
	signalName   = "name_differs"    // the name differs from the profile
	signalNumber = "number_differs"  // the document number differs from the profile
)

type kycListInput struct{ oplist.Params }

// A KycRow is an identity check in the operators' list.
type KycRow struct { //nolint:revive // the name of the schema in the API document, where Row would be ambiguous
	ID        string `json:"id"`
	MemberID  string `json:"memberId"`
	Member    string `json:"member"`
	Status    string `json:"status" enum:"WAITING,VERIFIED,REFUSED"`
	Reason    string `json:"reason,omitempty"`
	Shared    int64  `json:"shared" doc:"Other accounts that sent the same document number."`
	CreatedAt int64  `json:"createdAt"`
	DecidedAt *int64 `json:"decidedAt"`
	DecidedBy string `json:"decidedBy,omitempty"`
	Version   int64  `json:"version"`
}

type kycAccount struct {
	MemberID string `json:"memberId"`
	Member   string `json:"member"`
	Status   string `json:"status" enum:"WAITING,VERIFIED,REFUSED"`
}

type kycSignal struct {
	Kind     string       `json:"kind" enum:"document_shared,name_differs,number_differs"`
	Accounts []kycAccount `json:"accounts" doc:"With document_shared."`
}

type kycProfile struct {
	Nickname  string `json:"nickname"`
	PayeeName string `json:"payeeName"`
	IDNumber  string `json:"idNumber"`
	Mobile    string `json:"mobile"`
	Email     string `json:"email"`
	CreatedAt int64  `json:"createdAt"`
	Status    string `json:"status"`
}

type kycEarlier struct {
	ID        string `json:"id"`
	Status    string `json:"status"`
	Reason    string `json:"reason,omitempty"`
	DecidedBy string `json:"decidedBy,omitempty"`
	CreatedAt int64  `json:"createdAt"`
}

type kycDetail struct {
	KycRow

	Name           string       `json:"name" doc:"As the member sent it. Empty when it was deleted."`
	BirthDate      string       `json:"birthDate"`
	DocumentNumber string       `json:"documentNumber" doc:"Empty when it was deleted."`
	Images         int          `json:"images" doc:"Number of pictures: see opsViewKyc. 0 when they were deleted."`
	Profile        kycProfile   `json:"profile"`
	Signals        []kycSignal  `json:"signals"`
	Earlier        []kycEarlier `json:"earlier" doc:"The member's other checks, newest first."`
}

type kycInput struct {
	ID int64 `path:"id"`
}

type decideKycInput struct {
	ID   int64 `path:"id"`
	Body struct {
		Version int64  `json:"version" minimum:"1"`
		Reason  string `json:"reason,omitempty" maxLength:"300" doc:"Needed to refuse. The member reads it."`
	}
}

// OpsRoutes registers the endpoints for operators.
func OpsRoutes(a *rest.API, s *Service) {
	op := func(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
		return rest.Op{
			Method: method, Path: opsPath + path, ID: id, Summary: summary, Faults: faults, Tag: "operators: identity", Access: rest.Operators,
			Permission: permission.KYCReview,
		}
	}
	column := func(name string, text func(KycRow) string) oplist.Column[KycRow] {
		return oplist.Column[KycRow]{Name: name, Text: text}
	}
	list := op(http.MethodGet, "", "opsKycList", "Identity checks, newest first")
	list.Description = "q finds a username, or the id of a check or a member."
	oplist.Register(a, func(context.Context, string) error { return nil }, oplist.List[kycListInput, KycRow]{
		Op: list, Permission: string(permission.KYCReview), Sorts: []string{"createdAt"}, States: []string{Waiting, Verified, Refused}, File: "kyc.csv",
		Columns: []oplist.Column[KycRow]{
			column("id", func(r KycRow) string { return r.ID }), column("member", func(r KycRow) string { return r.Member }),
			column("status", func(r KycRow) string { return r.Status }), column("createdAt", func(r KycRow) string { return formatID(r.CreatedAt) }),
			column("decidedBy", func(r KycRow) string { return r.DecidedBy }), column("reason", func(r KycRow) string { return r.Reason }),
		},
		Key: func(r KycRow, _ string) page.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64) // formatted by this package
			return page.Key{At: r.CreatedAt, ID: id}
		},
		Select: func(ctx context.Context, in *kycListInput, after page.Key, limit int) ([]KycRow, error) {
			return s.list(ctx, rest.MerchantOf(ctx).ID, in.Params, after, limit)
		},
	})
	rest.Typed(a, op(http.MethodGet, "/{id}", "opsKyc", "An identity check with the member's profile and signals", ErrUnknown), func(ctx context.Context, in *kycInput) (kycDetail, error) {
		return s.detail(ctx, rest.MerchantOf(ctx).ID, in.ID)
	})
	rest.Typed(a, op(http.MethodPost, "/{id}/approve", "opsApproveKyc", "Accept the documents", ErrUnknown, ErrDecided, rest.ErrStale), func(ctx context.Context, in *decideKycInput) (kycDetail, error) {
		merchant := rest.MerchantOf(ctx)
		if err := s.Approve(ctx, merchant.ID, in.ID, in.Body.Version); err != nil {
			return kycDetail{}, err
		}
		return s.detail(ctx, merchant.ID, in.ID)
	})
	rest.Typed(a, op(http.MethodPost, "/{id}/refuse", "opsRefuseKyc", "Refuse the documents", ErrUnknown, ErrDecided, ErrNoReason, rest.ErrStale), func(ctx context.Context, in *decideKycInput) (kycDetail, error) {
		merchant := rest.MerchantOf(ctx)
		if err := s.Refuse(ctx, merchant.ID, in.ID, in.Body.Version, in.Body.Reason); err != nil {
			return kycDetail{}, err
		}
		return s.detail(ctx, merchant.ID, in.ID)
	})
	view := op(http.MethodPost, "/{id}/view", "opsViewKyc", "A picture of the document", ErrUnknown, ErrNoImage)
	view.Dangerous, view.ContentType = true, "image/jpeg"
	view.Description = "The body is {image}, counted from 1. Each view is a row of the audit log."
	rest.Handle(a, view, picture.Handler("document.jpg", s.view))
}

// view opens the picture whose number is in the request.
func (s *Service) view(r *http.Request) (io.ReadCloser, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, ErrUnknown
	}
	var body struct {
		Image int `json:"image"`
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil, rest.ErrParam.On("Content-Type")
	}
	decoder := json.NewDecoder(io.LimitReader(r.Body, 1<<10))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&body); err != nil {
		return nil, rest.ErrParam.On("image").Because(err)
	}
	return s.View(r.Context(), rest.MerchantOf(r.Context()).ID, id, body.Image)
}

func (s *Service) list(ctx context.Context, merchantID int64, in oplist.Params, after page.Key, limit int) ([]KycRow, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MerchantKyc(ctx, query.MerchantKycParams{
		MerchantID: merchantID, Since: in.From, Until: until, State: in.State, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	})
	if err != nil {
		return nil, err
	}
	out := make([]KycRow, len(rows))
	for i, r := range rows {
		out[i] = KycRow{
			ID: formatID(r.ID), MemberID: formatID(r.MemberID), Member: r.Member, Status: r.State, Reason: r.Reason, Shared: r.Shared,
			CreatedAt: r.CreatedAt, DecidedBy: r.DecidedBy, Version: r.Version,
		}
		if r.DecidedAt.Valid {
			out[i].DecidedAt = &r.DecidedAt.Int64
		}
	}
	return out, nil
}

func (s *Service) detail(ctx context.Context, merchantID, id int64) (kycDetail, error) {
	q := s.o.Store.Q()
	row, err := s.findForMerchant(ctx, q, merchantID, id)
	if err != nil {
		return kycDetail{}, err
	}
	d, err := s.details(ctx, row)
	if err != nil {
		return kycDetail{}, err
	}
	member, err := q.MemberByID(ctx, row.MemberID)
	if err != nil {
		return kycDetail{}, err
	}
	others, err := samePerson(ctx, q, row)
	if err != nil {
		return kycDetail{}, err
	}
	images, err := imagesOf(row)
	if err != nil {
		return kycDetail{}, err
	}
	out := kycDetail{
		KycRow: KycRow{
			ID: formatID(row.ID), MemberID: formatID(row.MemberID), Member: member.Account, Status: row.State, Reason: row.Reason, Shared: int64(len(others)),
			CreatedAt: row.CreatedAt, DecidedBy: row.DecidedBy, Version: row.Version,
		},
		Name: d.Name, BirthDate: d.BirthDate, DocumentNumber: d.DocumentNumber, Images: len(images),
		Profile: kycProfile{
			Nickname: member.Nickname, PayeeName: member.PayeeName, Mobile: member.Mobile.String, Email: member.Email.String, CreatedAt: member.CreatedAt, Status: member.Status,
		},
		Signals: []kycSignal{}, Earlier: []kycEarlier{},
	}
	if row.DecidedAt.Valid {
		out.DecidedAt = &row.DecidedAt.Int64
	}
	values, err := q.MemberDetails(ctx, row.MemberID)
	if err != nil {
		return kycDetail{}, err
	}
	for _, v := range values {
		if v.Name == "idNumber" {
			out.Profile.IDNumber = v.Value
		}
	}
	out.addSignals(others)
	earlier, err := q.MemberKyc(ctx, row.MemberID)
	for _, e := range earlier {
		if e.ID != row.ID {
			out.Earlier = append(out.Earlier, kycEarlier{formatID(e.ID), e.State, e.Reason, e.DecidedBy, e.CreatedAt})
		}
	}
	return out, err
}

func (d *kycDetail) addSignals(others []Account) {
	if len(others) > 0 {
		signal := kycSignal{Kind: signalShared, Accounts: []kycAccount{}}
		for _, o := range others {
			signal.Accounts = append(signal.Accounts, kycAccount{formatID(o.MemberID), o.Username, o.State})
		}
		d.Signals = append(d.Signals, signal)
	}
	differs := func(sent, profile string) bool {
		return sent != "" && profile != "" && !strings.EqualFold(sent, profile)
	}
	if differs(d.Name, d.Profile.PayeeName) {
		d.Signals = append(d.Signals, kycSignal{signalName, []kycAccount{}})
	}
	if differs(d.DocumentNumber, d.Profile.IDNumber) {
		d.Signals = append(d.Signals, kycSignal{signalNumber, []kycAccount{}})
	}
}
