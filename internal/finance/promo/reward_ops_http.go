package promo

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"

	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/oplist"
	paging "fairground/internal/platform/page"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/rest"
)

type opsReward struct {
	ID          string      `json:"id"`
	PromotionID string      `json:"promotionId"`
	Promotion   string      `json:"promotion" doc:"Its code."`
	Title       string      `json:"title"`
	Kind        string      `json:"kind"`
	MemberID    string      `json:"memberId"`
	Member      string      `json:"member"`
	Status      string      `json:"status" enum:"APPLIED,UNCLAIMED,WAGERING,CLAIMED,COMPLETED,EXPIRED,GIVEN_UP,REFUSED"`
	Payout      string      `json:"payout" enum:"cash,bonus"`
	Amount      rest.Amount `json:"amount"`
	Currency    string      `json:"currency"`
	Required    rest.Amount `json:"required" doc:"Stakes that turn a bonus into cash."`
	Wagered     rest.Amount `json:"wagered"`
	Paid        rest.Amount `json:"paid" doc:"What became cash."`
	Remark      string      `json:"remark,omitempty"`
	Images      int         `json:"images" doc:"Pictures of an application: see opsRewardImage."`
	Reason      string      `json:"reason,omitempty" doc:"Why it was refused: an operator's words, or person, break or used_up by a rule."`
	DecidedBy   string      `json:"decidedBy,omitempty"`
	CreatedAt   int64       `json:"createdAt"`
	ExpiresAt   int64       `json:"expiresAt"`
	Version     int64       `json:"version"`

	Approval *GrantApproval `json:"approval,omitempty" doc:"The request that waits for a second person. A granted reward exists only after the approval."`
}

func opsRewardOf(r query.MerchantRewardRow) (opsReward, error) {
	c, err := money.Find(r.Currency)
	if err != nil {
		return opsReward{}, rest.ErrSystem.Because(err)
	}
	texts, err := textsOf(r.Texts)
	if err != nil {
		return opsReward{}, err
	}
	amount := func(n int64) rest.Amount { return rest.AmountOf(c, money.Minor(n)) }
	return opsReward{
		ID: formatID(r.ID), PromotionID: formatID(r.PromotionID), Promotion: r.Code, Title: texts.in("vi").Title, Kind: r.Kind, MemberID: formatID(r.MemberID), Member: r.Member,
		Status: r.Status, Payout: r.Payout, Amount: amount(r.Amount), Currency: r.Currency, Required: amount(r.Required), Wagered: amount(r.Wagered), Paid: amount(r.Paid),
		Remark: r.Remark, Images: len(imageNames(r.Images)), Reason: r.Reason, DecidedBy: r.DecidedBy, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, Version: r.Version,
	}, nil
}

func imageNames(list string) (names []string) {
	_ = json.Unmarshal([]byte(list), &names) // list is empty if there are no pictures
	return names
}

type rewardListInput struct {
	oplist.Params

	PromotionID int64 `query:"promotionId" minimum:"0"`
}

type grantRewardInput struct {
	idempotency.Header

	Body struct {
		PromotionID string      `json:"promotionId" pattern:"^[0-9]{1,19}$" doc:"A promotion of the kind grant."`
		Member      string      `json:"member" minLength:"1" maxLength:"64" doc:"Username."`
		Amount      rest.Amount `json:"amount"`
		Reason      string      `json:"reason" minLength:"1" maxLength:"500"`
	}
}

type decideRewardInput struct {
	idempotency.Header

	ID     int64  `path:"id"`
	Action string `path:"action" enum:"approve,refuse"`
	Body   struct {
		Version int64        `json:"version" minimum:"1"`
		Amount  *rest.Amount `json:"amount,omitempty" doc:"approve only: the reward, if it differs from the promotion's."`
		Reason  string       `json:"reason,omitempty" maxLength:"500" doc:"refuse: the member reads it."`
	}
}

