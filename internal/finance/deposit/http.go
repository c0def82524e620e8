package deposit

import (
	"context"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/page"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

const (
	tag  = "deposit"
	path = "/wps/transaction/deposit"
)

type bankReply struct {
	Code string `json:"code"`
	Name string `json:"name"`
	BIN  string `json:"bin" doc:"The bank's number in VietQR codes, or empty."`
}

type methodReply struct {
	Code     string      `json:"code"`
	Kind     string      `json:"kind" enum:"mt,qr,pg" doc:"mt: bank transfer; qr: payment code; pg: payment gateway."`
	Name     string      `json:"name"`
	Currency string      `json:"currency"`
	Min      rest.Amount `json:"min"`
	Max      rest.Amount `json:"max"`
	Fee      rest.Amount `json:"fee" doc:"Fixed part of the fee."`
	FeeRate  rest.Amount `json:"feeRate" doc:"Share of the amount, as a fraction. It is added to the fixed part and rounded down."`
	OpensAt  string      `json:"opensAt" doc:"HH:mm. Equal to closesAt: always open."`
	ClosesAt string      `json:"closesAt" doc:"HH:mm."`
	Open     bool        `json:"open" doc:"Open now."`
	Banks    []bankReply `json:"banks" doc:"Banks that receive the money."`
}

// rateText returns a rate in millionths as a decimal fraction.
func rateText(rate int64) rest.Amount {
	if rate == 0 {
		return "0"
	}
	return rest.Amount(strconv.FormatFloat(float64(rate)/rateUnit, 'f', -1, 64)) // exact for six decimals
}

func (s *Service) methodReplies(ctx context.Context, who Member) ([]methodReply, error) {
	c, err := money.Find(who.Currency)
	if err != nil {
		return nil, rest.ErrSystem.Because(err)
	}
	methods, err := s.Methods(ctx, who)
	if err != nil {
		return nil, err
	}
	out := make([]methodReply, len(methods))
	for i, m := range methods {
		out[i] = methodReply{
			Code: m.Code, Kind: m.Kind, Name: m.Name, Currency: m.Currency, Min: rest.AmountOf(c, m.Min), Max: rest.AmountOf(c, m.Max), Fee: rest.AmountOf(c, m.Fee),
			FeeRate: rateText(m.FeeRate), OpensAt: m.Opens, ClosesAt: m.Closes, Open: m.Open(s.o.Now()), Banks: []bankReply{},
		}
		for _, a := range m.Accounts {
			out[i].Banks = append(out[i].Banks, bankReply{a.Code, a.Name, a.BIN})
		}
	}
	return out, nil
}

type createBody struct {
	Method    string      `json:"method" minLength:"1" maxLength:"64" doc:"Code of a method of this kind."`
	Amount    rest.Amount `json:"amount" doc:"In the currency's unit, with at most its decimals."`
	PayerName string      `json:"payerName,omitempty" maxLength:"100" doc:"Name on the account that pays."`
	Bank      string      `json:"bank,omitempty" maxLength:"32" doc:"Code of one of the method's banks. Without it, the first."`
}

type createInput struct {
	idempotency.Header

	Body createBody
}

// A DepositInput has the id of a deposit.
type DepositInput struct { //nolint:revive // embedded fields are read only from exported types, and several packages have an input
	ID string `path:"id" pattern:"^[0-9]{1,19}$"`
}

func (in DepositInput) id() (int64, error) {
	id, err := strconv.ParseInt(in.ID, 10, 64)
	if err != nil {
		return 0, ErrUnknown
	}
	return id, nil
}

type proofInput struct {
	idempotency.Header
	DepositInput

	RawBody huma.MultipartFormFiles[struct {
		Image huma.FormFile `form:"image" required:"true" doc:"PNG, JPEG or WebP, at most 5 MB. Its metadata is removed."`
	}]
}

type reportInput struct {
	From     int64  `query:"from" minimum:"0" doc:"First time, in Unix ms."`
	To       int64  `query:"to" minimum:"0" doc:"Time after the last, in Unix ms. 0 means no limit."`
	Status   string `query:"status" enum:",WAITING,CLAIMED,CREDITED,REFUSED,EXPIRED,CANCELLED"`
	Cursor   string `query:"cursor" maxLength:"64" doc:"The field next of the previous page."`
	PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
}

type reportRow struct {
	ID        string      `json:"id"`
	Reference string      `json:"reference"`
	Status    string      `json:"status" enum:"WAITING,CLAIMED,CREDITED,REFUSED,EXPIRED,CANCELLED"`
	Amount    rest.Amount `json:"amount"`
	Fee       rest.Amount `json:"fee"`
	Currency  string      `json:"currency"`
	At        int64       `json:"at" doc:"When it was created, in Unix ms."`
	Method    string      `json:"method"`
	Kind      string      `json:"kind" enum:"mt,qr,pg"`
	ExpiresAt int64       `json:"expiresAt"`
	EndedAt   *int64      `json:"endedAt" doc:"Null while it is open."`
	Reason    string      `json:"reason,omitempty" doc:"Why it was refused."`
}

type reportSums struct {
	Count    int64       `json:"count" doc:"Credited deposits of the period."`
	Amount   rest.Amount `json:"amount" doc:"Paid by the member."`
	Fee      rest.Amount `json:"fee"`
	Credited rest.Amount `json:"credited" doc:"Amount without fees."`
	Currency string      `json:"currency"`
}

type reportReply struct {
	List []reportRow `json:"list"`
	Next string      `json:"next" doc:"Cursor of the next page. Empty on the last one."`
	Sums reportSums  `json:"sums" doc:"Of all credited deposits that match the filters, on every page."`
}

// proofTimeout is shorter than the server's connection timeout, so that a slow client receives an error response.
const proofTimeout = 45 * time.Second

// Routes declares the members' calls.
func Routes(a *rest.API, s *Service) {
	memberCall(a, rest.Op{Method: http.MethodGet, Path: path + "/methods", ID: "depositMethods", Summary: "Ways to deposit"},
		func(ctx context.Context, who Member, _ *struct{}) ([]methodReply, error) {
			return s.methodReplies(ctx, who)
		})
	for _, route := range []struct{ kind, summary string }{
		{Transfer, "Deposit by bank transfer"}, {QR, "Deposit by payment code"}, {Pay, "Deposit through a payment gateway"},
	} {
		memberCall(a, rest.Op{
			Method: http.MethodPost, Path: path + "/" + route.kind, ID: "deposit" + strings.ToUpper(route.kind[:1]) + route.kind[1:], Summary: route.summary,
			Faults:      []*fault.Fault{ErrAmount, ErrMethod, ErrBreak, limits.ErrReached, idempotency.ErrConflict},
			Description: "Reserves the amount against the member's limits until the deposit ends.",
		}, func(ctx context.Context, who Member, in *createInput) (View, error) {
			b := in.Body
			return s.Create(ctx, who, in.IdempotencyKey, Request{Kind: route.kind, Method: b.Method, Amount: b.Amount, PayerName: b.PayerName, Bank: b.Bank})
		})
	}
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: path + "/{id}", ID: "deposit", Summary: "A deposit of the caller", Faults: []*fault.Fault{ErrUnknown},
	}, func(ctx context.Context, who Member, in *DepositInput) (View, error) {
		id, err := in.id()
		if err != nil {
			return View{}, err
		}
		return s.Find(ctx, who.ID, id)
	})
	memberCall(a, rest.Op{
		Method: http.MethodDelete, Path: path + "/{id}", ID: "cancelDeposit", Summary: "Cancel a deposit that waits", Faults: []*fault.Fault{ErrUnknown, ErrState},
	}, func(ctx context.Context, who Member, in *DepositInput) (View, error) {
		id, err := in.id()
		if err != nil {
			return View{}, err
		}
		return s.Cancel(ctx, who.ID, id)
	})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: path + "/{id}/proof", ID: "depositProof", Summary: "Upload a picture of the payment",
		MaxBody: picture.MaxBytes + 64<<10, Timeout: proofTimeout, Rate: &ratelimit.Limit{Burst: 20, Every: 10 * time.Second},
		Faults:      []*fault.Fault{ErrUnknown, ErrState, ErrPicture, idempotency.ErrConflict},
		Description: "For deposits by bank transfer or payment code. A new picture replaces the previous one.",
	}, func(ctx context.Context, who Member, in *proofInput) (View, error) {
		id, err := in.id()
		if err != nil {
			return View{}, err
		}
		file := in.RawBody.Data().Image
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, picture.MaxBytes+1))
		if err != nil {
			return View{}, rest.ErrParam.On("image").Because(err)
		}
		return s.AddProof(ctx, who.ID, id, in.IdempotencyKey, file.ContentType, data)
	})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/report/depositTransaction", ID: "depositTransactions", Summary: "The caller's deposits, newest first",
	}, s.report)
}

