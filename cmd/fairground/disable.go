package main

import (
	"context"
	"fmt"
	"strings"

	"fairground/internal/platform/config"
	"fairground/internal/server"
)

type memberDisableCommand struct{ memberStatus }

type memberEnableCommand struct{ memberStatus }

type memberStatus struct {
	config.Storage

	Username string `arg:"" help:"Whose account."`
	Merchant string `help:"Whose member." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
}

type memberNamed struct{ Username, Merchant string }

var disableMember = change[memberNamed, struct{}]{"member.disable", func(ctx context.Context, p *server.Server, in memberNamed) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Accounts.Disable(ctx, m.ID, in.Username)
}}

var enableMember = change[memberNamed, struct{}]{"member.enable", func(ctx context.Context, p *server.Server, in memberNamed) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Accounts.Enable(ctx, m.ID, in.Username)
}}

// Run closes the account.
func (m *memberDisableCommand) Run(c *console) error {
	if _, err := perform(c, m.Storage, disableMember, memberNamed{m.Username, m.Merchant}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s disabled: sessions ended, logins refused.\n", strings.ToLower(m.Username))
	return nil
}

// Run opens the account again.
func (m *memberEnableCommand) Run(c *console) error {
	if _, err := perform(c, m.Storage, enableMember, memberNamed{m.Username, m.Merchant}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s enabled.\n", strings.ToLower(m.Username))
	return nil
}
