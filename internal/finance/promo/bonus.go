package promo

import (
	"context"
	"fmt"
	"math"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// stakesSince returns the stakes of a member's settled rounds that began after a time.
func (s *Service) stakesSince(ctx context.Context, q *query.Queries, memberID, since int64) (int64, error) {
	sum, err := q.SettledStakes(ctx, memberID, since, math.MaxInt64)
	if err != nil {
		return 0, fmt.Errorf("read stakes: %w", err)
	}
	return int64(money.SplitSum{High: sum.High, Low: sum.Low}.Minor()), nil
}

// endIn ends an unclaimed reward or a running bonus. A completed bonus becomes cash. The rest of any other bonus returns to the
// house.
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
	r.Status, r.EndedAt = status, notNull(db.Millis(s.o.Now()))
	err := tx.Q.EndReward(ctx, query.EndRewardParams{ID: r.ID, Status: status, Reason: r.Reason, EndedAt: r.EndedAt, Wagered: r.Wagered, Paid: r.Paid})
	if err != nil {
		return fmt.Errorf("end reward: %w", err)
	}
	if err := s.notifyIn(ctx, tx, r, notice, moved); err != nil {
		return err
	}
	return s.announceIn(ctx, tx, r)
}

// emptyIn moves the balance of a bonus account to cash if the bonus is completed, else to the house. key distinguishes the transfers
// of a reward.
func (s *Service) emptyIn(ctx context.Context, tx *db.Tx, r *query.Reward, status, key string) (money.Minor, error) {
	account := r.AccountID.Int64
	target, kind, err := s.destinationIn(ctx, tx, r, status)
	if err != nil {
		return 0, err
	}
	key = "reward/" + key + "/" + formatID(r.ID)
	if err := s.o.Ledger.LockIn(ctx, tx, key, account, target); err != nil {
		return 0, err
	}
	balance, err := tx.Q.BalanceOfAccount(ctx, account)
	if err != nil {
		return 0, fmt.Errorf("read bonus: %w", err)
	}
	if balance <= 0 {
		return 0, nil
	}
	_, err = s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: key, Debit: account, Credit: target, Amount: money.Minor(balance), Kind: kind, RefType: "reward", RefID: formatID(r.ID),
	})
	return money.Minor(balance), err
}

// destinationIn returns the account that receives the money of an ended bonus, and the kind of the transfer.
func (s *Service) destinationIn(ctx context.Context, tx *db.Tx, r *query.Reward, status string) (account int64, kind string, err error) {
	if status == Completed {
		cash, err := tx.Q.AccountOfMember(ctx, notNull(r.MemberID), ledger.Cash, r.Currency)
		return cash.ID, kindPaid, err
	}
	house, err := s.o.Ledger.HouseIn(ctx, tx, r.MerchantID, ledger.Promotions, r.Currency)
	return house.ID, kindReturn, err
}

// CoverIn locks the member's running bonus and returns its account. It returns zeros if there is no bonus or if its balance is
// less than the amount.
func (s *Service) CoverIn(ctx context.Context, tx *db.Tx, memberID int64, currency string, amount money.Minor) (rewardID, account int64, err error) {
	r, err := tx.Q.LockWageringReward(ctx, memberID, currency)
	found, err := db.Found("lock bonus", err)
	if err != nil || !found || r.ExpiresAt != 0 && r.ExpiresAt <= db.Millis(s.o.Now()) {
		return 0, 0, err
	}
	balance, err := tx.Q.BalanceOfAccount(ctx, r.AccountID.Int64)
	if err != nil {
		return 0, 0, fmt.Errorf("read bonus: %w", err)
	}
	if balance < int64(amount) {
		return 0, 0, nil
	}
	return r.ID, r.AccountID.Int64, nil
}

// AccountIn locks a bonus and returns its account.
func (s *Service) AccountIn(ctx context.Context, tx *db.Tx, rewardID int64) (int64, error) {
	r, err := tx.Q.LockReward(ctx, rewardID)
	if err != nil {
		return 0, fmt.Errorf("lock bonus: %w", err)
	}
	return r.AccountID.Int64, nil
}

// CreditedIn must be called after each credit to a bonus account. If the bonus has ended, it moves the amount on to cash or to the
// house.
func (s *Service) CreditedIn(ctx context.Context, tx *db.Tx, rewardID, transferID int64, amount money.Minor) error {
	r, err := tx.Q.LockReward(ctx, rewardID)
	if err != nil {
		return fmt.Errorf("lock bonus: %w", err)
	}
	if r.Status == Wagering {
		return nil
	}
	target, kind, err := s.destinationIn(ctx, tx, &r, r.Status)
	if err != nil {
		return err
	}
	_, err = s.o.Ledger.PostIn(ctx, tx, ledger.Transfer{
		Key: "reward/late/" + formatID(transferID), Debit: r.AccountID.Int64, Credit: target, Amount: amount, Kind: kind, RefType: "reward", RefID: formatID(r.ID),
	})
	if err != nil {
		return fmt.Errorf("move a late credit of a bonus: %w", err)
	}
	if r.Status == Completed {
		r.Paid += int64(amount)
		return tx.Q.EndReward(ctx, query.EndRewardParams{ID: r.ID, Status: r.Status, Reason: r.Reason, EndedAt: r.EndedAt, Wagered: r.Wagered, Paid: r.Paid})
	}
	return nil
}

// Left returns the balance of the member's running bonus, or 0.
func (s *Service) Left(ctx context.Context, memberID int64, currency string) (money.Minor, error) {
	r, err := s.o.Store.Q().WageringReward(ctx, memberID, currency)
	found, err := db.Found("find bonus", err)
	if err != nil || !found || r.ExpiresAt != 0 && r.ExpiresAt <= db.Millis(s.o.Now()) {
		return 0, err
	}
	return s.o.Ledger.Balance(ctx, r.AccountID.Int64)
}
