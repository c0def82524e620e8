package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/http"

	"fairground/internal/fault"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type pastInput struct {
	Table  string `query:"table" required:"true" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9_-]+$"`
	Before int64  `query:"before" minimum:"0" doc:"Only rounds with a lower number. 0 or omitted: the newest rounds."`
}

type pastRoundReply struct {
	Number     int64       `json:"number" doc:"The nonce of the round's random stream."`
	Engine     string      `json:"engine"`
	Version    int64       `json:"version"`
	CalledOff  bool        `json:"calledOff" doc:"The round is void, and all stakes were refunded."`
	At         int64       `json:"at" doc:"When betting opened, in Unix milliseconds."`
	Commitment string      `json:"commitment"`
	Seed       *string     `json:"seed" doc:"In hexadecimal; null only if the stored seed was damaged."`
	ClientSeed string      `json:"clientSeed"`
	SeriesID   string      `json:"seriesId" doc:"The series' id at /wps/fairness/series. Empty for old rounds without a series."`
	Link       int64       `json:"link" doc:"The index of the seed in the series. 0 for old rounds without a series."`
	Result     resultReply `json:"result" doc:"Null if the round was called off."`
}

type pastRoundsReply struct {
	Table     string           `json:"table"`
	Finished  int64            `json:"finished" doc:"Number of finished rounds of the table."`
	CalledOff int64            `json:"calledOff" doc:"Number of finished rounds that were called off."`
	Rate      string           `json:"rate" doc:"Share of rounds that were called off, per cent, rounded down."`
	List      []pastRoundReply `json:"list" doc:"Newest first."`
	Next      int64            `json:"next" doc:"The before value of the next page. 0 on the last page."`
}

type tableListReply struct {
	List []tableNameReply `json:"list"`
}

type tableNameReply struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Engine    engineName `json:"engine"`
	Finished  int64      `json:"finished" doc:"Number of finished rounds."`
	CalledOff int64      `json:"calledOff" doc:"Number of finished rounds that were called off."`
	Rate      string     `json:"rate" doc:"Share of rounds that were called off, per cent, rounded down."`
}

const pastPage = 50

func pastRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/tables", ID: "fairnessTables", Tag: "fairness",
		Summary: "The tables, with the number of their finished rounds and of those that were called off", Access: rest.Public,
	}, s.handleTables)
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/tableRounds", ID: "fairnessTableRounds", Tag: "fairness",
		Summary: "Seeds and results of a table's finished rounds, also of those that were called off", Access: rest.Public, Faults: []*fault.Fault{refusal.ErrUnknownEngine},
	}, s.handlePast)
}

func (s *Service) handleTables(ctx context.Context, _ *struct{}) (tableListReply, error) {
	out := tableListReply{List: []tableNameReply{}}
	for _, t := range tables().Tables {
		counts, err := s.counts(ctx, t.ID)
		if err != nil {
			return out, err
		}
		out.List = append(out.List, tableNameReply{t.ID, t.Name, engineName(t.Engine), counts.Finished, counts.CalledOff, rate(counts)})
	}
	return out, nil
}

// counts returns a table's row, or an empty row if the table was never used.
func (s *Service) counts(ctx context.Context, id string) (query.HouseTable, error) {
	row, err := s.o.Store.Q().HouseTable(ctx, id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return row, fmt.Errorf("read table: %w", err)
	}
	return row, nil
}

func rate(t query.HouseTable) string {
	if t.Finished == 0 {
		return reels.Percent(new(big.Rat))
	}
	return reels.Percent(big.NewRat(t.CalledOff, t.Finished))
}

func (s *Service) handlePast(ctx context.Context, in *pastInput) (pastRoundsReply, error) {
	out := pastRoundsReply{Table: in.Table, List: []pastRoundReply{}}
	before := in.Before
	if before == 0 {
		before = math.MaxInt64
	}
	counts, err := s.counts(ctx, in.Table)
	if err != nil {
		return out, err
	}
	if counts.ID == "" && tables().byID[in.Table] == nil {
		return out, refusal.ErrUnknownEngine
	}
	out.Finished, out.CalledOff, out.Rate = counts.Finished, counts.CalledOff, rate(counts)
	rows, err := s.o.Store.Q().FinishedTableRounds(ctx, in.Table, before, pastPage+1)
	if err != nil {
		return out, fmt.Errorf("read finished rounds: %w", err)
	}
	if len(rows) > pastPage {
		rows = rows[:pastPage]
		out.Next = rows[pastPage-1].Number
	}
	for _, row := range rows {
		out.List = append(out.List, pastRoundReply{
			Number: row.Number, Engine: row.Engine, Version: row.Version, CalledOff: row.Status == roundVoid, At: row.OpensAt,
			Commitment: seed.Published(row.Commitment, row.Seed), Seed: seed.Revealed(row.Seed), ClientSeed: row.ClientSeed,
			SeriesID: formatSeriesID(row.SeriesID), Link: row.Link, Result: pastResult(row),
		})
	}
	return out, nil
}

// pastResult returns the result of a round. It omits the result of a round that was dealt and then called off.
func pastResult(row query.HouseTableRound) resultReply {
	if row.Status == roundVoid {
		return nil
	}
	return resultReply(row.Result)
}
