package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"

	"fairground/internal/identity/member"
	"fairground/internal/platform/config"
	"fairground/internal/server"
)

type memberGroup struct {
	Create   memberCreateCommand   `cmd:"" help:"Create a member. The password is generated and shown once, unless --password-stdin is set."`
	Disable  memberDisableCommand  `cmd:"" help:"Disable a member's account: sessions end immediately and logins are rejected."`
	Enable   memberEnableCommand   `cmd:"" help:"Enable a disabled account."`
	List     memberListCommand     `cmd:"" help:"List members by username."`
	Show     memberShowCommand     `cmd:"" help:"Show a member with balances and sessions."`
	Password memberPasswordCommand `cmd:"" help:"Set a password that the member must change at the next login. All sessions end."`
	Held     memberHeldCommand     `cmd:"" help:"List new accounts that wait for a review, because they may belong to a member on a break. Columns: username, reason, time."`
	Release  memberReleaseCommand  `cmd:"" help:"Release a held account: it can log in, play and deposit."`
}

type memberCreateCommand struct {
	config.Storage

	Username      string `arg:"" help:"Username: a letter followed by letters or digits."`
	Merchant      string `help:"Code of the merchant." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	Type          int    `help:"Member type: 0 player, 1 agent, 2 head agent, 4 trial with play money, 40 test, 41 service, 42 bot." default:"0"`
	Nickname      string `help:"Nickname, shown instead of the username."`
	OfAge         bool   `help:"The member has proved their age, so the app does not ask for it before the first game for money."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input."`
}

type memberParams struct {
	Username, Merchant, Nickname, Password string
	Type                                   int
	Temporary                              bool // must be changed at the first login
	OfAge                                  bool
}

type createdMember struct{ ID int64 }

var createMember = operation[memberParams, createdMember]{"member.create", func(ctx context.Context, p *server.Server, in memberParams) (createdMember, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return createdMember{}, err
	}
	currency, err := p.Merchants.Currency(ctx, m.ID)
	if err != nil {
		return createdMember{}, err
	}
	id, err := p.Members.Create(ctx, member.NewMember{
		MerchantID: m.ID, Username: in.Username, Password: in.Password, Nickname: in.Nickname,
		Type: member.Type(in.Type), Currency: currency.Code, Language: "vi", FirstTimeLogin: in.Temporary, OfAge: in.OfAge,
	})
	return createdMember{id}, err
}}

// Run creates the member.
func (m *memberCreateCommand) Run(c *console) error {
	in := memberParams{Username: m.Username, Merchant: m.Merchant, Nickname: m.Nickname, Type: m.Type, OfAge: m.OfAge}
	if m.PasswordStdin {
		password, err := readPassword(c)
		if err != nil {
			return err
		}
		in.Password = password
	} else {
		in.Password, in.Temporary = temporaryPassword(), true
	}
	created, err := perform(c, m.Storage, createMember, in)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s created, id %d.\n", strings.ToLower(m.Username), created.ID)
	if in.Temporary {
		fmt.Fprintf(c.out, "Password, shown only once and to be changed at the first login: %s\n", in.Password)
	}
	return nil
}

// readPassword reads a password from the first line of standard input.
func readPassword(c *console) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(c.in, 1024)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read password: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// temporaryPassword returns a password with a letter and a digit, as the rules require.
func temporaryPassword() string { return strings.ToLower(rand.Text()[:20]) + "7a" }
