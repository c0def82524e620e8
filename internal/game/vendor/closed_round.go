package vendor

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrNoRound means that a round does not have exactly one player.
var ErrNoRound = errors.New("no such round with one player")

// A Payment is the result of paying into a closed round.
type Payment struct {
	AlreadyPaid money.Minor // returned in the round before this call
	PaidNow     money.Minor
	Balance     money.Minor
	Refunded    bool // all bets were returned, so nothing can be won
}

// PayClosedRound pays the amount that a closed House round still owes. The vendor protocol cannot do that. The payment appears in the
// record as a win of the round. Repeated calls pay once.
func (s *Service) PayClosedRound(ctx context.Context, code, round string, owed money.Minor) (Payment, error) {
	v, p, err := s.closedRound(ctx, code, round)
	if err != nil {
		return Payment{}, err
	}
	back, err := s.o.Store.Q().RoundReturn(ctx, v.id, round, p.MemberID)
	if err != nil {
		return Payment{}, fmt.Errorf("read the round's returns: %w", err)
	}
	out := Payment{AlreadyPaid: money.Minor(back.Back), Refunded: back.Standing == 0}
	if !out.Refunded {
		out.PaidNow = max(0, owed-out.AlreadyPaid)
	}
	if out.PaidNow == 0 {
		out.Balance, err = s.o.Ledger.Balance(ctx, p.playerAccount)
		return out, err
	}
	// A vendor's txId has no "/", so this txId is unique.
	t := s.transfer(v, p, callWin, &request{TxID: "operator/" + round, RoundID: round, Currency: p.currency, minor: out.PaidNow, EndRound: true})
	t.Guarded = false
	posted, err := s.payRound(ctx, v, p, t, round)
	if err != nil {
		return Payment{}, fmt.Errorf("pay: %w", err)
	}
	out.Balance = posted.CreditAfter
	return out, nil
}

// RefundClosedBet returns the stake of a House bet whose round is closed. Concurrent and repeated calls return it once. If
// the round has a win, it pays the missing part of the stake instead.
func (s *Service) RefundClosedBet(ctx context.Context, code, bet string) (Payment, error) {
	v, row, err := s.closedBet(ctx, code, bet)
	if err != nil {
		return Payment{}, err
	}
	moved, err := s.o.Store.Q().VendorMoveByID(ctx, row.ID)
	if err != nil {
		return Payment{}, fmt.Errorf("read bet: %w", err)
	}
	out, won := Payment{}, false
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		out, won = Payment{}, false
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(v, bet), row.DebitID, row.CreditID); err != nil {
			return err
		}
		back, err := tx.Q.RoundReturn(ctx, v.id, moved.Round, moved.MemberID)
		if err != nil {
			return fmt.Errorf("read the round's returns: %w", err)
		}
		out.AlreadyPaid = money.Minor(back.Back)
		if out.Refunded = back.Standing == 0; out.Refunded {
			return nil
		}
		if won = back.Back > 0; won {
			return nil
		}
		name := "operator/" + moved.Round
		refused, err := s.reverseBet(ctx, tx, &request{TxID: name}, keyOf(v, name), row.ID, false)
		if err == nil && refused != "" {
			err = fmt.Errorf("the ledger refused it: %s", refused)
		}
		out.PaidNow = money.Minor(row.Amount)
		return err
	})
	switch {
	case err != nil:
		return Payment{}, fmt.Errorf("return bet: %w", err)
	case won:
		return s.PayClosedRound(ctx, code, moved.Round, money.Minor(row.Amount))
	}
	out.Balance, err = s.o.Ledger.Balance(ctx, row.DebitID)
	return out, err
}

func (s *Service) closedBet(ctx context.Context, code, bet string) (*vendor, query.TransferDetailsByKeyRow, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, query.TransferDetailsByKeyRow{}, err
	}
	for _, v := range d.byID {
		if v.code != code || v.launchURL != "" {
			continue
		}
		row, known, err := s.callByKey(ctx, keyOf(v, bet))
		if err != nil {
			return nil, row, err
		}
		if known && row.Kind == kindBet && !row.Refusal.Valid {
			return v, row, nil
		}
	}
	return nil, query.TransferDetailsByKeyRow{}, ErrNoRound
}

// closedRound returns the vendor and the player's play of a House round. House round IDs are unique across merchants.
func (s *Service) closedRound(ctx context.Context, code, round string) (*vendor, *cachedPlay, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range d.byID {
		if v.code != code || v.launchURL != "" {
			continue
		}
		players, err := s.o.Store.Q().RoundMembers(ctx, v.id, round)
		if err != nil {
			return nil, nil, fmt.Errorf("find round: %w", err)
		}
		if len(players) == 1 {
			p, err := s.loadPlay(ctx, players[0].PlayID)
			return v, p, err
		}
	}
	return nil, nil, ErrNoRound
}
