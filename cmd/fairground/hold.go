package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"fairground/internal/finance/limits"
	"fairground/internal/platform/config"
	"fairground/internal/server"
)

type memberReleaseCommand struct{ memberStatus }

type memberHeldCommand struct {
	config.Storage

	Merchant string `help:"Code of the merchant." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
}

type heldMembers struct{ Holds []limits.Hold }

var releaseMember = operation[memberRef, struct{}]{"member.release", func(ctx context.Context, p *server.Server, in memberRef) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	who, err := p.Members.Find(ctx, m.ID, in.Username)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Limits.Release(ctx, who.ID)
}}

var listHeldMembers = operation[memberRef, heldMembers]{"member.held", func(ctx context.Context, p *server.Server, in memberRef) (heldMembers, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return heldMembers{}, err
	}
	holds, err := p.Limits.Holds(ctx, m.ID)
	return heldMembers{holds}, err
}}

// Run releases the account.
func (m *memberReleaseCommand) Run(c *console) error {
	if _, err := perform(c, m.Storage, releaseMember, memberRef{m.Username, m.Merchant}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s released: the account can log in, play and deposit.\n", strings.ToLower(m.Username))
	return nil
}

// Run lists the held accounts.
func (m *memberHeldCommand) Run(c *console) error {
	held, err := perform(c, m.Storage, listHeldMembers, memberRef{Merchant: m.Merchant})
	if err != nil {
		return err
	}
	for _, h := range held.Holds {
		fmt.Fprintf(c.out, "%s\t%s\t%s\n", h.Username, h.Reason, time.UnixMilli(h.Since).UTC().Format(time.RFC3339))
	}
	return nil
}
