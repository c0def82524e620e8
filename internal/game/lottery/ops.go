package lottery

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
)

// Faults of operators' calls.
var (
	ErrStale    = fault.ForOperators(fault.Conflict, "ops.stale")
	ErrSettling = fault.ForOperators(fault.Conflict, "lottery.settling") // an earlier result is still being settled
	ErrNotDue   = fault.ForOperators(fault.Conflict, "lottery.not_due")  // the draw has not taken place
	ErrOwnDraw  = fault.ForOperators(fault.Refused, "lottery.own_draw")  // the result of our own draws follows from their seeds
	ErrVoided   = fault.ForOperators(fault.Refused, "lottery.voided")    // the stakes were returned
)

// ActionResult is the action of entering, correcting or voiding a result, which needs two people.
const ActionResult = "lottery.result"

// A resultChange is the payload of ActionResult.
type resultChange struct {
	MerchantID int64  `json:"merchantId,string"`
	GameID     int    `json:"gameId"`
	Numero     string `json:"numero"`
	Version    int64  `json:"version"`
	Result     string `json:"result,omitempty"`
	Void       bool   `json:"void,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

// numeroState is a numero in the audit log.
type numeroState struct {
	Status string `json:"status"`
	Result string `json:"result,omitempty"`
}

// findNumero returns the game and numero of an operator's id, such as 101-20261118.
func (s *Service) findNumero(id string) (play.Game, schedule.Numero, error) {
	game, name, _ := strings.Cut(id, "-")
	g, known := s.findGame(game)
	if !known {
		return g, schedule.Numero{}, schedule.ErrNumero
	}
	n, err := g.Timetable.Find(name)
	return g, n, err
}

// numeroRow returns the stored numero, or one with version 0 that is not stored yet.
func (s *Service) numeroRow(ctx context.Context, q *query.Queries, merchantID int64, g play.Game, n schedule.Numero) (query.LotteryNumero, error) {
	row, err := q.LotteryNumero(ctx, merchantID, int64(g.ID), n.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return query.LotteryNumero{
			MerchantID: merchantID, GameID: int64(g.ID), Numero: n.ID, OpenAt: millis(n.Open), CloseAt: millis(n.Close), DrawAt: millis(n.Draw), Status: statusOpen,
		}, nil
	}
	return row, wrap("read numero", err)
}

// requestResult asks for a result, a correction or a void numero. It checks what it can before the second person does.
func (s *Service) requestResult(ctx context.Context, merchantID int64, id string, c resultChange) (*Approval, error) {
	g, n, err := s.findNumero(id)
	if err != nil {
		return nil, err
	}
	c.MerchantID, c.GameID, c.Numero = merchantID, g.ID, n.ID
	row, err := s.numeroRow(ctx, s.o.Store.Q(), merchantID, g, n)
	if err != nil {
		return nil, err
	}
	if err := s.checkChange(g, row, c, millis(s.o.Now())); err != nil {
		return nil, err
	}
	return s.o.Approvals.Request(ctx, merchantID, ActionResult, "lottery/"+id, c)
}

// checkChange reports why a result cannot be changed now.
func (s *Service) checkChange(g play.Game, row query.LotteryNumero, c resultChange, now int64) error {
	if !c.Void {
		if !g.Form.Regional() {
			return ErrOwnDraw
		}
		if _, err := draw.Parse(g.Form, c.Result); err != nil {
			return err
		}
	}
	switch {
	case row.Version != c.Version:
		return ErrStale
	case row.Status == statusVoid:
		return ErrVoided
	case row.Pending:
		return ErrSettling
	case !c.Void && now < row.DrawAt, c.Void && now < row.CloseAt:
		return ErrNotDue
	}
	return nil
}

// RunResult carries out ActionResult.
func (s *Service) RunResult(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var c resultChange
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, nil, fmt.Errorf("decode result: %w", err)
	}
	g, known := s.byID[c.GameID]
	if !known {
		return nil, nil, play.ErrUnknownGame
	}
	n, err := g.Timetable.Find(c.Numero)
	if err != nil {
		return nil, nil, err
	}
	now, err := s.o.Time(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	stored, err := s.numeroRow(ctx, tx.Q, c.MerchantID, g, n)
	if err != nil {
		return nil, nil, err
	}
	if err := s.checkChange(g, stored, c, millis(now)); err != nil {
		return nil, nil, err
	}
	row, err := s.ensureNumero(ctx, tx, c.MerchantID, g, n)
	if err != nil {
		return nil, nil, err
	}
	if row, err = tx.Q.LockLotteryNumero(ctx, row.ID); err != nil {
		return nil, nil, fmt.Errorf("lock numero: %w", err)
	}
	if stored.ID != 0 && row.Version != c.Version || row.Pending {
		return nil, nil, ErrStale
	}
	before, after = numeroState{row.Status, row.Result}, numeroState{statusDrawn, c.Result}
	changed := int64(1)
	switch {
	case c.Void:
		after = numeroState{statusVoid, ""}
		changed, err = tx.Q.VoidLotteryNumero(ctx, row.Seed, row.ID, row.Version)
	default:
		result, parseErr := draw.Parse(g.Form, c.Result)
		if parseErr != nil {
			return nil, nil, parseErr
		}
		if row.Status == statusOpen {
			err = s.publishIn(ctx, tx, row.ID, result, "", false)
			break
		}
		changed, err = tx.Q.CorrectLotteryNumero(ctx, query.CorrectLotteryNumeroParams{
			ID: row.ID, Version: row.Version, Status: statusDrawn, WinNo: result.WinNo(), Result: result.Text(),
		})
	}
	if err == nil && changed == 0 {
		err = ErrStale
	}
	return before, after, wrap("change result", err)
}

// setOdds changes the odds of a play, if their return is allowed.
func (s *Service) setOdds(ctx context.Context, merchantID int64, g play.Game, modeCode, playCode string, texts map[string]string, version int64) error {
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
	before, err := oddsText(old.of(g, mode, p))
	if err != nil {
		return err
	}
	return s.changeGame(ctx, merchantID, g, !old.disabled[g.ID], version, "lottery.odds",
		map[string]any{"prizeMode": modeCode, "play": playCode, "odds": json.RawMessage(before)},
		map[string]any{"prizeMode": modeCode, "play": playCode, "odds": json.RawMessage(text)},
		func(tx *db.Tx) error {
			return tx.Q.PutLotteryOdds(ctx, query.PutLotteryOddsParams{
				MerchantID: merchantID, GameID: int64(g.ID), PrizeMode: modeCode, PlayCode: playCode, Odds: text, ChangedAt: millis(s.o.Now()),
			})
		})
}

// setEnabled switches a game on or off. Open bets are still settled.
func (s *Service) setEnabled(ctx context.Context, merchantID int64, g play.Game, enabled bool, version int64) error {
	old, err := s.readPrices(ctx, merchantID)
	if err != nil {
		return err
	}
	return s.changeGame(ctx, merchantID, g, enabled, version, "lottery.game", map[string]bool{"enabled": !old.disabled[g.ID]}, map[string]bool{"enabled": enabled}, nil)
}

// changeGame changes a game of the expected version, and logs the change.
func (s *Service) changeGame(ctx context.Context, merchantID int64, g play.Game, enabled bool, version int64, action string, before, after any, change func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.PutLotteryGame(ctx, query.PutLotteryGameParams{MerchantID: merchantID, GameID: int64(g.ID), Enabled: enabled, Version: version})
		if err != nil {
			return fmt.Errorf("change game: %w", err)
		}
		if n == 0 {
			return ErrStale
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
