package jackpot

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

const maxShownWins = 20

// A Pool is the public data of a jackpot.
type Pool struct {
	Rules

	Currency                   money.Currency
	SharePerMille              int64 // 0: nothing is added, and the pool can be won once
	Amount                     money.Minor
	Series, Draws              int64  // Draws: of this series
	Name                       string // the client seed of the draws; empty while the series waits for its seed
	Commitment, NextCommitment string // of this series and of the next; the next of a chain is not known before
	SeriesID, Link             int64  // of the hash chain; 0 without one
	PublishedAt                int64
	BeginsAt                   int64           // Unix milliseconds; 0 unless the pool is paused
	MaxWinsPerDay              int64           // wins within a day that pause the pool
	Games                      []EligibleGames // empty while the pool is paused
	Wins                       []query.JackpotWinsRow
	merchantID                 int64
}

// EligibleGames are games of a category whose stakes take part.
type EligibleGames struct {
	Category string
	Vendors  []string
}

// Find returns the pool of a currency, or false if there is none. A pool remains until it is won, whatever the share
// is set to later. A paused pool has an amount of 0.
func (s *Service) Find(ctx context.Context, merchantID int64, code string) (Pool, bool, error) {
	currency, err := money.Find(code)
	if err != nil {
		return Pool{}, false, rest.ErrSystem.Because(err) // not the caller's mistake
	}
	perMille, err := s.o.Settings.JackpotShare(ctx, merchantID)
	if err != nil {
		return Pool{}, false, err
	}
	row, err := s.o.Store.Q().JackpotPool(ctx, merchantID, code)
	if errors.Is(err, sql.ErrNoRows) {
		return Pool{}, false, nil
	}
	if err != nil {
		return Pool{}, false, fmt.Errorf("read jackpot: %w", err)
	}
	var (
		beginsAt int64
		games    []EligibleGames
	)
	if row.Amount == 0 {
		pausedUntil, err := s.pausedUntil(ctx, s.o.Store.Q(), merchantID, code)
		if err != nil || perMille == 0 || !s.o.Now().Before(pausedUntil) {
			return Pool{}, false, err
		}
		beginsAt = db.Millis(pausedUntil)
	}
	perDay, err := s.o.Settings.JackpotSeries(ctx, merchantID)
	if err != nil {
		return Pool{}, false, err
	}
	if beginsAt == 0 {
		if games, err = s.eligibleGames(ctx, merchantID); err != nil {
			return Pool{}, false, fmt.Errorf("find eligible games: %w", err)
		}
	}
	p := Pool{
		Rules: s.o.Rules[code], Currency: currency, SharePerMille: perMille, Amount: money.Minor(row.Amount), Series: row.Series, Draws: row.Nonce,
		SeriesID: row.SeriesID, Link: row.Link, PublishedAt: row.PublishedAt, merchantID: merchantID,
		BeginsAt: beginsAt, MaxWinsPerDay: perDay, Games: games,
	}
	if len(row.Seed) > 0 {
		p.Name = nameOf(merchantID, code, row.Series, row.Name)
	}
	if p.Commitment, err = s.commitment(row.Seed); err != nil {
		return Pool{}, false, err
	}
	if p.NextCommitment, err = s.commitment(row.NextSeed); err != nil {
		return Pool{}, false, err
	}
	return p, true, nil
}

func (s *Service) eligibleGames(ctx context.Context, merchantID int64) ([]EligibleGames, error) {
	house, err := s.o.Vendors.HouseVendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	listed, err := s.o.Settings.JackpotVendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	existing, err := s.o.Vendors.Vendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	house = append([]string{}, house...) // encoded as [], not null
	all := slices.Clone(house)
	for _, code := range listed {
		if slices.Contains(existing, code) && !slices.Contains(house, code) {
			all = append(all, code)
		}
	}
	return []EligibleGames{{categoryAllVendors, all}, {categoryHouseOnly, house}}, nil
}

// Show is Find with the latest wins.
func (s *Service) Show(ctx context.Context, merchantID int64, code string) (Pool, bool, error) {
	p, found, err := s.Find(ctx, merchantID, code)
	if err != nil || !found {
		return p, found, err
	}
	if p.Wins, err = s.o.Store.Q().JackpotWins(ctx, merchantID, code, maxShownWins); err != nil {
		return p, false, fmt.Errorf("read wins: %w", err)
	}
	return p, true, nil
}
