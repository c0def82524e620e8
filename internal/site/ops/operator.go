// Package ops keeps the operators, the people who run an installation. It never touches a member's account or
// money itself.
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

// owner is the role of one who may do everything.
const owner = "owner"

// FirstName is what the operator of a first start is called.
const FirstName = "admin"

// Passwords gives the stored form of a password.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
}

// Options of the service.
type Options struct {
	Store     *db.Store
	Passwords Passwords
	IDs       db.IDs
	Now       func() time.Time
}

// Service makes operators.
type Service struct{ o Options }

// New makes the service.
func New(o Options) *Service { return &Service{o} }

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9._-]{2,31}$`)

// Create makes an operator and gives the password, which is generated and can be read only here.
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

// First makes the first operator of an installation. Where there is one already it gives an empty password
// and changes nothing; of several servers that start together only one makes it.
func (s *Service) First(ctx context.Context) (password string, err error) {
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
	var made int64
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		made, err = tx.Q.AddFirstOperator(ctx, query.AddFirstOperatorParams{
			ID: s.o.IDs(), Name: FirstName, Role: owner, PasswordHash: hash, CreatedAt: db.Millis(s.o.Now()),
		})
		return err
	})
	if err != nil {
		return "", fmt.Errorf("create first operator: %w", err)
	}
	if made == 0 {
		return "", nil
	}
	return password, nil
}

// ResetPassword gives an operator a new password, which is generated and can be read only here. The old one is
// of no use from then on.
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
		return "", fmt.Errorf("reset operator's password: %w", err)
	}
	return password, nil
}

// newPassword makes 120 random bits, written so that they can be typed from a screen.
func (s *Service) newPassword(ctx context.Context) (password, hash string, err error) {
	var b [15]byte
	_, _ = rand.Read(b[:]) // never fails (it aborts the program instead)
	text := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b[:]))
	password = strings.Join([]string{text[:6], text[6:12], text[12:18], text[18:]}, "-")
	hash, err = s.o.Passwords.Hash(ctx, password)
	return password, hash, err
}
