// Package member stores members, their types and their passwords. It never opens a session. It never reveals to a stranger whether an
// account exists.
package member

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// Faults of this package.
var (
	ErrPasswordCommon = fault.New(fault.Invalid, "member.password_common")
	ErrUsernameTaken  = fault.New(fault.Conflict, "member.username_taken")
	ErrTypeUnknown    = fault.ForOperators(fault.Invalid, "member.type_unknown")
	ErrUnknown        = fault.New(fault.NotFound, "member.unknown")

	// Faults of a login. All except ErrIncorrect occur only after the correct password.
	ErrIncorrect = fault.New(fault.Unauth, "login.incorrect")
	ErrLocked    = fault.New(fault.Forbidden, "login.locked")
	ErrNotMember = fault.New(fault.Forbidden, "login.not_member")

	// ErrOvertaken means that all sessions of the member were ended during the login or change.
	ErrOvertaken = fault.New(fault.Conflict, "login.overtaken")
)

// A Type is the kind of a member's account.
type Type = rest.MemberType

// The types. Test, staff and bot accounts cannot log in to the app.
const (
	Player         = rest.Player
	Agent          = rest.Agent
	HeadAgent      = rest.HeadAgent
	Trial          = rest.Trial
	Test      Type = 40
	Staff     Type = 41
	Bot       Type = 42
)

func isKnownType(t Type) bool {
	return t.Real() || t == Trial || t == Test || t == Staff || t == Bot
}

const trialCurrency = "FUN"

// Settings are the merchant's settings that this package reads.
type Settings interface {
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
}

// Ledger opens members' accounts and funds trials.
type Ledger interface {
	EnsureMemberIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, currency string) error
	EnsureMember(ctx context.Context, merchantID, memberID int64, currency string) (ledger.Account, error)
	House(ctx context.Context, merchantID int64, kind, currency string) (ledger.Account, error)
	Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error)
}

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Settings  Settings
	Ledger    Ledger
	Breaks    Breaks
	Limiter   *ratelimit.Stored
	Passwords *Passwords
	IDs       db.IDs
	Now       func() time.Time
}

// A Service creates and finds members.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// A NewMember describes a member to create.
type NewMember struct {
	MerchantID     int64
	Username       string
	Password       string
	Type           Type
	Currency       string // ignored for a trial member
	Language       string // vi, en, ur or pt
	Nickname       string
	VIPLabel       string
	FirstTimeLogin bool // the member must choose a new password at the first login
	OfAge          bool // confirmed the legal age; if false, the app asks before the first real-money game
}

// Info is the part of a member that other packages need.
type Info struct {
	ID       int64
	Currency string
}

// Create adds a member and opens their ledger accounts. Usernames are unique, ignoring case.
func (s *Service) Create(ctx context.Context, d NewMember) (int64, error) {
	d.Username = validation.Trim(d.Username)
	if err := s.check(ctx, d); err != nil {
		return 0, err
	}
	if d.Type == Trial {
		d.Currency = trialCurrency
	}
	hash, err := s.o.Passwords.Hash(ctx, d.Password)
	if err != nil {
		return 0, fmt.Errorf("create member: %w", err)
	}
	row := query.AddMemberParams{
		ID: s.o.IDs(), MerchantID: d.MerchantID, Account: validation.FoldUsername(d.Username), Nickname: d.Nickname, Type: int64(d.Type),
		Currency: d.Currency, Language: d.Language, PasswordHash: hash, FirstTimeLogin: d.FirstTimeLogin,
		VipLabel: d.VIPLabel, CreatedAt: db.Millis(s.o.Now()), AffiliateCode: affiliateCode(d),
	}
	if d.OfAge {
		age, err := s.requireAge(ctx, d.MerchantID, true)
		if err != nil {
			return 0, fmt.Errorf("create member: %w", err)
		}
		row = s.withAge(row, age)
	}
	if err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.addIn(ctx, tx, row) }); err != nil {
		return 0, fmt.Errorf("create member: %w", err)
	}
	return row.ID, nil
}

func (s *Service) check(ctx context.Context, d NewMember) error {
	if !isKnownType(d.Type) {
		return ErrTypeUnknown.On("type")
	}
	form := map[string]string{"username": d.Username, "password": d.Password}
	names := []string{"username", "password"}
	if d.Nickname != "" {
		form["nickname"], names = d.Nickname, append(names, "nickname")
	}
	return s.Validate(ctx, d.MerchantID, form, names...)
}

// Validate checks fields of a form against the rules, in the given order. It also refuses common passwords.
func (s *Service) Validate(ctx context.Context, merchantID int64, form map[string]string, names ...string) error {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := rules.Refuse(name, form[name], form); err != nil {
			return err
		}
		if (name == "password" || name == "newPassword") && s.o.Passwords.IsCommon(form[name]) {
			return ErrPasswordCommon.On(name)
		}
	}
	return nil
}

// Verify returns the member with this username and password, and their epoch. An unknown account takes the same time and returns the same
// fault as a wrong password. Verify does not look up invalid names, because some non-ASCII characters have an ASCII letter as lower case.
func (s *Service) Verify(ctx context.Context, merchantID int64, username, password string) (id, epoch int64, err error) {
	var row query.Member
	if validation.ValidUsernameCharacters(username) {
		row, err = s.o.Store.Q().MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, 0, fmt.Errorf("find member: %w", err)
		}
	}
	matches, err := s.o.Passwords.Matches(ctx, row.PasswordHash, password)
	if err != nil {
		return 0, 0, fmt.Errorf("check password: %w", err)
	}
	if !matches {
		return 0, 0, ErrIncorrect
	}
	if err := checkCanLogIn(row); err != nil {
		return 0, 0, err
	}
	s.rehash(ctx, row, password)
	return row.ID, row.Epoch, nil
}

// Find returns the member with this username.
func (s *Service) Find(ctx context.Context, merchantID int64, username string) (Info, error) {
	row, err := s.o.Store.Q().MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
	if errors.Is(err, sql.ErrNoRows) {
		return Info{}, ErrUnknown
	}
	if err != nil {
		return Info{}, fmt.Errorf("read member: %w", err)
	}
	return Info{ID: row.ID, Currency: row.Currency}, nil
}

func affiliateCode(d NewMember) sql.NullString {
	if d.Type != Agent && d.Type != HeadAgent {
		return sql.NullString{}
	}
	return db.Text(validation.FoldUsername(d.Username))
}
