package lottery

import (
	"context"
	"database/sql"
	"fmt"

	"fairground/internal/game/lottery/play"
	"fairground/internal/platform/rest"
)

type nearInput struct {
	GameID string `query:"gameId" required:"true" maxLength:"20"`
}

type numeroReply struct {
	Numero     string `json:"numero"`
	OpenTime   int64  `json:"openTime"`
	CloseTime  int64  `json:"closeTime"`
	DrawTime   int64  `json:"drawTime"`
	ServerTime int64  `json:"serverTime"`
	Status     string `json:"status" enum:"open,closed,drawn,settled,void"`
	Series     string `json:"series,omitempty" doc:"Series of our own draws."`
	Link       int64  `json:"link,omitempty" doc:"Number of the seed in the series."`
	Salt       string `json:"salt,omitempty"`
}

type proofReply struct {
	Series     string `json:"series"`
	Link       int64  `json:"link"`
	Commitment string `json:"commitment"`
	Seed       string `json:"seed"`
	Salt       string `json:"salt"`
	Nonce      int64  `json:"nonce"`
	Version    int    `json:"version"`
}

type drawReply struct {
	Numero    string      `json:"numero"`
	WinNo     string      `json:"winNo"`
	DrawTime  int64       `json:"drawTime"`
	Status    string      `json:"status" enum:"drawn,settled,void"`
	Proof     *proofReply `json:"proof,omitempty"`
	Simulated bool        `json:"simulated,omitempty" doc:"Drawn by the demo, not the real draw."`
}

type drawInput struct {
	GameID   string `path:"gameId" maxLength:"20"`
	Cursor   string `query:"cursor" maxLength:"20"`
	PageSize int    `query:"pageSize" minimum:"1" maximum:"100" default:"20"`
	Void     bool   `query:"void" doc:"List the void draws instead. They have no winNo. The proof of our own ones has the seed, so that everyone can compute what would have been drawn."`
}

type drawPage struct {
	List []drawReply `json:"list"`
	Next string      `json:"next" doc:"Empty on the last page."`
}

type seriesInput struct {
	Series string `path:"series" maxLength:"20"`
}

type seriesReply struct {
	Series      string `json:"series"`
	GameCode    string `json:"gameCode"`
	End         string `json:"end" doc:"Seed 0."`
	Salt        string `json:"salt"`
	SaltSource  string `json:"saltSource" enum:"operator,beacon,announced" doc:"As at /wps/fairness/oneSeries, which has the same id. Series of older versions are only here."`
	FirstNumero string `json:"firstNumero"`
	Length      int64  `json:"length"`
	Voided      int64  `json:"voided" doc:"Draws of the series that operators voided before they were drawn."`
}

type openedInput struct {
	GameID string `query:"gameId" required:"true" maxLength:"20"`
	Numero string `query:"numero" maxLength:"16" doc:"Default: the last draw."`
}

type openedReply struct {
	Numero    string              `json:"numero"`
	Prizes    map[string][]string `json:"prizes" doc:"Empty before the draw."`
	Simulated bool                `json:"simulated,omitempty"`
}

type statsInput struct {
	GameIDInput
	PlayCode string `query:"playCode" required:"true" maxLength:"32"`
}

type countReply struct {
	Number   string `json:"number" doc:"The entry or a number of it; 1:07 is 07 at position 1."`
	Times    int    `json:"times" doc:"How often it came; lô counts every prize."`
	Draws    int    `json:"draws" doc:"In how many draws it came."`
	Omission int    `json:"omission" doc:"Draws since it came last."`
	Longest  int    `json:"longest" doc:"The longest row of draws without it."`
}

type statsReply struct {
	Label    string       `json:"label" enum:"history" doc:"The counts are history and no forecast: draws are independent."`
	PlayCode string       `json:"playCode"`
	Draws    int          `json:"draws" doc:"How many draws were counted."`
	Numbers  []countReply `json:"numbers"`
}

func (s *Service) handleNear(ctx context.Context, in *nearInput) (numeroReply, error) {
	merchantID, now := rest.MerchantOf(ctx).ID, s.o.Now()
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return numeroReply{}, err
	}
	n, err := s.currentNumero(ctx, merchantID, g, now)
	return numeroReply{
		Numero: n.ID, OpenTime: n.openAt, CloseTime: millis(n.Close), DrawTime: millis(n.Draw), ServerTime: serverTime(now), Status: n.status,
		Series: n.series, Link: n.link, Salt: n.salt,
	}, err
}

func (s *Service) handleDraws(ctx context.Context, in *drawInput) (drawPage, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return drawPage{}, err
	}
	rows, next, err := s.draws(ctx, merchantID, g, in.Void, in.Cursor, in.PageSize)
	if err != nil {
		return drawPage{}, err
	}
	page := drawPage{List: make([]drawReply, len(rows)), Next: next}
	for i, row := range rows {
		proof, err := s.proofOf(ctx, row)
		if err != nil {
			return drawPage{}, err
		}
		page.List[i] = drawReply{row.Numero, row.WinNo, row.DrawAt, row.Status, proof, row.Simulated}
	}
	return page, nil
}

func (s *Service) handleSeries(ctx context.Context, in *seriesInput) (seriesReply, error) {
	row, err := s.findSeries(ctx, rest.MerchantOf(ctx).ID, in.Series)
	if err != nil {
		return seriesReply{}, err
	}
	voided, err := s.o.Store.Q().CountVoidDraws(ctx, sql.NullInt64{Int64: row.ID, Valid: true})
	if err != nil {
		return seriesReply{}, fmt.Errorf("count void draws: %w", err)
	}
	return seriesReply{formatID(row.ID), s.byID[int(row.GameID)].Code, row.EndSeed, row.Salt, row.SaltSource, row.FirstNumero, row.Length, voided}, nil
}

func (s *Service) handlePrizes(ctx context.Context, in *openedInput) (openedReply, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.GameID)
	if err != nil {
		return openedReply{}, err
	}
	if !g.Form.Regional() {
		return openedReply{}, play.ErrUnknownGame
	}
	row, prizes, err := s.prizes(ctx, merchantID, g, in.Numero)
	return openedReply{row.Numero, prizes, row.Simulated}, err
}

func (s *Service) handleStats(ctx context.Context, in *statsInput) (statsReply, error) {
	merchantID := rest.MerchantOf(ctx).ID
	g, err := s.game(ctx, merchantID, in.ID)
	if err != nil {
		return statsReply{}, err
	}
	counts, draws, err := s.history(ctx, merchantID, g, in.PlayCode)
	out := statsReply{Label: "history", PlayCode: in.PlayCode, Draws: draws, Numbers: make([]countReply, len(counts))}
	for i, c := range counts {
		out.Numbers[i] = countReply{c.Key, c.Times, c.Draws, c.Omission, c.Longest}
	}
	return out, err
}
