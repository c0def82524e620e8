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
	Commitment  string `json:"commitment" doc:"SHA-256 of the next round's seed, in hexadecimal. Empty until the player opens the first game or sets a client seed."`
	PublishedAt int64  `json:"publishedAt" doc:"Unix milliseconds. 0 if there is no seed yet."`
	ClientSeed  string `json:"clientSeed" doc:"Empty if there is none yet. If it is not fixed, it is used only for rounds whose request has none."`
	Fixed       bool   `json:"fixed" doc:"The player fixed the client seed. If not, the browser draws one for each round, after it has seen the commitment."`
	Nonce       int64  `json:"nonce" doc:"Nonce of the next round."`
}

type clientSeedInput struct {
	Body struct {
		ClientSeed string `json:"clientSeed" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"If empty, the browser draws one for each round."`
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
	Version     int64               `json:"version" doc:"The version of the engine."`
	Theme       string              `json:"theme" doc:"The theme of a slot. Empty for a ticket."`
	At          int64               `json:"at" doc:"Unix milliseconds."`
	Stake       rest.Amount         `json:"stake"`
	Win         rest.Amount         `json:"win"`
	Currency    string              `json:"currency"`
	Commitment  string              `json:"commitment"`
	PublishedAt int64               `json:"publishedAt"`
	Seed        *string             `json:"seed" doc:"In hexadecimal. Null until the round is settled."`
	ClientSeed  string              `json:"clientSeed"`
	Nonce       int64               `json:"nonce"`
	Outcome     *round.OutcomeReply `json:"outcome" doc:"Null until the round is settled, and for a ticket."`
	Ticket      *table.TicketProof  `json:"ticket" doc:"Only for a ticket. Its result is that of the table's round, so its client seed is the table's and its nonce is the round's number."`
}

func fairnessRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/seed", ID: "fairnessSeed", Tag: "fairness",
		Summary: "The commitment and client seed of the caller's next House round", Access: rest.Session,
	}, func(ctx context.Context, _ *struct{}) (seedReply, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedReply{}, err
		}
		row, err := s.seeds.Find(ctx, player)
		if errors.Is(err, sql.ErrNoRows) { // drawn when the first game opens
			return seedReply{Nonce: 1}, nil
		}
		return newSeedReply(row, err)
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodPut, Path: "/wps/fairness/seed", ID: "chooseClientSeed", Tag: "fairness",
		Summary: "Fix the client seed of the next rounds, or let the browser draw one for each round", Access: rest.Session, Faults: []*fault.Fault{refusal.ErrUnavailable},
	}, func(ctx context.Context, in *clientSeedInput) (seedReply, error) {
		player, err := s.caller(ctx)
		if err != nil {
			return seedReply{}, err
		}
		return newSeedReply(s.seeds.SetClientSeed(ctx, player, in.Body.ClientSeed))
	})
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/fairness/round", ID: "fairnessRound", Tag: "fairness",
		Summary: "The data to verify one of the caller's rounds", Access: rest.Session, Faults: []*fault.Fault{refusal.ErrUnknownRound},
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

func newSeedReply(row query.HouseSeed, err error) (seedReply, error) {
	if err != nil {
		return seedReply{}, err
	}
	return seedReply{seed.Commitment(row.Seed), row.PublishedAt, row.ClientSeed, row.Fixed, row.Nonce}, nil
}

// proof returns the proof of a player's round. Refused and refunded rounds have no proof.
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
	reply := proofReply{
		RoundID: bet.RoundID(row), Vendor: row.Vendor, GameID: row.Game, GameName: name, Engine: row.Engine, Version: row.Version,
		At: row.CreatedAt, Stake: rest.AmountOf(c, money.Minor(row.Stake)), Win: rest.AmountOf(c, 0), Currency: c.Code,
		PublishedAt: row.PublishedAt, ClientSeed: row.ClientSeed, Nonce: row.Nonce, Commitment: seed.Published(row.Commitment, row.Seed),
	}
	if row.TableRound.Valid {
		p, err := s.Tables.Prove(ctx, row)
		reply.Ticket, reply.Commitment, reply.Seed, reply.Win = &p.Ticket, p.Commitment, p.Seed, rest.AmountOf(c, p.Win)
		return reply, err
	}
	reply.Theme = round.Theme(row.Engine, row.Game)
	if row.Status != bet.Settled {
		return reply, nil
	}
	outcome, err := round.NewOutcomeReply(row.Outcome, c)
	reply.Seed, reply.Outcome, reply.Win = seed.Revealed(row.Seed), &outcome, rest.AmountOf(c, money.Minor(row.Win))
	return reply, err
}
