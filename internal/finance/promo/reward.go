package promo

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// A Progress is the progress of a bonus's wagering.
type Progress struct {
	Done  rest.Amount `json:"done"`
	Total rest.Amount `json:"total"`
	Left  rest.Amount `json:"left"`
}

// A RewardView is a reward as members see it.
type RewardView struct {
	ID          string      `json:"id"`
	PromotionID string      `json:"promotionId"`
	Title       string      `json:"title"`
	Category    string      `json:"category" enum:"deposit,cashback,event,vip"`
	Status      string      `json:"status" enum:"APPLIED,UNCLAIMED,WAGERING,CLAIMED,COMPLETED,EXPIRED,GIVEN_UP,REFUSED"`
	Payout      string      `json:"payout" enum:"cash,bonus" doc:"bonus: it is credited to the bonus account and becomes cash when the stakes are done."`
	Amount      rest.Amount `json:"amount" doc:"0 while an operator decides on an application without a fixed amount."`
	Currency    string      `json:"currency"`
	Wagering    int64       `json:"wagering" doc:"How many times the bonus must be staked. 0: never."`
	Progress    *Progress   `json:"progress,omitempty" doc:"Of a bonus: stakes of settled rounds since the claim."`
	Balance     rest.Amount `json:"balance,omitempty" doc:"Of a running bonus: what is left in the bonus account."`
	Paid        rest.Amount `json:"paid" doc:"What became cash."`
	CreatedAt   int64       `json:"createdAt" doc:"Unix ms."`
	ExpiresAt   int64       `json:"expiresAt" doc:"Until when it can be claimed or staked. 0: no end."`
	ClaimedAt   *int64      `json:"claimedAt,omitempty"`
	EndedAt     *int64      `json:"endedAt,omitempty"`
	Reason      string      `json:"reason,omitempty" doc:"Why an application was refused."`
}

func viewOf(r query.Reward, p *Promotion, language string) (RewardView, error) {
	c, err := money.Find(r.Currency)
	if err != nil {
		return RewardView{}, rest.ErrSystem.Because(err)
	}
	amount := func(n int64) rest.Amount { return rest.AmountOf(c, money.Minor(n)) }
	v := RewardView{
		ID: formatID(r.ID), PromotionID: formatID(r.PromotionID), Title: p.Texts.in(language).Title, Category: p.Category, Status: r.Status, Payout: r.Payout,
		Amount: amount(r.Amount), Currency: r.Currency, Paid: amount(r.Paid), CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, Reason: r.Reason,
	}
	if r.Amount > 0 {
		v.Wagering = r.Required / r.Amount
	}
	if r.Required > 0 && r.Status != Applied && r.Status != Unclaimed {
		done := min(r.Wagered, r.Required)
		v.Progress = &Progress{amount(done), amount(r.Required), amount(r.Required - done)}
	}
	if r.ClaimedAt.Valid {
		v.ClaimedAt = &r.ClaimedAt.Int64
	}
	if r.EndedAt.Valid {
		v.EndedAt = &r.EndedAt.Int64
	}
	return v, nil
}

// Rewards returns a member's rewards, newest first, and the number of rewards that can be claimed.
func (s *Service) Rewards(ctx context.Context, who Member, language string) (list []RewardView, unclaimed int64, err error) {
	q := s.o.Store.Q()
	rows, err := q.RewardsOfMember(ctx, who.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("read rewards: %w", err)
	}
	slices.SortFunc(rows, func(a, b query.RewardsOfMemberRow) int { // the query returns open rewards first
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(b.ID, a.ID))
	})
	now := db.Millis(s.o.Now())
	list = []RewardView{}
	for _, row := range rows {
		texts, err := textsOf(row.Texts)
		if err != nil {
			return nil, 0, err
		}
		r := query.Reward{
			ID: row.ID, PromotionID: row.PromotionID, Status: row.Status, Payout: row.Payout, Currency: row.Currency, Amount: row.Amount, Required: row.Required,
			Wagered: row.Wagered, Paid: row.Paid, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt, ClaimedAt: row.ClaimedAt, EndedAt: row.EndedAt, Reason: row.Reason,
			MemberID: row.MemberID,
		}
		if (r.Status == Unclaimed || r.Status == Wagering) && r.ExpiresAt != 0 && r.ExpiresAt <= now {
			r.Status = Expired // the job will store it
		}
		balance := int64(-1)
		if r.Status == Wagering {
			if r.Wagered, err = s.stakesSince(ctx, q, r.MemberID, r.ClaimedAt.Int64); err != nil {
				return nil, 0, err
			}
			bonusBalance, err := s.o.Ledger.Balance(ctx, row.AccountID.Int64)
			if err != nil {
				return nil, 0, err
			}
			balance = int64(bonusBalance)
		}
		if r.Status == Unclaimed {
			unclaimed++
		}
		v, err := viewOf(r, &Promotion{Texts: texts, Category: row.Category}, language)
		if err != nil {
			return nil, 0, err
		}
		if balance >= 0 {
			c, err := money.Find(r.Currency)
			if err != nil {
				return nil, 0, err
			}
			v.Balance = rest.AmountOf(c, money.Minor(balance))
		}
		list = append(list, v)
	}
	return list, unclaimed, nil
}

// Kinds of transfers in the ledger.
const (
	kindReward = "reward"       // a claimed reward
	kindPaid   = "bonus.paid"   // a bonus becomes cash
	kindReturn = "bonus.return" // a bonus returns to the house
)

