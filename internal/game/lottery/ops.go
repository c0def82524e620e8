package lottery

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// Faults of operator endpoints.
var (
	ErrSettling = fault.ForOperators(fault.Conflict, "lottery.settling") // an earlier result is still being settled
	ErrNotDue   = fault.ForOperators(fault.Conflict, "lottery.not_due")  // the draw, or the one before it, has not taken place
	ErrOwnDraw  = fault.ForOperators(fault.Refused, "lottery.own_draw")  // the results of our own draws follow from their seeds
	ErrVoided   = fault.ForOperators(fault.Refused, "lottery.voided")    // the draw is void and its stakes were returned
)

// ActionResult is the action of entering, correcting or voiding a result, which needs two people.
const ActionResult = "lottery.result"

// ActionVoid is the action of voiding one of our own draws. It always needs two people, because it could favour the operator.
const ActionVoid = "lottery.void"

const (
	// opsKind is the name of numeros in the operator API.
	opsKind = "lottery"
	// taskResult is the kind of the task to enter a regional result.
	taskResult = "lottery.result"
	// stateWaiting is the list filter for regional draws whose results are due.
	stateWaiting = "waiting"
)

// opsID returns the id of a numero in the operator API.
func opsID(gameID int64, numero string) string { return formatID(gameID) + "-" + numero }

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
	Reason string `json:"reason,omitempty"` // of the change
}

// findNumero returns the game and numero of an id in the operator API, such as 101-20261118.
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

// requestResult requests that a result is entered, corrected or voided. It checks the change before a second person has to
// approve it.
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
	action := ActionResult
	if c.Void && !g.Form.Regional() {
		action = ActionVoid
		if row.SeriesID.Valid {
			if err := checkEarlierDrawn(ctx, s.o.Store.Q(), row, g, millis(s.o.Now())); err != nil {
				return nil, err
			}
		}
	}
	return s.o.Approvals.Request(ctx, merchantID, action, "lottery/"+id, c)
}

// checkChange returns an error if the result cannot be changed now.
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
		return rest.ErrStale
	case row.Status == statusVoid:
		return ErrVoided
	case c.Void && !g.Form.Regional() && row.Status != statusOpen: // the result is known, and the draw was not at fault
		return ErrOwnDraw
	case row.Pending:
		return ErrSettling
	case !c.Void && now < row.DrawAt, c.Void && !row.Closed && now < row.CloseAt:
		return ErrNotDue
	case row.Status != statusOpen && c.Reason == "":
		return rest.ErrParam.On("reason")
	}
	return nil
}

// checkEarlierDrawn refuses to publish a seed before the seed of the numero before it, because the hash of the one is the
// other. Numeros without bets that are older than maxDrawDelay are never drawn.
func checkEarlierDrawn(ctx context.Context, q *query.Queries, row query.LotteryNumero, g play.Game, now int64) error {
	earlier, err := q.EarlierLotteryLinks(ctx, row.SeriesID, row.Link)
	if err != nil {
		return fmt.Errorf("read earlier draws: %w", err)
	}
	drawBefore := row.DrawAt - g.Timetable.Period.Milliseconds()
	isMissing := row.Link > 1 && !earlier.Stored && drawBefore > now-maxDrawDelay.Milliseconds()
	if earlier.Undrawn || isMissing {
		return ErrNotDue
	}
	return nil
}

// RunResult carries out ActionResult and ActionVoid.
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
		return nil, nil, rest.ErrStale
	}
	before, after = numeroState{Status: row.Status, Result: row.Result}, numeroState{statusDrawn, c.Result, c.Reason}
	changed := int64(1)
	switch {
	case c.Void:
		after = numeroState{statusVoid, "", c.Reason}
		// The seed is published, so that everyone can compute what would have been drawn.
		seed := row.Seed
		if row.SeriesID.Valid && seed == "" {
			if err := checkEarlierDrawn(ctx, tx.Q, row, g, millis(now)); err != nil {
				return nil, nil, err
			}
			published, _, err := s.seedOf(ctx, row.SeriesID.Int64, row.Link)
			if err != nil {
				return nil, nil, err
			}
			seed = published.Hex()
		}
		changed, err = tx.Q.VoidLotteryNumero(ctx, seed, row.ID, row.Version)
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
		err = rest.ErrStale
	}
	if err == nil {
		err = s.o.Tasks.DoneIn(ctx, tx, taskResult, formatID(row.ID))
	}
	if err == nil {
		err = s.o.Screens.Changed(ctx, tx, opsKind, opsID(row.GameID, row.Numero))
	}
	return before, after, wrap("change result", err)
}
