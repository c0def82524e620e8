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

// A TicketProof is the part of a ticket's proof that a single-player round lacks.
type TicketProof struct {
	Table  string      `json:"table"`
	Number int64       `json:"number"`
	Result dealtReply  `json:"result" doc:"Once the ticket is settled."`
	Spots  []spotProof `json:"spots" doc:"What came back on each, once the ticket is settled."`
}

type tableEngineInput struct {
	Name    string `query:"name" required:"true" minLength:"1" maxLength:"32"`
	Version int64  `query:"version" minimum:"0" maximum:"1000" doc:"0, or none: the one that is dealt."`
}

type tableEngineReply struct {
	spot.Data

	Returns map[string]string `json:"returns" doc:"By spot: share of what is staked that comes back, per cent, rounded down."`
}

// A Proof lets a player verify a ticket by its table's round.
type Proof struct {
	Ticket     TicketProof
	Commitment string
	Seed       *string     // once the ticket is settled, as the next
	Win        money.Minor // in minor units
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
	for _, one := range o.Spots {
		p.Ticket.Spots = append(p.Ticket.Spots, spotProof{one.ID, rest.AmountOf(c, one.Stake), rest.AmountOf(c, one.Win)})
	}
	p.Seed, p.Ticket.Result, p.Win = seed.Revealed(row.Seed), dealtReply(o.Result), money.Minor(row.Win)
	return p, nil
}

func showTableEngine(name string, version int64) (tableEngineReply, error) {
	d, found := FindDealer(name, version)
	if !found {
		return tableEngineReply{}, refusal.ErrUnknownEngine
	}
	shown := tableEngineReply{d.Data(), map[string]string{}}
	for id, share := range d.Returns() {
		shown.Returns[id] = reels.Percent(share)
	}
	return shown, nil
}
