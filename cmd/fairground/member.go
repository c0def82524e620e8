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
	Create  memberCreateCommand  `cmd:"" help:"Make a member. The password is generated and shown once, unless it is given on standard input."`
	Disable memberDisableCommand `cmd:"" help:"Close a member's account: sessions end at once, logins are refused."`
	Enable  memberEnableCommand  `cmd:"" help:"Open a member's account again."`
}

type memberCreateCommand struct {
	config.Storage

	Username      string `arg:"" help:"A letter, then letters or digits."`
	Merchant      string `help:"Whose member." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	Type          int    `help:"0 player, 1 agent, 2 head agent, 4 trial with play money, 40 test, 41 service, 42 bot." default:"0"`
	Nickname      string `help:"Shown in place of the username."`
	OfAge         bool   `help:"The member has shown to be old enough: the app does not ask before the first game for money."`
	PasswordStdin bool   `help:"Read the password from standard input, one line."`
}

type memberDraft struct {
	Username, Merchant, Nickname, Password string
	Type                                   int
	Temporary                              bool // to be changed at the first login
	OfAge                                  bool
}

type memberMade struct{ ID int64 }

var createMember = change[memberDraft, memberMade]{"member.create", func(ctx context.Context, p *server.Server, in memberDraft) (memberMade, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return memberMade{}, err
	}
	currency, err := p.Merchants.Currency(ctx, m.ID)
	if err != nil {
		return memberMade{}, err
	}
	id, err := p.Members.Create(ctx, member.Draft{
		MerchantID: m.ID, Username: in.Username, Password: in.Password, Nickname: in.Nickname,
		Type: member.Type(in.Type), Currency: currency.Code, Language: "vi", FirstTimeLogin: in.Temporary, OfAge: in.OfAge,
	})
	return memberMade{id}, err
}}

// Run makes the member.
func (m *memberCreateCommand) Run(c *console) error {
	in := memberDraft{Username: m.Username, Merchant: m.Merchant, Nickname: m.Nickname, Type: m.Type, OfAge: m.OfAge}
	if m.PasswordStdin {
		line, err := bufio.NewReader(io.LimitReader(c.in, 1024)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read password: %w", err)
		}
		in.Password = strings.TrimRight(line, "\r\n")
	} else {
		in.Password, in.Temporary = temporaryPassword(), true
	}
	made, err := perform(c, m.Storage, createMember, in)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Member %s made, id %d.\n", strings.ToLower(m.Username), made.ID)
	if in.Temporary {
		fmt.Fprintf(c.out, "Password, shown this once and to be changed at the first login: %s\n", in.Password)
	}
	return nil
}

// temporaryPassword always has a letter and a digit, as the rules want.
func temporaryPassword() string { return strings.ToLower(rand.Text()[:20]) + "7a" }
