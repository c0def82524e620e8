// Package bet makes the wallet calls for bets. It requests the stake, pays the win or refunds the stake, and recovers
// interrupted bets. A bet is a single-player round or a ticket on a live table. The package does not know the rules of games.
package bet

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/wallet"
	"fairground/internal/platform/batch"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/secret"
)

// Statuses of a bet. In the statuses Betting, Placed, Staked and Refunding the bet is open, and Continue can finish it.
const (
	Betting   = "betting"   // the stake was requested; the outcome is unknown
	Placed    = "placed"    // a ticket waits for its table's round
	Staked    = "bet"       // the wallet has the stake, and the outcome is stored
	Settled   = "settled"   // the win is paid
	Refunding = "refunding" // the stake must be rolled back, even if the wallet did not take it
	Refunded  = "refunded"
	Refused   = "refused"

	// The wallet keeps refusing the win or the rollback. An operator must retry it. The player can continue to play.
	PayoutStuck = "owed"
	RefundStuck = "unreturned"
)

// Timeout limits one attempt to finish a bet. The attempt continues if the player disconnects.
const Timeout = 12 * time.Second

// A Game decides when a stake may be requested, and what happens when the wallet has taken it.
type Game interface {
	// TooLate reports whether it is too late to request the stake, and returns the reason to store.
	TooLate(ctx context.Context, row query.HouseRound) (late bool, reason string, err error)
	// Accept records that the wallet has taken the stake. It may update row.
	Accept(ctx context.Context, row *query.HouseRound, response wallet.Response) error
}

// A TicketGame is the game of the tickets on live tables.
type TicketGame interface {
	Game
	// Decide stores the outcome of a placed ticket, or starts its refund, if the table's round has ended.
	// It reports whether the ticket's status changed.
	Decide(ctx context.Context, row query.HouseRound) (changed bool, err error)
}

// Options configure a Service.
type Options struct {
	Store  *db.Store
	Wallet *wallet.Client
	Keys   *secret.Keys
	Now    func() time.Time
	Clock  Clock
	Log    *slog.Logger
}

// A Service makes the wallet calls for bets.
type Service struct {
	o             Options
	rounds        Game
	tickets       TicketGame
	settleBatcher *batch.Batcher[*settlement]
}

// New returns a Service. Use must be called before any other method.
func New(o Options) *Service {
	s := &Service{o: o}
	s.settleBatcher = NewBatcher(o.Store.Engine, s.settle)
	return s
}

// Close finishes the accepted settlements. Later ones fail.
func (s *Service) Close() { s.settleBatcher.Close() }

// MaxBatch is the largest number of bets in one transaction.
const MaxBatch = 256

// postgresWriters is the number of batches that are written in parallel on PostgreSQL. SQLite has one writer.
const postgresWriters = 4

// NewBatcher returns a batcher for bets. Its keys are players, because a write locks the player.
func NewBatcher[T any](engine db.Engine, write batch.Run[T]) *batch.Batcher[T] {
	writes := []batch.Run[T]{write}
	for engine == db.Postgres && len(writes) < postgresWriters {
		writes = append(writes, write)
	}
	anyItem := func(error) bool { return true } // any item may have caused the error
	return batch.New(batch.Options{Max: MaxBatch, Queue: 16 * MaxBatch, Timeout: Timeout, Split: anyItem}, writes...)
}

// Use sets the games of single-player rounds and of tickets.
func (s *Service) Use(rounds Game, tickets TicketGame) { s.rounds, s.tickets = rounds, tickets }

func (s *Service) game(row query.HouseRound) Game {
	if row.TableRound.Valid {
		return s.tickets
	}
	return s.rounds
}

// Failure returns the fault that a player sees for a bet without an outcome. It returns nil for a bet that was played.
func Failure(row query.HouseRound) error {
	switch row.Status {
	case Settled:
		return nil
	case Placed, Staked:
		if row.TableRound.Valid {
			return nil
		}
		return refusal.ErrPending
	case Refused:
		return wallet.Refusal(row.Reason)
	case Refunded:
		return refusal.ErrRefunded
	case PayoutStuck, RefundStuck:
		return refusal.ErrStuck
	default:
		return refusal.ErrPending
	}
}

