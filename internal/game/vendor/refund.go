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

// What an operator can be told of a round that is to be refunded.
var (
	ErrUnknownRound = fault.ForOperators(fault.NotFound, "vendor.unknown_round")
	ErrRoundOver    = fault.ForOperators(fault.Conflict, "vendor.round_over")
)

// OpenRound is a round of a vendor that serves its own games, in which a bet stands and that has neither a win nor an end.
type OpenRound struct {
	Vendor   string    `json:"vendor"`
	Round    string    `json:"round"`
	Member   string    `json:"member"`
	Game     string    `json:"game"`
	Currency string    `json:"currency"`
	Stake    string    `json:"stake"`
	At       time.Time `json:"at"`
}

// ListOpen gives a merchant's open rounds that are at least so old, by vendor, the oldest first. An empty code means every vendor.
func (s *Service) ListOpen(ctx context.Context, merchantID int64, code string, age time.Duration) ([]OpenRound, error) {
	if code != "" {
		if _, err := s.outside(ctx, merchantID, code); err != nil {
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

// Refund names a round that an operator ends by returning what was staked in it.
type Refund struct {
	MerchantID, MemberID int64
	Vendor, Round        string
	Reason               string // stands in the books
}

// Refund returns every standing bet of an open round, as the vendor's own rollbacks would. A round without a standing bet is left as it is, so that
// asking twice moves nothing. The House brings its rounds to their end itself, and is refused.
func (s *Service) Refund(ctx context.Context, in Refund) (money.Minor, error) {
	m, err := s.outside(ctx, in.MerchantID, in.Vendor)
	if err != nil {
		return 0, err
	}
	state, err := s.o.Store.Q().RoundState(ctx, m.id, in.Round, in.MemberID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, ErrUnknownRound
	case err != nil:
		return 0, fmt.Errorf("read round: %w", err)
	case state.Standing > 0 && (state.Wins > 0 || state.Ends > 0):
		return 0, ErrRoundOver
	}
	bets, err := s.o.Store.Q().StandingBets(ctx, m.id, in.Round, in.MemberID)
	if err != nil {
		return 0, fmt.Errorf("read bets: %w", err)
	}
	total := money.Minor(0)
	for _, bet := range bets { // one transaction each: a vendor's rollback of another bet takes its locks in the other order
		back, err := s.refundBet(ctx, m, bet, in.Reason)
		if err != nil {
			return total, err
		}
		if total, err = total.Add(back); err != nil {
			return total, err
		}
	}
	return total, nil
}

// outside finds a vendor that serves its own games.
func (s *Service) outside(ctx context.Context, merchantID int64, code string) (*maker, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, err
	}
	m := d.codes[makerCode{merchantID, code}]
	if m == nil || m.launchURL == "" {
		return nil, ErrUnknown
	}
	return m, nil
}

// refundBet returns one bet; nothing where somebody was faster.
func (s *Service) refundBet(ctx context.Context, m *maker, bet query.StandingBetsRow, reason string) (back money.Minor, err error) {
	name := "operator/" + bet.Tx // no vendor's call can have this name: theirs have no stroke
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		back = 0
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(m, bet.Tx), bet.DebitID, bet.CreditID); err != nil {
			return err
		}
		taken, err := tx.Q.TakenBack(ctx, sql.NullInt64{Int64: bet.TransferID, Valid: true})
		if err != nil || taken {
			return err
		}
		refused, err := s.reverse(ctx, tx, &request{TxID: name, note: reason}, keyOf(m, name), bet.TransferID, true)
		switch {
		case err != nil:
			return err
		case refused == refusedClosed:
			return ErrRoundOver
		case refused != "":
			return fmt.Errorf("the ledger refuses it: %s", refused)
		}
		back = money.Minor(bet.Amount)
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("return bet %s: %w", bet.Tx, err)
	}
	return back, nil
}
