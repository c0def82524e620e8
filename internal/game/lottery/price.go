package lottery

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"
	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/money"
)

// pricesTTL limits how long another replica shows old odds. Placing a bet does not use the cache.
const pricesTTL = 5 * time.Second

// A priceKey identifies the odds of a play in a prize mode of a game.
type priceKey struct {
	game       int
	mode, play string
}

// prices are the odds and games that a merchant's operators changed.
type prices struct {
	odds     map[priceKey]play.Odds
	disabled map[int]bool
	versions map[int]int64
}

func (s *Service) pricesOf(ctx context.Context, merchantID int64) (*prices, error) {
	return s.prices.Get(ctx, merchantID, otter.LoaderFunc[int64, *prices](s.readPrices))
}

// readPrices reads a merchant's prices from the database.
func (s *Service) readPrices(ctx context.Context, merchantID int64) (*prices, error) {
	p := &prices{map[priceKey]play.Odds{}, map[int]bool{}, map[int]int64{}}
	rows, err := s.o.Store.Q().LotteryOdds(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read odds: %w", err)
	}
	for _, row := range rows {
		odds, err := parseOdds(row.Odds)
		if err != nil {
			return nil, err
		}
		p.odds[priceKey{int(row.GameID), row.PrizeMode, row.PlayCode}] = odds
	}
	games, err := s.o.Store.Q().LotteryGames(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read games: %w", err)
	}
	for _, row := range games {
		p.disabled[int(row.GameID)], p.versions[int(row.GameID)] = !row.Enabled, row.Version
	}
	return p, nil
}

// oddsOf returns the current odds of a play.
func (list *prices) oddsOf(g play.Game, m play.Mode, p *play.Play) play.Odds {
	if odds, changed := list.odds[priceKey{g.ID, m.Code, p.Code}]; changed {
		return odds
	}
	return play.StandardOdds(p, m)
}

func parseOdds(text string) (play.Odds, error) {
	var odds play.Odds
	if err := json.Unmarshal([]byte(text), &odds); err != nil {
		return nil, fmt.Errorf("decode odds: %w", err)
	}
	return odds, nil
}

func oddsText(odds play.Odds) (string, error) {
	texts := make(map[string]string, len(odds))
	for when, value := range odds {
		texts[when] = play.OddsText(value)
	}
	text, err := json.Marshal(texts)
	if err != nil {
		return "", fmt.Errorf("encode odds: %w", err)
	}
	return string(text), nil
}

// sameOdds reports whether text has the value of odds.
func sameOdds(text string, odds decimal.Decimal) bool {
	seen, err := decimal.NewFromString(text)
	return err == nil && len(text) <= 40 && seen.Equal(odds)
}

// defaultExposure is the default maximum payout of a line, in units of the smallest stake. It allows the smallest stake
// at the highest odds.
const defaultExposure = 10_000_000

// exposureLimit returns the maximum payout of one line of a numero. The setting is in the merchant's currency. Other currencies
// have the default.
func (s *Service) exposureLimit(ctx context.Context, merchantID int64, c money.Currency) (money.Minor, error) {
	units, err := s.o.Settings.LotteryExposure(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	own, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	if units == 0 || c.Code != own.Code {
		return defaultExposure * play.StandardLimits(c).Unit, nil
	}
	limit := money.Minor(units)
	for range c.Decimals {
		limit *= 10
	}
	return limit, nil
}