// Claim credits a reward, once.
func (s *Service) Claim(ctx context.Context, who Member, key string, id int64) (RewardView, error) {
	if _, err := s.o.Ledger.EnsureMember(ctx, who.MerchantID, who.ID, who.Currency); err != nil {
		return RewardView{}, err
	}
	request := idempotency.Request{Owner: idempotency.Member(who.ID), Call: "claimReward", Key: key, Content: formatID(id)}
	return idempotency.Do(ctx, s.o.Requests, s.o.Ledger, request, func(tx *db.Tx) (RewardView, error) {
		r, err := lockOwnReward(ctx, tx, who.ID, id)
		if err != nil {
			return RewardView{}, err
		}
		return s.claimIn(ctx, tx, who, r)
	})
}

func (s *Service) claimIn(ctx context.Context, tx *db.Tx, who Member, r query.Reward) (RewardView, error) {
	var none RewardView
	now := s.o.Now()
	if r.Status != Unclaimed || r.ExpiresAt != 0 && r.ExpiresAt <= db.Millis(now) || r.Currency != who.Currency {
		return none, ErrState
	}
	source, err := s.o.Ledger.HouseIn(ctx, tx, r.MerchantID, ledger.Promotions, r.Currency)
	if err != nil {
		return none, err
	}
	credit, err := s.creditAccountIn(ctx, tx, &r)
	if err != nil {
		return none, err
	}
	kind, err := claimKindIn(ctx, tx, r.PromotionID)
	if err != nil {
		return none, err
	}
	posted, err := s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "reward/claim/" + formatID(r.ID), Debit: source.ID, Credit: credit, Amount: money.Minor(r.Amount), Kind: kind, RefType: "reward",
		RefID: formatID(r.ID), Guarded: true, Rows: []ledger.Row{s.o.Limits.Promotion(r.MemberID, r.Currency, money.Minor(r.Amount))},
	})
	if err != nil {
		return none, err
	}
	claimedAt := notNull(db.Millis(now))
	r.ClaimedAt, r.TransferID = claimedAt, notNull(posted[0].ID)
	if r.Payout == Bonus {
		r.Status, r.AccountID, r.ExpiresAt = Wagering, notNull(credit), db.Millis(now.AddDate(0, 0, int(r.Days)))
	} else {
		r.Status, r.EndedAt, r.Paid = Claimed, claimedAt, r.Amount
	}
	err = tx.Q.CreditReward(ctx, query.CreditRewardParams{
		ID: r.ID, Status: r.Status, AccountID: r.AccountID, TransferID: r.TransferID, ClaimedAt: r.ClaimedAt, ExpiresAt: r.ExpiresAt, EndedAt: r.EndedAt, Paid: r.Paid,
	})
	if err != nil {
		return none, fmt.Errorf("mark reward as claimed: %w", err)
	}
	if err := s.announceIn(ctx, tx, &r); err != nil {
		return none, err
	}
	return s.viewIn(ctx, tx, r)
}

// claimKindIn returns the transfer's kind of a claimed reward. Rewards of the loyalty rules have their own kinds, such as
// reward.check_in.
func claimKindIn(ctx context.Context, tx *db.Tx, promotionID int64) (string, error) {
	p, err := tx.Q.PromotionByID(ctx, promotionID)
	if err != nil {
		return "", fmt.Errorf("read promotion: %w", err)
	}
	if slices.Contains(loyaltyKinds, p.Kind) {
		return kindReward + "." + p.Kind, nil
	}
	return kindReward, nil
}

// creditAccountIn returns the account that a reward is paid to. A member can have one running bonus per currency.
func (s *Service) creditAccountIn(ctx context.Context, tx *db.Tx, r *query.Reward) (int64, error) {
	if r.Payout == Cash {
		cash, err := tx.Q.AccountOfMember(ctx, notNull(r.MemberID), ledger.Cash, r.Currency)
		return cash.ID, err
	}
	_, err := tx.Q.WageringReward(ctx, r.MemberID, r.Currency)
	running, err := db.Found("find running bonus", err)
	if err != nil {
		return 0, err
	}
	if running {
		return 0, ErrBonusRuns
	}
	account, err := s.o.Ledger.EnsureBonusIn(ctx, tx, r.MerchantID, r.MemberID, r.Currency)
	return account.ID, err
}

func (s *Service) viewIn(ctx context.Context, tx *db.Tx, r query.Reward) (RewardView, error) {
	row, err := tx.Q.PromotionByID(ctx, r.PromotionID)
	if err != nil {
		return RewardView{}, fmt.Errorf("read promotion: %w", err)
	}
	p, err := promotionOf(row)
	if err != nil {
		return RewardView{}, err
	}
	member, err := tx.Q.MemberByID(ctx, r.MemberID)
	if err != nil {
		return RewardView{}, fmt.Errorf("read member: %w", err)
	}
	return viewOf(r, &p, member.Language)
}

// GiveUp ends a reward that the member no longer wants. The rest of a bonus returns to the house, unless the member has already staked
// enough: then it becomes cash.
func (s *Service) GiveUp(ctx context.Context, who Member, id int64) (view RewardView, err error) {
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		r, err := lockOwnReward(ctx, tx, who.ID, id)
		if err != nil {
			return err
		}
		if r.Status != Unclaimed && r.Status != Wagering {
			return ErrState
		}
		status := GivenUp
		if r.Status == Wagering {
			if r.Wagered, err = s.stakesSince(ctx, tx.Q, r.MemberID, r.ClaimedAt.Int64); err != nil {
				return err
			}
			if r.Wagered >= r.Required {
				status = Completed
			}
		}
		if err := s.endIn(ctx, tx, &r, status); err != nil {
			return err
		}
		view, err = s.viewIn(ctx, tx, r)
		return err
	})
	return view, err
}
