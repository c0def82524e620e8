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
	"fairground/internal/game/vendor"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type houseGroup struct {
	Stuck  houseStuckCommand  `cmd:"" help:"List rounds whose end the wallet refuses, and tickets of a version that this program does not have: what they bring is still owed."`
	Retry  houseRetryCommand  `cmd:"" help:"Ask the wallet once more for the end of a round that it refuses."`
	Refund houseRefundCommand `cmd:"" help:"Return the stake of a ticket of a version that this program does not have."`
}

type houseStuckCommand struct{ config.Storage }

// Run prints one JSON object for each round, and nothing where there is none. It changes nothing.
func (h *houseStuckCommand) Run(c *console) (err error) {
	if h.DB == "" {
		if err := findDatabase(h.Data, "name its folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, h.Open(true))
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

	Round  int64 `arg:"" help:"As the list names it."`
	Closed bool  `help:"Pay what it owes, a win or its stake, less what has come back in it, also where the wallet has closed the round."`
}

// retrying is a round whose end is asked for again.
type retrying struct {
	Round  int64 `json:"round"`
	Closed bool  `json:"closed"`
}

var errNoWallet = errors.New("the wallet is the server's: start it, and ask again")

var retryRound = change[retrying, string]{"house.retry", func(ctx context.Context, p *server.Server, r retrying) (string, error) {
	if p.Loopback.Handler() == nil {
		return "", errNoWallet
	}
	err := p.House.Bets.Retry(ctx, r.Round)
	switch {
	case err == nil:
		return fmt.Sprintf("Round %d has come to its end.", r.Round), nil
	case errors.Is(err, bet.ErrClosedByWallet) && r.Closed:
		return payClosed(ctx, p, r.Round)
	case errors.Is(err, bet.ErrClosedByWallet):
		return "", fmt.Errorf("the wallet has closed round %d, and takes no vendor's win for it and no return of its bet any more: it stays owed. With --closed what it owes is paid, less what has come back in it", r.Round)
	case errors.Is(err, refusal.ErrStuck):
		return "", fmt.Errorf("the wallet refuses it again: round %d stays stuck", r.Round)
	default:
		return "", err
	}
}}

// payClosed pays what a round owes that is closed, and ends it. Cut off in between it pays nothing more the next time.
func payClosed(ctx context.Context, p *server.Server, id int64) (string, error) {
	debt, err := p.House.Bets.Debt(ctx, id)
	if err != nil {
		return "", err
	}
	pay := func() (vendor.Payment, error) {
		return p.Vendors.PayClosedRound(ctx, debt.Vendor, debt.Round, debt.Amount)
	}
	if debt.Bet != "" {
		pay = func() (vendor.Payment, error) { return p.Vendors.RefundClosedBet(ctx, debt.Vendor, debt.Bet) }
	}
	paid, err := pay()
	if err != nil {
		return "", fmt.Errorf("pay round %d: %w", id, err)
	}
	if err := p.House.Bets.Discharge(ctx, id, paid.Balance, paid.Refunded); err != nil {
		return "", err
	}
	if paid.Refunded {
		return fmt.Sprintf("Round %d has come to its end: its bet had been given back, so nothing more is owed.", id), nil
	}
	say := debt.Currency.Format
	return fmt.Sprintf("Round %d has come to its end: of %s %s that it owed %s had come back before it was asked for, and %s was paid now.",
		id, say(debt.Amount), debt.Currency.Code, say(min(paid.AlreadyPaid, debt.Amount)), say(paid.PaidNow)), nil
}

// Run has the round paid, or its bet given back.
func (h *houseRetryCommand) Run(c *console) error {
	said, err := perform(c, h.Storage, retryRound, retrying{h.Round, h.Closed})
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, said)
	return nil
}

type houseRefundCommand struct {
	config.Storage

	Round int64 `arg:"" help:"As the list names it, where its result is owed."`
}

var refundTicket = change[int64, string]{"house.refund", func(ctx context.Context, p *server.Server, round int64) (string, error) {
	if p.Loopback.Handler() == nil {
		return "", errNoWallet
	}
	err := p.House.Tables.Refund(ctx, round)
	switch {
	case err == nil:
		return fmt.Sprintf("The stake of round %d was returned.", round), nil
	case errors.Is(err, table.ErrNotRefundable):
		return "", fmt.Errorf("round %d is no ticket of a version that this program does not have: nothing was returned", round)
	case errors.Is(err, refusal.ErrStuck):
		return "", fmt.Errorf("the wallet does not take the bet of round %d back: see house retry", round)
	default:
		return "", err
	}
}}

// Run has the stake returned.
func (h *houseRefundCommand) Run(c *console) error {
	said, err := perform(c, h.Storage, refundTicket, h.Round)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, said)
	return nil
}