func rewardOps(a *rest.API, s *Service) {
	const path = "/ops/v1/rewards"
	listOp := opsOp(http.MethodGet, path, "opsRewards", "Rewards and applications, newest first")
	listOp.Description = "q finds a username, a promotion's code or an id."
	oplist.Register(a, allowed, oplist.List[rewardListInput, opsReward]{
		Op: listOp, Permission: string(permission.PromotionEdit), Sorts: []string{"createdAt"}, States: Statuses, File: "rewards.csv",
		Columns: []oplist.Column[opsReward]{
			{Name: "id", Text: func(r opsReward) string { return r.ID }}, {Name: "promotion", Text: func(r opsReward) string { return r.Promotion }},
			{Name: "member", Text: func(r opsReward) string { return r.Member }}, {Name: "status", Text: func(r opsReward) string { return r.Status }},
			{Name: "amount", Text: func(r opsReward) string { return string(r.Amount) }}, {Name: "currency", Text: func(r opsReward) string { return r.Currency }},
			{Name: "createdAt", Text: func(r opsReward) string { return formatID(r.CreatedAt) }},
		},
		Select: func(ctx context.Context, in *rewardListInput, after paging.Key, limit int) ([]opsReward, error) {
			return s.opsRewards(ctx, rest.MerchantOf(ctx).ID, in, after, limit)
		},
		Key: func(r opsReward, _ string) paging.Key {
			id, _ := strconv.ParseInt(r.ID, 10, 64)
			return paging.Key{At: r.CreatedAt, ID: id}
		},
	})
	rest.Typed(a, opsOp(http.MethodGet, path+"/{id}", "opsReward", "A reward", ErrUnknownReward), func(ctx context.Context, in *opsIDInput) (opsReward, error) {
		return s.opsReward(ctx, s.o.Store.Q(), rest.MerchantOf(ctx).ID, in.ID)
	})
	imageOp := opsOp(http.MethodGet, path+"/{id}/image/{n}", "opsRewardImage", "A picture of an application, counted from 1", ErrUnknownReward)
	imageOp.ContentType = "image/jpeg"
	rest.Handle(a, imageOp, picture.Handler("application.jpg", func(r *http.Request) (io.ReadCloser, error) {
		id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
		n, numberErr := strconv.Atoi(r.PathValue("n"))
		if err != nil || numberErr != nil {
			return nil, ErrUnknownReward
		}
		return s.OpenImage(r.Context(), rest.MerchantOf(r.Context()).ID, id, n)
	}))
	grantOp := opsOp(http.MethodPost, path, "opsGrantReward", "Grant a reward to a member", ErrUnknownPromotion, ErrNotOpen, ErrMember, ErrAmount, ErrPerson, ErrUsedUp,
		limits.ErrExcluded, limits.ErrHeld, idempotency.ErrConflict)
	grantOp.Dangerous = true
	grantOp.Description = "Above ops.two_person_above it waits for a second person."
	rest.Typed(a, grantOp, func(ctx context.Context, in *grantRewardInput) (opsReward, error) {
		merchant := rest.MerchantOf(ctx).ID
		operator, _ := rest.OperatorOf(ctx)
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: grantOp.ID, Key: in.IdempotencyKey, Content: in.Body}
		promotion, err := parseID(in.Body.PromotionID, ErrUnknownPromotion)
		if err != nil {
			return opsReward{}, err
		}
		g, err := s.manualGrant(ctx, merchant, promotion, in.Body.Member, in.Body.Amount, operator.Name)
		if err != nil {
			return opsReward{}, err
		}
		twoPeople, err := s.needsTwo(ctx, merchant, g.promotion.Currency, g.amount)
		if err != nil {
			return opsReward{}, err
		}
		if twoPeople {
			return s.requestGrant(ctx, request, g, grantChange{
				MerchantID: merchant, PromotionID: promotion, Promotion: g.promotion.Code, Member: in.Body.Member, Amount: string(in.Body.Amount), Currency: g.promotion.Currency,
				Reason: in.Body.Reason, Operator: operator.Name,
			})
		}
		return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (opsReward, error) {
			r, refusal, err := s.addIn(ctx, tx, g, false)
			if err == nil {
				err = faultOf(refusal)
			}
			if err == nil {
				err = s.auditIn(ctx, tx, "grant", nil, &r, in.Body.Reason)
			}
			if err != nil {
				return opsReward{}, err
			}
			return s.opsReward(ctx, tx.Q, merchant, r.ID)
		})
	})
	decideOp := opsOp(http.MethodPost, path+"/{id}/{action}", "opsDecideReward", "Approve or refuse an application", ErrUnknownReward, ErrState, ErrAmount, ErrPerson, ErrUsedUp,
		limits.ErrExcluded, limits.ErrHeld, rest.ErrStale, rest.ErrConfirm, idempotency.ErrConflict)
	decideOp.Description = "An approval above ops.two_person_above needs a confirmed code and waits for a second person."
	rest.Typed(a, decideOp, func(ctx context.Context, in *decideRewardInput) (opsReward, error) {
		merchant := rest.MerchantOf(ctx).ID
		operator, _ := rest.OperatorOf(ctx)
		if in.Action == "refuse" && in.Body.Reason == "" {
			return opsReward{}, rest.ErrParam.On("reason")
		}
		decision := Decision{merchant, in.ID, in.Body.Version, in.Action == "approve", in.Body.Amount, in.Body.Reason, operator.Name}
		if decision.Approve {
			waiting, needed, err := s.requestApprove(ctx, decision, operator.Confirmed)
			if err != nil {
				return opsReward{}, err
			}
			if needed {
				out, err := s.opsReward(ctx, s.o.Store.Q(), merchant, in.ID)
				out.Approval = waiting
				return out, err
			}
		}
		request := idempotency.Request{Owner: idempotency.Operator(operator.ID), Call: decideOp.ID, Key: in.IdempotencyKey, Content: []any{in.ID, in.Action, in.Body}}
		return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (opsReward, error) {
			if err := s.DecideIn(ctx, tx, decision); err != nil {
				return opsReward{}, err
			}
			return s.opsReward(ctx, tx.Q, merchant, in.ID)
		})
	})
}

