package withdraw

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/page"
	"fairground/internal/platform/rest"
)

const tag = "withdrawal"

type cardList struct {
	List  []Card       `json:"list"`
	Banks []PayoutBank `json:"banks" doc:"Banks that a new card can have."`
}

type addCardInput struct {
	idempotency.Header

	Body struct {
		Bank            string `json:"bank" minLength:"1" maxLength:"32" doc:"Code of one of banks."`
		Number          string `json:"number" minLength:"1" maxLength:"64" doc:"Account or card number. Spaces and dashes do not count."`
		Default         bool   `json:"default,omitempty"`
		PaymentPassword string `json:"paymentPassword" maxLength:"256"`
	}
}

// A CardInput has the id of a card.
type CardInput struct {
	ID string `path:"id" pattern:"^[0-9]{1,19}$"`
}

func (in CardInput) id() (int64, error) {
	id, err := strconv.ParseInt(in.ID, 10, 64)
	if err != nil {
		return 0, ErrCard
	}
	return id, nil
}

type setCardInput struct {
	CardInput

	Body struct {
		Default bool `json:"default" enum:"true" doc:"Makes it the default card."`
	}
}

type createInput struct {
	idempotency.Header

	Body struct {
		CardID          string      `json:"cardId" pattern:"^[0-9]{1,19}$"`
		Amount          rest.Amount `json:"amount" doc:"In the currency's unit, with at most its decimals."`
		PaymentPassword string      `json:"paymentPassword" maxLength:"256"`
	}
}

type reportInput struct {
	From     int64  `query:"from" minimum:"0" doc:"First time, in Unix ms."`
	To       int64  `query:"to" minimum:"0" doc:"Time after the last, in Unix ms. 0 means no limit."`
	Status   string `query:"status" enum:",REQUESTED,REVIEW,APPROVED,SENT,PAID,REFUSED,FAILED"`
	Cursor   string `query:"cursor" maxLength:"64" doc:"The field next of the previous page."`
	PageSize int    `query:"pageSize" minimum:"0" maximum:"100"`
}

type withdrawalSums struct {
	Count    int64       `json:"count" doc:"Paid withdrawals of the period."`
	Amount   rest.Amount `json:"amount"`
	Fee      rest.Amount `json:"fee"`
	Paid     rest.Amount `json:"paid" doc:"Amount without fees."`
	Currency string      `json:"currency"`
}

type withdrawalReport struct {
	List []Withdrawal   `json:"list" doc:"Without steps: see the withdrawal."`
	Next string         `json:"next" doc:"Cursor of the next page. Empty on the last one."`
	Sums withdrawalSums `json:"sums" doc:"Of all paid withdrawals that match the filters, on every page."`
}

