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
	ofMerchant

	Code  string        `help:"Only this vendor's."`
	Older time.Duration `default:"24h" help:"At least so old." placeholder:"DURATION"`
}

// Validate is called by the parser.
func (v *vendorOpenRoundsCommand) Validate() error {
	if v.Older < 0 {
		return errors.New("--older: must not be negative")
	}
	return v.Storage.Validate()
}

type openRoundsOf struct {
	Merchant, Code string
	Older          time.Duration
}

var listOpenRounds = change[openRoundsOf, []vendor.OpenRound]{"vendor.open_rounds", func(ctx context.Context, p *server.Server, in openRoundsOf) ([]vendor.OpenRound, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return nil, err
	}
	return p.Vendors.ListOpenRounds(ctx, m.ID, in.Code, in.Older)
}}

// Run prints one JSON object for each round, and nothing where there is none. It changes nothing.
func (v *vendorOpenRoundsCommand) Run(c *console) error {
	rounds, err := perform(c, v.Storage, listOpenRounds, openRoundsOf{v.Merchant, v.Code, v.Older})
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
	ofMerchant

	Round  string `arg:"" help:"As the list names it."`
	Code   string `required:"" help:"The vendor's code."`
	Member string `required:"" help:"Username: two players may have rounds of one name." placeholder:"NAME"`
	Reason string `required:"" help:"Stands in the books for good." placeholder:"TEXT"`
}

// Validate is called by the parser.
func (v *vendorRefundCommand) Validate() error {
	if err := checkText("--reason", v.Reason, longestReason); err != nil {
		return err
	}
	return v.Storage.Validate()
}

type roundRefund struct{ Merchant, Code, Round, Member, Reason string }

type roundRefunded struct{ Amount, Currency string }

var refundRound = change[roundRefund, roundRefunded]{"vendor.refund", func(ctx context.Context, p *server.Server, in roundRefund) (roundRefunded, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return roundRefunded{}, err
	}
	who, err := p.Members.Find(ctx, m.ID, in.Member)
	if err != nil {
		return roundRefunded{}, err
	}
	currency, err := money.Find(who.Currency)
	if err != nil {
		return roundRefunded{}, err
	}
	back, err := p.Vendors.RefundRound(ctx, vendor.Refund{MerchantID: m.ID, MemberID: who.ID, Vendor: in.Code, Round: in.Round, Reason: in.Reason})
	if err != nil || back == 0 {
		return roundRefunded{}, err
	}
	return roundRefunded{currency.Format(back), currency.Code}, nil
}}

// Run returns the stake, and says how much that was.
func (v *vendorRefundCommand) Run(c *console) error {
	done, err := perform(c, v.Storage, refundRound, roundRefund{v.Merchant, v.Code, v.Round, v.Member, v.Reason})
	if err != nil {
		return err
	}
	if done.Amount == "" {
		fmt.Fprintf(c.out, "Nothing of round %s of %s stands any more: nothing was returned.\n", v.Round, v.Member)
		return nil
	}
	fmt.Fprintf(c.out, "Returned %s %s to %s: round %s of %s is over.\n", done.Amount, done.Currency, v.Member, v.Round, v.Code)
	return nil
}
