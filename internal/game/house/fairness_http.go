package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/fairness"
	"fairground/internal/game/house/reels"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type seedShown struct {
	Commitment  string `json:"commitment" doc:"SHA-256 of the next round's seed, in hexadecimal. Empty where there is none yet: it is drawn when the first game is opened, or an own part is chosen."`
	PublishedAt int64  `json:"publishedAt" doc:"Unix milliseconds; 0 where there is none yet."`
	ClientSeed  string `json:"clientSeed" doc:"Empty where there is none yet."`
	Nonce       int64  `json:"nonce" doc:"Of the next round."`
}

type clientSeedInput struct {
	Body struct {
		ClientSeed string `json:"clientSeed" minLength:"1" maxLength:"64" pattern:"^[A-Za-z0-9_-]+$"`
	}
}

type proofInput struct {
	Vendor  string `query:"vendor" required:"true" minLength:"1" maxLength:"32" pattern:"^[A-Za-z0-9_-]+$"`
	RoundID string `query:"roundId" required:"true" minLength:"1" maxLength:"19" pattern:"^[1-9][0-9]*$"`
}

type proofShown struct {
	RoundID     string        `json:"roundId"`
	Vendor      string        `json:"vendor"`
	GameID      string        `json:"gameId"`
	GameName    string        `json:"gameName"`
	Engine      string        `json:"engine"`
	Version     int64         `json:"version" doc:"Of the engine's strips, lines and pays."`
	Theme       string        `json:"theme" doc:"In which pictures a slot is shown; empty for a table's ticket."`
	At          int64         `json:"at" doc:"Unix milliseconds."`
	Stake       rest.Amount   `json:"stake"`
	Win         rest.Amount   `json:"win"`
	Currency    string        `json:"currency"`
	Commitment  string        `json:"commitment"`
	PublishedAt int64         `json:"publishedAt"`
	Seed        *string       `json:"seed" doc:"In hexadecimal, once the round is settled."`
	ClientSeed  string        `json:"clientSeed"`
	Nonce       int64         `json:"nonce"`
	Outcome     *outcomeShown `json:"outcome" doc:"Once the round is settled; null for a table's ticket."`
	Ticket      *ticketProof  `json:"ticket" doc:"Of a ticket at a table, whose chance is the table's round: its client seed is the table, its nonce the round's number."`
}

type engineInput struct {
	Name    string `query:"name" required:"true" minLength:"1" maxLength:"32"`
	Version int64  `query:"version" minimum:"0" maximum:"1000" doc:"0 or nothing is the one that is played."`
}

type engineShown struct {
	reels.Data
	RTP string `json:"rtp"`
}

// FairnessRoutes adds the calls by which members see to their seeds and look into their rounds.
func FairnessRoutes(a *rest.API, s *Service) {
	tableEngineRoutes(a)
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/seed", ID: "fairnessSeed", Tag: "fairness",
		Summary: "What the caller's next round at the House will be drawn from", Access: rest.Session,
	}, func(ctx context.Context, _ *struct{}) (seedShown, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedShown{}, err
		}
		row, err := s.readable(s.o.Store.Q().HouseSeed(ctx, player))
		if errors.Is(err, sql.ErrNoRows) { // looking makes none: it is drawn when the first game is opened
			return seedShown{Nonce: 1}, nil
		}
		return showSeed(row, wrap("read seed", err))
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/fairness/seed", ID: "chooseClientSeed", Tag: "fairness",
		Summary: "Choose the own part of the next rounds' seeds", Access: rest.Session, Faults: []*fault.Fault{ErrUnavailable},
	}, func(ctx context.Context, in *clientSeedInput) (seedShown, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedShown{}, err
		}
		return showSeed(s.chooseSeed(ctx, player, in.Body.ClientSeed))
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/round", ID: "fairnessRound", Tag: "fairness",
		Summary: "All that the proof of one of the caller's rounds needs", Access: rest.Session, Faults: []*fault.Fault{ErrUnknownRound},
	}, func(ctx context.Context, in *proofInput) (proofShown, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return proofShown{}, err
		}
		id, err := strconv.ParseInt(in.RoundID, 10, 64)
		if err != nil {
			return proofShown{}, ErrUnknownRound
		}
		return s.proof(ctx, player, in.Vendor, id)
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/engine", ID: "fairnessEngine", Tag: "fairness",
		Summary: "Strips, lines and pays of an engine", Access: rest.Public, Faults: []*fault.Fault{ErrUnknownEngine},
	}, func(_ context.Context, in *engineInput) (engineShown, error) {
		one, found := s.engines.version(in.Name, in.Version)
		engine, reeled := one.(slots)
		if !found || !reeled {
			return engineShown{}, ErrUnknownEngine
		}
		return engineShown{engine.Data(), s.engines.rtp[one]}, nil
	})
}

func tableEngineRoutes(a *rest.API) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/table", ID: "fairnessTable", Tag: "fairness",
		Summary: "Spots of a table's engine, what they pay and what they return", Access: rest.Public, Faults: []*fault.Fault{ErrUnknownEngine},
	}, func(_ context.Context, in *tableEngineInput) (tableEngineShown, error) {
		return showTableEngine(in.Name, in.Version)
	})
}

func (s *Service) caller(ctx context.Context) (player string, err error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return "", rest.ErrNoSession
	}
	return s.o.Player(caller.MemberID), nil
}

func showSeed(row query.HouseSeed, err error) (seedShown, error) {
	if err != nil {
		return seedShown{}, err
	}
	return seedShown{commitment(row.Seed), row.PublishedAt, row.ClientSeed, row.Nonce}, nil
}

// proof shows a round to the player whose it is. To anybody else there is no such round. One whose bet the wallet took
// back or never took has nothing to prove.
func (s *Service) proof(ctx context.Context, player, vendor string, id int64) (proofShown, error) {
	row, err := s.o.Store.Q().HouseRound(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (row.Player != player || row.Vendor != vendor || row.Status == refused || row.Status == refunded) {
		return proofShown{}, ErrUnknownRound
	}
	if err != nil {
		return proofShown{}, fmt.Errorf("read round: %w", err)
	}
	name, err := s.o.Games.GameName(ctx, rest.MerchantOf(ctx).Code, row.Vendor, row.Game, rest.LanguageOf(ctx))
	if err != nil {
		return proofShown{}, fmt.Errorf("name game: %w", err)
	}
	c, err := money.Find(row.Currency)
	if err != nil {
		return proofShown{}, err
	}
	shown := proofShown{
		RoundID: roundID(row), Vendor: row.Vendor, GameID: row.Game, GameName: name, Engine: row.Engine, Version: row.Version,
		At: row.CreatedAt, Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Currency: c.Code,
		PublishedAt: row.PublishedAt, ClientSeed: row.ClientSeed, Nonce: row.Nonce, Commitment: promised(row.Commitment, row.Seed),
	}
	if row.TableRound.Valid {
		return s.proveTicket(ctx, row, shown)
	}
	shown.Theme = s.engines.theme(row.Engine, row.Game)
	if row.Status != settled {
		return shown, nil
	}
	seed := fairness.Seed(row.Seed).Hex()
	outcome, err := showOutcome(row.Outcome, c)
	shown.Seed, shown.Outcome, shown.Win = &seed, &outcome, rest.AmountOf(c, money.Minor(row.Win))
	return shown, err
}
