package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"fairground/internal/game/house"
	"fairground/internal/game/house/bet"
	"fairground/internal/game/house/refusal"
	"fairground/internal/game/house/table"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type houseGroup struct {
	Install houseInstallCommand `cmd:"" help:"Add the House's games to a merchant. Running it again adds only what is missing."`
	Stuck   houseStuckCommand   `cmd:"" help:"List stuck rounds: the wallet rejects their result, or this program lacks their engine version. Their payouts are still owed."`
	Retry   houseRetryCommand   `cmd:"" help:"Send the result of a stuck round to the wallet again."`
	Refund  houseRefundCommand  `cmd:"" help:"Refund the stake of a stuck table ticket whose engine version this program lacks."`
}

type houseStuckCommand struct{ config.Storage }

// Run prints one JSON object per round. It changes nothing.
func (h *houseStuckCommand) Run(c *console) (err error) {
	if h.DB == "" {
		if err := findDatabase(h.Data, "set the data folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, h.DBOptions(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return err
	}
	rounds, err := house.ListStuck(c.ctx, store)
	if err != nil {
		return err
	}
	out := json.NewEncoder(c.out)
	for _, round := range rounds {
		if err := out.Encode(round); err != nil {
			return err
		}
	}
	return nil
}

type houseRetryCommand struct {
	config.Storage

	Round  int64 `arg:"" help:"Id of the round, from house stuck."`
	Closed bool  `help:"Pay what is still owed even if the wallet has closed the round."`
}

type retryRequest struct {
	Round  int64 `json:"Round,string"` // a JSON number would be rounded in the audit log
	Closed bool  `json:"closed"`
}

var errNoWallet = errors.New("this command needs a running server: start it, then try again")

var retryRound = operation[retryRequest, string]{"house.retry", func(ctx context.Context, p *server.Server, r retryRequest) (string, error) {
	if p.Loopback.Handler() == nil {
		return "", errNoWallet
	}
	err := p.House.Bets.Retry(ctx, r.Round)
	switch {
	case err == nil:
		return fmt.Sprintf("Round %d is settled.", r.Round), nil
	case errors.Is(err, bet.ErrClosedByWallet) && r.Closed:
		return payClosed(ctx, p, r.Round)
	case errors.Is(err, bet.ErrClosedByWallet):
		return "", fmt.Errorf("the wallet has closed round %d and accepts no result for it: the payout is still owed; add --closed to pay the rest of it", r.Round)
	case errors.Is(err, refusal.ErrStuck):
		return "", fmt.Errorf("the wallet rejected the result again: round %d is still stuck", r.Round)
	default:
		return "", err
	}
}}

// payClosed pays the debt of a closed round and settles the round. A repeated call pays nothing more.
func payClosed(ctx context.Context, p *server.Server, id int64) (string, error) {
	paid, err := p.PayClosed(ctx, id)
	if err != nil {
		return "", err
	}
	if paid.Refunded {
		return fmt.Sprintf("Round %d is settled: its bet was already refunded, so nothing is owed.", id), nil
	}
	return fmt.Sprintf("Round %d is settled: it owed %s %s, of which %s was already paid and %s was paid now.",
		id, paid.Owed, paid.Currency, paid.AlreadyPaid, paid.PaidNow), nil
}

// Run retries the round.
func (h *houseRetryCommand) Run(c *console) error {
	result, err := perform(c, h.Storage, retryRound, retryRequest{h.Round, h.Closed})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, result)
	return nil
}

type houseRefundCommand struct {
	config.Storage

	Round int64 `arg:"" help:"Id of the round, from house stuck."`
}

type ticketRef struct {
	Round int64 `json:"Round,string"` // as in retryRequest
}

var refundTicket = operation[ticketRef, string]{"house.refund", func(ctx context.Context, p *server.Server, in ticketRef) (string, error) {
	if p.Loopback.Handler() == nil {
		return "", errNoWallet
	}
	err := p.House.Tables.Refund(ctx, in.Round)
	switch {
	case err == nil:
		return fmt.Sprintf("The stake of round %d was refunded.", in.Round), nil
	case errors.Is(err, table.ErrNotRefundable):
		return "", fmt.Errorf("nothing was refunded: this program has the engine version of round %d and can settle it", in.Round)
	case errors.Is(err, refusal.ErrStuck):
		return "", fmt.Errorf("the wallet rejected the refund of round %d: use house retry", in.Round)
	default:
		return "", err
	}
}}

// Run refunds the stake.
func (h *houseRefundCommand) Run(c *console) error {
	result, err := perform(c, h.Storage, refundTicket, ticketRef{h.Round})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, result)
	return nil
}
