package member

import (
	"fairground/internal/platform/spec"

	"context"
	"database/sql"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/jwe"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/validation"
)

// Rules is the part of the merchant's settings that making a member, registering and the members' own changes follow.
type Rules interface {
	Open(ctx context.Context, merchantID int64) error
	Name(ctx context.Context, merchantID int64) (string, error)
	Currency(ctx context.Context, merchantID int64) (money.Currency, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	Dials(ctx context.Context, merchantID int64, e164 string) (bool, error)
	SecurityAsk(ctx context.Context, merchantID int64, change string) (bool, error)
}

// Doors are what lets people in and knows them again: needed by what members do themselves, not to make one.
type Doors struct {
	Captchas Captchas
	Codes    Codes
	Phones   Phones
	Sessions Sessions
	Messages Messages
	Limiter  Limiter
	Keys     *secret.Keys
	Box      *jwe.Box
	Books    Books
	Blobs    Blobs
	Breaks   Breaks
}

// Attach gives the service its doors, before it is used: most of them need the members themselves to be made.
func (s *Service) Attach(d Doors) { s.d = d }

// Captchas tells people from programs.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
	CheckPass(ctx context.Context, challenge string) error
}

// Codes proves that somebody reads what is sent to a number or an address.
type Codes interface {
	Send(ctx context.Context, merchantID int64, channel notify.Channel, target, purpose, account string, really bool) (time.Time, error)
	Verify(ctx context.Context, merchantID int64, channel notify.Channel, target, purpose, account, code string) error
	// VerifyIn is Verify within a transaction; refused must be committed.
	VerifyIn(ctx context.Context, tx *db.Tx, merchantID int64, channel notify.Channel, target, purpose, code string) (refused, err error)
}

// Phones proves a number by a token of an outside service.
type Phones interface {
	// Proof gives what uses the token up.
	Proof(ctx context.Context, token, e164 string) (spend func(context.Context, *db.Tx) error, err error)
}

// Sessions lets a member in, and out everywhere.
type Sessions interface {
	OpenFor(ctx context.Context, memberID, epoch int64) (token string, err error)
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

// Limiter counts attempts for all replicas together.
type Limiter interface {
	Take(ctx context.Context, key string, rate rest.Rate) error
	// TakeIn is Take within a transaction: undone with it.
	TakeIn(ctx context.Context, tx *db.Tx, key string, rate rest.Rate) error
	Return(ctx context.Context, key string, rate rest.Rate) error
}

// affiliateCode is by which an agent invites: the username, for it is known and unique.
func affiliateCode(d Draft) sql.NullString {
	if d.Type != Agent && d.Type != HeadAgent {
		return sql.NullString{}
	}
	return text(Fold(d.Username))
}
