// Package verification verifies that someone receives messages at a mobile number or an e-mail address, called the target. It sends a
// code that expires and allows a few attempts. It stores codes and targets only as digests. Requests for unknown targets do the same work
// and get the same response, so that nothing reveals whether an account exists.
package verification

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Faults of codes.
var (
	ErrIncorrect   = fault.New(fault.Refused, "verification.incorrect")
	ErrExpired     = fault.New(fault.Refused, "verification.expired")
	ErrUnavailable = fault.New(fault.Unavailable, "verification.unavailable")
)

// retention is how long an expired code is stored, so that Check can report ErrExpired.
const retention = time.Hour

// Messages is the part of notify.Service that this package needs.
type Messages interface {
	Can(c notify.Channel) bool
	SendIn(ctx context.Context, tx *db.Tx, m notify.Message) error
}

// Settings reads the merchant settings that this package needs.
type Settings interface {
	Name(ctx context.Context, merchantID int64) (string, error)
	ModuleEnabled(ctx context.Context, merchantID int64, code spec.Module) (bool, error)
	FlagEnabled(ctx context.Context, merchantID int64, code spec.Flag) (bool, error)
	// CodeRules returns the number of digits of a code, the number of attempts for the network that requested it, and its lifetime.
	CodeRules(ctx context.Context, merchantID int64) (digits, tries int, lifetime time.Duration, err error)
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	// LoginChallenges returns the number of failures after which a login requires the captcha. 0 means always, and a negative number
	// means never.
	LoginChallenges(ctx context.Context, merchantID int64) (slider bool, captchaAfter int, err error)
	// AcceptsNumber reports whether the merchant sends text messages to a number.
	AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error)
}

// Members reports whether a number or an address belongs to a member.
type Members interface {
	HasMobile(ctx context.Context, merchantID int64, e164 string) (bool, error)
	HasEmail(ctx context.Context, merchantID int64, email string) (bool, error)
}

// Logins reports whether the account of a subject recently logged in from a network.
type Logins interface {
	NetworkKnownIn(ctx context.Context, tx *db.Tx, subject notify.Subject, network string) (bool, error)
}

// Captchas checks captcha images.
type Captchas interface {
	CheckImage(ctx context.Context, cookie, answer string) error
	// CheckProof checks the proof of work, if the attempt requires one.
	CheckProof(ctx context.Context, a humancheck.Attempt) error
	CountFailure(ctx context.Context, a humancheck.Attempt) error
}

// Options configures New.
type Options struct {
	Store    *db.Store
	Keys     *secret.Keys
	Messages Messages
	Limiter  *ratelimit.Stored
	Settings Settings
	Members  Members
	Logins   Logins
	Captchas Captchas
	Now      func() time.Time
}

// A Service sends and checks codes.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// subjectKey returns the key of a subject's latest code. E-mail addresses are case-insensitive, except for ForBind, which
// stores the address exactly as it was verified.
func (s *Service) subjectKey(subject notify.Subject) []byte {
	target := subject.Target
	if subject.Purpose != notify.ForBind {
		target = strings.ToLower(target)
	}
	return s.o.Keys.MAC("verification.subject",
		strconv.FormatInt(subject.MerchantID, 10), string(subject.Channel), target, string(subject.Purpose), subject.Username)
}

func (s *Service) codeHash(subjectMAC []byte, code string) []byte {
	return s.o.Keys.MAC("verification.code", string(subjectMAC), code)
}

func (s *Service) networkKey(name string) []byte { return s.o.Keys.MAC("verification.network", name) }

// requesterKey returns the key of the code that a network requested. Each network has its own code, so that strangers cannot replace it or
// use up its attempts. The latest code is also stored under the subject key, for a member who changes networks.
func (s *Service) requesterKey(subjectMAC, network []byte) []byte {
	return s.o.Keys.MAC("verification.asked", string(subjectMAC), string(network))
}

// Waiting reports whether a code that the network requested is still valid, and when it expires.
func (s *Service) Waiting(ctx context.Context, subject notify.Subject, network string) (expires time.Time, waiting bool, err error) {
	row, err := s.o.Store.Q().Code(ctx, s.requesterKey(s.subjectKey(subject), s.networkKey(network)))
	if errors.Is(err, sql.ErrNoRows) {
		return time.Time{}, false, nil
	}
	if err != nil {
		return time.Time{}, false, fmt.Errorf("read code: %w", err)
	}
	if row.Tries == 0 || row.ExpiresAt <= db.Millis(s.o.Now()) {
		return time.Time{}, false, nil
	}
	return time.UnixMilli(row.ExpiresAt), true, nil
}

// Sweep deletes codes that expired a while ago, in batches. It runs as a periodic job.
func (s *Service) Sweep(ctx context.Context) error {
	before := db.Millis(s.o.Now().Add(-retention))
	for deleted := int64(1); deleted > 0; {
		err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropOldCodes(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("delete old codes: %w", err)
		}
	}
	return nil
}
