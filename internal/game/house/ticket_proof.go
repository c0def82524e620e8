package house

import (
	"context"
	"encoding/json"
	"fmt"

	"fairground/internal/game/fairness"
	"fairground/internal/game/house/reels"
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

type ticketProof struct {
	Table  string      `json:"table"`
	Number int64       `json:"number"`
	Result dealtShown  `json:"result" doc:"Once the ticket is settled."`
	Spots  []spotProof `json:"spots" doc:"What came back on each, once the ticket is settled."`
}

type tableEngineInput struct {
	Name    string `query:"name" required:"true" minLength:"1" maxLength:"32"`
	Version int64  `query:"version" minimum:"0" maximum:"1000" doc:"0, or none: the one that is dealt."`
}

type tableEngineShown struct {
	spot.Data

	Returns map[string]string `json:"returns" doc:"By spot: share of what is staked that comes back, per cent, rounded down."`
}

// proveTicket shows what a ticket was drawn from. Its seed is its table's, told when the ticket is settled.
func (s *Service) proveTicket(ctx context.Context, row query.HouseRound, shown proofShown) (proofShown, error) {
	round, err := s.o.Store.Q().TableRound(ctx, row.TableRound.Int64)
	if err != nil {
		return proofShown{}, fmt.Errorf("read table's round: %w", err)
	}
	c, err := money.Find(row.Currency)
	if err != nil {
		return proofShown{}, err
	}
	shown.Commitment = promised(round.Commitment, round.Seed)
	shown.Ticket = &ticketProof{Table: round.TableID, Number: round.Number, Spots: []spotProof{}}
	if row.Status != settled {
		return shown, nil
	}
	var o TicketOutcome
	if err := json.Unmarshal([]byte(row.Outcome), &o); err != nil {
		return proofShown{}, fmt.Errorf("read outcome: %w", err)
	}
	for _, one := range o.Spots {
		shown.Ticket.Spots = append(shown.Ticket.Spots, spotProof{one.ID, rest.AmountOf(c, one.Stake), rest.AmountOf(c, one.Win)})
	}
	seed := fairness.Seed(row.Seed).Hex()
	shown.Seed, shown.Ticket.Result, shown.Win = &seed, dealtShown(o.Result), rest.AmountOf(c, money.Minor(row.Win))
	return shown, nil
}

func showTableEngine(name string, version int64) (tableEngineShown, error) {
	d, known := FindDealer(name, version)
	if !known {
		return tableEngineShown{}, ErrUnknownEngine
	}
	shown := tableEngineShown{d.Data(), map[string]string{}}
	for id, share := range d.Returns() {
		shown.Returns[id] = reels.Percent(share)
	}
	return shown, nil
}
