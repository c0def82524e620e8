package promo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// Names of the changes that need two people.
const (
	ActionGrant   = "reward.grant"
	ActionApprove = "reward.approve" // of an application
	ActionPublish = "promotion.publish"
	ActionEdit    = "promotion.edit" // of a published promotion
)

// A GrantApproval is a grant, an approved application or a published promotion that waits for a second person.
type GrantApproval struct {
	ID    string `json:"id"`
	State string `json:"state" enum:"waiting,approved,refused,failed"`
}

// Approvals carries out a change, or stores it until a second person approves it. In the second case, Request returns the
// waiting approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*GrantApproval, error)
}

// needsTwo reports whether an amount needs two people.
func (s *Service) needsTwo(ctx context.Context, merchantID int64, currency string, amount money.Minor) (bool, error) {
	c, err := money.Find(currency)
	if err != nil {
		return false, rest.ErrSystem.Because(err)
	}
	limit, err := s.o.TwoPersonAbove(ctx, merchantID, c)
	return amount > limit, err
}

// A grantChange is a manual grant that waits for the approval of a second person.
type grantChange struct {
	ID          int64  `json:"id,string"` // of the reward
	MerchantID  int64  `json:"merchantId,string"`
	PromotionID int64  `json:"promotionId,string"`
	Promotion   string `json:"promotion"`
	Member      string `json:"member"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Reason      string `json:"reason"`
	Operator    string `json:"operator"`
}

// RunGrant carries out an approved grant in the transaction of the decision.
func (s *Service) RunGrant(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in grantChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	g, err := s.manualGrant(ctx, in.MerchantID, in.PromotionID, in.Member, rest.Amount(in.Amount), in.Operator)
	if err != nil {
		return nil, nil, err
	}
	g.id = in.ID
	r, refusal, err := s.addIn(ctx, tx, g, false)
	if err == nil {
		err = faultOf(refusal)
	}
	return nil, rewardFields(&r, in.Reason), err
}

// requestGrant requests a grant. A repeated request with the same key returns the first approval or reward.
func (s *Service) requestGrant(ctx context.Context, request idempotency.Request, g grant, in grantChange) (opsReward, error) {
	request.Call += ".approval"
	id, err := idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(*db.Tx) (string, error) { return formatID(s.o.IDs()), nil })
	if err != nil {
		return opsReward{}, err
	}
	if in.ID, err = strconv.ParseInt(id, 10, 64); err != nil {
		return opsReward{}, rest.ErrSystem.Because(err)
	}
	q := s.o.Store.Q()
	granted, err := s.opsReward(ctx, q, in.MerchantID, in.ID)
	if err == nil || !errors.Is(err, ErrUnknownReward) {
		return granted, err
	}
	object := "rewards/" + id
	out := opsReward{
		ID: id, PromotionID: formatID(in.PromotionID), Promotion: in.Promotion, Title: g.promotion.Texts.in("vi").Title, Kind: Grant, MemberID: formatID(g.memberID),
		Member: in.Member, Status: Applied, Payout: g.promotion.Payout, Amount: rest.Amount(in.Amount), Currency: in.Currency, Required: "0", Wagered: "0", Paid: "0",
	}
	stored, err := q.ApprovalOfObject(ctx, object, ActionGrant, in.MerchantID)
	if err != nil {
		return opsReward{}, err
	}
	if len(stored) > 0 {
		out.Approval = &GrantApproval{formatID(stored[0].ID), stored[0].State}
		return out, nil
	}
	if out.Approval, err = s.o.Approvals.Request(ctx, in.MerchantID, ActionGrant, object, in); err != nil || out.Approval != nil {
		return out, err
	}
	return s.opsReward(ctx, q, in.MerchantID, in.ID)
}

// An approveChange is the approval of an application that waits for a second person.
type approveChange struct {
	ID         int64  `json:"id,string"`
	MerchantID int64  `json:"merchantId,string"`
	Version    int64  `json:"version"`
	Promotion  string `json:"promotion"`
	Member     string `json:"member"`
	Amount     string `json:"amount"`
	Currency   string `json:"currency"`
	Reason     string `json:"reason,omitempty"`
	Operator   string `json:"operator"`
}

// requestApprove requests the approval of an application, if its amount needs two people. needed is false if one person may approve
// it. confirmed says whether the operator has just confirmed with a code.
func (s *Service) requestApprove(ctx context.Context, d Decision, confirmed bool) (waiting *GrantApproval, needed bool, err error) {
	q := s.o.Store.Q()
	r, err := s.opsReward(ctx, q, d.MerchantID, d.ID)
	if err != nil || r.Status != Applied {
		return nil, false, err
	}
	text := r.Amount
	if d.Amount != nil {
		text = *d.Amount
	}
	amount, err := parseAmount(r.Currency, text)
	if err != nil {
		return nil, false, err
	}
	needed, err = s.needsTwo(ctx, d.MerchantID, r.Currency, amount)
	switch {
	case err != nil || !needed:
		return nil, false, err
	case !confirmed:
		return nil, true, rest.ErrConfirm
	case r.Version != d.Version:
		return nil, true, rest.ErrStale
	}
	object := "rewards/" + r.ID
	stored, err := q.ApprovalOfObject(ctx, object, ActionApprove, d.MerchantID)
	if err != nil {
		return nil, true, err
	}
	if len(stored) > 0 && stored[0].State == "waiting" {
		return &GrantApproval{formatID(stored[0].ID), stored[0].State}, true, nil
	}
	waiting, err = s.o.Approvals.Request(ctx, d.MerchantID, ActionApprove, object, approveChange{
		d.ID, d.MerchantID, d.Version, r.Promotion, r.Member, string(text), r.Currency, d.Reason, d.Operator,
	})
	return waiting, true, err
}

// RunApprove approves an application in the transaction of the decision.
func (s *Service) RunApprove(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in approveChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, err
	}
	amount := rest.Amount(in.Amount)
	old, approved, err := s.decideIn(ctx, tx, Decision{in.MerchantID, in.ID, in.Version, true, &amount, in.Reason, in.Operator})
	return rewardFields(&old, in.Reason), rewardFields(&approved, in.Reason), err
}

// A publishChange is a published promotion that waits for the approval of a second person.
type publishChange struct {
	Promotion Promotion `json:"promotion"`
	Reason    string    `json:"reason,omitempty"`
}

// publish requests that a promotion is stored as published.
func (s *Service) publish(ctx context.Context, action string, p Promotion, reason string) (*GrantApproval, error) {
	before, err := s.Find(ctx, p.MerchantID, p.ID)
	if err != nil {
		return nil, err
	}
	if before.Version != p.Version {
		return nil, rest.ErrStale
	}
	p.Code, p.Kind, p.Currency = before.Code, before.Kind, before.Currency
	p.PromoCode = strings.ToUpper(strings.TrimSpace(p.PromoCode))
	if p.StartsAt == 0 {
		p.StartsAt = before.StartsAt
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return s.o.Approvals.Request(ctx, p.MerchantID, action, "promotions/"+formatID(p.ID), publishChange{p, reason})
}

// RunPublish stores an approved promotion in the transaction of the decision.
func (s *Service) RunPublish(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var in publishChange
	if err := json.Unmarshal(payload, &in); err != nil {
		return nil, nil, fmt.Errorf("read promotion: %w", err)
	}
	old, stored, err := s.ChangeIn(ctx, tx, in.Promotion)
	if err != nil {
		return nil, nil, err
	}
	return &old, edited{&stored, in.Reason}, s.o.Screens.ChangedOf(ctx, tx, stored.MerchantID, "promotions", formatID(stored.ID))
}
