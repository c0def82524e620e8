// Package ops stores the operators of an installation. It never changes members' accounts or money.
package ops

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"fmt"
	"regexp"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Faults of this package.
var (
	ErrNameFormat = fault.ForOperators(fault.Invalid, "operator.name_format")
	ErrNameTaken  = fault.ForOperators(fault.Conflict, "operator.name_taken")
	ErrUnknown    = fault.ForOperators(fault.NotFound, "operator.unknown")
)

const owner = "owner"

// FirstName is the name of the first operator.
const FirstName = "admin"

// Passwords hashes passwords.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
}

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Passwords Passwords
	IDs       db.IDs
	Now       func() time.Time
}

// A Service creates operators.
type Service struct{ o Options }

// New returns a Service.
func New(o Options) *Service { return &Service{o} }

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9._-]{2,31}$`)

// Create creates an operator and returns the generated password, which is not stored in clear text.
func (s *Service) Create(ctx context.Context, name string) (password string, err error) {
	name = strings.ToLower(name)
	if !namePattern.MatchString(name) {
		return "", ErrNameFormat.On("name")
	}
	password, hash, err := s.newPassword(ctx)
	if err != nil {
		return "", err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.AddOperator(ctx, query.AddOperatorParams{
			ID: s.o.IDs(), Name: name, Role: owner, PasswordHash: hash, CreatedAt: db.Millis(s.o.Now()),
		})
		if err == nil && n == 0 {
			return ErrNameTaken.On("name")
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("create operator: %w", err)
	}
	return password, nil
}

// CreateFirst creates the first operator of an installation. If there is one already, it changes nothing and returns
// an empty password. If several servers start at once, only one of them creates it.
func (s *Service) CreateFirst(ctx context.Context) (password string, err error) {
	n, err := s.o.Store.Q().CountOperators(ctx)
	if err != nil {
		return "", fmt.Errorf("count operators: %w", err)
	}
	if n > 0 {
		return "", nil
	}
	password, hash, err := s.newPassword(ctx)
	if err != nil {
		return "", err
	}
	var created int64
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		created, err = tx.Q.AddFirstOperator(ctx, query.AddFirstOperatorParams{
			ID: s.o.IDs(), Name: FirstName, Role: owner, PasswordHash: hash, CreatedAt: db.Millis(s.o.Now()),
		})
		return err
	})
	if err != nil {
		return "", fmt.Errorf("create first operator: %w", err)
	}
	if created == 0 {
		return "", nil
	}
	return password, nil
}

// ResetPassword replaces an operator's password and returns the generated one.
func (s *Service) ResetPassword(ctx context.Context, name string) (password string, err error) {
	password, hash, err := s.newPassword(ctx)
	if err != nil {
		return "", err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		n, err := tx.Q.SetOperatorPassword(ctx, strings.ToLower(name), hash)
		if err == nil && n == 0 {
			return ErrUnknown.On("name")
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("reset operator password: %w", err)
	}
	return password, nil
}

// newPassword returns 120 random bits in a form that is easy to type, and its hash.
func (s *Service) newPassword(ctx context.Context) (password, hash string, err error) {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
	password = strings.Join([]string{text[:6], text[6:12], text[12:18], text[18:]}, "-")
	hash, err = s.o.Passwords.Hash(ctx, password)
	return password, hash, err
}
