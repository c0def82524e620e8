package bet

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/wallet"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// stuckAfter is the age at which a bet that the wallet refuses to finish becomes stuck. Until then Recover repeats the call, about
// twenty times.
const stuckAfter = 2 * time.Minute

// maxTxIDs limits how many transaction IDs are tried to pay or refund a bet.
const maxTxIDs = 64

// ErrNotStuck is returned for a round that is not stuck.
var ErrNotStuck = errors.New("the round is not stuck: see `fairground house stuck`")

// ErrClosedByWallet is returned for a stuck round that the wallet has closed. No transaction ID can pay or refund it.
var ErrClosedByWallet = errors.New("the wallet has closed the round")

// A Stuck round must still be paid or refunded.
type Stuck struct {
	Round    string    `json:"round"`
	Player   string    `json:"player"` // the member's player id in the wallet
	Vendor   string    `json:"vendor"`
	Game     string    `json:"game"`
	Currency string    `json:"currency"`
	Stake    string    `json:"stake"`
	Win      string    `json:"win"`
	Owed     string    `json:"owed"` // "win" or "stake"; "result" if this server lacks the engine's version
	Code     string    `json:"code"` // the last code from the wallet, if known
	At       time.Time `json:"at"`

	Engine  string `json:"engine,omitempty"` // only if Owed is "result"
	Version int64  `json:"version,omitempty"`
}

func (s *Service) markStuck(ctx context.Context, row query.HouseRound, next, reason string) error {
	age := s.o.Now().Sub(time.UnixMilli(row.CreatedAt))
	if age < stuckAfter && age > -minAge { // a bet from the future counts as old, because a clock was set back
		return refusal.ErrPending
	}
	s.o.Log.ErrorContext(ctx, "a round is stuck: see `fairground house stuck`", "round", row.ID, "is", next)
	return s.SetStatus(ctx, row, next, reason)
}

// ListStuck returns the stuck rounds, oldest first.
func ListStuck(ctx context.Context, store *db.Store) ([]Stuck, error) {
	out := []Stuck{}
	for after := int64(0); ; {
		rows, err := store.Q().StuckHouseRounds(ctx, after)
		if err != nil {
			return nil, fmt.Errorf("read stuck rounds: %w", err)
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
			stuck := Stuck{
				Round: strconv.FormatInt(row.ID, 10), Player: row.Player, Vendor: row.Vendor, Game: row.Game, Currency: c.Code, Code: row.Reason, Owed: "win",
				Stake: c.Format(money.Minor(row.Stake)), Win: c.Format(money.Minor(row.Win)), At: time.UnixMilli(row.CreatedAt).UTC(),
			}
			if row.Status == RefundStuck {
				stuck.Owed = "stake"
			}
			out = append(out, stuck)
		}
	}
}

// Retry repeats the last call of a stuck round. The round stays stuck if the wallet refuses again.
func (s *Service) Retry(ctx context.Context, id int64) error {
	row, err := s.Read(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotStuck
	}
	if err != nil {
		return err
	}
	switch row.Status {
	case PayoutStuck:
		err = s.retryPayout(ctx, row)
	case RefundStuck:
		err = s.retryRefund(ctx, row)
	default:
		return ErrNotStuck
	}
	if err != nil {
		return err
	}
	if row, err = s.Read(ctx, id); err != nil {
		return err
	}
	if err := Failure(row); errors.Is(err, refusal.ErrStuck) {
		if row.Reason == wallet.CodeClosed {
			return fmt.Errorf("%w: %w", err, ErrClosedByWallet)
		}
		return err
	}
	return nil
}

func (s *Service) retryRefund(ctx context.Context, row query.HouseRound) error {
	response, err := s.retryWithNewTxID(ctx, row, "rollback", "r", rollbackRequest)
	if err != nil {
		return err
	}
	return s.rolledBack(ctx, row, response)
}

// retryPayout repeats a win. If the wallet has refunded the bet, it pays no win, and the round becomes refunded.
func (s *Service) retryPayout(ctx context.Context, row query.HouseRound) error {
	response, err := s.retryWithNewTxID(ctx, row, "win", "w", winRequest)
	if err != nil {
		return err
	}
	if response.Code != wallet.CodeNoRound || response.Replayed { // a replayed response may be out of date
		return s.paid(ctx, row, response)
	}
	back, err := s.retryWithNewTxID(ctx, row, "rollback", "r", rollbackRequest)
	if err != nil {
		return err
	}
	if back.Code != wallet.CodeOK || back.Status == wallet.StatusTombstone {
		return s.paid(ctx, row, response)
	}
	return s.SetStatus(ctx, row, Refunded, "")
}

// retryWithNewTxID sends a call with the first transaction ID that has no stored refusal. It moves money only once, because it
// uses an ID only if no earlier ID can succeed. It tries at most one new ID.
func (s *Service) retryWithNewTxID(
	ctx context.Context, row query.HouseRound, call, suffix string, request func(query.HouseRound, string) wallet.Request,
) (response wallet.Response, err error) {
	name := suffix
	for n := 2; n < maxTxIDs; n++ {
		if response, err = s.call(ctx, row, call, request(row, name)); err != nil {
			return response, err
		}
		if !slices.Contains(wallet.Final, response.Code) || !response.Replayed && response.Code != wallet.CodeRolled {
			return response, nil
		}
		name = suffix + strconv.Itoa(n)
	}
	return response, nil
}

// A Debt is an amount that is still owed for a round that the wallet has closed.
type Debt struct {
	Vendor, Round string
	Bet           string // the bet's transaction ID if the stake is owed; empty if the win is owed
	Currency      money.Currency
	Amount        money.Minor
}

// Debt returns the amount owed for a stuck round that the wallet has closed.
func (s *Service) Debt(ctx context.Context, id int64) (Debt, error) {
	row, err := s.Read(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Debt{}, ErrNotStuck
	}
	if err != nil {
		return Debt{}, err
	}
	if row.Status != PayoutStuck && row.Status != RefundStuck || row.Reason != wallet.CodeClosed {
		return Debt{}, ErrNotStuck
	}
	c, err := money.Find(row.Currency)
	if row.Status == RefundStuck {
		return Debt{row.Vendor, RoundID(row), txID(row, "b"), c, money.Minor(row.Stake)}, err
	}
	return Debt{row.Vendor, RoundID(row), "", c, money.Minor(row.Win)}, err
}

// Discharge finishes a stuck round whose debt was paid outside the vendor protocol, or whose stake had been refunded.
func (s *Service) Discharge(ctx context.Context, id int64, balance money.Minor, refunded bool) error {
	debt, err := s.Debt(ctx, id)
	switch {
	case err != nil:
		return err
	case debt.Bet != "":
		return s.SetStatus(ctx, query.HouseRound{ID: id, Status: RefundStuck}, Refunded, "")
	case refunded:
		return s.SetStatus(ctx, query.HouseRound{ID: id, Status: PayoutStuck}, Refunded, "")
	default:
		return wrap("end round", s.settle(ctx, []*settlement{{id: id, balance: int64(balance), at: db.Millis(s.o.Now())}}))
	}
}
