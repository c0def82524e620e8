package house

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"fairground/internal/game/fairness"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// ownSeedBytes make the client seed of a player who has chosen none.
const ownSeedBytes = 8

// newSeed draws a seed, or stops the game: nothing else would do in its place.
func (s *Service) newSeed() (fairness.Seed, error) {
	seed, err := fairness.NewSeed(s.o.Random)
	if err != nil {
		return seed, ErrUnavailable.Because(err)
	}
	return seed, nil
}

// seedOf gives what the player's next round will be drawn from, made first where there is nothing yet.
func (s *Service) seedOf(ctx context.Context, player string) (query.HouseSeed, error) {
	row, err := s.readable(s.o.Store.Q().HouseSeed(ctx, player))
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return row, wrap("read seed", err)
	}
	seed, err := s.newSeed()
	if err != nil {
		return row, err
	}
	var own [ownSeedBytes]byte
	if _, err := io.ReadFull(s.o.Random, own[:]); err != nil {
		return row, ErrUnavailable.Because(err)
	}
	sealed, err := s.sealSeed(seed)
	if err != nil {
		return row, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.AddHouseSeed(ctx, query.AddHouseSeedParams{
			Player: player, Seed: sealed, PublishedAt: db.Millis(s.o.Now()), ClientSeed: hex.EncodeToString(own[:]),
		}); err != nil {
			return err
		}
		row, err = s.readable(tx.Q.HouseSeed(ctx, player))
		return err
	})
	return row, wrap("make seed", err)
}

// chooseSeed sets the player's own part of the next rounds. One that is being played keeps the part it began with.
func (s *Service) chooseSeed(ctx context.Context, player, text string) (query.HouseSeed, error) {
	if !fairness.GoodClientSeed(text) {
		return query.HouseSeed{}, rest.ErrParam.On("clientSeed")
	}
	row, err := s.seedOf(ctx, player)
	if err != nil {
		return row, err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Q.SetClientSeed(ctx, text, player); err != nil {
			return err
		}
		row, err = s.readable(tx.Q.HouseSeed(ctx, player))
		return err
	})
	return row, wrap("choose seed", err)
}

// seedPurpose is what seeds are sealed for until they are told. Those from before they were sealed are as they are.
const seedPurpose = "house.seed"

// errBroken says that a stored seed is not the one that was committed to.
var errBroken = errors.New("the seed is not the one that was published")

func (s *Service) sealSeed(seed fairness.Seed) ([]byte, error) {
	return seal.Seed(s.o.Keys, seedPurpose, seed)
}

// openSeed reads a stored seed, sealed or told.
func (s *Service) openSeed(stored []byte) (fairness.Seed, error) {
	return seal.Open(s.o.Keys, seedPurpose, stored)
}

// readable is a player's seed as the rest of the package knows it: opened.
func (s *Service) readable(row query.HouseSeed, err error) (query.HouseSeed, error) {
	if err != nil {
		return row, err
	}
	seed, err := s.openSeed(row.Seed)
	row.Seed = seed[:]
	return row, err
}

// commitment of a seed.
func commitment(seed []byte) string { return fairness.Seed(seed).Commitment() }

// promised is what was published before a round. Rounds from before it was kept have only their seed to tell.
func promised(kept string, seed []byte) string {
	if kept == "" && len(seed) > 0 {
		return commitment(seed)
	}
	return kept
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
