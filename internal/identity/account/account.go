// Package account serves members' requests about their own accounts. It never moves money. It never reveals to a stranger whether an
// account exists.
package account

import (
	"context"
	"errors"
	"sync"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Settings are the merchant's settings that this package reads.
type Settings interface {
	Name(ctx context.Context, merchantID int64) (string, error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
	SecurityAsk(ctx context.Context, merchantID int64, change string) (bool, error)
}

// Members creates members and validates what they enter.
type Members interface {
	// RegisterIn adds a member who confirmed the age limit. identity holds the form values that identify a person.
	RegisterIn(ctx context.Context, tx *db.Tx, row query.AddMemberParams, age int, from rest.Visitor, identity map[string]string) error
	NewUsername() string
	Validate(ctx context.Context, merchantID int64, form map[string]string, names ...string) error
	// RefuseTaken returns an error if another member has the username or the mobile number. Either may be empty.
	RefuseTaken(ctx context.Context, q *query.Queries, merchantID int64, username, mobile string) error
	Available(ctx context.Context, merchantID int64, username string) (bool, error)
	ConfirmAge(ctx context.Context, merchantID, memberID int64, ofAge bool) error
	// AffiliateID returns the agent with this invitation code, or 0.
	AffiliateID(ctx context.Context, merchantID int64, code string) (int64, error)
}

// Passwords hashes and checks passwords.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	Matches(ctx context.Context, stored, password string) (bool, error)
	IsCommon(password string) bool
}

// Captchas checks that a visitor is a person.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
	CheckChallenge(ctx context.Context, network, challenge string) error
	// CheckProof checks the proof of work, if the attempt requires one.
	CheckProof(ctx context.Context, a humancheck.Attempt) error
	CountFailure(ctx context.Context, a humancheck.Attempt) error
}

// Codes sends verification codes and checks them.
type Codes interface {
	Send(ctx context.Context, subject notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error)
	// SendToMember is Send for a logged-in member, with additional rate limits per member.
	SendToMember(ctx context.Context, memberID int64, subject notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error)
	Check(ctx context.Context, subject notify.Subject, network, code string) error
	// CheckCodeIn is Check within a transaction. The caller must commit even if the code is refused, so that the attempt counts.
	CheckCodeIn(ctx context.Context, tx *db.Tx, subject notify.Subject, network, code string) (refused, err error)
}

// Phones verifies mobile numbers through a provider's token.
type Phones interface {
	// VerifyPhoneToken verifies the token. consume marks it as used.
	VerifyPhoneToken(ctx context.Context, token, e164 string) (consume func(context.Context, *db.Tx) error, err error)
}

// Sessions opens and ends members' sessions.
type Sessions interface {
	OpenFor(ctx context.Context, merchantID, memberID, epoch int64, from rest.Visitor) (token string, firstTimeLogin bool, err error)
	EndAllIn(ctx context.Context, tx *db.Tx, memberID int64, why string) (publish func(), err error)
	Count(ctx context.Context, merchantID, memberID int64) (int, error)
	OpenedAt(ctx context.Context, caller rest.Caller) (time.Time, error)
}

// Breaks finds members who are on a break from play.
type Breaks interface {
	// BarredIn reports whether a mobile number or an e-mail address belongs to another member who is on a break. Either may be empty.
	BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error)
	// ReviewIn holds an account whose changed identity matches a member on a break, until an operator releases it.
	ReviewIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, identity map[string]string) error
}

// Messages sends members messages about their accounts.
type Messages interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Options configures a Service.
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
	Box       *jwe.Box // decrypts password resets
	Blobs     picture.Blobs
	IDs       db.IDs
	Now       func() time.Time
}

// A Service handles members' requests about their own accounts.
type Service struct {
	o         Options
	decoder   *picture.Decoder
	pictures  picture.Store
	uploading sync.Map // ids of members with an upload in progress
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, decoder: picture.NewDecoder(), pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}}
}

// A Self is a member who makes a request about their own account.
type Self struct {
	rest.Caller
	From rest.Visitor
}

// realMember returns a member. It fails for a trial member.
func (s *Service) realMember(ctx context.Context, memberID int64) (query.Member, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, memberID)
	if ok, err := db.Found("find member", err); !ok {
		return row, errors.Join(err, member.ErrUnknown)
	}
	if !rest.MemberType(row.Type).Real() {
		return row, rest.ErrTrial
	}
	return row, nil
}
