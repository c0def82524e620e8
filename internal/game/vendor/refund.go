package vendor

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Errors of RefundRound.
var (
	ErrUnknownRound = fault.ForOperators(fault.NotFound, "vendor.unknown_round")
	ErrRoundOver    = fault.ForOperators(fault.Conflict, "vendor.round_over")
)

// An OpenRound is a round of an external vendor that has a bet but no win and no end.
type OpenRound struct {
	Vendor   string    `json:"vendor"`
	Round    string    `json:"round"`
	Member   string    `json:"member"`
	Game     string    `json:"game"`
	Currency string    `json:"currency"`
	Stake    string    `json:"stake"`
	At       time.Time `json:"at"`
}

// ListOpenRounds returns a merchant's open rounds of at least the given age, by vendor, oldest first. An empty code
// selects all vendors.
func (s *Service) ListOpenRounds(ctx context.Context, merchantID int64, code string, age time.Duration) ([]OpenRound, error) {
	if code != "" {
		if _, err := s.externalVendor(ctx, merchantID, code); err != nil {
			return nil, err
		}
	}
	out, before := []OpenRound{}, db.Millis(s.o.Now().Add(-age))
	for after := int64(0); ; {
		rows, err := s.o.Store.Q().OpenRounds(ctx, query.OpenRoundsParams{Before: before, After: after, MerchantID: merchantID, Vendor: code})
		if err != nil {
			return nil, fmt.Errorf("read open rounds: %w", err)
		}
		if len(rows) == 0 {
			slices.SortStableFunc(out, func(a, b OpenRound) int { return cmp.Or(cmp.Compare(a.Vendor, b.Vendor), a.At.Compare(b.At)) })
			return out, nil
		}
		for _, row := range rows {
			after = row.FirstID
			c, err := money.Find(row.Currency)
			if err != nil {
				return nil, err
			}
			out = append(out, OpenRound{
				Vendor: row.Vendor, Round: row.Round, Member: row.Account, Game: row.Game, Currency: c.Code,
				Stake: c.Format(money.Minor(row.Stake)), At: time.UnixMilli(row.Started).UTC(),
			})
		}
	}
}

// A Refund selects a round whose stakes an operator returns.
type Refund struct {
	MerchantID, MemberID int64
	Vendor, Round        string
	Reason               string // stored as the transfer's note
}

// RefundRound returns the stakes of all bets of an open round that were not rolled back, as rollbacks by the vendor would. Calling it
// again moves nothing. It refuses House vendors, because the House settles its own rounds.
func (s *Service) RefundRound(ctx context.Context, in Refund) (money.Minor, error) {
	v, err := s.externalVendor(ctx, in.MerchantID, in.Vendor)
	if err != nil {
		return 0, err
	}
	state, err := s.o.Store.Q().RoundState(ctx, v.id, in.Round, in.MemberID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, ErrUnknownRound
	case err != nil:
		return 0, fmt.Errorf("read round: %w", err)
	case state.Standing > 0 && (state.Wins > 0 || state.Ends > 0):
		return 0, ErrRoundOver
	}
	bets, err := s.o.Store.Q().ActiveBets(ctx, v.id, in.Round, in.MemberID)
	if err != nil {
		return 0, fmt.Errorf("read bets: %w", err)
	}
	total := money.Minor(0)
	for _, bet := range bets { // in one transaction each, because a concurrent rollback may lock the bets in another order
		refunded, err := s.refundBet(ctx, v, bet, in.Reason)
		if err != nil {
			return total, err
		}
		if total, err = total.Add(refunded); err != nil {
			return total, err
		}
	}
	return total, nil
}

// externalVendor returns a vendor that serves its own games.
func (s *Service) externalVendor(ctx context.Context, merchantID int64, code string) (*vendor, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, err
	}
	v := d.byCode[vendorCode{merchantID, code}]
	if v == nil || v.launchURL == "" {
		return nil, ErrUnknown
	}
	return v, nil
}

// refundBet returns one bet, or 0 if it was already returned.
func (s *Service) refundBet(ctx context.Context, v *vendor, bet query.ActiveBetsRow, reason string) (refunded money.Minor, err error) {
	name := "operator/" + bet.Tx // a txId has no "/", so this name is unique
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		refunded = 0
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(v, bet.Tx), bet.DebitID, bet.CreditID); err != nil {
			return err
		}
		reversed, err := tx.Q.BetRolledBack(ctx, sql.NullInt64{Int64: bet.TransferID, Valid: true})
		if err != nil || reversed {
			return err
		}
		refused, err := s.reverseBet(ctx, tx, &request{TxID: name, note: reason}, keyOf(v, name), bet.TransferID, true)
		switch {
		case err != nil:
			return err
		case refused == refusedClosed:
			return ErrRoundOver
		case refused != "":
			return fmt.Errorf("the ledger refused it: %s", refused)
		}
		refunded = money.Minor(bet.Amount)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("return bet %s: %w", bet.Tx, err)
	}
	return refunded, nil
}
