// Package figures computes daily sums for the console's overview. A job sums the current day and earlier days whose sums are not
// final. Requests read only the stored sums.
package figures

import (
	"context"
	"fmt"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Names of figures.
const (
	Deposits    = "deposits"
	Withdrawals = "withdrawals"
	Stakes      = "stakes" // by vendor and game
	Result      = "result" // stakes less wins, by vendor and game
	Players     = "players"
)

// days is the number of days in the series.
const days = 30

// lateness is the time after a day in which rounds of that day may still end. After that, the day's sums are final.
const lateness = 24 * time.Hour

// A Sum is one figure of one day.
type Sum struct {
	MerchantID int64
	Name       string
	Part       string // such as vendor/game; may be empty
	Currency   string // empty if the figure has no amount
	Number     int64
	High, Low  int64 // the amount, as in money.SplitSum
}

// A Range is one day, given as times and as transfer ids. Queries must filter by both, because ids are only roughly in time order.
type Range struct {
	Since, Until   int64 // Unix ms
	FirstID, EndID int64
}

// A Source reads the sums of a day. Other packages pass theirs to New.
type Source func(ctx context.Context, q *query.Queries, day Range) ([]Sum, error)

// A Service sums and reads figures.
type Service struct {
	store   *db.Store
	now     func() time.Time
	sources []Source
}

// New returns a Service with the figures for deposits, withdrawals and games, and those of more sources.
func New(store *db.Store, now func() time.Time, more ...Source) *Service {
	return &Service{store: store, now: now, sources: append([]Source{sumCash, sumPlay}, more...)}
}

func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// Sum sums all days of the series that are not final. It runs as a periodic job.
func (s *Service) Sum(ctx context.Context) error {
	now := s.now()
	today := dayOf(now)
	first := today.AddDate(0, 0, -days)
	marks, err := s.store.Q().FigureMarks(ctx, db.Millis(first))
	if err != nil {
		return fmt.Errorf("read figures: %w", err)
	}
	summedAt := map[int64]int64{}
	for _, m := range marks {
		summedAt[m.Day] = m.SummedAt
	}
	for day := first; !day.After(today); day = day.AddDate(0, 0, 1) {
		if last, ok := summedAt[db.Millis(day)]; ok && last >= db.Millis(day.Add(24*time.Hour+lateness)) {
			continue // final
		}
		if err := s.sumDay(ctx, day, now); err != nil {
			return fmt.Errorf("sum figures of %s: %w", day.Format(time.DateOnly), err)
		}
	}
	return nil
}

func (s *Service) sumDay(ctx context.Context, day, now time.Time) error {
	next := day.AddDate(0, 0, 1)
	sums, err := s.sumsOf(ctx, day, next)
	if err != nil {
		return err
	}
	return s.store.Write(ctx, func(tx *db.Tx) error {
		if err := tx.Q.DropFigures(ctx, db.Millis(day)); err != nil {
			return err
		}
		for _, f := range sums {
			err := tx.Q.AddFigure(ctx, query.AddFigureParams{
				MerchantID: f.MerchantID, Day: db.Millis(day), Name: f.Name, Part: f.Part, Currency: f.Currency, Number: f.Number, High: f.High, Low: f.Low,
			})
			if err != nil {
				return err
			}
		}
		return tx.Q.MarkFigures(ctx, db.Millis(day), db.Millis(now))
	})
}

// sumsOf reads a day outside a write transaction, because on SQLite bets would wait for the scan.
func (s *Service) sumsOf(ctx context.Context, day, next time.Time) (all []Sum, err error) {
	q := s.store.Q()
	r := Range{Since: db.Millis(day), Until: db.Millis(next)}
	if r.FirstID, r.EndID, err = ledger.IDRange(ctx, q, r.Since, r.Until); err != nil {
		return nil, err
	}
	for _, source := range s.sources {
		sums, err := source(ctx, q, r)
		if err != nil {
			return nil, err
		}
		all = append(all, sums...)
	}
	return all, nil
}

func sumCash(ctx context.Context, q *query.Queries, day Range) ([]Sum, error) {
	rows, err := q.SumCash(ctx, query.SumCashParams{FirstID: day.FirstID, EndID: day.EndID, Since: day.Since, Until: day.Until})
	out := make([]Sum, len(rows))
	for i, r := range rows {
		name := Deposits
		if r.Kind == "withdrawal" {
			name = Withdrawals
		}
		out[i] = Sum{MerchantID: r.MerchantID, Name: name, Currency: r.Currency, Number: r.Number, High: r.High, Low: r.Low}
	}
	return out, err
}

func sumPlay(ctx context.Context, q *query.Queries, day Range) ([]Sum, error) {
	rows, err := q.SumPlay(ctx, query.SumPlayParams{FirstID: day.FirstID, EndID: day.EndID, Since: day.Since, Until: day.Until})
	if err != nil {
		return nil, err
	}
	var out []Sum
	for _, r := range rows {
		part := r.Vendor + "/" + r.Game
		out = append(out,
			Sum{r.MerchantID, Stakes, part, r.Currency, r.Number, r.StakeHigh, r.StakeLow},
			Sum{r.MerchantID, Result, part, r.Currency, r.Number, r.StakeHigh - r.WinHigh, r.StakeLow - r.WinLow})
	}
	players, err := q.CountPlayers(ctx, query.CountPlayersParams{FirstID: day.FirstID, EndID: day.EndID, Since: day.Since, Until: day.Until})
	for _, p := range players {
		out = append(out, Sum{MerchantID: p.MerchantID, Name: Players, Number: p.Number})
	}
	return out, err
}
