package lottery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// A position says which seed of which series draws a numero.
type position struct {
	series int64
	salt   string
	link   int64 // number of the numero's seed in the series, from 1
	openAt int64 // a numero opens only after its series was planned
	shared bool  // package series stores the seeds; false for series of older versions
}

// plannedPosition returns the position of a fast game's numero in its series. It returns false if no series draws it.
func plannedPosition(ctx context.Context, q *query.Queries, merchantID int64, g play.Game, n schedule.Numero) (position, bool, error) {
	row, err := q.LotterySeriesAt(ctx, merchantID, int64(g.ID), millis(n.Draw))
	if errors.Is(err, sql.ErrNoRows) {
		return position{}, false, nil
	}
	if err != nil {
		return position{}, false, fmt.Errorf("read series: %w", err)
	}
	p, found := positionInSeries(row, g, n)
	return p, found, nil
}

// positionInSeries returns the position of a fast game's numero in the last series that begins at it or before.
func positionInSeries(row query.LotterySeriesAtRow, g play.Game, n schedule.Numero) (position, bool) {
	shared := row.State != ""
	if row.LastDraw < millis(n.Draw) || shared && row.State != series.Running {
		return position{}, false
	}
	link := (millis(n.Draw)-row.FirstDraw)/g.Timetable.Period.Milliseconds() + 1
	return position{row.ID, row.Salt, link, max(millis(n.Open), row.CreatedAt), shared}, true
}

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
		p, found, err := plannedPosition(ctx, tx.Q, merchantID, g, n)
		if err != nil {
			return row, err
		}
		if !found {
			return row, ErrClosed.With("numero", n.ID)
		}
		if p.shared {
			if err := s.o.Series.TakeAt(ctx, tx, p.series, p.link); errors.Is(err, series.ErrEnded) {
				return row, ErrClosed.With("numero", n.ID)
			} else if err != nil {
				return row, err
			}
		}
		last, err := tx.Q.LastLotteryLink(ctx, nullID(p.series))
		if err != nil {
			return row, fmt.Errorf("read series: %w", err)
		}
		if p.link <= last { // a later seed is public and reveals this one, because the clock was set back
			return row, ErrClosed.With("numero", n.ID)
		}
		add.OpenAt, add.SeriesID, add.Link = p.openAt, nullID(p.series), p.link
	}
	if _, err := tx.Q.AddLotteryNumero(ctx, add); err != nil {
		return row, fmt.Errorf("add numero: %w", err)
	}
	row, err = tx.Q.LotteryNumero(ctx, merchantID, int64(g.ID), n.ID)
	return row, wrap("read numero", err)
}

// lockAgainstDraw prevents that a numero is closed or drawn until the caller's transaction ends. It updates the row.
func lockAgainstDraw(ctx context.Context, tx *db.Tx, row *query.LotteryNumero) error {
	statement := "SELECT status, close_at, closed FROM lottery_numero WHERE id = $1"
	if tx.Engine == db.Postgres {
		statement += " FOR SHARE"
	}
	return wrap("lock numero", db.Bind(tx.Engine, tx.Tx).QueryRowContext(ctx, statement, row.ID).Scan(&row.Status, &row.CloseAt, &row.Closed))
}

// isClosed reports whether a numero takes no more bets. A numero that was seen closed stays closed if the clock is set back.
func isClosed(row query.LotteryNumero, now int64) bool {
	return row.Status != statusOpen || row.Closed || now >= row.CloseAt
}

// A numeroView is a numero with its current status.
type numeroView struct {
	schedule.Numero

	openAt       int64
	status       string
	series, salt string
	link         int64
}

// currentNumero returns the current numero of a game: the one that is open, or closed and not drawn.
func (s *Service) currentNumero(ctx context.Context, merchantID int64, g play.Game, now time.Time) (numeroView, error) {
	return numeroReader{q: s.o.Store.Q(), merchantID: merchantID}.current(ctx, g, now)
}

