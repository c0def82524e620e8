package lottery

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/maypok86/otter/v2"

	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/schedule"
	"fairground/internal/platform/db/query"
)

const (
	// fastAhead covers the current numeros of the fast games, regionalAhead those of the regional games.
	fastAhead     = 6 * time.Minute
	regionalAhead = 8 * 24 * time.Hour
)

type numeroKey struct {
	gameID int64
	numero string
}

// A readAhead has the stored numeros and series that the current numeros of all games need.
type readAhead struct {
	until, fastUntil int64 // the last draws
	numeros          map[numeroKey]query.LotteryNumero
	series           map[int64][]query.LotterySeriesAtRow // by game, oldest first
}

// readAhead reads the numeros and series of all games at once.
func (s *Service) readAhead(ctx context.Context, merchantID int64, now time.Time) (*readAhead, error) {
	out := &readAhead{
		until: millis(now.Add(regionalAhead)), fastUntil: millis(now.Add(fastAhead)), numeros: map[numeroKey]query.LotteryNumero{}, series: map[int64][]query.LotterySeriesAtRow{},
	}
	rows, err := s.o.Store.Q().NextLotteryNumeros(ctx, query.NextLotteryNumerosParams{MerchantID: merchantID, Now: millis(now), Until: out.until, FastUntil: out.fastUntil})
	if err != nil {
		return nil, fmt.Errorf("read numeros: %w", err)
	}
	for _, row := range rows {
		out.numeros[numeroKey{row.GameID, row.Numero}] = row
	}
	series, err := s.o.Store.Q().CurrentLotterySeries(ctx, merchantID, millis(now))
	if err != nil {
		return nil, fmt.Errorf("read series: %w", err)
	}
	for _, row := range series {
		out.series[row.GameID] = append(out.series[row.GameID], query.LotterySeriesAtRow{
			ID: row.ID, Salt: row.Salt, FirstDraw: row.FirstDraw, LastDraw: row.LastDraw, CreatedAt: row.CreatedAt, State: row.State,
		})
	}
	return out, nil
}

// hasNumero reports whether the row of a numero was read, if there is one.
func (a *readAhead) hasNumero(g play.Game, n schedule.Numero) bool {
	if a == nil {
		return false
	}
	if g.Form.Regional() {
		return millis(n.Draw) <= a.until
	}
	return millis(n.Draw) <= a.fastUntil
}

// gamesTTL is how long the list of games is reused. Many clients read it at the same time after a draw.
const gamesTTL = time.Second

// A gamesKey identifies a list of games.
type gamesKey struct {
	merchantID int64
	language   string
}

func newGamesCache(now func() time.Time) *otter.Cache[gamesKey, []gameReply] {
	return otter.Must(&otter.Options[gamesKey, []gameReply]{
		MaximumSize: 1024, ExpiryCalculator: otter.ExpiryWriting[gamesKey, []gameReply](gamesTTL), Clock: cacheClock(now),
	})
}

// cachedGames returns the list of games with the current time. A list with a past draw is read again.
func (s *Service) cachedGames(ctx context.Context, key gamesKey, now time.Time) ([]gameReply, error) {
	load := otter.LoaderFunc[gamesKey, []gameReply](func(ctx context.Context, key gamesKey) ([]gameReply, error) {
		return s.listGames(context.WithoutCancel(ctx), key.merchantID, s.o.Now()) // other requests wait for the same list
	})
	hasPassed := func(g gameReply) bool { return g.DrawTime <= millis(now) }
	list, err := s.gameLists.Get(ctx, key, load)
	if err == nil && slices.ContainsFunc(list, hasPassed) {
		s.gameLists.Invalidate(key)
		list, err = s.gameLists.Get(ctx, key, load)
	}
	if err != nil {
		return nil, err
	}
	out := slices.Clone(list)
	for i := range out {
		out[i].ServerTime = serverTime(now)
	}
	return out, nil
}
