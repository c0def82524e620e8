// Package seed draws the secret seeds of rounds, and stores the seed of each player's next round. Seeds are stored encrypted
// (sealed) until they are revealed.
package seed

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/seal"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
)

// clientSeedBytes is the length of client seeds that the server chooses.
const clientSeedBytes = 8

const sealPurpose = "house.seed"

// A Store draws, seals and stores seeds.
type Store struct {
	DB     *db.Store
	Keys   *secret.Keys
	Random io.Reader
	Now    func() time.Time
}

// Draw returns a random seed. It fails if the random source fails.
func (s *Store) Draw() (fairness.Seed, error) {
	drawn, err := fairness.NewSeed(s.Random)
	if err != nil {
		return drawn, refusal.ErrUnavailable.Because(err)
	}
	return drawn, nil
}

// Seal encrypts a seed for storage.
func (s *Store) Seal(secret fairness.Seed) ([]byte, error) {
	return seal.Seed(s.Keys, sealPurpose, secret)
}

// Open returns a stored seed, which may be sealed or revealed.
func (s *Store) Open(stored []byte) (fairness.Seed, error) {
	return seal.Open(s.Keys, sealPurpose, stored)
}

// Find returns the unsealed seed of the player's next round. The error is sql.ErrNoRows if the player has none.
func (s *Store) Find(ctx context.Context, player string) (query.HouseSeed, error) {
	return s.opened(s.DB.Q().HouseSeed(ctx, player))
}

// Lock is like Find, but locks the row in a transaction.
func (s *Store) Lock(ctx context.Context, tx *db.Tx, player string) (query.HouseSeed, error) {
	return s.opened(tx.Q.LockHouseSeed(ctx, player))
}

func (s *Store) opened(row query.HouseSeed, err error) (query.HouseSeed, error) {
	if err != nil {
		return row, err
	}
	secret, err := s.Open(row.Seed)
	row.Seed = secret[:]
	return row, err
}

// Next returns the seed of the player's next round, and creates it if there is none.
func (s *Store) Next(ctx context.Context, player string) (query.HouseSeed, error) {
	row, err := s.Find(ctx, player)
	if err == nil {
		return row, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return row, fmt.Errorf("read seed: %w", err)
	}
	drawn, err := s.Draw()
	if err != nil {
		return row, err
	}
	client, err := s.drawClientSeed()
	if err != nil {
		return row, err
	}
	sealed, err := s.Seal(drawn)
	if err != nil {
		return row, err
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.AddHouseSeed(ctx, query.AddHouseSeedParams{
			Player: player, Seed: sealed, PublishedAt: db.Millis(s.Now()), ClientSeed: client,
		}); err != nil {
			return err
		}
		row, err = s.opened(tx.Q.HouseSeed(ctx, player))
		return err
	})
	if err != nil {
		return row, fmt.Errorf("create seed: %w", err)
	}
	return row, nil
}

// drawClientSeed returns a random client seed, for clients that send none.
func (s *Store) drawClientSeed() (string, error) {
	var client [clientSeedBytes]byte
	if _, err := io.ReadFull(s.Random, client[:]); err != nil {
		return "", refusal.ErrUnavailable.Because(err)
	}
	return hex.EncodeToString(client[:]), nil
}

// SetClientSeed fixes the client seed of the player's next rounds. If the text is empty, the browser draws a client seed for each
// round. An open round keeps its client seed.
func (s *Store) SetClientSeed(ctx context.Context, player, text string) (query.HouseSeed, error) {
	if text != "" && !fairness.GoodClientSeed(text) {
		return query.HouseSeed{}, rest.ErrParam.On("clientSeed")
	}
	row, err := s.Next(ctx, player)
	if err != nil {
		return row, err
	}
	fixed := text != ""
	if !fixed {
		if text, err = s.drawClientSeed(); err != nil {
			return row, err
		}
	}
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Q.SetClientSeed(ctx, text, fixed, player); err != nil {
			return err
		}
		row, err = s.opened(tx.Q.HouseSeed(ctx, player))
		return err
	})
	if err != nil {
		return row, fmt.Errorf("set client seed: %w", err)
	}
	return row, nil
}

// Commitment returns the commitment to a seed.
func Commitment(secret []byte) string { return fairness.Seed(secret).Commitment() }

// Published returns the commitment that was published before a round. The oldest rounds have no stored commitment, so it is
// computed from the seed.
func Published(stored string, secret []byte) string {
	if stored == "" && len(secret) > 0 {
		return Commitment(secret)
	}
	return stored
}

// Revealed returns a revealed seed in hexadecimal, or nil while it is sealed.
func Revealed(stored []byte) *string {
	if len(stored) != len(fairness.Seed{}) {
		return nil
	}
	text := fairness.Seed(stored).Hex()
	return &text
}
