package house

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/table"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type seedReply struct {
	Commitment  string `json:"commitment" doc:"SHA-256 of the next round's seed, in hexadecimal. Empty where there is none yet: it is drawn when the first game is opened, or an own part is chosen."`
	PublishedAt int64  `json:"publishedAt" doc:"Unix milliseconds; 0 where there is none yet."`
	ClientSeed  string `json:"clientSeed" doc:"Empty where there is none yet. If it is not fixed, it is used only for rounds that come without one."`
	Fixed       bool   `json:"fixed" doc:"The player fixed the client seed. If not, the browser draws one for each round, after it has seen the commitment."`
	Nonce       int64  `json:"nonce" doc:"Of the next round."`
}

type clientSeedInput struct {
	Body struct {
		ClientSeed string `json:"clientSeed" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"Empty: the browser draws one for each round."`
	}
}

type proofInput struct {
	Vendor  string `query:"vendor" required:"true" minLength:"1" maxLength:"32" pattern:"^[A-Za-z0-9_-]+$"`
	RoundID string `query:"roundId" required:"true" minLength:"1" maxLength:"19" pattern:"^[1-9][0-9]*$"`
}

type proofReply struct {
	RoundID     string              `json:"roundId"`
	Vendor      string              `json:"vendor"`
	GameID      string              `json:"gameId"`
	GameName    string              `json:"gameName"`
	Engine      string              `json:"engine"`
	Version     int64               `json:"version" doc:"Of the engine's strips, lines and pays."`
	Theme       string              `json:"theme" doc:"In which pictures a slot is shown; empty for a table's ticket."`
	At          int64               `json:"at" doc:"Unix milliseconds."`
	Stake       rest.Amount         `json:"stake"`
	Win         rest.Amount         `json:"win"`
	Currency    string              `json:"currency"`
	Commitment  string              `json:"commitment"`
	PublishedAt int64               `json:"publishedAt"`
	Seed        *string             `json:"seed" doc:"In hexadecimal, once the round is settled."`
	ClientSeed  string              `json:"clientSeed"`
	Nonce       int64               `json:"nonce"`
	Outcome     *round.OutcomeReply `json:"outcome" doc:"Once the round is settled; null for a table's ticket."`
	Ticket      *table.TicketProof  `json:"ticket" doc:"Of a ticket at a table, whose chance is the table's round: its client seed is the table, its nonce the round's number."`
}

func fairnessRoutes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/seed", ID: "fairnessSeed", Tag: "fairness",
		Summary: "What the caller's next round at the House will be drawn from", Access: rest.Session,
	}, func(ctx context.Context, _ *struct{}) (seedReply, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedReply{}, err
		}
		row, err := s.seeds.Find(ctx, player)
		if errors.Is(err, sql.ErrNoRows) { // drawn when the first game opens
			return seedReply{Nonce: 1}, nil
		}
		return showSeed(row, err)
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/fairness/seed", ID: "chooseClientSeed", Tag: "fairness",
		Summary: "Fix the own part of the next rounds' seeds, or let the browser draw it for each round", Access: rest.Session, Faults: []*fault.Fault{refusal.ErrUnavailable},
	}, func(ctx context.Context, in *clientSeedInput) (seedReply, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedReply{}, err
		}
		return showSeed(s.seeds.SetClientSeed(ctx, player, in.Body.ClientSeed))
	})
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/round", ID: "fairnessRound", Tag: "fairness",
		Summary: "All that the proof of one of the caller's rounds needs", Access: rest.Session, Faults: []*fault.Fault{refusal.ErrUnknownRound},
	}, func(ctx context.Context, in *proofInput) (proofReply, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return proofReply{}, err
		}
		id, err := strconv.ParseInt(in.RoundID, 10, 64)
		if err != nil {
			return proofReply{}, refusal.ErrUnknownRound
		}
		return s.proof(ctx, player, in.Vendor, id)
	})
}

func (s *Service) caller(ctx context.Context) (player string, err error) {
	caller, ok := rest.CallerOf(ctx)
	if !ok {
		return "", rest.ErrNoSession
	}
	return s.o.Player(ctx, caller.MemberID)
}

func showSeed(row query.HouseSeed, err error) (seedReply, error) {
	if err != nil {
		return seedReply{}, err
	}
	return seedReply{seed.Commitment(row.Seed), row.PublishedAt, row.ClientSeed, row.Fixed, row.Nonce}, nil
}

// proof returns the proof of the player's own round. A refused or refunded round has nothing to prove.
func (s *Service) proof(ctx context.Context, player, vendor string, id int64) (proofReply, error) {
	row, err := s.Bets.Read(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (row.Player != player || row.Vendor != vendor || row.Status == bet.Refused || row.Status == bet.Refunded) {
		return proofReply{}, refusal.ErrUnknownRound
	}
	if err != nil {
		return proofReply{}, err
	}
	name, err := s.o.Games.GameName(ctx, rest.MerchantOf(ctx).Code, row.Vendor, row.Game, rest.LanguageOf(ctx))
	if err != nil {
		return proofReply{}, fmt.Errorf("name game: %w", err)
	}
	c, err := money.Find(row.Currency)
	if err != nil {
		return proofReply{}, err
	}
	shown := proofReply{
		RoundID: bet.RoundID(row), Vendor: row.Vendor, GameID: row.Game, GameName: name, Engine: row.Engine, Version: row.Version,
		At: row.CreatedAt, Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Currency: c.Code,
		PublishedAt: row.PublishedAt, ClientSeed: row.ClientSeed, Nonce: row.Nonce, Commitment: seed.Published(row.Commitment, row.Seed),
	}
	if row.TableRound.Valid {
		p, err := s.Tables.Prove(ctx, row)
		shown.Ticket, shown.Commitment, shown.Seed, shown.Win = &p.Ticket, p.Commitment, p.Seed, rest.AmountOf(c, p.Win)
		return shown, err
	}
	shown.Theme = round.Theme(row.Engine, row.Game)
	if row.Status != bet.Settled {
		return shown, nil
	}
	outcome, err := round.ShowOutcome(row.Outcome, c)
	shown.Seed, shown.Outcome, shown.Win = seed.Revealed(row.Seed), &outcome, rest.AmountOf(c, money.Minor(row.Win))
	return shown, err
}
