// Package kyc verifies the identity of members. A member sends details and pictures of a document, and an operator decides. Pictures and
// details are encrypted at rest. Pictures are deleted some time after the decision. The package never moves money.
package kyc

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/picture"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/tasks"
	"fairground/internal/platform/validation"
)

// States of a member's identity.
const (
	None     = "NONE" // the member has sent nothing
	Waiting  = "WAITING"
	Verified = "VERIFIED"
	Refused  = "REFUSED"
)

// Event is the name of the event that a member's browsers get when the state changes.
const Event = "kyc"

// MaxImages is the maximum number of pictures of one check.
const MaxImages = 3

// Faults of this package.
var (
	ErrState     = fault.New(fault.Conflict, "kyc.state")     // a check is pending, or the member is verified
	ErrAge       = fault.New(fault.Refused, "kyc.age")        // too young; the value age has the limit
	ErrBirthDate = fault.New(fault.Invalid, "kyc.birth_date") // cannot be the birth date of a living person
	ErrImages    = fault.New(fault.Invalid, "kyc.images")     // no picture or too many
	ErrFormat    = fault.New(fault.Invalid, "kyc.format")     // not a PNG or JPEG picture
	ErrLarge     = fault.New(fault.TooLarge, "kyc.too_large") // more than 5 MB or too many pixels
	ErrNoImage   = fault.New(fault.NotFound, "kyc.no_image")  // does not exist, was deleted, or belongs to another member
	ErrUnknown   = fault.ForOperators(fault.NotFound, "kyc.unknown")
	ErrDecided   = fault.ForOperators(fault.Conflict, "kyc.decided")
	ErrNoReason  = fault.ForOperators(fault.Invalid, "kyc.reason")
)

// Settings are the merchant's settings. *merchant.Service implements them.
type Settings interface {
	Rules(ctx context.Context, merchantID int64) (*validation.Rules, error)
	RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error)
	KYCKeepTime(ctx context.Context, merchantID int64) (time.Duration, error)
}

// Inbox writes system messages to members.
type Inbox interface {
	SystemIn(ctx context.Context, tx *db.Tx, memberID int64, kind string, args map[string]string) error
}

// Breaks knows which members are on a break from play.
type Breaks interface {
	// ReviewIn holds an account whose identity matches a member on a break, until an operator releases it.
	ReviewIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, identity map[string]string) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Settings Settings
	Keys     *secret.Keys
	Blobs    picture.Blobs
	Limiter  *ratelimit.Stored
	Requests *idempotency.Keys
	Outbox   *events.Outbox
	Inbox    Inbox // may be nil
	Tasks    *tasks.Queue
	Screens  tasks.Screens
	Breaks   Breaks
	IDs      db.IDs
	Now      func() time.Time
}

// A Service stores and decides identity checks.
type Service struct {
	o         Options
	pictures  picture.Store
	decoder   *picture.Decoder
	uploading sync.Map // ids of members with an upload in progress
}

// New returns a Service.
func New(o Options) *Service {
	return &Service{o: o, pictures: picture.Store{DB: o.Store, Blobs: o.Blobs, Now: o.Now}, decoder: picture.NewDecoder()}
}

// A Status is a member's view of their identity check.
type Status struct {
	State     string
	Reason    string // why the check was refused
	Name      string // empty if it was deleted
	BirthDate string
	Images    int // number of pictures that are not deleted
	SentAt    int64
	DecidedAt int64 // 0 if not decided
}

// Find returns a member's identity check.
func (s *Service) Find(ctx context.Context, memberID int64) (Status, error) {
	row, err := s.o.Store.Q().NewestKyc(ctx, memberID)
	found, err := db.Found("read identity check", err)
	if err != nil || !found {
		return Status{State: None}, err
	}
	d, err := s.details(ctx, row)
	if err != nil {
		return Status{}, err
	}
	images, err := imagesOf(row)
	return Status{
		State: row.State, Reason: row.Reason, Name: d.Name, BirthDate: d.BirthDate, Images: len(images), SentAt: row.CreatedAt, DecidedAt: row.DecidedAt.Int64,
	}, err
}

func (s *Service) details(ctx context.Context, row query.Kyc) (Details, error) {
	if len(row.Details) == 0 {
		return Details{}, nil
	}
	cipher, err := s.documentCipher(ctx)
	if err != nil {
		return Details{}, err
	}
	return cipher.openDetails(row.ID, row.Details)
}

// State returns the state of a member's identity, and the verified name if the state is Verified.
func (s *Service) State(ctx context.Context, memberID int64) (state, name string, err error) {
	status, err := s.Find(ctx, memberID)
	if err != nil || status.State != Verified {
		return status.State, "", err
	}
	return Verified, status.Name, nil
}

// VerifiedPerson returns the verified name and birth date. ok is false if the member's identity is not verified.
func (s *Service) VerifiedPerson(ctx context.Context, memberID int64) (name, birthDate string, ok bool, err error) {
	row, err := s.o.Store.Q().VerifiedKyc(ctx, memberID)
	found, err := db.Found("read identity check", err)
	if err != nil || !found {
		return "", "", false, err
	}
	d, err := s.details(ctx, row)
	return d.Name, d.BirthDate, err == nil, err
}

// VerifiedName returns the verified name, or "" if the member's identity is not verified.
func (s *Service) VerifiedName(ctx context.Context, memberID int64) (string, error) {
	name, _, _, err := s.VerifiedPerson(ctx, memberID)
	return name, err
}

// VerifiedIn reports whether a member's identity is verified, in the caller's transaction.
func (s *Service) VerifiedIn(ctx context.Context, tx *db.Tx, memberID int64) (bool, error) {
	n, err := tx.Q.CountVerifiedKyc(ctx, memberID)
	if err != nil {
		return false, fmt.Errorf("read identity check: %w", err)
	}
	return n > 0, nil
}

// An Account is another account that sent the same document number.
type Account struct {
	MemberID int64
	Username string
	State    string // of its checks: Verified if any is verified, else Waiting if any is pending, else Refused
}

// SamePerson returns the merchant's other accounts that sent the same document number as a member. Promotions that allow one account per
// person reject a member with such accounts.
func (s *Service) SamePerson(ctx context.Context, memberID int64) ([]Account, error) {
	q := s.o.Store.Q()
	row, err := q.NewestKyc(ctx, memberID)
	found, err := db.Found("read identity check", err)
	if err != nil || !found {
		return nil, err
	}
	return samePerson(ctx, q, row)
}

func samePerson(ctx context.Context, q *query.Queries, row query.Kyc) ([]Account, error) {
	rows, err := q.SameKycNumber(ctx, row.NumberMac, row.MemberID)
	if err != nil {
		return nil, fmt.Errorf("find the same document number: %w", err)
	}
	others := make([]Account, len(rows))
	for i, r := range rows {
		others[i] = Account{r.ID, r.Account, []string{Refused, Waiting, Verified}[r.Rank]}
	}
	return others, nil
}

func imagesOf(row query.Kyc) (names []string, err error) {
	if row.Images == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(row.Images), &names); err != nil {
		return nil, fmt.Errorf("decode the pictures of identity check %d: %w", row.ID, err)
	}
	return names, nil
}

func formatID(id int64) string { return strconv.FormatInt(id, 10) }