// Continue performs the next steps of a bet until it is finished or must wait, and returns the stored bet. Several processes may continue the same bet at
// the same time, because their wallet calls have the same transaction IDs and each step is stored once.
func (s *Service) Continue(ctx context.Context, row query.HouseRound) (query.HouseRound, error) {
	for {
		var err error
		switch row.Status {
		case Betting:
			err = s.requestStake(ctx, &row)
		case Placed:
			if changed, err := s.tickets.Decide(ctx, row); err != nil || !changed {
				return row, err
			}
		case Staked:
			err = s.Pay(ctx, row)
		case Refunding:
			err = s.refund(ctx, row)
		default:
			return row, nil
		}
		if err != nil {
			return row, err
		}
		if row, err = s.Read(ctx, row.ID); err != nil {
			return row, err
		}
	}
}

// Read returns a stored bet.
func (s *Service) Read(ctx context.Context, id int64) (query.HouseRound, error) {
	row, err := s.o.Store.Q().HouseRound(ctx, id)
	if err != nil {
		return row, fmt.Errorf("read round: %w", err)
	}
	return row, nil
}

func (s *Service) requestStake(ctx context.Context, row *query.HouseRound) error {
	late, reason, err := s.game(*row).TooLate(ctx, *row)
	switch {
	case err != nil:
		return err
	case late:
		return s.SetStatus(ctx, *row, Refunding, reason)
	default:
		return s.Stake(ctx, row)
	}
}

// Stake requests the stake from the wallet. If the wallet takes it, Stake calls the game's Accept.
func (s *Service) Stake(ctx context.Context, row *query.HouseRound) error {
	response, err := s.call(ctx, *row, "bet", wallet.Request{TxID: txID(*row, "b"), Amount: amountOf(*row, row.Stake)})
	switch {
	case err != nil:
		return err
	case response.Code == wallet.CodeOK:
		return s.game(*row).Accept(ctx, row, response)
	case slices.Contains(wallet.Final, response.Code):
		return s.SetStatus(ctx, *row, Refused, response.Code)
	default:
		// The wallet might accept the same bet later. The rollback prevents that.
		return s.SetStatus(ctx, *row, Refunding, response.Code)
	}
}

// Pay sends the win to the wallet and closes the round.
func (s *Service) Pay(ctx context.Context, row query.HouseRound) error {
	response, err := s.call(ctx, row, "win", winRequest(row, "w"))
	if err != nil {
		return err
	}
	return s.paid(ctx, row, response)
}

func (s *Service) paid(ctx context.Context, row query.HouseRound, response wallet.Response) error {
	if response.Code != wallet.CodeOK {
		s.o.Log.ErrorContext(ctx, "the wallet refuses a win", "round", row.ID, "code", response.Code)
		return s.markStuck(ctx, row, PayoutStuck, response.Code)
	}
	balance, err := BalanceOf(row, response)
	if err != nil {
		return err
	}
	return wrap("settle", s.settleBatcher.Do(ctx, batch.StringKey(row.Player), &settlement{id: row.ID, balance: balance, at: db.Millis(s.o.Now())}))
}

// refund rolls the stake back, even if the wallet never received the bet.
func (s *Service) refund(ctx context.Context, row query.HouseRound) error {
	response, err := s.call(ctx, row, "rollback", rollbackRequest(row, "r"))
	if err != nil {
		return err
	}
	return s.rolledBack(ctx, row, response)
}

func (s *Service) rolledBack(ctx context.Context, row query.HouseRound, response wallet.Response) error {
	if response.Code != wallet.CodeOK {
		s.o.Log.ErrorContext(ctx, "the wallet refuses a rollback", "round", row.ID, "code", response.Code)
		return s.markStuck(ctx, row, RefundStuck, response.Code)
	}
	if row.Status == Refunding && row.Reason != "" {
		return s.SetStatus(ctx, row, Refused, row.Reason)
	}
	return s.SetStatus(ctx, row, Refunded, "") // stuck bets too, because their players were promised the stake
}

// SetStatus changes a bet's status, unless another process has changed it.
func (s *Service) SetStatus(ctx context.Context, row query.HouseRound, next, reason string) error {
	return wrap("set status of round", s.o.Store.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.SetHouseRoundStatus(ctx, query.SetHouseRoundStatusParams{ID: row.ID, Was: row.Status, Next: next, Reason: reason})
		return err
	}))
}

func wrap(action string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", action, err)
}
