package lottery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// positionOf returns the place of a fast game's numero in its series. It returns false if no series draws it.
func positionOf(ctx context.Context, q *query.Queries, merchantID int64, g play.Game, n schedule.Numero) (position, bool, error) {
	row, err := q.LotterySeriesAt(ctx, merchantID, int64(g.ID), millis(n.Draw))
	if errors.Is(err, sql.ErrNoRows) {
		return position{}, false, nil
	}
	if err != nil {
		return position{}, false, fmt.Errorf("read series: %w", err)
	}
	return position{row, (millis(n.Draw)-row.FirstDraw)/g.Timetable.Period.Milliseconds() + 1}, true, nil
}

// openAt returns when a numero opens. The first of a series opens only after the series was published.
func (p position) openAt(n schedule.Numero) int64 { return max(millis(n.Open), p.series.CreatedAt) }

// ensureNumero returns the row of a numero, which it adds if needed. It fails with ErrClosed if no series draws the
// numero.
func (s *Service) ensureNumero(ctx context.Context, tx *db.Tx, merchantID int64, g play.Game, n schedule.Numero) (query.LotteryNumero, error) {
	row, err := tx.Q.LotteryNumero(ctx, merchantID, int64(g.ID), n.ID)
	if err == nil || !errors.Is(err, sql.ErrNoRows) {
		return row, wrap("read numero", err)
	}
	add := query.AddLotteryNumeroParams{
		ID: s.o.IDs(), MerchantID: merchantID, GameID: int64(g.ID), Numero: n.ID, OpenAt: millis(n.Open), CloseAt: millis(n.Close), DrawAt: millis(n.Draw),
	}
	if !g.Form.Regional() {
		p, found, err := positionOf(ctx, tx.Q, merchantID, g, n)
		if err != nil {
			return row, err
		}
		if !found {
			return row, ErrClosed.With("numero", n.ID)
		}
		last, err := tx.Q.LastLotteryLink(ctx, nullID(p.series.ID))
		if err != nil {
			return row, fmt.Errorf("read series: %w", err)
		}
		if p.link <= last { // a later seed is public, and it yields this one: the clock was set back
			return row, ErrClosed.With("numero", n.ID)
		}
		add.OpenAt, add.SeriesID, add.Link = p.openAt(n), nullID(p.series.ID), p.link
	}
	if _, err := tx.Q.AddLotteryNumero(ctx, add); err != nil {
		return row, fmt.Errorf("add numero: %w", err)
	}
	row, err = tx.Q.LotteryNumero(ctx, merchantID, int64(g.ID), n.ID)
	return row, wrap("read numero", err)
}

// shareNumero locks a numero against its draw until the caller's transaction ends, and returns its current status.
func shareNumero(ctx context.Context, tx *db.Tx, id int64) (status string, closeAt int64, err error) {
	statement := "SELECT status, close_at FROM lottery_numero WHERE id = $1"
	if tx.Engine == db.Postgres {
		statement += " FOR SHARE"
	}
	err = db.Bind(tx.Engine, tx.Tx).QueryRowContext(ctx, statement, id).Scan(&status, &closeAt)
	return status, closeAt, wrap("lock numero", err)
}

// A shownNumero is a numero with its status by the clock.
type shownNumero struct {
	schedule.Numero

	openAt       int64
	status       string
	series, salt string
	link         int64
}

// near returns the current numero of a game: the one that is open, or closed and not drawn.
func (s *Service) near(ctx context.Context, merchantID int64, g play.Game, now time.Time) (shownNumero, error) {
	n := g.Timetable.Current(now)
	out := shownNumero{Numero: n, openAt: millis(n.Open), status: statusOpen}
	if !g.Form.Regional() {
		p, found, err := positionOf(ctx, s.o.Store.Q(), merchantID, g, n)
		if err != nil {
			return out, err
		}
		if !found { // the first numero of the series is the next one
			next, err := s.o.Store.Q().LastLotterySeries(ctx, merchantID, int64(g.ID))
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return out, fmt.Errorf("read series: %w", err)
			}
			if err == nil && next.FirstDraw > millis(n.Draw) {
				out.Numero = g.Timetable.Current(time.UnixMilli(next.FirstDraw - 1))
				p, found = position{query.LotterySeriesAtRow(next), 1}, true
			}
		}
		if found {
			out.openAt, out.series, out.salt, out.link = p.openAt(out.Numero), formatID(p.series.ID), p.series.Salt, p.link
		} else {
			out.status = statusClosed
		}
	}
	if at := millis(now); at >= millis(out.Close) || at < out.openAt {
		out.status = statusClosed
	}
	row, err := s.o.Store.Q().LotteryNumero(ctx, merchantID, int64(g.ID), out.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return out, nil
	}
	if err == nil && row.Status != statusOpen {
		out.status = row.Status
	}
	return out, wrap("read numero", err)
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
