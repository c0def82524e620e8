// Package desk lets operators find members and change their accounts. Every change is guarded by a version and written to the audit log in
// the same transaction. The package never moves money.
package desk

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/identity/member"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// ErrTag means that a tag is empty, too long or contains control characters.
var ErrTag = fault.ForOperators(fault.Invalid, "member.tag_format")

// Accounts changes accounts within a transaction. The caller runs publish after the commit.
type Accounts interface {
	DisableIn(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error)
	LogOutIn(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error)
	PrepareTemporaryPassword(ctx context.Context, merchantID int64, password string) (set func(ctx context.Context, tx *db.Tx, id int64) (publish func(), err error), err error)
	// PreparePaymentReset returns a function that drops a member's payment password and sends the member a message.
	PreparePaymentReset(ctx context.Context, merchantID int64) (reset func(ctx context.Context, tx *db.Tx, row query.Member) error, err error)
}

// Holds releases new accounts that wait for a review.
type Holds interface {
	ReleaseIn(ctx context.Context, tx *db.Tx, memberID int64) error
}

// Options configures a Service.
type Options struct {
	Store    *db.Store
	Accounts Accounts
	Holds    Holds
	// Requests stores the responses to requests that must take effect once.
	Requests *idempotency.Keys
	IDs      db.IDs
	Now      func() time.Time
}

// A Service finds members and changes their accounts.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

// Find returns a member of a merchant.
func (s *Service) Find(ctx context.Context, merchantID, id int64) (query.Member, error) {
	return findIn(ctx, s.o.Store.Q(), merchantID, id)
}

func findIn(ctx context.Context, q *query.Queries, merchantID, id int64) (query.Member, error) {
	row, err := q.MemberOfMerchant(ctx, id, merchantID)
	if errors.Is(err, sql.ErrNoRows) {
		return row, member.ErrUnknown
	}
	if err != nil {
		return row, fmt.Errorf("find member: %w", err)
	}
	return row, nil
}

// Info returns the username and currency of a member, for other packages.
func (s *Service) Info(ctx context.Context, merchantID, id int64) (username, currency string, err error) {
	row, err := s.Find(ctx, merchantID, id)
	return row.Account, row.Currency, err
}

// An Action is a kind of change of an account.
type Action string

// The actions.
const (
	Disable      Action = "disable"
	Enable       Action = "enable"
	LogOut       Action = "logout"
	Reset        Action = "reset-password"
	ResetPayment Action = "reset-payment-password" // the member sets a new one with the account's password
	Approve      Action = "approve"                // approves a held account
	Refuse       Action = "refuse"
	Tag          Action = "tag"
	Untag        Action = "untag"
)

// A Change is an action with its arguments.
type Change struct {
	Action  Action
	Version int64  // 0 accepts any version, for changes of several accounts
	Tag     string // for the actions Tag and Untag
	Reason  string
}

// Do makes a change. password is the temporary password that Reset sets.
func (s *Service) Do(ctx context.Context, merchantID, id int64, c Change) (password string, err error) {
	run, password, err := s.prepare(ctx, merchantID, c)
	if err != nil {
		return "", err
	}
	publish := func() {}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		publish, err = s.doIn(ctx, tx, merchantID, id, c, run)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("%s member: %w", c.Action, err)
	}
	publish()
	return password, nil
}

// DoAll makes a change on several accounts in one transaction, on all or on none.
func (s *Service) DoAll(ctx context.Context, merchantID int64, ids []int64, c Change) error {
	run, _, err := s.prepare(ctx, merchantID, c)
	if err != nil {
		return err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids))) // the same order everywhere prevents deadlocks
	var publishers []func()
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		publishers = nil
		for _, id := range ids {
			publish, err := s.doIn(ctx, tx, merchantID, id, c, run)
			if err != nil {
				return err
			}
			publishers = append(publishers, publish)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s members: %w", c.Action, err)
	}
	for _, publish := range publishers {
		publish()
	}
	return nil
}

// A step changes a locked account. The caller runs publish after the commit.
type step func(ctx context.Context, tx *db.Tx, row query.Member) (publish func(), err error)

