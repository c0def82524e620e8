package lottery

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"fairground/internal/game/lottery/play"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// oddsState is the odds of a play in the audit log.
type oddsState struct {
	PrizeMode string          `json:"prizeMode"`
	Play      string          `json:"play"`
	Odds      json.RawMessage `json:"odds"`
	Reason    string          `json:"reason,omitempty"` // of the change
}

// gameState is a game in the audit log.
type gameState struct {
	Enabled bool   `json:"enabled"`
	Reason  string `json:"reason,omitempty"` // of the change
}

// setOdds changes the odds of a play. It refuses odds whose return is too high.
func (s *Service) setOdds(ctx context.Context, merchantID int64, g play.Game, modeCode, playCode string, texts map[string]string, version int64, reason string) error {
	mode, found := play.FindMode(g.Form, modeCode)
	if !found {
		return play.ErrOdds.On("prizeMode")
	}
	p, err := play.Find(g.Form, playCode)
	if err != nil {
		return err
	}
	odds := play.Odds{}
	for when, text := range texts {
		value, err := decimal.NewFromString(text)
		if err != nil || len(text) > 40 {
			return play.ErrOdds.On(when)
		}
		odds[when] = value
	}
	perMille, err := s.o.Settings.LotteryReturn(ctx, merchantID)
	if err != nil {
		return err
	}
	if err := play.CheckOdds(p, mode, odds, decimal.New(perMille, -3)); err != nil {
		return err
	}
	text, err := oddsText(odds)
	if err != nil {
		return err
	}
	old, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return err
	}
	before, err := oddsText(old.oddsOf(g, mode, p))
	if err != nil {
		return err
	}
	return s.changeGame(ctx, merchantID, g, !old.disabled[g.ID], version, "lottery.odds",
		oddsState{modeCode, playCode, json.RawMessage(before), ""}, oddsState{modeCode, playCode, json.RawMessage(text), reason},
		func(tx *db.Tx) error {
			return tx.Q.PutLotteryOdds(ctx, query.PutLotteryOddsParams{
				MerchantID: merchantID, GameID: int64(g.ID), PrizeMode: modeCode, PlayCode: playCode, Odds: text, ChangedAt: millis(s.o.Now()),
			})
		})
}

// setEnabled switches a game on or off. Open bets are still settled.
func (s *Service) setEnabled(ctx context.Context, merchantID int64, g play.Game, enabled bool, version int64, reason string) error {
	old, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return err
	}
	return s.changeGame(ctx, merchantID, g, enabled, version, "lottery.game", gameState{!old.disabled[g.ID], ""}, gameState{enabled, reason}, nil)
}

// changeGame changes a game if it still has the given version, and adds the change to the audit log. The optional
// function change runs in the same transaction.
func (s *Service) changeGame(ctx context.Context, merchantID int64, g play.Game, enabled bool, version int64, action string, before, after any, change func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.PutLotteryGame(ctx, query.PutLotteryGameParams{MerchantID: merchantID, GameID: int64(g.ID), Enabled: enabled, Version: version})
		if err != nil {
			return fmt.Errorf("change game: %w", err)
		}
		if n == 0 {
			return rest.ErrStale
		}
		if err := s.o.Screens.Changed(ctx, tx, opsKind, ""); err != nil {
			return err
		}
		if change != nil {
			if err := change(tx); err != nil {
				return err
			}
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.LotteryResult), Action: action, Object: fmt.Sprintf("lottery/game/%d", g.ID), Before: before, After: after,
		})
	})
	s.prices.Invalidate(merchantID)
	return err
}
