// Package account is what members do themselves: register, log in again after a lost password, change what guards the account,
// tell about themselves. It writes the same rows as member, which makes and finds them. It never moves money, and never tells a
// stranger whether an account exists.
package account

import (
	"context"
	"errors"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Settings is the part of the merchant's settings that registering and the members' own changes follow.
type Settings interface {
	Name(ctx context.Context, merchantID int64) (string, error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
	SecurityAsk(ctx context.Context, merchantID int64, change string) (bool, error)
}

// Members makes members and holds what they type against the rules.
type Members interface {
	// JoinIn adds a member who has confirmed an age and comes from a network with this number and address, either of which may
	// be empty.
	JoinIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams, age int, network, mobile, email string) error
	// NewName draws a username for somebody who chooses none.
	NewName() string
	// Refuse holds fields of a form against the rules.
	Refuse(ctx context.Context, merchantID int64, form map[string]string, names ...string) error
	// Taken refuses a username or a number that somebody has. Either may be empty.
	Taken(ctx context.Context, q *query.Queries, merchantID int64, username, mobile string) error
	// Available tells whether nobody has a username yet.
	Available(ctx context.Context, merchantID int64, username string) (bool, error)
	// ConfirmAge keeps that a member has confirmed to be old enough.
	ConfirmAge(ctx context.Context, merchantID, memberID int64, ofAge bool) error
	// Affiliate gives whose invitation code this is, 0 when it is nobody's who may invite.
	Affiliate(ctx context.Context, merchantID int64, code string) (int64, error)
}

// Passwords hashes and checks passwords.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	Matches(ctx context.Context, stored, password string) (bool, error)
	// Common tells whether a password is among those that are guessed first.
	Common(password string) bool
}

// Captchas tells people from programs.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
	CheckPass(ctx context.Context, network, challenge string) error
}

// Codes proves that somebody reads what is sent to a number or an address.
type Codes interface {
	Send(ctx context.Context, of notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error)
	// SendToMember is Send for a member who is logged in, within what one member may ask for.
	SendToMember(ctx context.Context, memberID int64, of notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error)
	Check(ctx context.Context, of notify.Subject, network, code string) error
	// CheckIn is Check within a transaction; refused must be committed.
	CheckIn(ctx context.Context, tx *db.Tx, of notify.Subject, network, code string) (refused, err error)
}

// Phones proves a number by a token of a provider.
type Phones interface {
	// Proof gives what uses the token up.
	Proof(ctx context.Context, token, e164 string) (spend func(context.Context, *db.Tx) error, err error)
}

// Sessions opens a member's sessions and ends them.
type Sessions interface {
	OpenFor(ctx context.Context, merchantID, memberID, epoch int64, from rest.Visitor) (token string, err error)
	EndAllIn(ctx context.Context, tx *db.Tx, memberID int64, why string) (tell func(), err error)
	Count(ctx context.Context, merchantID, memberID int64) (int, error)
	// OpenedAt gives when the caller logged in.
	OpenedAt(ctx context.Context, caller rest.Caller) (time.Time, error)
}

// Breaks knows who takes a break from play.
type Breaks interface {
	// BarredIn tells whether a number or an address is that of somebody else on a break. Either may be empty.
	BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error)
}

// Messages tells members what happened to their account.
type Messages interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Options of the service.
type Options struct {
	Store     *db.Store
	Settings  Settings
	Members   Members
	Passwords Passwords
	Captchas  Captchas
	Codes     Codes
	Phones    Phones
	Sessions  Sessions
	Breaks    Breaks
	Messages  Messages
	Limiter   *ratelimit.Stored
	Keys      *secret.Keys
	Box       *jwe.Box // opens resets that are encrypted
	Blobs     Blobs
	IDs       db.IDs
	Now       func() time.Time
}

// Service does what members ask for about their own accounts.
type Service struct {
	o         Options
	decoding  chan struct{} // held by whoever decodes a picture
	uploading sync.Map      // ids of the members who decode one or wait to
}

// New makes the service.
func New(o Options) *Service { return &Service{o: o, decoding: make(chan struct{}, 1)} }

// Self is a member who asks about their own account, and from where.
type Self struct {
	rest.Caller
	From rest.Visitor
}

// real gives a member who has an account of their own; a trial is somebody who only looks around.
func (s *Service) real(ctx context.Context, memberID int64) (query.Member, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, memberID)
	if ok, err := db.Found("find member", err); !ok {
		return row, errors.Join(err, member.ErrUnknown)
	}
	if !rest.MemberType(row.Type).Real() {
		return row, rest.ErrTrial
	}
	return row, nil
}

// onlyField names the input that was refused, whatever the rule calls it.
func onlyField(err error, name string) error {
	var f *fault.Fault
	if errors.As(err, &f) {
		return f.On(name)
	}
	return err
}

// onField names the input that a rule refused.
func onField(err error, name string) error {
	var f *fault.Fault
	if errors.As(err, &f) && f.Field == "" {
		return f.On(name)
	}
	return err
}
