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

	Username string `arg:"" help:"Username of the member."`
	Merchant string `help:"Code of the merchant." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
}

type memberRef struct{ Username, Merchant string }

var disableMember = operation[memberRef, struct{}]{"member.disable", func(ctx context.Context, p *server.Server, in memberRef) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Accounts.Disable(ctx, m.ID, in.Username)
}}

var enableMember = operation[memberRef, struct{}]{"member.enable", func(ctx context.Context, p *server.Server, in memberRef) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Accounts.Enable(ctx, m.ID, in.Username)
}}

// Run disables the account.
func (m *memberDisableCommand) Run(c *console) error {
	if _, err := perform(c, m.Storage, disableMember, memberRef{m.Username, m.Merchant}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s disabled: all sessions ended; logins are rejected.\n", strings.ToLower(m.Username))
	return nil
}

// Run enables the account.
func (m *memberEnableCommand) Run(c *console) error {
	if _, err := perform(c, m.Storage, enableMember, memberRef{m.Username, m.Merchant}); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s enabled.\n", strings.ToLower(m.Username))
	return nil
}
