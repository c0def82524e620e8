package member

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// ErrFormRequired means that the merchant's form requires fields that an external account does not have.
var ErrFormRequired = fault.New(fault.Refused, "register.form_required")

// externalFields are the fields that an external account replaces.
var externalFields = []string{"username", "password", "confirmPassword", "captcha"}

// CanRegisterExternal returns a fault when registration is closed or requires more fields than an external account has.
func (s *Service) CanRegisterExternal(ctx context.Context, merchantID int64) error {
	form, err := s.o.Settings.RegisterForm(ctx, merchantID)
	if err != nil {
		return err
	}
	if len(form.Methods) == 0 {
		return ErrClosed
	}
	method := form.Methods[0]
	if form.Allows(validation.ByUsername) {
		method = validation.ByUsername
	}
	for _, field := range form.Fields {
		if field.Enabled && slices.Contains(field.RequiredIn, method) && !slices.Contains(externalFields, field.Name) {
			return ErrFormRequired.With("field", field.Name)
		}
	}
	return nil
}

// RegisterExternal creates a player without a password. email is the address that the provider verified, or "". If its owner is on a break,
// the account is held. The address is not bound to the member. link runs in the same transaction.
func (s *Service) RegisterExternal(ctx context.Context, merchantID int64, ofAge bool, email string, from rest.Visitor, link func(tx *db.Tx, memberID int64) error) (int64, error) {
	if err := s.CanRegisterExternal(ctx, merchantID); err != nil {
		return 0, err
	}
	age, err := s.requireAge(ctx, merchantID, ofAge)
	if err != nil {
		return 0, err
	}
	currency, err := s.o.Settings.Currency(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	for {
		id := s.o.IDs()
		err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
			err := s.RegisterIn(ctx, tx, query.AddMemberParams{
				ID: id, MerchantID: merchantID, Account: s.NewUsername(), Type: int64(Player), Currency: currency.Code,
				Language: from.Language, CreatedAt: db.Millis(s.o.Now()),
			}, age, from, map[string]string{"email": email})
			if err != nil {
				return err
			}
			return link(tx, id)
		})
		if errors.Is(err, ErrUsernameTaken) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("register with an external account: %w", err)
		}
		return id, nil
	}
}
