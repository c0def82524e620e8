// Package member keeps the people who play: who they are, how they prove it, and of which type they are. It
// never opens a session, never moves money, and never tells a stranger whether an account exists.
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

	// What a login is refused with. All but the first are said only after a right password.
	ErrIncorrect = fault.New(fault.Unauth, "login.incorrect")
	ErrLocked    = fault.New(fault.Forbidden, "login.locked")
	ErrNotMember = fault.New(fault.Forbidden, "login.not_member")

	// ErrOvertaken refuses a login whose account was given a new password or closed while its proof was being checked.
	ErrOvertaken = fault.New(fault.Conflict, "login.overtaken")
)

// Type says what kind of account a member has.
type Type = rest.MemberType

// The types. Test, service and bot accounts never log in to the app.
const (
	Player         = rest.Player
	Agent          = rest.Agent
	HeadAgent      = rest.HeadAgent
	Trial          = rest.Trial
	Test      Type = 40
	Staff     Type = 41
	Bot       Type = 42
)

func known(t Type) bool {
	return t.Real() || t == Trial || t == Test || t == Staff || t == Bot
}

// trialCurrency is the play money that trial members have, and nothing else.
const trialCurrency = "FUN"

// Settings is the part of the merchant's settings that making a member follows.
type Settings interface {
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
}

// Ledger opens members' accounts, and gives trial members what they play with.
type Ledger interface {
	// EnsureMemberIn opens the accounts in the transaction that adds the member, so that neither is ever there without the other.
	EnsureMemberIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, currency string) error
	EnsureMember(ctx context.Context, merchantID, memberID int64, currency string) (ledger.Account, error)
	House(ctx context.Context, merchantID int64, kind, currency string) (ledger.Account, error)
	Post(ctx context.Context, t ledger.Transfer) (ledger.Posted, error)
}

// Options of the service.
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

// Service makes members and tells about them.
type Service struct{ o Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

// Draft is what a new member is made from.
type Draft struct {
	MerchantID     int64
	Username       string
	Password       string
	Type           Type
	Currency       string // a trial member's is play money, whatever stands here
	Language       string // vi, en, ur or pt
	Nickname       string
	VIPLabel       string
	FirstTimeLogin bool // must choose a new password at the first login
	OfAge          bool // has confirmed to be old enough; else they are asked before the first game for money
}

// Info is what others may know of a member.
type Info struct {
	ID       int64
	Currency string
}

// Create makes a member and the member's accounts. A name that is taken, in whatever case, is refused.
func (s *Service) Create(ctx context.Context, d Draft) (int64, error) {
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
		age, err := s.confirmed(ctx, d.MerchantID, true)
		if err != nil {
			return 0, fmt.Errorf("create member: %w", err)
		}
		row = s.ofAge(row, age)
	}
	if err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.addIn(ctx, tx, row) }); err != nil {
		return 0, fmt.Errorf("create member: %w", err)
	}
	return row.ID, nil
}

// check holds a draft against the rules that the app is given too. No nickname is no mistake.
func (s *Service) check(ctx context.Context, d Draft) error {
	if !known(d.Type) {
		return ErrTypeUnknown.On("type")
	}
	form := map[string]string{"username": d.Username, "password": d.Password}
	names := []string{"username", "password"}
	if d.Nickname != "" {
		form["nickname"], names = d.Nickname, append(names, "nickname")
	}
	return s.Refuse(ctx, d.MerchantID, form, names...)
}

// Refuse holds fields of a form against the rules, in the order in which they stand. A new password must also not be
// among those that are guessed first.
func (s *Service) Refuse(ctx context.Context, merchantID int64, form map[string]string, names ...string) error {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := rules.Refuse(name, form[name], form); err != nil {
			return err
		}
		if (name == "password" || name == "newPassword") && s.o.Passwords.Common(form[name]) {
			return ErrPasswordCommon.On(name)
		}
	}
	return nil
}

// Verify gives the member whose username and password these are, and the epoch in which they were. An account that does not exist costs the
// same work and gets the same answer as a wrong password. So does a name that no account can have: it is not
// looked up, for there are signs beyond ASCII whose lower case is a letter of somebody's name.
func (s *Service) Verify(ctx context.Context, merchantID int64, username, password string) (id, epoch int64, err error) {
	var row query.Member
	if validation.ValidUsernameCharacters(username) {
		row, err = s.o.Store.Q().MemberByAccount(ctx, merchantID, validation.FoldUsername(username))
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, 0, fmt.Errorf("find member: %w", err)
		}
	}
	right, err := s.o.Passwords.Matches(ctx, row.PasswordHash, password)
	if err != nil {
		return 0, 0, fmt.Errorf("check password: %w", err)
	}
	if !right {
		return 0, 0, ErrIncorrect
	}
	if err := admitted(row); err != nil {
		return 0, 0, err
	}
	s.rehash(ctx, row, password)
	return row.ID, row.Epoch, nil
}

// Find gives the member with this username.
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

// affiliateCode is by which an agent invites: the username, for it is known and unique.
func affiliateCode(d Draft) sql.NullString {
	if d.Type != Agent && d.Type != HeadAgent {
		return sql.NullString{}
	}
	return db.Text(validation.FoldUsername(d.Username))
}
