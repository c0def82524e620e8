package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairground/internal/game/vendor"
	"fairground/internal/money"
	"fairground/internal/server"
)

type vendorOpenRoundsCommand struct {
	merchantFlags

	Code  string        `help:"Only rounds of the vendor with this code."`
	Older time.Duration `default:"24h" help:"Minimum age of the rounds." placeholder:"DURATION"`
}

// Validate checks the flags. The command-line parser calls it.
func (v *vendorOpenRoundsCommand) Validate() error {
	if v.Older < 0 {
		return errors.New("--older must not be negative")
	}
	return v.Storage.Validate()
}

type openRoundsQuery struct {
	Merchant, Code string
	Older          time.Duration
}

var listOpenRounds = operation[openRoundsQuery, []vendor.OpenRound]{"vendor.open_rounds", func(ctx context.Context, p *server.Server, in openRoundsQuery) ([]vendor.OpenRound, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return nil, err
	}
	return p.Vendors.ListOpenRounds(ctx, m.ID, in.Code, in.Older)
}}

// Run prints one JSON object per round. It changes nothing.
func (v *vendorOpenRoundsCommand) Run(c *console) error {
	rounds, err := perform(c, v.Storage, listOpenRounds, openRoundsQuery{v.Merchant, v.Code, v.Older})
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

type vendorRefundCommand struct {
	merchantFlags

	Round  string `arg:"" help:"Id of the round, from vendor open-rounds."`
	Code   string `required:"" help:"Code of the vendor."`
	Member string `required:"" help:"Username of the player. Rounds of different players may have the same id." placeholder:"NAME"`
	Reason string `required:"" help:"Reason, stored permanently in the ledger." placeholder:"TEXT"`
}

// Validate checks the flags. The command-line parser calls it.
func (v *vendorRefundCommand) Validate() error {
	if err := checkText("--reason", v.Reason, maxReason); err != nil {
		return err
	}
	return v.Storage.Validate()
}

type roundRefund struct{ Merchant, Code, Round, Member, Reason string }

type refundResult struct{ Amount, Currency string }

var refundRound = operation[roundRefund, refundResult]{"vendor.refund", func(ctx context.Context, p *server.Server, in roundRefund) (refundResult, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return refundResult{}, err
	}
	who, err := p.Members.Find(ctx, m.ID, in.Member)
	if err != nil {
		return refundResult{}, err
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return refundResult{}, err
	}
	back, err := p.Vendors.RefundRound(ctx, vendor.Refund{MerchantID: m.ID, MemberID: who.ID, Vendor: in.Code, Round: in.Round, Reason: in.Reason})
	if err != nil || back == 0 {
		return refundResult{}, err
	}
	return refundResult{currency.Format(back), currency.Code}, nil
}}

// Run refunds the stake and prints the amount.
func (v *vendorRefundCommand) Run(c *console) error {
	done, err := perform(c, v.Storage, refundRound, roundRefund{v.Merchant, v.Code, v.Round, v.Member, v.Reason})
	if err != nil {
		return err
	}
	if done.Amount == "" {
		fmt.Fprintf(c.out, "Nothing was refunded: round %s of %s has no stake left.\n", v.Round, v.Member)
		return nil
	}
	fmt.Fprintf(c.out, "Refunded %s %s to %s: round %s of %s is over.\n", done.Amount, done.Currency, v.Member, v.Round, v.Code)
	return nil
}
