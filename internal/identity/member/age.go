package member

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
)

// ErrAge asks somebody to confirm that they are old enough. It says how old.
var ErrAge = fault.New(fault.Invalid, "register.age_required")

// OfAge refuses a member who has never confirmed to be old enough: one who is older than the question, or was made by a command.
func (s *Service) OfAge(ctx context.Context, merchantID, id int64) error {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("read member: %w", err)
	}
	return s.confirmed(ctx, merchantID, row.AgeConfirmedAt.Valid)
}

// ConfirmAge keeps that a member has confirmed to be old enough.
func (s *Service) ConfirmAge(ctx context.Context, merchantID, id int64, ofAge bool) error {
	if err := s.confirmed(ctx, merchantID, ofAge); err != nil {
		return err
	}
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.ConfirmAge(ctx, s.confirmedNow(), id) })
	if err != nil {
		return fmt.Errorf("confirm age: %w", err)
	}
	return nil
}

// confirmed asks for the age where it is not confirmed.
func (s *Service) confirmed(ctx context.Context, merchantID int64, ofAge bool) error {
	if ofAge {
		return nil
	}
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err != nil {
		return err
	}
	return ErrAge.On("ageConfirmed").With("age", form.AgeLimit)
}

// confirmedNow is the column's value for who has just confirmed.
func (s *Service) confirmedNow() sql.NullInt64 {
	return sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
}
