package vendor

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrNoRound says that nobody has bet in a round, or more than one has.
var ErrNoRound = errors.New("no such round of one player")

// Paid is what came of paying into a round that is closed.
type Paid struct {
	Before    money.Minor // had come back in it
	Now       money.Minor
	Balance   money.Minor
	GivenBack bool // no bet stands in it: nothing can have been won
}

// PayClosed pays what a round of the House owes, less what has come back in it, although the round is closed: a vendor's call
// may not, the operator may. It stands in the record as won in that round, and is paid once however often it is asked for.
func (s *Service) PayClosed(ctx context.Context, code, round string, owed money.Minor) (Paid, error) {
	m, p, err := s.closedRound(ctx, code, round)
	if err != nil {
		return Paid{}, err
	}
	back, err := s.o.Store.Q().RoundBack(ctx, m.id, round, p.MemberID)
	if err != nil {
		return Paid{}, fmt.Errorf("read what came back: %w", err)
	}
	out := Paid{Before: money.Minor(back.Back), GivenBack: back.Standing == 0}
	if !out.GivenBack {
		out.Now = max(0, owed-out.Before)
	}
	if out.Now == 0 {
		out.Balance, err = s.o.Ledger.Balance(ctx, p.cash)
		return out, err
	}
	// No vendor's call can have this name: theirs have no stroke.
	t := s.transfer(m, p, callWin, &request{TxID: "operator/" + round, RoundID: round, Currency: p.currency, minor: out.Now, EndRound: true})
	t.Guarded = false
	posted, err := s.o.Ledger.Post(ctx, t)
	if err != nil {
		return Paid{}, fmt.Errorf("pay: %w", err)
	}
	out.Balance = posted.CreditAfter
	return out, nil
}

// ReturnClosed gives a bet of the House back, less what has come back in its round, although the round is closed. It stands in the record
// as given back, and is given back once, whoever else tries to. Where something was won in the round, what is missing is paid into it instead.
func (s *Service) ReturnClosed(ctx context.Context, code, bet string) (Paid, error) {
	m, row, err := s.closedBet(ctx, code, bet)
	if err != nil {
		return Paid{}, err
	}
	moved, err := s.o.Store.Q().MoveByID(ctx, row.ID)
	if err != nil {
		return Paid{}, fmt.Errorf("read bet: %w", err)
	}
	out, won := Paid{}, false
	err = s.o.Ledger.Write(ctx, func(tx *db.Tx) error {
		out, won = Paid{}, false
		if err := s.o.Ledger.LockIn(ctx, tx, keyOf(m, bet), row.DebitID, row.CreditID); err != nil {
			return err
		}
		back, err := tx.Q.RoundBack(ctx, m.id, moved.Round, moved.MemberID)
		if err != nil {
			return fmt.Errorf("read what came back: %w", err)
		}
		out.Before = money.Minor(back.Back)
		if out.GivenBack = back.Standing == 0; out.GivenBack {
			return nil
		}
		if won = back.Back > 0; won {
			return nil
		}
		name := "operator/" + moved.Round
		refused, err := s.reverse(ctx, tx, &request{TxID: name}, keyOf(m, name), row.ID, false)
		if err == nil && refused != "" {
			err = fmt.Errorf("the ledger refuses it: %s", refused)
		}
		out.Now = money.Minor(row.Amount)
		return err
	})
	switch {
	case err != nil:
		return Paid{}, fmt.Errorf("give back: %w", err)
	case won:
		return s.PayClosed(ctx, code, moved.Round, money.Minor(row.Amount))
	}
	out.Balance, err = s.o.Ledger.Balance(ctx, row.DebitID)
	return out, err
}

// closedBet finds a bet of the House's.
func (s *Service) closedBet(ctx context.Context, code, bet string) (*maker, query.CallByKeyRow, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, query.CallByKeyRow{}, err
	}
	for _, m := range d.makers {
		if m.code != code || m.launchURL != "" {
			continue
		}
		row, known, err := s.standing(ctx, keyOf(m, bet))
		if err != nil {
			return nil, row, err
		}
		if known && row.Kind == kindBet && !row.Refusal.Valid {
			return m, row, nil
		}
	}
	return nil, query.CallByKeyRow{}, ErrNoRound
}

// closedRound finds whose round it is. The House's are named once for all merchants.
func (s *Service) closedRound(ctx context.Context, code, round string) (*maker, *live, error) {
	d, err := s.directory(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range d.makers {
		if m.code != code || m.launchURL != "" {
			continue
		}
		players, err := s.o.Store.Q().RoundMembers(ctx, m.id, round)
		if err != nil {
			return nil, nil, fmt.Errorf("find round: %w", err)
		}
		if len(players) == 1 {
			p, err := s.load(ctx, players[0].PlayID)
			return m, p, err
		}
	}
	return nil, nil, ErrNoRound
}
