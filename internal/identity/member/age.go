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

// ErrAge means that the person must confirm the legal age. Its "age" value is that age.
var ErrAge = fault.New(fault.Invalid, "register.age_required")

// CheckAge returns ErrAge for a member who has not confirmed the merchant's current age limit.
func (s *Service) CheckAge(ctx context.Context, merchantID, id int64) error {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrUnknown
	}
	if err != nil {
		return fmt.Errorf("read member: %w", err)
	}
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err == nil && (!row.AgeConfirmedAt.Valid || row.AgeConfirmed < int64(form.AgeLimit)) {
		err = ageRequired(form.AgeLimit)
	}
	return err
}

// ConfirmAge records that a member confirmed their age.
func (s *Service) ConfirmAge(ctx context.Context, merchantID, id int64, ofAge bool) error {
	age, err := s.requireAge(ctx, merchantID, ofAge)
	if err != nil {
		return err
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error { return tx.Q.ConfirmAge(ctx, s.confirmedNow(), int64(age), id) })
	if err != nil {
		return fmt.Errorf("confirm age: %w", err)
	}
	return nil
}

// requireAge returns the age limit, or ErrAge when ofAge is false.
func (s *Service) requireAge(ctx context.Context, merchantID int64, ofAge bool) (age int, err error) {
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err == nil && !ofAge {
		err = ageRequired(form.AgeLimit)
	}
	if err != nil {
		return 0, err
	}
	return form.AgeLimit, nil
}

func ageRequired(limit int) error { return ErrAge.On("ageConfirmed").With("age", limit) }

func (s *Service) withAge(row query.AddMemberParams, age int) query.AddMemberParams {
	row.AgeConfirmedAt, row.AgeConfirmed = s.confirmedNow(), int64(age)
	return row
}

func (s *Service) confirmedNow() sql.NullInt64 {
	return sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}
}
