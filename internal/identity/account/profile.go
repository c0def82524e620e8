package account

import (
	"context"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/validation"
)

// ErrPayeeFixed refuses a second name to be paid under: it must stay that of the person who was checked.
var ErrPayeeFixed = fault.New(fault.Conflict, "member.payee_fixed")

// contacts are the details that members may change themselves.
var contacts = []string{"qqNum", "facebook", "wechat", "line", "whatsapp", "zalo"}

// Profile is what a member has told about themselves.
type Profile struct {
	Nickname, Username, Language, PayeeName string
	Avatar                                  string // where the picture is; empty when none was chosen
	Mobile, Email, IDNumber                 string // masked
	Contacts                                map[string]string
}

// Profile tells a member what they have told.
func (s *Service) Profile(ctx context.Context, memberID int64) (Profile, error) {
	row, err := s.real(ctx, memberID)
	if err != nil {
		return Profile{}, err
	}
	rows, err := s.o.Store.Q().Details(ctx, memberID)
	if err != nil {
		return Profile{}, fmt.Errorf("read details: %w", err)
	}
	told := map[string]string{}
	for _, d := range rows {
		told[d.Name] = d.Value
	}
	p := Profile{
		Nickname: row.Nickname, Username: row.Account, Language: row.Language, PayeeName: row.PayeeName, Avatar: avatarURL(row.Avatar),
		Mobile: maskMobile(row.Mobile.String), Email: maskEmail(row.Email.String), IDNumber: mask(told["idNumber"]),
		Contacts: map[string]string{},
	}
	for _, name := range contacts {
		p.Contacts[name] = told[name]
	}
	return p, nil
}

// ChangeProfile changes what is named in form and leaves the rest.
func (s *Service) ChangeProfile(ctx context.Context, memberID int64, form map[string]string) error {
	row, err := s.real(ctx, memberID)
	if err != nil {
		return err
	}
	rules, err := s.o.Settings.Rules(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	fields, err := s.o.Settings.RegisterForm(ctx, row.MerchantID)
	if err != nil {
		return err
	}
	for _, name := range append([]string{"nickname", "payeeName"}, contacts...) {
		value, named := form[name]
		if !named || value == "" && name != "nickname" && name != "payeeName" {
			continue // a contact may be taken back
		}
		if err := rules.Refuse(name, value, nil); err != nil {
			return err
		}
		if err := fields.RefuseProfile(name, value); err != nil { // what the merchant wants of it beside
			return err
		}
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if nickname, named := form["nickname"]; named {
			if err := tx.Q.SetNickname(ctx, memberID, nickname); err != nil {
				return err
			}
		}
		if payee, named := form["payeeName"]; named && payee != row.PayeeName {
			n, err := tx.Q.SetPayeeName(ctx, memberID, payee)
			if err != nil {
				return err
			}
			if n == 0 {
				return ErrPayeeFixed.On("payeeName")
			}
		}
		for _, name := range contacts {
			if value, named := form[name]; named {
				if err := tx.Q.PutDetail(ctx, memberID, name, validation.Trim(value)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
