// Package round plays the single-player rounds of slots. A round has one bet, and its outcome is derived from the player's next
// seed.
package round

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/frame"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/wallet"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// maxStakeAge is the age of a round above which the stake is rolled back instead of requested again.
const maxStakeAge = time.Minute

// Options configure a Service.
type Options struct {
	Store  *db.Store
	Bets   *bet.Service
	Frames *frame.Service
	Seeds  *seed.Store
	IDs    db.IDs
	Now    func() time.Time
	Clock  bet.Clock
}

// A Service plays rounds.
type Service struct {
	o Options

	mu     sync.Mutex
	starts map[string]start // by player: the last round that this process started
}

// New returns a Service.
func New(o Options) *Service { return &Service{o: o, starts: map[string]start{}} }

type slotFrame struct {
	frame.Frame
	gameConfig

	machine Machine
	offer   offer
}

// Check returns an error if the frame's game cannot be played in the frame's currency.
func (s *Service) Check(f frame.Frame) error {
	_, err := newSlotFrame(f)
	return err
}

func newSlotFrame(f frame.Frame) (slotFrame, error) {
	o, offered := offers[f.Currency.Code]
	if !offered {
		return slotFrame{}, refusal.ErrUnavailable.Because(fmt.Errorf("no stakes in %s", f.Currency.Code))
	}
	l := machines()
	config := l.configOf(f.Category, f.Game)
	machine, found := l.find(config.Engine, config.Version)
	if !found {
		return slotFrame{}, refusal.ErrUnavailable.Because(fmt.Errorf("no engine for %s", f.Category))
	}
	return slotFrame{f, config, machine, o}, nil
}

// A spinRequest is a client's request to play a round.
type spinRequest struct {
	id         string
	stake      money.Minor
	clientSeed string // drawn for this spin; if empty, the stored one is used
	commitment string // to the seed that the client expects; if empty, any seed is used
}

// spin plays a round. A repeated request with the same spin ID returns the same round.
func (s *Service) spin(ctx context.Context, f slotFrame, r spinRequest) (query.HouseRound, error) {
	// The round continues if the player disconnects.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bet.Timeout)
	defer cancel()
	row, err := s.o.Store.Q().HouseRoundBySpin(ctx, f.Player, r.id)
	if errors.Is(err, sql.ErrNoRows) {
		row, err = s.begin(ctx, f, r)
	}
	if err != nil {
		return row, fmt.Errorf("begin round: %w", err)
	}
	if money.Minor(row.Stake) != r.stake || row.Vendor != f.Vendor || row.Game != f.Game {
		return row, refusal.ErrConflict.On("spinId")
	}
	row, err = s.o.Bets.Continue(ctx, row)
	if err != nil {
		return row, err
	}
	if row.Status == bet.Refused {
		s.forgetStart(f.Player, row.ID)
	}
	return row, bet.Failure(row)
}

// begin stores a new round before the wallet is called.
func (s *Service) begin(ctx context.Context, f slotFrame, r spinRequest) (row query.HouseRound, err error) {
	if !f.offer.has(r.stake) {
		return row, reels.ErrStake.On("stake")
	}
	if err := f.machine.CheckStake(r.stake); err != nil {
		return row, err
	}
	if _, err := s.o.Seeds.Draw(); err != nil { // only checks the random source
		return row, err
	}
	if _, err := s.o.Seeds.Next(ctx, f.Player); err != nil {
		return row, err
	}
	now := s.o.Now()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		next, err := s.o.Seeds.Lock(ctx, tx, f.Player)
		if err != nil {
			return err
		}
		row, err = tx.Q.HouseRoundBySpin(ctx, f.Player, r.id)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return err // a concurrent request with the same spin ID was first
		}
		dbNow, err := s.o.Clock.Now(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.checkPace(ctx, tx.Q, f.Player, now, dbNow); err != nil {
			return err
		}
		commitment := seed.Commitment(next.Seed)
		if r.commitment != "" && r.commitment != commitment {
			return refusal.ErrOtherSeed
		}
		clientSeed := r.clientSeed
		if next.Fixed || clientSeed == "" {
			clientSeed = next.ClientSeed
		}
		id, data := s.o.IDs(), f.machine.Data()
		n, err := tx.Q.AddHouseRound(ctx, query.AddHouseRoundParams{
			ID: id, Player: f.Player, SpinID: r.id, Vendor: f.Vendor, Game: f.Game, WalletSession: f.SealedSession,
			Currency: f.Currency.Code, Engine: data.Name, Version: int64(data.Version), Stake: int64(r.stake),
			ClientSeed: clientSeed, Nonce: next.Nonce, Commitment: commitment, PublishedAt: next.PublishedAt, CreatedAt: db.Millis(dbNow),
		})
		if err != nil {
			return err
		}
		if n == 0 {
			return refusal.ErrPending // another round of the player is still open
		}
		row, err = tx.Q.HouseRound(ctx, id)
		return err
	})
	if err == nil {
		s.noteStart(f.Player, row.ID, now)
	}
	return row, err
}

// TooLate implements bet.Game.
func (s *Service) TooLate(ctx context.Context, row query.HouseRound) (late bool, reason string, err error) {
	now, err := s.o.Clock.Now(ctx, nil)
	return now.Sub(time.UnixMilli(row.CreatedAt)) > maxStakeAge, "", err
}

// Accept implements bet.Game. It stores the outcome. The same transaction replaces the player's seed, so that no other round
// uses it.
func (s *Service) Accept(ctx context.Context, row *query.HouseRound, _ wallet.Response) error {
	next, err := s.o.Seeds.Draw()
	if err != nil {
		return err // the stake is rolled back if the source stays unavailable
	}
	sealed, err := s.o.Seeds.Seal(next)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		current, err := s.o.Seeds.Lock(ctx, tx, row.Player)
		if err != nil {
			return err
		}
		machine, found := FindMachine(row.Engine, row.Version)
		if !found {
			return fmt.Errorf("no version %d of %s", row.Version, row.Engine)
		}
		outcome, err := machine.Play(fairness.NewStream(fairness.Seed(current.Seed), row.ClientSeed, row.Nonce), money.Minor(row.Stake))
		if err != nil {
			return err
		}
		text, err := json.Marshal(outcome)
		if err != nil {
			return err
		}
		n, err := tx.Q.StoreHouseOutcome(ctx, query.StoreHouseOutcomeParams{ID: row.ID, Seed: current.Seed, Outcome: string(text), Win: int64(outcome.Win)})
		if err != nil || n == 0 {
			return err // another process has stored the outcome
		}
		rotated, err := tx.Q.RotateHouseSeed(ctx, query.RotateHouseSeedParams{
			Player: row.Player, Nonce: row.Nonce, Seed: sealed, PublishedAt: db.Millis(s.o.Now()),
		})
		if err == nil && len(rotated) == 0 {
			err = fmt.Errorf("round %d has nonce %d, the player's seed has nonce %d", row.ID, row.Nonce, current.Nonce)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("store outcome: %w", err)
	}
	return nil
}
