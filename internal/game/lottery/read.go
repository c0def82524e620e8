package lottery

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/game/lottery/draw"
	"fairground/internal/game/lottery/play"
	"fairground/internal/game/lottery/stats"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// statDraws is the number of draws that statistics count.
const statDraws = 100

// offeredGames returns the games that a merchant offers, in the order of the menu.
func (s *Service) offeredGames(ctx context.Context, merchantID int64) ([]play.Game, error) {
	t, err := s.tenantOf(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	p, err := s.pricesOf(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	var games []play.Game
	for _, g := range s.games {
		if t.offers(g) && !p.disabled[g.ID] {
			games = append(games, g)
		}
	}
	return games, nil
}

// draws returns a page of results or of void draws, newest first, and the cursor of the next page.
func (s *Service) draws(ctx context.Context, merchantID int64, g play.Game, void bool, cursor string, size int) ([]query.LotteryNumero, string, error) {
	before := int64(math.MaxInt64)
	if cursor != "" {
		var err error
		if before, err = strconv.ParseInt(cursor, 10, 64); err != nil || before < 1 {
			return nil, "", rest.ErrParam.On("cursor")
		}
	}
	in := query.LotteryDrawsParams{MerchantID: merchantID, GameID: int64(g.ID), Before: before, Most: int32(size + 1)}
	var rows []query.LotteryNumero
	var err error
	if void {
		rows, err = s.o.Store.Q().VoidLotteryDraws(ctx, query.VoidLotteryDrawsParams(in))
	} else {
		rows, err = s.o.Store.Q().LotteryDraws(ctx, in)
	}
	if err != nil {
		return nil, "", fmt.Errorf("read draws: %w", err)
	}
	next := ""
	if len(rows) > size {
		rows = rows[:size]
		next = formatID(rows[size-1].DrawAt)
	}
	return rows, next, nil
}

// proofOf returns the data that verifies one of our own draws. It returns nil for other draws, and before the draw.
func (s *Service) proofOf(ctx context.Context, row query.LotteryNumero) (*proofReply, error) {
	if !row.SeriesID.Valid || row.Seed == "" {
		return nil, nil
	}
	seed, err := fairness.ParseSeed(row.Seed)
	if err != nil {
		return nil, err
	}
	series, err := s.o.Store.Q().LotterySeries(ctx, row.SeriesID.Int64)
	if err != nil {
		return nil, fmt.Errorf("read series: %w", err)
	}
	return &proofReply{
		Series: formatID(series.ID), Link: row.Link, Commitment: seed.Commitment(), Seed: row.Seed, Salt: series.Salt, Nonce: row.Link, Version: draw.Version,
	}, nil
}

// findSeries returns a series of the merchant.
func (s *Service) findSeries(ctx context.Context, merchantID int64, text string) (query.LotterySeriesRow, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return query.LotterySeriesRow{}, ErrNoSeries
	}
	row, err := s.o.Store.Q().LotterySeries(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.MerchantID != merchantID {
		return row, ErrNoSeries
	}
	return row, wrap("read series", err)
}

// prizes returns the regional result of a numero, or of the last one if numero is empty.
func (s *Service) prizes(ctx context.Context, merchantID int64, g play.Game, numero string) (query.LotteryNumero, map[string][]string, error) {
	row := query.LotteryNumero{}
	if numero == "" {
		rows, _, err := s.draws(ctx, merchantID, g, false, "", 1)
		if err != nil {
			return row, nil, err
		}
		if len(rows) == 0 {
			return row, map[string][]string{}, nil
		}
		row = rows[0]
	} else {
		if _, err := g.Timetable.Find(numero); err != nil {
			return row, nil, err
		}
		var err error
		row, err = s.o.Store.Q().LotteryNumero(ctx, merchantID, int64(g.ID), numero)
		if errors.Is(err, sql.ErrNoRows) {
			return query.LotteryNumero{Numero: numero}, map[string][]string{}, nil
		}
		if err != nil {
			return row, nil, fmt.Errorf("read numero: %w", err)
		}
	}
	if row.Result == "" || row.Status == statusVoid {
		return row, map[string][]string{}, nil
	}
	result, err := draw.Parse(g.Form, row.Result)
	if err != nil {
		return row, nil, err
	}
	return row, result.ByCode(), nil
}

// history returns how often and how long ago each number of a play was drawn.
func (s *Service) history(ctx context.Context, merchantID int64, g play.Game, playCode string) (counts []stats.Count, draws int, err error) {
	p, err := play.Find(g.Form, playCode)
	if err != nil {
		return nil, 0, err
	}
	rows, _, err := s.draws(ctx, merchantID, g, false, "", statDraws)
	if err != nil {
		return nil, 0, err
	}
	results := make([]draw.Result, len(rows))
	for i, row := range rows {
		if results[i], err = draw.Parse(g.Form, row.Result); err != nil {
			return nil, 0, err
		}
	}
	return stats.Of(p, results), len(results), nil
}

// An order is a stored order with its bets.
type order struct {
	query.LotteryOrder

	bets []query.LotteryBetsOfOrderRow
}

// An orderFilter selects orders of a member.
type orderFilter struct {
	from, to int64
	game     string
	state    string
	cursor   string
	size     int
}

// orders returns a page of a member's orders, newest first.
func (s *Service) orders(ctx context.Context, memberID int64, in orderFilter) ([]order, string, error) {
	p := query.LotteryOrdersParams{MemberID: memberID, Before: math.MaxInt64, Since: in.from, Until: in.to, State: in.state, Most: int32(in.size + 1)}
	if p.Until == 0 {
		p.Until = math.MaxInt64
	}
	if in.game != "" {
		g, known := s.findGame(in.game)
		if !known {
			return nil, "", play.ErrUnknownGame
		}
		p.GameID = int64(g.ID)
	}
	if in.cursor != "" {
		var err error
		if p.Before, err = strconv.ParseInt(in.cursor, 10, 64); err != nil {
			return nil, "", rest.ErrParam.On("cursor")
		}
	}
	rows, err := s.o.Store.Q().LotteryOrders(ctx, p)
	if err != nil {
		return nil, "", fmt.Errorf("read orders: %w", err)
	}
	next := ""
	if len(rows) > in.size {
		rows = rows[:in.size]
		next = formatID(rows[in.size-1].ID)
	}
	all := make([]order, len(rows))
	for i, row := range rows {
		all[i].LotteryOrder = row
		if all[i].bets, err = s.o.Store.Q().LotteryBetsOfOrder(ctx, row.ID); err != nil {
			return nil, "", fmt.Errorf("read bets: %w", err)
		}
	}
	return all, next, nil
}

// order returns an order of a member.
func (s *Service) order(ctx context.Context, memberID, id int64) (order, error) {
	row, err := s.o.Store.Q().LotteryOrder(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.MemberID != memberID {
		return order{}, ErrUnknownOrder
	}
	if err != nil {
		return order{}, fmt.Errorf("read order: %w", err)
	}
	bets, err := s.o.Store.Q().LotteryBetsOfOrder(ctx, id)
	return order{row, bets}, wrap("read bets", err)
}

// orderID parses the id of an order.
func orderID(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, ErrUnknownOrder
	}
	return id, nil
}

// betFaults returns the faults of the endpoint that places bets.
func betFaults() []*fault.Fault {
	return []*fault.Fault{
		rest.ErrTokenInvalid, ErrClosed, play.ErrUnknownGame, play.ErrUnknownPlay, play.ErrSelection, play.ErrTooManyLines, play.ErrStake, ErrExposure, ErrOddsChanged, ErrOtherGame,
	}
}

func amountOf(c money.Currency, m int64) rest.Amount { return rest.AmountOf(c, money.Minor(m)) }

func serverTime(now time.Time) int64 { return now.UnixMilli() }