func (s *Service) prepare(ctx context.Context, merchantID int64, c Change) (run step, password string, err error) {
	noPublish := func() {}
	switch c.Action {
	case Disable, Refuse:
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			return s.o.Accounts.DisableIn(ctx, tx, row.ID)
		}, "", nil
	case Enable:
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			return noPublish, tx.Q.SetStatus(ctx, row.ID, "active")
		}, "", nil
	case LogOut:
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			return s.o.Accounts.LogOutIn(ctx, tx, row.ID)
		}, "", nil
	case Reset:
		password = strings.ToLower(rand.Text()[:16]) + "7a" // a letter and a digit, as the rules require
		set, err := s.o.Accounts.PrepareTemporaryPassword(ctx, merchantID, password)
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) { return set(ctx, tx, row.ID) }, password, err
	case ResetPayment:
		reset, err := s.o.Accounts.PreparePaymentReset(ctx, merchantID)
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			return noPublish, reset(ctx, tx, row)
		}, "", err
	case Approve:
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			return noPublish, s.o.Holds.ReleaseIn(ctx, tx, row.ID)
		}, "", nil
	case Tag, Untag:
		if !validTag(c.Tag) {
			return nil, "", ErrTag.On("tag")
		}
		return func(ctx context.Context, tx *db.Tx, row query.Member) (func(), error) {
			if c.Action == Untag {
				_, err := tx.Q.DropMemberTag(ctx, row.ID, c.Tag)
				return noPublish, err
			}
			_, err := tx.Q.AddMemberTag(ctx, query.AddMemberTagParams{MemberID: row.ID, Tag: c.Tag, MerchantID: row.MerchantID, MemberSince: row.CreatedAt})
			return noPublish, err
		}, "", nil
	default:
		return nil, "", fmt.Errorf("unknown action %q", c.Action)
	}
}

const maxTag = 32

func validTag(tag string) bool {
	return tag != "" && len(tag) <= maxTag && strings.TrimSpace(tag) == tag && !strings.ContainsFunc(tag, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func (s *Service) doIn(ctx context.Context, tx *db.Tx, merchantID, id int64, c Change, run step) (publish func(), err error) {
	row, err := LockIn(ctx, tx, merchantID, id, c.Version)
	if err != nil {
		return nil, err
	}
	before, err := stateOf(ctx, tx.Q, row)
	if err != nil {
		return nil, err
	}
	if publish, err = run(ctx, tx, row); err != nil {
		return nil, err
	}
	if row, err = findIn(ctx, tx.Q, merchantID, id); err != nil {
		return nil, err
	}
	after, err := stateOf(ctx, tx.Q, row)
	if err != nil {
		return nil, err
	}
	after.Reason = c.Reason
	return publish, audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: merchantID, Permission: string(permission.MemberEdit), Action: "member." + string(c.Action), Object: objectOf(id), Before: before, After: after,
	})
}

// LockIn locks a member and increases the version. It fails if the member has another version. Version 0 accepts any.
func LockIn(ctx context.Context, tx *db.Tx, merchantID, id, version int64) (query.Member, error) {
	row, err := findIn(ctx, tx.Q, merchantID, id)
	if err != nil {
		return row, err
	}
	if version == 0 {
		return row, tx.Q.BumpMemberVersion(ctx, id)
	}
	n, err := tx.Q.NextMemberVersion(ctx, id, merchantID, version)
	if err == nil && n == 0 {
		return row, rest.ErrStale
	}
	return row, err
}

// A state describes an account in the audit log.
type state struct {
	Status string   `json:"status"`
	Held   bool     `json:"held,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Reason string   `json:"reason,omitempty"`
}

func stateOf(ctx context.Context, q *query.Queries, row query.Member) (state, error) {
	tags, err := q.MemberTags(ctx, row.ID)
	if err != nil {
		return state{}, fmt.Errorf("read tags: %w", err)
	}
	held, _, err := holdOf(ctx, q, row.ID)
	return state{Status: row.Status, Held: held, Tags: tags}, err
}

func holdOf(ctx context.Context, q *query.Queries, id int64) (held bool, reason string, err error) {
	row, err := q.MemberHold(ctx, id)
	found, err := db.Found("read hold", err)
	return found && row.ReleasedAt == 0, row.Reason, err
}

// AddNote writes a note about a member. A repeated request writes no second note.
func (s *Service) AddNote(ctx context.Context, request idempotency.Request, merchantID, id int64, body string) error {
	_, err := idempotency.Do(ctx, s.o.Requests, s.o.Store, request, func(tx *db.Tx) (struct{}, error) {
		if _, err := findIn(ctx, tx.Q, merchantID, id); err != nil {
			return struct{}{}, err
		}
		if err := s.NoteIn(ctx, tx, id, "note", body); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: merchantID, Permission: string(permission.MemberEdit), Action: "member.note", Object: objectOf(id), After: map[string]string{"note": body},
		})
	})
	if err != nil {
		return fmt.Errorf("add note: %w", err)
	}
	return nil
}

// NoteIn writes a note within the caller's transaction. The caller must write the audit log entry.
func (s *Service) NoteIn(ctx context.Context, tx *db.Tx, id int64, kind, body string) error {
	return tx.Q.AddMemberNote(ctx, query.AddMemberNoteParams{
		ID: s.o.IDs(), MemberID: id, Kind: kind, Operator: audit.Actor(ctx), Body: body, CreatedAt: db.Millis(s.o.Now()),
	})
}

func objectOf(id int64) string { return "member/" + strconv.FormatInt(id, 10) }

// NewID returns a new id.
func (s *Service) NewID() int64 { return s.o.IDs() }
