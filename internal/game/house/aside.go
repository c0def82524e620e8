package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// asideAfter is how old a round is before the wallet's refusal is taken to be for good. Until then it is asked every
// recoverEvery, some twenty times.
const asideAfter = 2 * time.Minute

// ErrNotAside says that a round is none of those that were set aside.
var ErrNotAside = errors.New("no such round was set aside")

// ErrClosedThere says that the wallet has closed a round whose win it has not taken, or whose bet it has not given back: under no
// name will it do so.
var ErrClosedThere = errors.New("the wallet has closed the round")

// Stuck is a round that was set aside. What it brings, or its bet, is still owed to its player.
type Stuck struct {
	Round    string    `json:"round"`
	Player   string    `json:"player"` // as the wallet names a member
	Vendor   string    `json:"vendor"`
	Game     string    `json:"game"`
	Currency string    `json:"currency"`
	Stake    string    `json:"stake"`
	Win      string    `json:"win"`
	Owed     string    `json:"owed"` // win: what it brings; stake: its bet, which was to go back; result: this program cannot tell what it brings
	Code     string    `json:"code"` // what the wallet said last, where that is known
	At       time.Time `json:"at"`

	Engine  string `json:"engine,omitempty"` // where the result is owed: what would settle it
	Version int64  `json:"version,omitempty"`
}

// setAside takes a round out of the way whose end the wallet refuses, once it has been asked for long enough. A wallet that
// does not answer is another matter: nobody knows what it would say.
func (s *Service) setAside(ctx context.Context, row query.HouseRound, next, reason string) error {
	age := s.o.Now().Sub(time.UnixMilli(row.CreatedAt))
	if age < asideAfter && age > -recoverAfter { // what began in the future is old: a clock was set back
		return ErrPending
	}
	s.o.Log.ErrorContext(ctx, "a round is set aside, and owed: see `fairground house stuck`", "round", row.ID, "is", next)
	return s.move(ctx, row, next, reason)
}

// ListStuck gives the rounds that were set aside, oldest first, and after them those of a version that this program does not have.
func ListStuck(ctx context.Context, store *db.Store) ([]Stuck, error) {
	out, err := listAside(ctx, store)
	if err != nil {
		return nil, err
	}
	unsettled, err := listUnsettled(ctx, store, tables().dealers)
	return append(out, unsettled...), err
}

func listAside(ctx context.Context, store *db.Store) ([]Stuck, error) {
	out := []Stuck{}
	for after := int64(0); ; {
		rows, err := store.Q().StuckHouseRounds(ctx, after)
		if err != nil {
			return nil, fmt.Errorf("read rounds set aside: %w", err)
		}
		if len(rows) == 0 {
			return out, nil
		}
		for _, row := range rows {
			after = row.ID
			c, err := money.Find(row.Currency)
			if err != nil {
				return nil, err
			}
			one := Stuck{
				Round: fmt.Sprint(row.ID), Player: row.Player, Vendor: row.Vendor, Game: row.Game, Currency: c.Code, Code: row.Reason, Owed: "win",
				Stake: c.Format(money.Minor(row.Stake)), Win: c.Format(money.Minor(row.Win)), At: time.UnixMilli(row.CreatedAt).UTC(),
			}
			if row.Status == unreturned {
				one.Owed = "stake"
			}
			out = append(out, one)
		}
	}
}

// names bounds how many names are tried for the end of a round.
const names = 64

// Retry asks the wallet once more for the end of a round that was set aside. Where it says no again the round stays aside.
//
// A name that was refused stays refused, whatever has been mended since: the end is asked for under the next one then. That
// pays once, for the next name is used only when those before it can never be paid.
func (s *Service) Retry(ctx context.Context, id int64) error {
	row, err := s.o.Store.Q().HouseRound(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotAside
	}
	if err != nil {
		return fmt.Errorf("read round: %w", err)
	}
	switch row.Status {
	case owed:
		err = s.retryWin(ctx, row)
	case unreturned:
		var t told
		if t, err = s.underSomeName(ctx, row, "rollback", "r", backOf); err == nil {
			err = s.returned(ctx, row, t)
		}
	default:
		return ErrNotAside
	}
	if err != nil {
		return err
	}
	row, err = s.o.Store.Q().HouseRound(ctx, id)
	if err != nil {
		return fmt.Errorf("read round: %w", err)
	}
	if err := ended(row); errors.Is(err, ErrSetAside) {
		if row.Reason == codeClosed {
			return fmt.Errorf("%w: %w", err, ErrClosedThere)
		}
		return err
	}
	return nil
}

// Debt is what a round owes into which the wallet lets nothing be paid any more.
type Debt struct {
	Vendor, Round string
	Bet           string // the wallet's name for it, where the stake is owed; otherwise what it has won is
	Currency      money.Currency
	Amount        money.Minor
}

// Debt gives what a round owes that the wallet has closed.
func (s *Service) Debt(ctx context.Context, id int64) (Debt, error) {
	row, err := s.o.Store.Q().HouseRound(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (row.Status != owed && row.Status != unreturned || row.Reason != codeClosed) {
		return Debt{}, ErrNotAside
	}
	if err != nil {
		return Debt{}, fmt.Errorf("read round: %w", err)
	}
	c, err := money.Find(row.Currency)
	if row.Status == unreturned {
		return Debt{row.Vendor, roundID(row), tx(row, "b"), c, money.Minor(row.Stake)}, err
	}
	return Debt{row.Vendor, roundID(row), "", c, money.Minor(row.Win)}, err
}

// Discharge ends such a round: whoever keeps the wallet has paid what it owes, or found that its bet was given back.
func (s *Service) Discharge(ctx context.Context, id int64, balance money.Minor, givenBack bool) error {
	debt, err := s.Debt(ctx, id)
	switch {
	case err != nil:
		return err
	case debt.Bet != "":
		return s.move(ctx, query.HouseRound{ID: id, Status: unreturned}, refunded, "")
	case givenBack:
		return s.move(ctx, query.HouseRound{ID: id, Status: owed}, refunded, "")
	default:
		return wrap("end round", s.settleRounds(ctx, []*settling{{id: id, balance: int64(balance), at: db.Millis(s.o.Now())}}))
	}
}

// retryWin asks for a win. A wallet in which no bet of the round stands pays none; where it has the bet, and has given it back,
// the round is at its end all the same: the player has the stake.
func (s *Service) retryWin(ctx context.Context, row query.HouseRound) error {
	t, err := s.underSomeName(ctx, row, "win", "w", winOf)
	if err != nil {
		return err
	}
	if t.Code != codeNoRound || t.Replayed { // what was true of the round once may not be now
		return s.paid(ctx, row, t)
	}
	back, err := s.underSomeName(ctx, row, "rollback", "r", backOf)
	if err != nil {
		return err
	}
	if back.Code != codeOK || back.Status == statusTombstone {
		return s.paid(ctx, row, t)
	}
	return s.move(ctx, row, refunded, "")
}

// underSomeName makes a call under the first name that is not refused for ever, and gives the answer. One new name is tried
// at most.
func (s *Service) underSomeName(ctx context.Context, row query.HouseRound, call, letter string, of func(query.HouseRound, string) ask) (t told, err error) {
	name := letter
	for n := 2; n < names; n++ {
		if t, err = s.ask(ctx, row, call, of(row, name)); err != nil {
			return t, err
		}
		if !slices.Contains(remembered, t.Code) || !t.Replayed && t.Code != codeRolled {
			return t, nil
		}
		name = letter + strconv.Itoa(n)
	}
	return t, nil
}
