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

// ErrFormRequired refuses to make a member by an external account where the merchant's form asks for more than that tells.
var ErrFormRequired = fault.New(fault.Refused, "register.form_required")

// externalFields are the fields of the form that an external account stands for.
var externalFields = []string{"username", "password", "confirmPassword", "captcha"}

// CanRegisterExternal refuses where nobody becomes a member by an external account: where registering is closed, or asks for more.
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

// RegisterExternal makes a player who has no password, under a made name: somebody who is known by an external account and
// confirms to be old enough, as registering asks. email is what the provider has seen proved, or nothing: its owner may be on a
// break; it becomes no address of the member's. link runs in the same transaction, so that neither is ever there without the other.
func (s *Service) RegisterExternal(ctx context.Context, merchantID int64, ofAge bool, email string, from rest.Visitor, link func(tx *db.Tx, memberID int64) error) (int64, error) {
	if err := s.CanRegisterExternal(ctx, merchantID); err != nil {
		return 0, err
	}
	age, err := s.confirmed(ctx, merchantID, ofAge)
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
			err := s.JoinIn(ctx, tx, query.AddMemberParams{
				ID: id, MerchantID: merchantID, Account: s.NewName(), Type: int64(Player), Currency: currency.Code,
				Language: from.Language, CreatedAt: db.Millis(s.o.Now()),
			}, age, from.Network, "", email)
			if err != nil {
				return err
			}
			return link(tx, id)
		})
		if errors.Is(err, ErrUsernameTaken) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("register by an external account: %w", err)
		}
		return id, nil
	}
}
