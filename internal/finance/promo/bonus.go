package promo

import (
	"context"
	"fmt"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// stakesSince returns the stakes of a member's settled rounds that began after a time.
func (s *Service) stakesSince(ctx context.Context, q *query.Queries, memberID, since int64) (int64, error) {
	sum, err := q.SettledStakes(ctx, memberID, since)
	if err != nil {
		return 0, fmt.Errorf("read stakes: %w", err)
	}
	return int64(money.SplitSum{High: sum.High, Low: sum.Low}.Minor()), nil
}

// endIn ends an unclaimed reward or a running bonus. A completed bonus becomes cash; the rest of any other goes back to the house.
func (s *Service) endIn(ctx context.Context, tx *db.Tx, r *query.Reward, status string) error {
	notice, moved := Ended, r.Amount
	if r.Status == Wagering {
		n, err := s.emptyIn(ctx, tx, r, status, "end")
		if err != nil {
			return err
		}
		moved = int64(n)
		if r.Wagered, err = s.stakesSince(ctx, tx.Q, r.MemberID, r.ClaimedAt.Int64); err != nil {
			return err
		}
	}
	if status == Completed {
		notice, r.Paid = Paid, moved
	}
	r.Status, r.EndedAt = status, some(db.Millis(s.o.Now()))
	err := tx.Q.EndReward(ctx, query.EndRewardParams{ID: r.ID, Status: status, Reason: r.Reason, EndedAt: r.EndedAt, Wagered: r.Wagered, Paid: r.Paid})
	if err != nil {
		return fmt.Errorf("end reward: %w", err)
	}
	if err := s.tellIn(ctx, tx, r, notice, moved); err != nil {
		return err
	}
	return s.announceIn(ctx, tx, r)
}

// emptyIn moves all money of a bonus account to cash if the bonus is completed, else to the house. key names the movement among those of
// the reward.
func (s *Service) emptyIn(ctx context.Context, tx *db.Tx, r *query.Reward, status, key string) (money.Minor, error) {
	account, kind := r.AccountID.Int64, kindReturn
	to, err := s.o.Ledger.HouseIn(ctx, tx, r.MerchantID, ledger.Promotions, r.Currency)
	if err != nil {
		return 0, err
	}
	target := to.ID
	if status == Completed {
		cash, err := tx.Q.AccountOfMember(ctx, some(r.MemberID), ledger.Cash, r.Currency)
		if err != nil {
			return 0, fmt.Errorf("find cash: %w", err)
		}
		target, kind = cash.ID, kindPaid
	}
	key = "reward/" + key + "/" + formatID(r.ID)
	if err := s.o.Ledger.LockIn(ctx, tx, key, account, target); err != nil {
		return 0, err
	}
	left, err := tx.Q.BalanceOfAccount(ctx, account)
	if err != nil {
		return 0, fmt.Errorf("read bonus: %w", err)
	}
	if left <= 0 {
		return 0, nil
	}
	_, err = s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: key, Debit: account, Credit: target, Amount: money.Minor(left), Kind: kind, RefType: "reward", RefID: formatID(r.ID),
	})
	return money.Minor(left), err
}