// memberCall declares a call for real members. Trial members cannot deposit.
func memberCall[I, O any](a *rest.API, op rest.Op, do func(context.Context, Member, *I) (O, error)) {
	op.Tag, op.Access = tag, rest.Real
	rest.Typed(a, op, func(ctx context.Context, in *I) (O, error) {
		who, ok := rest.CallerOf(ctx)
		if !ok {
			var none O
			return none, rest.ErrNoSession
		}
		return do(ctx, Member{who.MemberID, who.MerchantID, who.Currency}, in)
	})
}

func (s *Service) report(ctx context.Context, who Member, in *reportInput) (reportReply, error) {
	c, err := money.Find(who.Currency)
	if err != nil {
		return reportReply{}, rest.ErrSystem.Because(err)
	}
	after, err := page.After(in.Cursor)
	if err != nil {
		return reportReply{}, err
	}
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	size := page.Size(in.PageSize)
	rows, err := s.o.Store.Q().MemberDeposits(ctx, query.MemberDepositsParams{
		MemberID: who.ID, Since: in.From, Until: until, Status: in.Status, BeforeAt: after.At, BeforeID: after.ID, Most: int32(size + 1),
	})
	if err != nil {
		return reportReply{}, err
	}
	sums, err := s.o.Store.Q().MemberDepositSums(ctx, query.MemberDepositSumsParams{MemberID: who.ID, Since: in.From, Until: until, Status: in.Status})
	if err != nil {
		return reportReply{}, err
	}
	out := reportReply{List: []reportRow{}, Sums: reportSums{
		Count: sums.Deposits, Amount: rest.AmountOf(c, money.Minor(sums.Amount)), Fee: rest.AmountOf(c, money.Minor(sums.Fee)),
		Credited: rest.AmountOf(c, money.Minor(sums.Amount-sums.Fee)), Currency: c.Code,
	}}
	rows, out.Next = page.Cut(rows, size, func(r query.MemberDepositsRow) page.Key { return page.Key{At: r.CreatedAt, ID: r.ID} })
	for _, r := range rows {
		row := reportRow{
			ID: formatID(r.ID), Reference: r.Reference, Status: r.Status, Amount: rest.AmountOf(c, money.Minor(r.Amount)), Fee: rest.AmountOf(c, money.Minor(r.Fee)),
			Currency: r.Currency, At: r.CreatedAt, Method: r.Method, Kind: r.Kind, ExpiresAt: r.ExpiresAt, Reason: r.Reason,
		}
		if r.EndedAt.Valid {
			row.EndedAt = &r.EndedAt.Int64
		}
		out.List = append(out.List, row)
	}
	return out, nil
}
