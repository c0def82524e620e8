package promo

import (
	"context"
	"math/big"
	"net/http"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	paging "fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

const opsTag = "operators: promotions"

// ErrMember reports that the member of a grant does not exist or has another currency.
var ErrMember = fault.ForOperators(fault.Invalid, "promotion.member")

// ErrAmount reports that an amount is not positive, too large, or has too many decimals.
var ErrAmount = fault.ForOperators(fault.Invalid, "promotion.amount")

// PromotionFields are the fields that operators edit.
type PromotionFields struct {
	Category   string          `json:"category" enum:"deposit,cashback,event,vip"`
	Texts      map[string]Text `json:"texts" doc:"By language: vi, en, ur, pt. Vietnamese or English is needed."`
	Image      string          `json:"image,omitempty" maxLength:"512" doc:"Address of a picture on this site."`
	Payout     string          `json:"payout" enum:"cash,bonus"`
	Percent    rest.Amount     `json:"percent,omitempty" doc:"Of the deposit or loss, with at most two decimals; at most 1000."`
	Amount     rest.Amount     `json:"amount,omitempty" doc:"Fixed reward."`
	Min        rest.Amount     `json:"min,omitempty" doc:"Least deposit or loss."`
	Max        rest.Amount     `json:"max,omitempty" doc:"Most reward."`
	Wagering   int64           `json:"wagering" minimum:"0" maximum:"10" doc:"Times that a bonus must be staked: 1 to 10; cash: 0."`
	Every      string          `json:"every,omitempty" enum:",day,week" doc:"A new reward in each; empty: once."`
	PromoCode  string          `json:"promoCode,omitempty" maxLength:"24" doc:"What members type."`
	MaxRewards int64           `json:"maxRewards,omitempty" minimum:"0" doc:"0: no limit."`
	ClaimDays  int64           `json:"claimDays" minimum:"1" maximum:"365"`
	Days       int64           `json:"days" minimum:"1" maximum:"365" doc:"Days to stake a bonus."`
	StartsAt   int64           `json:"startsAt,omitempty" minimum:"0" doc:"Unix ms. Default: now."`
	EndsAt     int64           `json:"endsAt,omitempty" minimum:"0" doc:"Unix ms; 0: no end."`
	ApplyBy    int64           `json:"applyBy,omitempty" minimum:"0" doc:"Unix ms; 0: until it ends."`
	Published  bool            `json:"published,omitempty" doc:"false: a draft."`
	Sorting    int64           `json:"sorting,omitempty" minimum:"0" maximum:"1000000"`
}

type opsPromotion struct {
	PromotionFields

	ID       string `json:"id"`
	Code     string `json:"code"`
	Kind     string `json:"kind" enum:"first_deposit,reload,loss_rebate,birthday,promo_code,grant,application,check_in,cash_back,vip,referral" doc:"check_in, cash_back, vip, referral: of a loyalty rule."`
	Currency string `json:"currency"`
	Title    string `json:"title"`
	Status   string `json:"status" enum:"draft,scheduled,published,ended"`
	Version  int64  `json:"version"`

	Approval *GrantApproval `json:"approval,omitempty" doc:"The request to publish or edit it, which waits for a second person."`

	index int
}

func opsPromotionOf(p *Promotion, now int64, index int) opsPromotion {
	c, err := money.Find(p.Currency)
	if err != nil {
		c = money.Currency{Code: p.Currency}
	}
	return opsPromotion{
		PromotionFields: PromotionFields{
			Category: p.Category, Texts: p.Texts, Image: p.Image, Payout: p.Payout, Percent: percentText(p.Rate), Amount: rest.AmountOf(c, p.Amount),
			Min: rest.AmountOf(c, p.Least), Max: rest.AmountOf(c, p.Most), Wagering: p.Wagering, Every: p.Every, PromoCode: p.PromoCode, MaxRewards: p.MaxRewards,
			ClaimDays: p.ClaimDays, Days: p.Days, StartsAt: p.StartsAt, EndsAt: p.EndsAt, ApplyBy: p.ApplyBy, Published: p.Published, Sorting: p.Sorting,
		},
		ID: formatID(p.ID), Code: p.Code, Kind: p.Kind, Currency: p.Currency, Title: p.Texts.in("vi").Title, Status: p.status(now), Version: p.Version, index: index,
	}
}

// promotion returns a promotion with the values of the fields.
func (f PromotionFields) promotion(currency string) (Promotion, error) {
	c, err := money.Find(currency)
	if err != nil {
		return Promotion{}, rest.ErrSystem.Because(err)
	}
	p := Promotion{
		Currency: currency, Category: f.Category, Texts: f.Texts, Image: f.Image, Payout: f.Payout, Wagering: f.Wagering, Every: f.Every, PromoCode: f.PromoCode,
		MaxRewards: f.MaxRewards, ClaimDays: f.ClaimDays, Days: f.Days, StartsAt: f.StartsAt, EndsAt: f.EndsAt, ApplyBy: f.ApplyBy, Published: f.Published, Sorting: f.Sorting,
	}
	if p.Rate, err = parseRate(f.Percent); err != nil {
		return p, err
	}
	for _, a := range []struct {
		name   string
		text   rest.Amount
		amount *money.Minor
	}{{"amount", f.Amount, &p.Amount}, {"min", f.Min, &p.Least}, {"max", f.Max, &p.Most}} {
		if a.text == "" {
			continue
		}
		if *a.amount, err = c.Parse(string(a.text)); err != nil {
			return p, ErrMalformed.On(a.name)
		}
	}
	return p, nil
}

// parseRate parses a percentage into hundredths of a percent.
func parseRate(percent rest.Amount) (int64, error) {
	if percent == "" {
		return 0, nil
	}
	n, ok := new(big.Rat).SetString(string(percent))
	if !ok {
		return 0, ErrMalformed.On("percent")
	}
	if n.Mul(n, big.NewRat(rateUnit/100, 1)); !n.IsInt() || !n.Num().IsInt64() {
		return 0, ErrMalformed.On("percent")
	}
	return n.Num().Int64(), nil
}

// allowed checks nothing, because package rest checks the permission of the Op.
func allowed(context.Context, string) error { return nil }

// OpsRoutes declares the operators' calls. currency returns a merchant's currency.
func OpsRoutes(a *rest.API, s *Service, currency func(context.Context, int64) (money.Currency, error)) {
	promotionOps(a, s, currency)
	rewardOps(a, s)
}

func opsOp(method, path, id, summary string, faults ...*fault.Fault) rest.Op {
	return rest.Op{
		Method: method, Path: path, ID: id, Tag: opsTag, Access: rest.Operators, Permission: permission.PromotionEdit, Summary: summary, MaxBody: 256 << 10, Faults: faults,
	}
}

type promotionListInput struct{ oplist.Params }

type opsIDInput struct {
	ID int64 `path:"id"`
}

type createPromotionInput struct {
	idempotency.Header

	Body struct {
		PromotionFields

		Code   string `json:"code" minLength:"2" maxLength:"48" doc:"Its name; fixed after creation."`
		Kind   string `json:"kind" enum:"first_deposit,reload,loss_rebate,birthday,promo_code,grant,application" doc:"Fixed after creation."`
		Reason string `json:"reason,omitempty" maxLength:"500"`
	}
}

type editPromotionInput struct {
	ID   int64 `path:"id"`
	Body struct {
		PromotionFields

		Version int64  `json:"version" minimum:"1"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

type promotionActionInput struct {
	ID     int64  `path:"id"`
	Action string `path:"action" enum:"publish,unpublish"`
	Body   struct {
		Version int64  `json:"version" minimum:"1"`
		Reason  string `json:"reason,omitempty" maxLength:"500"`
	}
}

const twoPeopleNote = "A published promotion whose amount or max is above ops.two_person_above waits for a second person."

func promotionOps(a *rest.API, s *Service, currency func(context.Context, int64) (money.Currency, error)) {
	const path = "/ops/v1/promotions"
	oplist.Register(a, allowed, oplist.List[promotionListInput, opsPromotion]{
		Op: opsOp(http.MethodGet, path, "opsPromotions", "Promotions in display order"), Permission: string(permission.PromotionEdit),
		Sorts: []string{"order"}, States: []string{"draft", "scheduled", "published", "ended"}, File: "promotions.csv",
		Columns: []oplist.Column[opsPromotion]{
			{Name: "id", Text: func(p opsPromotion) string { return p.ID }}, {Name: "code", Text: func(p opsPromotion) string { return p.Code }},
			{Name: "kind", Text: func(p opsPromotion) string { return p.Kind }}, {Name: "title", Text: func(p opsPromotion) string { return p.Title }},
			{Name: "status", Text: func(p opsPromotion) string { return p.Status }},
		},
		Select: func(ctx context.Context, in *promotionListInput, after paging.Key, limit int) ([]opsPromotion, error) {
			return s.opsList(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
		Key: func(p opsPromotion, _ string) paging.Key { return oplist.IndexKey(p.index) },
	})
	rest.Typed(a, opsOp(http.MethodGet, path+"/{id}", "opsPromotion", "A promotion", ErrUnknownPromotion), func(ctx context.Context, in *opsIDInput) (opsPromotion, error) {
		p, err := s.Find(ctx, rest.MerchantOf(ctx).ID, in.ID)
		return opsPromotionOf(&p, db.Millis(s.o.Now()), 0), err
	})
	createOp := opsOp(http.MethodPost, path, "opsCreatePromotion", "Create a promotion", ErrMalformed, ErrTaken, idempotency.ErrConflict)
	createOp.Dangerous, createOp.Description = true, twoPeopleNote
	rest.Typed(a, createOp, func(ctx context.Context, in *createPromotionInput) (opsPromotion, error) {
		merchant := rest.MerchantOf(ctx).ID
		operator, _ := rest.OperatorOf(ctx)
		c, err := currency(ctx, merchant)
		if err != nil {
			return opsPromotion{}, err
		}
		p, err := in.Body.promotion(c.Code)
		if err != nil {
			return opsPromotion{}, err
		}
		p.MerchantID, p.Code, p.Kind = merchant, in.Body.Code, in.Body.Kind
		twoPeople, err := s.needsTwo(ctx, merchant, c.Code, max(p.Amount, p.Most))
		if err != nil {
			return opsPromotion{}, err
		}
		isPublished := p.Published
		p.Published = p.Published && !twoPeople
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: createOp.ID, Key: in.IdempotencyKey, Content: in.Body}
		out, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (opsPromotion, error) {
			created, err := s.CreateIn(ctx, tx, p)
			if err == nil {
				err = s.recordChangeIn(ctx, tx, "create", nil, &created, in.Body.Reason)
			}
			return opsPromotionOf(&created, db.Millis(s.o.Now()), 0), err
		})
		if err != nil || !isPublished || !twoPeople {
			return out, err
		}
		return s.publishCreated(ctx, merchant, out, in.Body.Reason)
	})
	editOp := opsOp(http.MethodPut, path+"/{id}", "opsEditPromotion", "Edit a promotion", ErrMalformed, ErrTaken, ErrUnknownPromotion, rest.ErrStale)
	editOp.Dangerous, editOp.Description = true, twoPeopleNote
	rest.Typed(a, editOp,
		func(ctx context.Context, in *editPromotionInput) (opsPromotion, error) {
			merchant := rest.MerchantOf(ctx).ID
			before, err := s.Find(ctx, merchant, in.ID)
			if err != nil {
				return opsPromotion{}, err
			}
			p, err := in.Body.promotion(before.Currency)
			if err != nil {
				return opsPromotion{}, err
			}
			p.ID, p.MerchantID, p.Version = in.ID, merchant, in.Body.Version
			return s.edit(ctx, "edit", p, in.Body.Reason)
		})
	actOp := opsOp(http.MethodPost, path+"/{id}/{action}", "opsActOnPromotion", "Publish or hide a promotion", ErrUnknownPromotion, rest.ErrStale)
	actOp.Dangerous, actOp.Description = true, twoPeopleNote
	rest.Typed(a, actOp,
		func(ctx context.Context, in *promotionActionInput) (opsPromotion, error) {
			p, err := s.Find(ctx, rest.MerchantOf(ctx).ID, in.ID)
			if err != nil {
				return opsPromotion{}, err
			}
			p.Published, p.Version = in.Action == "publish", in.Body.Version
			return s.edit(ctx, in.Action, p, in.Body.Reason)
		})
}

// publishCreated requests the publication of a promotion that was stored as a draft, once.
func (s *Service) publishCreated(ctx context.Context, merchantID int64, draft opsPromotion, reason string) (opsPromotion, error) {
	id, err := parseID(draft.ID, ErrUnknownPromotion)
	if err != nil {
		return draft, err
	}
	p, err := s.Find(ctx, merchantID, id)
	if err != nil || p.Published || p.Version != 1 { // the request was repeated
		return opsPromotionOf(&p, db.Millis(s.o.Now()), 0), err
	}
	stored, err := s.o.Store.Q().ApprovalOfObject(ctx, "promotions/"+draft.ID, ActionPublish, merchantID)
	if err != nil {
		return draft, err
	}
	if len(stored) > 0 {
		draft.Approval = &GrantApproval{formatID(stored[0].ID), stored[0].State}
		return draft, nil
	}
	p.Published = true
	return s.edit(ctx, "publish", p, reason)
}

func (s *Service) edit(ctx context.Context, action string, p Promotion, reason string) (opsPromotion, error) {
	if twoPeople, err := s.needsTwo(ctx, p.MerchantID, p.Currency, max(p.Amount, p.Most)); err != nil || twoPeople && p.Published {
		if err != nil {
			return opsPromotion{}, err
		}
		waiting, err := s.publish(ctx, "promotion."+action, p, reason)
		if err != nil {
			return opsPromotion{}, err
		}
		stored, err := s.Find(ctx, p.MerchantID, p.ID)
		out := opsPromotionOf(&stored, db.Millis(s.o.Now()), 0)
		out.Approval = waiting
		return out, err
	}
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		before, after, err := s.ChangeIn(ctx, tx, p)
		if err != nil {
			return err
		}
		p = after
		return s.recordChangeIn(ctx, tx, action, &before, &after, reason)
	})
	return opsPromotionOf(&p, db.Millis(s.o.Now()), 0), err
}

func (s *Service) opsList(ctx context.Context, merchantID int64, in *promotionListInput, after paging.Key, limit int) ([]opsPromotion, error) {
	all, err := s.All(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	now, text := db.Millis(s.o.Now()), strings.ToLower(in.Q)
	matching := []opsPromotion{}
	for i := range all {
		p := &all[i]
		matches := strings.Contains(p.Code, text)
		for _, t := range p.Texts {
			matches = matches || strings.Contains(strings.ToLower(t.Title), text)
		}
		if matches && (in.State == "" || p.status(now) == in.State) && p.StartsAt >= in.From && (in.To == 0 || p.StartsAt < in.To) {
			matching = append(matching, opsPromotionOf(p, now, len(matching)))
		}
	}
	return oplist.Slice(matching, after, limit), nil
}