// Routes declares the members' calls.
func Routes(a *rest.API, s *Service) {
	const cards, path = "/wps/member/bankCard", "/wps/transaction/withdraw"
	memberCall(a, rest.Op{Method: http.MethodGet, Path: cards, ID: "bankCards", Summary: "The caller's bank cards"},
		func(ctx context.Context, who Member, _ *struct{}) (out cardList, err error) {
			if out.List, err = s.Cards(ctx, who); err != nil {
				return out, err
			}
			out.Banks, err = s.Banks(ctx, who)
			return out, err
		})
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: cards, ID: "addBankCard", Summary: "Add a bank card",
		Faults: []*fault.Fault{ErrIdentity, ErrPassword, ErrBank, ErrNumber, ErrSameCard, ErrMaxCards, idempotency.ErrConflict},
	}, func(ctx context.Context, who Member, in *addCardInput) (Card, error) {
		b := in.Body
		return s.AddCard(ctx, who, in.IdempotencyKey, b.PaymentPassword, NewCard{b.Bank, b.Number, b.Default})
	})
	memberCall(a, rest.Op{
		Method: http.MethodPut, Path: cards + "/{id}", ID: "setBankCard", Summary: "Make a bank card the default one", Faults: []*fault.Fault{ErrCard},
	}, func(ctx context.Context, who Member, in *setCardInput) (struct{}, error) {
		id, err := in.id()
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.SetDefault(ctx, who, id)
	})
	memberCall(a, rest.Op{
		Method: http.MethodDelete, Path: cards + "/{id}", ID: "removeBankCard", Summary: "Remove a bank card", Faults: []*fault.Fault{ErrCard},
	}, func(ctx context.Context, who Member, in *CardInput) (struct{}, error) {
		id, err := in.id()
		if err != nil {
			return struct{}{}, err
		}
		return struct{}{}, s.RemoveCard(ctx, who, id)
	})
	memberCall(a, rest.Op{Method: http.MethodGet, Path: path + "/terms", ID: "withdrawTerms", Summary: "What the caller can withdraw"},
		func(ctx context.Context, who Member, _ *struct{}) (WithdrawTerms, error) { return s.Terms(ctx, who) })
	memberCall(a, rest.Op{
		Method: http.MethodPost, Path: path, ID: "withdraw", Summary: "Request a withdrawal",
		Faults:      []*fault.Fault{ErrIdentity, ErrTurnover, ErrBalance, ErrPassword, ErrAmount, ErrPerDay, ErrCard, idempotency.ErrConflict},
		Description: "The amount leaves the wallet at once. A member cannot cancel a withdrawal.",
	}, func(ctx context.Context, who Member, in *createInput) (Withdrawal, error) {
		id, err := strconv.ParseInt(in.Body.CardID, 10, 64)
		if err != nil {
			return Withdrawal{}, ErrCard.On("cardId")
		}
		return s.Create(ctx, who, in.IdempotencyKey, in.Body.PaymentPassword, Request{id, in.Body.Amount})
	})
	memberCall(a, rest.Op{Method: http.MethodGet, Path: path + "/{id}", ID: "withdrawal", Summary: "A withdrawal of the caller", Faults: []*fault.Fault{ErrUnknown}},
		func(ctx context.Context, who Member, in *CardInput) (Withdrawal, error) {
			id, err := in.id()
			if err != nil {
				return Withdrawal{}, ErrUnknown
			}
			return s.Find(ctx, who.ID, id)
		})
	memberCall(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/report/withdrawTransaction", ID: "withdrawTransactions", Summary: "The caller's withdrawals, newest first",
	}, s.report)
}

// memberCall declares a call for real members. Trial members cannot withdraw.
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

func (s *Service) report(ctx context.Context, who Member, in *reportInput) (withdrawalReport, error) {
	var out withdrawalReport
	c, err := money.Find(who.Currency)
	if err != nil {
		return out, rest.ErrSystem.Because(err)
	}
	after, err := page.After(in.Cursor)
	if err != nil {
		return out, err
	}
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	size := page.Size(in.PageSize)
	rows, err := s.o.Store.Q().MemberWithdrawals(ctx, query.MemberWithdrawalsParams{
		MemberID: who.ID, Since: in.From, Until: until, Status: in.Status, BeforeAt: after.At, BeforeID: after.ID, Most: int32(size + 1),
	})
	if err != nil {
		return out, err
	}
	sums, err := s.o.Store.Q().MemberWithdrawalSums(ctx, query.MemberWithdrawalSumsParams{MemberID: who.ID, Since: in.From, Until: until, Status: in.Status})
	if err != nil {
		return out, err
	}
	out = withdrawalReport{List: []Withdrawal{}, Sums: withdrawalSums{
		Count: sums.Withdrawals, Amount: rest.AmountOf(c, money.Minor(sums.Amount)), Fee: rest.AmountOf(c, money.Minor(sums.Fee)),
		Paid: rest.AmountOf(c, money.Minor(sums.Amount-sums.Fee)), Currency: c.Code,
	}}
	rows, out.Next = page.Cut(rows, size, func(r query.MemberWithdrawalsRow) page.Key { return page.Key{At: r.CreatedAt, ID: r.ID} })
	for _, r := range rows {
		v, err := viewOf(query.Withdrawal{
			ID: r.ID, Reference: r.Reference, Status: r.Status, Amount: r.Amount, Fee: r.Fee, Currency: r.Currency, CreatedAt: r.CreatedAt, EndedAt: r.EndedAt, Reason: r.Reason,
		}, query.BankCard{Bank: r.Bank, LastFour: r.LastFour}, nil)
		if err != nil {
			return out, err
		}
		out.List = append(out.List, v)
	}
	return out, nil
}