func (s *Service) opsReward(ctx context.Context, q *query.Queries, merchantID, id int64) (opsReward, error) {
	row, err := q.MerchantReward(ctx, id, merchantID)
	if errors.Is(err, sql.ErrNoRows) {
		return opsReward{}, ErrUnknownReward
	}
	if err != nil {
		return opsReward{}, err
	}
	return opsRewardOf(row)
}

func (s *Service) opsRewards(ctx context.Context, merchantID int64, in *rewardListInput, after paging.Key, limit int) ([]opsReward, error) {
	until := in.To
	if until == 0 {
		until = math.MaxInt64
	}
	rows, err := s.o.Store.Q().MerchantRewards(ctx, query.MerchantRewardsParams{
		MerchantID: merchantID, Since: in.From, Until: until, Status: in.State, PromotionID: in.PromotionID, Text: in.Q, BeforeAt: after.At, BeforeID: after.ID, Most: int32(limit),
	})
	if err != nil {
		return nil, err
	}
	out := make([]opsReward, len(rows))
	for i, r := range rows {
		if out[i], err = opsRewardOf(query.MerchantRewardRow(r)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// OpenImage opens a picture of an application. The caller closes it.
func (s *Service) OpenImage(ctx context.Context, merchantID, id int64, number int) (io.ReadCloser, error) {
	r, err := s.o.Store.Q().RewardByID(ctx, id)
	names := imageNames(r.Images)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (r.MerchantID != merchantID || number < 1 || number > len(names)) {
		return nil, ErrUnknownReward
	}
	if err != nil {
		return nil, err
	}
	return s.o.Blobs.Open(ctx, names[number-1])
}

// manualGrant checks an operator's grant and returns it.
func (s *Service) manualGrant(ctx context.Context, merchantID, promotionID int64, account string, text rest.Amount, operator string) (grant, error) {
	p, err := s.Find(ctx, merchantID, promotionID)
	if err != nil {
		return grant{}, err
	}
	if p.Kind != Grant || !p.Open(db.Millis(s.o.Now())) {
		return grant{}, ErrNotOpen
	}
	member, err := s.o.Store.Q().MemberByAccount(ctx, merchantID, account)
	found, err := db.Found("find member", err)
	if err != nil {
		return grant{}, err
	}
	if !found || member.Currency != p.Currency || !rest.MemberType(member.Type).Real() {
		return grant{}, ErrMember.On("member")
	}
	amount, err := parseAmount(p.Currency, text)
	if err != nil {
		return grant{}, err
	}
	g := grant{promotion: &p, memberID: member.ID, amount: amount, status: Unclaimed, operator: operator}
	if err := s.prepare(ctx, &g); err != nil {
		return grant{}, err
	}
	return g, nil
}

// parseAmount parses the amount of a reward.
func parseAmount(currency string, text rest.Amount) (money.Minor, error) {
	c, err := money.Find(currency)
	if err != nil {
		return 0, rest.ErrSystem.Because(err)
	}
	amount, err := c.Parse(string(text))
	if err != nil || amount <= 0 || amount > maxReward {
		return 0, ErrAmount.On("amount")
	}
	return amount, nil
}

func rewardFields(r *query.Reward, reason string) map[string]any {
	return map[string]any{"status": r.Status, "amount": r.Amount, "currency": r.Currency, "member": formatID(r.MemberID), "promotion": formatID(r.PromotionID), "reason": reason}
}

func (s *Service) auditIn(ctx context.Context, tx *db.Tx, action string, before, after *query.Reward, reason string) error {
	entry := audit.Entry{
		MerchantID: after.MerchantID, Permission: string(permission.PromotionEdit), Action: "reward." + action, Object: "reward/" + formatID(after.ID), After: rewardFields(after, reason),
	}
	if before != nil {
		entry.Before = rewardFields(before, reason)
	}
	return audit.Append(ctx, tx, s.o.Now(), entry)
}