// A numeroReader finds the current numeros of a merchant's games. It reads the database only for what was not read ahead.
type numeroReader struct {
	q          *query.Queries
	merchantID int64
	ahead      *readAhead // nil: nothing was read ahead
}

// current returns the current numero of a game.
func (r numeroReader) current(ctx context.Context, g play.Game, now time.Time) (numeroView, error) {
	n := g.Timetable.Current(now)
	out := numeroView{Numero: n, openAt: millis(n.Open), status: statusOpen}
	row, known, err := r.stored(ctx, g, n)
	if err != nil {
		return out, err
	}
	if !g.Form.Regional() {
		p, found, err := r.positionOf(ctx, g, n, row)
		if err != nil {
			return out, err
		}
		if !found { // show the first numero of a series that starts later
			next, err := r.lastSeries(ctx, g)
			if err != nil {
				return out, err
			}
			if next.FirstDraw > millis(n.Draw) {
				out.Numero = g.Timetable.Current(time.UnixMilli(next.FirstDraw - 1))
				if row, known, err = r.stored(ctx, g, out.Numero); err != nil {
					return out, err
				}
				if p, found, err = r.positionOf(ctx, g, out.Numero, row); err != nil {
					return out, err
				}
			}
		}
		if found {
			out.openAt, out.series, out.salt, out.link = p.openAt, formatID(p.series), p.salt, p.link
		} else {
			out.status = statusClosed
		}
	}
	if ms := millis(now); ms >= millis(out.Close) || ms < out.openAt || known && row.Closed {
		out.status = statusClosed
	}
	if known && row.Status != statusOpen {
		out.status = row.Status
	}
	return out, nil
}

// stored returns the row of a numero, or false if it has none.
func (r numeroReader) stored(ctx context.Context, g play.Game, n schedule.Numero) (query.LotteryNumero, bool, error) {
	if r.ahead.hasNumero(g, n) {
		row, known := r.ahead.numeros[numeroKey{int64(g.ID), n.ID}]
		return row, known, nil
	}
	row, err := r.q.LotteryNumero(ctx, r.merchantID, int64(g.ID), n.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return query.LotteryNumero{}, false, nil
	}
	return row, err == nil, wrap("read numero", err)
}

// positionOf returns the position of a numero. A numero with a row keeps its position when another series begins.
func (r numeroReader) positionOf(ctx context.Context, g play.Game, n schedule.Numero, row query.LotteryNumero) (position, bool, error) {
	if !row.SeriesID.Valid {
		if r.ahead == nil {
			return plannedPosition(ctx, r.q, r.merchantID, g, n)
		}
		p, found := position{}, false
		for _, series := range r.ahead.series[int64(g.ID)] {
			if series.FirstDraw <= millis(n.Draw) {
				p, found = positionInSeries(series, g, n)
			}
		}
		return p, found, nil
	}
	if r.ahead != nil {
		for _, series := range r.ahead.series[int64(g.ID)] {
			if series.ID == row.SeriesID.Int64 {
				return position{series: series.ID, salt: series.Salt, link: row.Link, openAt: row.OpenAt}, true, nil
			}
		}
	}
	stored, err := r.q.LotterySeries(ctx, row.SeriesID.Int64)
	return position{series: stored.ID, salt: stored.Salt, link: row.Link, openAt: row.OpenAt}, err == nil, wrap("read series", err)
}

// lastSeries returns the last series of a game, or an empty one.
func (r numeroReader) lastSeries(ctx context.Context, g play.Game) (query.LotterySeriesAtRow, error) {
	if r.ahead != nil {
		all := r.ahead.series[int64(g.ID)]
		if len(all) == 0 {
			return query.LotterySeriesAtRow{}, nil
		}
		return all[len(all)-1], nil
	}
	row, err := r.q.LastLotterySeries(ctx, r.merchantID, int64(g.ID))
	if errors.Is(err, sql.ErrNoRows) {
		return query.LotterySeriesAtRow{}, nil
	}
	return query.LotterySeriesAtRow(row), wrap("read series", err)
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
