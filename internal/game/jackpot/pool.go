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

// winsShown is how many of the last series are told.
const maxShownWins = 20

// Pool is a jackpot as everybody may see it.
type Pool struct {
	Rules

	Currency                   money.Currency
	SharePerMille              int64 // 0: nothing is added, and it is played for until it is won
	Amount                     money.Minor
	Series, Draws              int64 // draws: of this series
	Name                       string
	Commitment, NextCommitment string // of this series and of the one after it
	PublishedAt                int64
	BeginsAt                   int64           // unix milliseconds: it rests until then; 0: it is played for
	MaxWinsPerDay              int64           // so often it may be won within a day before it rests
	Games                      []EligibleGames // none while it rests
	Wins                       []query.JackpotWinsRow
	merchantID                 int64
}

// Play is a kind of games whose stakes have a part.
type EligibleGames struct {
	Category string
	Vendors  []string
}

// Find gives the pool of a currency; false where there is none. What stakes have brought in stays there to be won, whatever
// is set later. One that rests has nothing in it, and says when it begins.
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
			return Pool{}, false, fmt.Errorf("find whose games have a part: %w", err)
		}
	}
	p := Pool{
		Rules: s.o.Rules[code], Currency: currency, SharePerMille: perMille, Amount: money.Minor(row.Amount), Series: row.Series, Draws: row.Nonce,
		Name: SeriesName(merchantID, code, row.Series), PublishedAt: row.PublishedAt, merchantID: merchantID,
		BeginsAt: beginsAt, MaxWinsPerDay: perDay, Games: games,
	}
	if p.Commitment, err = s.commitment(row.Seed); err != nil {
		return Pool{}, false, err
	}
	if p.NextCommitment, err = s.commitment(row.NextSeed); err != nil {
		return Pool{}, false, err
	}
	return p, true, nil
}

// whoPlays are the games whose stakes have a part.
func (s *Service) eligibleGames(ctx context.Context, merchantID int64) ([]EligibleGames, error) {
	house, err := s.o.Vendors.HouseVendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	named, err := s.o.Settings.JackpotVendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	there, err := s.o.Vendors.Vendors(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	house = append([]string{}, house...) // never null to a reader
	all := slices.Clone(house)
	for _, code := range named {
		if slices.Contains(there, code) && !slices.Contains(house, code) {
			all = append(all, code)
		}
	}
	return []EligibleGames{{categoryAllVendors, all}, {categoryHouseOnly, house}}, nil
}

// Show gives the pool with those who won it last.
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
