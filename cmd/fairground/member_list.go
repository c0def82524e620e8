package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/validation"
	"fairground/internal/server"
)

type memberListCommand struct {
	merchantFlags

	Status string `enum:"active,disabled," default:"" help:"Only members with this status: active or disabled." placeholder:"STATUS"`
	Trials bool   `help:"Also list trial members."`
	After  string `help:"Continue after this username." placeholder:"USERNAME"`
	Max    int32  `help:"Maximum number of members." default:"100"`
	JSON   bool   `name:"json" help:"Print one JSON object per member."`
}

type listedMember struct {
	ID       int64     `json:"id,string"`
	Username string    `json:"username"`
	Nickname string    `json:"nickname,omitempty"`
	Type     int64     `json:"type"`
	Status   string    `json:"status"`
	Currency string    `json:"currency"`
	Created  time.Time `json:"created"`
}

// Run prints the members by username.
func (m *memberListCommand) Run(c *console) error {
	var all []listedMember
	err := readMerchant(c, m.merchantFlags, func(store *db.Store) error {
		rows, err := store.Q().ListMembers(c.ctx, query.ListMembersParams{
			Merchant: m.Merchant, After: validation.FoldUsername(m.After), Status: m.Status, WithTrials: m.Trials, Max: m.Max,
		})
		for _, r := range rows {
			all = append(all, listedMember{r.ID, r.Account, r.Nickname, r.Type, r.Status, r.Currency, timeOf(r.CreatedAt)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return printRows(c, m.JSON, all, func(r listedMember) []string {
		return []string{r.Username, r.Status, "type " + strconv.FormatInt(r.Type, 10), r.Currency, r.Created.Format(time.DateTime), r.Nickname}
	})
}

type memberShowCommand struct {
	merchantFlags

	Username string `arg:"" help:"Username of the member."`
	JSON     bool   `name:"json" help:"Print one JSON object."`
}

type shownMember struct {
	listedMember

	Language           string          `json:"language"`
	Mobile             string          `json:"mobile,omitempty"`
	Email              string          `json:"email,omitempty"`
	VIP                string          `json:"vip,omitempty"`
	Agent              string          `json:"agent,omitempty"`
	MustChangePassword bool            `json:"mustChangePassword"`
	Sessions           int64           `json:"sessions"`
	LastSeen           *time.Time      `json:"lastSeen,omitempty"`
	Balances           []memberBalance `json:"balances"`
}

type memberBalance struct {
	Kind     string `json:"kind"`
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
}

// Run prints one member. It prints no passwords or answers.
func (m *memberShowCommand) Run(c *console) error {
	var shown shownMember
	err := readMerchant(c, m.merchantFlags, func(store *db.Store) (err error) {
		shown, err = m.read(c, store)
		return err
	})
	if err != nil {
		return err
	}
	if m.JSON {
		return printRows(c, true, []shownMember{shown}, nil)
	}
	lines := [][]string{
		{"username", shown.Username}, {"id", strconv.FormatInt(shown.ID, 10)}, {"nickname", shown.Nickname}, {"type", strconv.FormatInt(shown.Type, 10)},
		{"status", shown.Status}, {"language", shown.Language}, {"mobile", shown.Mobile}, {"email", shown.Email}, {"vip", shown.VIP}, {"agent", shown.Agent},
		{"created", shown.Created.Format(time.DateTime)}, {"must change password", yesNo(shown.MustChangePassword)}, {"open sessions", strconv.FormatInt(shown.Sessions, 10)},
	}
	for _, b := range shown.Balances {
		lines = append(lines, []string{b.Kind, b.Amount + " " + b.Currency})
	}
	return printRows(c, false, lines, func(line []string) []string { return line })
}

func (m *memberShowCommand) read(c *console, store *db.Store) (shownMember, error) {
	r, err := store.Q().ShowMember(c.ctx, m.Merchant, validation.FoldUsername(m.Username))
	if errors.Is(err, sql.ErrNoRows) {
		return shownMember{}, member.ErrUnknown
	}
	if err != nil {
		return shownMember{}, err
	}
	shown := shownMember{
		listedMember: listedMember{r.ID, r.Account, r.Nickname, r.Type, r.Status, r.Currency, timeOf(r.CreatedAt)},
		Language:     r.Language, Mobile: r.Mobile.String, Email: r.Email.String, VIP: r.VipLabel, Agent: r.Agent, MustChangePassword: r.FirstTimeLogin,
	}
	sessions, err := store.Q().MemberSessions(c.ctx, r.ID, db.Millis(store.Time()))
	if err != nil {
		return shownMember{}, err
	}
	if shown.Sessions = sessions.Sessions; sessions.SeenAt > 0 {
		seen := timeOf(sessions.SeenAt)
		shown.LastSeen = &seen
	}
	accounts, err := store.Q().AccountsOfMember(c.ctx, sql.NullInt64{Int64: r.ID, Valid: true})
	if err != nil {
		return shownMember{}, err
	}
	for _, a := range accounts {
		currency, err := money.Find(a.Currency)
		if err != nil {
			return shownMember{}, err
		}
		shown.Balances = append(shown.Balances, memberBalance{a.Kind, a.Currency, currency.Format(money.Minor(a.Balance))})
	}
	return shown, nil
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

type memberPasswordCommand struct {
	merchantFlags

	Username      string `arg:"" help:"Username of the member."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input."`
	JSON          bool   `name:"json" help:"Print one JSON object."`
}

type temporaryPasswordParams struct{ Username, Merchant, Password string }

var setMemberPassword = operation[temporaryPasswordParams, struct{}]{"member.password", func(ctx context.Context, p *server.Server, in temporaryPasswordParams) (struct{}, error) {
	m, err := p.Merchants.Find(ctx, in.Merchant)
	if err != nil {
		return struct{}{}, err
	}
	return struct{}{}, p.Accounts.SetTemporaryPassword(ctx, m.ID, in.Username, in.Password)
}}

// Run sets the password and prints it once, unless it was read from standard input.
func (m *memberPasswordCommand) Run(c *console) error {
	in := temporaryPasswordParams{Username: m.Username, Merchant: m.Merchant, Password: temporaryPassword()}
	if m.PasswordStdin {
		password, err := readPassword(c)
		if err != nil {
			return err
		}
		in.Password = password
	}
	if _, err := perform(c, m.Storage, setMemberPassword, in); err != nil {
		return err
	}
	shown := struct {
		Username string `json:"username"`
		Password string `json:"password,omitempty"`
	}{strings.ToLower(m.Username), in.Password}
	if m.PasswordStdin {
		shown.Password = ""
	}
	if m.JSON {
		return printRows(c, true, []any{shown}, nil)
	}
	fmt.Fprintf(c.out, "Member %s has a new password: all sessions ended; it must be changed at the next login.\n", shown.Username)
	if shown.Password != "" {
		fmt.Fprintf(c.out, "Password, shown only once: %s\n", shown.Password)
	}
	return nil
}
