package vendor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// bonusStakeRows is the table of rows posted with the bets that a bonus pays.
var bonusStakeRows = ledger.NewTable("bonus_stake",
	ledger.Column{Name: "reward_id", Type: ledger.Int}, ledger.Column{Name: "vendor_id", Type: ledger.Int}, ledger.Column{Name: "member_id", Type: ledger.Int},
	ledger.Column{Name: "round", Type: ledger.Text}, ledger.Column{Name: "first", Type: ledger.Bool},
)

// betFromBonus posts a bet that is larger than the player's cash. If the bonus covers the whole bet and may pay in the round, the bonus
// pays it. Otherwise the refusal is stored. A stake paid by a bonus does not take part in jackpots.
func (s *Service) betFromBonus(ctx context.Context, v *vendor, p *cachedPlay, r *request, t ledger.Transfer) (posted ledger.Posted, refused error) {
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		posted, refused = ledger.Posted{}, nil
		reward, account, err := s.o.Bonuses.CoverIn(ctx, tx, p.MemberID, p.currency, r.minor)
		if err != nil {
			return err
		}
		t.Attempt = reward != 0
		posted, refused, err = s.postRemembered(ctx, tx, t) // the cash may have increased in the meantime
		if !errors.Is(refused, ledger.ErrShort) {
			return err
		}
		first, allowed, err := s.bonusMayPayIn(ctx, tx, v, p, r.RoundID, reward)
		if err != nil {
			return err
		}
		if !allowed {
			t.Attempt = false
			posted, refused, err = s.postRemembered(ctx, tx, t)
			return err
		}
		bet := s.transfer(v, p, callBet, r)
		bet.Debit, bet.Attempt = account, false
		bet.Rows = append(bet.Rows, ledger.Row{Table: bonusStakeRows, Values: []any{reward, v.id, p.MemberID, r.RoundID, first}})
		posted, refused, err = s.postRemembered(ctx, tx, bet)
		return err
	})
	if err != nil {
		return ledger.Posted{}, err
	}
	if errors.Is(refused, ledger.ErrConflict) { // a repeated request was first
		return s.replayWithBonus(ctx, p, callBet, t)
	}
	return posted, refused
}

// bonusMayPayIn reports whether a bonus may pay a stake in a round, and whether that stake is the round's first. Wins go to the account
// of the first stake, so a bonus may not pay in a round that cash or another bonus opened.
func (s *Service) bonusMayPayIn(ctx context.Context, tx *db.Tx, v *vendor, p *cachedPlay, round string, reward int64) (first, allowed bool, err error) {
	state, err := tx.Q.BonusOfRound(ctx, v.id, round, p.MemberID)
	if _, err = db.Found("read round", err); err != nil || state.Standing == 0 {
		return true, true, err
	}
	if !roundOf(state).paidByBonus() {
		return false, false, nil
	}
	opener, err := tx.Q.RewardOfRound(ctx, v.id, round, p.MemberID)
	if err != nil {
		return false, false, fmt.Errorf("find bonus of the round: %w", err)
	}
	return false, opener == reward, nil
}

// postRemembered posts in a transaction and stores the refusals that the protocol requires to be stored. err aborts the transaction.
func (s *Service) postRemembered(ctx context.Context, tx *db.Tx, t ledger.Transfer) (posted ledger.Posted, refused, err error) {
	got, refused := s.o.Ledger.PostIn(ctx, tx, t)
	if errors.Is(refused, ledger.ErrShort) {
		return posted, refused, nil
	}
	if _, unknown := codeOf(refused); unknown != nil {
		return posted, nil, unknown
	}
	if len(got) > 0 {
		posted = got[0]
	}
	return posted, refused, nil
}

// winToBonus posts a win in a round whose first stake a bonus paid.
func (s *Service) winToBonus(ctx context.Context, v *vendor, p *cachedPlay, r *request, t ledger.Transfer) (posted ledger.Posted, refused error) {
	err := s.o.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
		posted, refused, err = s.winToBonusIn(ctx, tx, v, p, t, r.RoundID)
		return err
	})
	if err != nil {
		return ledger.Posted{}, err
	}
	return posted, refused
}

func (s *Service) winToBonusIn(ctx context.Context, tx *db.Tx, v *vendor, p *cachedPlay, t ledger.Transfer, round string) (posted ledger.Posted, refused, err error) {
	reward, err := tx.Q.RewardOfRound(ctx, v.id, round, p.MemberID)
	if err != nil {
		return posted, nil, fmt.Errorf("find bonus of the round: %w", err)
	}
	if t.Credit, err = s.o.Bonuses.AccountIn(ctx, tx, reward); err != nil {
		return posted, nil, err
	}
	posted, refused, err = s.postRemembered(ctx, tx, t)
	if err != nil || refused != nil || posted.Replayed || t.Empty {
		return posted, refused, err
	}
	return posted, nil, s.o.Bonuses.CreditedIn(ctx, tx, reward, posted.ID, t.Amount)
}

// payRound posts a win that no rule may refuse, to the account of the round's first stake.
func (s *Service) payRound(ctx context.Context, v *vendor, p *cachedPlay, t ledger.Transfer, round string) (posted ledger.Posted, err error) {
	state, err := s.o.Store.Q().BonusOfRound(ctx, v.id, round, p.MemberID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return posted, fmt.Errorf("find bonus of the round: %w", err)
	}
	first := roundOf(state)
	if s.o.Bonuses == nil || !first.paidByBonus() {
		return s.o.Ledger.Post(ctx, t)
	}
	var refused error
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) (err error) {
		posted, refused, err = s.winToBonusIn(ctx, tx, v, p, t, round)
		return err
	})
	return posted, errors.Join(err, refused)
}

func roundOf(r query.BonusOfRoundRow) *round {
	return &round{bets: r.Standing, bonus: r.Bonus}
}

// replayWithBonus returns the first result of a repeated call that used the bonus account. It returns other conflicts unchanged.
func (s *Service) replayWithBonus(ctx context.Context, p *cachedPlay, c call, t ledger.Transfer) (ledger.Posted, error) {
	row, known, err := s.callByKey(ctx, t.Key)
	if err != nil || !known {
		return ledger.Posted{}, errors.Join(err, ledger.ErrConflict)
	}
	side, used := &t.Debit, row.DebitID
	if c == callWin {
		side, used = &t.Credit, row.CreditID
	}
	bonus, err := s.o.Store.Q().AccountOfMember(ctx, sql.NullInt64{Int64: p.MemberID, Valid: true}, ledger.Bonus, p.currency)
	found, err := db.Found("find bonus account", err)
	if err != nil {
		return ledger.Posted{}, err
	}
	if !found || used != bonus.ID {
		return ledger.Posted{}, ledger.ErrConflict
	}
	*side, t.Attempt = used, false
	return s.o.Ledger.Post(ctx, t)
}

// bonusReversed marks a stake that a bonus paid as returned.
func (s *Service) bonusReversed(ctx context.Context, tx *db.Tx, betID, transferID int64, amount money.Minor) error {
	n, err := tx.Q.ReverseBonusStake(ctx, betID)
	if err != nil || n == 0 {
		return err
	}
	stake, err := tx.Q.BonusStake(ctx, betID)
	if err != nil {
		return fmt.Errorf("read stake of a bonus: %w", err)
	}
	return s.o.Bonuses.CreditedIn(ctx, tx, stake.RewardID, transferID, amount)
}
