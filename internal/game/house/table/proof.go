package table

import (
	"context"
	"encoding/json"
	"fmt"

	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/reels"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/seed"
	"fairground/internal/game/house/spot"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

type spotProof struct {
	ID    string      `json:"id"`
	Stake rest.Amount `json:"stake"`
	Win   rest.Amount `json:"win"`
}

// A TicketProof is the part of a ticket's proof that proofs of single-player rounds do not have.
type TicketProof struct {
	Table  string      `json:"table"`
	Number int64       `json:"number"`
	Result resultReply `json:"result" doc:"Null until the ticket is settled."`
	Spots  []spotProof `json:"spots" doc:"Payout per spot. Empty until the ticket is settled."`
}

type tableEngineInput struct {
	Name    string `query:"name" required:"true" minLength:"1" maxLength:"32"`
	Version int64  `query:"version" minimum:"0" maximum:"1000" doc:"0 or omitted: the version of new rounds."`
}

type tableEngineReply struct {
	spot.Data

	Returns map[string]string `json:"returns" doc:"Return to player (RTP) by spot, per cent, rounded down."`
}

// A Proof lets a player verify a ticket by its table's round.
type Proof struct {
	Ticket     TicketProof
	Commitment string
	Seed       *string // Seed and Win are set when the ticket is settled
	Win        money.Minor
}

// Prove returns the proof of a ticket.
func (s *Service) Prove(ctx context.Context, row query.HouseRound) (Proof, error) {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return Proof{}, fmt.Errorf("read table's round: %w", err)
	}
	c, err := money.Find(row.Currency)
	if err != nil {
		return Proof{}, err
	}
	p := Proof{
		Ticket: TicketProof{Table: round.TableID, Number: round.Number, Spots: []spotProof{}}, Commitment: seed.Published(round.Commitment, round.Seed),
	}
	if row.Status != bet.Settled {
		return p, nil
	}
	var o TicketOutcome
	if err := json.Unmarshal([]byte(row.Outcome), &o); err != nil {
		return Proof{}, fmt.Errorf("read outcome: %w", err)
	}
	for _, spot := range o.Spots {
		p.Ticket.Spots = append(p.Ticket.Spots, spotProof{spot.ID, rest.AmountOf(c, spot.Stake), rest.AmountOf(c, spot.Win)})
	}
	p.Seed, p.Ticket.Result, p.Win = seed.Revealed(row.Seed), resultReply(o.Result), money.Minor(row.Win)
	return p, nil
}

func newEngineReply(name string, version int64) (tableEngineReply, error) {
	d, found := FindDealer(name, version)
	if !found {
		return tableEngineReply{}, refusal.ErrUnknownEngine
	}
	reply := tableEngineReply{d.Data(), map[string]string{}}
	for id, share := range d.Returns() {
		reply.Returns[id] = reels.Percent(share)
	}
	return reply, nil
}
