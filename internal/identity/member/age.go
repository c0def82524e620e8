package member

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrAge asks somebody to confirm that they are old enough. It says how old.
var ErrAge = fault.New(fault.Invalid, "register.age_required")

// OfAge refuses a member who has not confirmed to be as old as the merchant asks for: one who is older than the question, was made
// by a command, or confirmed when a lower age was asked for.
func (s *Service) OfAge(ctx context.Context, merchantID, id int64) error {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("read member: %w", err)
	}
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err == nil && (!row.AgeConfirmedAt.Valid || row.AgeConfirmed < int64(form.AgeLimit)) {
		err = askAge(form.AgeLimit)
	}
	return err
}

// ConfirmAge keeps that a member has confirmed to be old enough.
func (s *Service) ConfirmAge(ctx context.Context, merchantID, id int64, ofAge bool) error {
	age, err := s.confirmed(ctx, merchantID, ofAge)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.ConfirmAge(ctx, s.confirmedNow(), int64(age), id) })
	if err != nil {
		return fmt.Errorf("confirm age: %w", err)
	}
	return nil
}

// confirmed asks for the age where it is not confirmed, and gives which one is.
func (s *Service) confirmed(ctx context.Context, merchantID int64, ofAge bool) (age int, err error) {
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err == nil && !ofAge {
		err = askAge(form.AgeLimit)
	}
	if err != nil {
		return 0, err
	}
	return form.AgeLimit, nil
}

func askAge(limit int) error { return ErrAge.On("ageConfirmed").With("age", limit) }

// ofAge adds to a new member that they have just confirmed an age.
func (s *Service) ofAge(row query.AddMemberParams, age int) query.AddMemberParams {
	row.AgeConfirmedAt, row.AgeConfirmed = s.confirmedNow(), int64(age)
	return row
}

// confirmedNow is the column's value for who has just confirmed.
func (s *Service) confirmedNow() sql.NullInt64 {
	return sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
}
