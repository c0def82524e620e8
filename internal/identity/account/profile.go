package account

import (
	"context"
	"fmt"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/validation"
)

// ErrPayeeFixed means that the payee name is already set. It cannot change, because the old name was checked.
var ErrPayeeFixed = fault.New(fault.Conflict, "member.payee_fixed")

// contacts are the contact details that members can change themselves.
var contacts = []string{"qqNum", "facebook", "wechat", "line", "whatsapp", "zalo"}

// A Profile holds a member's personal details.
type Profile struct {
	Nickname, Username, Language, PayeeName string
	Avatar                                  string // URL, or empty
	Mobile, Email, IDNumber                 string // masked
	Contacts                                map[string]string
}

// Profile returns a member's profile.
func (s *Service) Profile(ctx context.Context, memberID int64) (Profile, error) {
	row, err := s.realMember(ctx, memberID)
	if err != nil {
		return Profile{}, err
	}
	rows, err := s.o.Store.Q().MemberDetails(ctx, memberID)
	if err != nil {
		return Profile{}, fmt.Errorf("read details: %w", err)
	}
	details := map[string]string{}
	for _, d := range rows {
		details[d.Name] = d.Value
	}
	p := Profile{
		Nickname: row.Nickname, Username: row.Account, Language: row.Language, PayeeName: row.PayeeName, Avatar: avatarURL(row.Avatar),
		Mobile: maskMobile(row.Mobile.String), Email: maskEmail(row.Email.String), IDNumber: mask(details["idNumber"]),
		Contacts: map[string]string{},
	}
	for _, name := range contacts {
		p.Contacts[name] = details[name]
	}
	return p, nil
}

// ChangeProfile changes the fields in form and no others. A name of a member on a break makes the account wait for a review.
func (s *Service) ChangeProfile(ctx context.Context, self Self, form map[string]string) error {
	memberID := self.MemberID
	row, err := s.realMember(ctx, memberID)
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
		value, given := form[name]
		if !given || value == "" && name != "nickname" && name != "payeeName" {
			continue // an empty value removes a contact
		}
		if err := rules.Refuse(name, value, nil); err != nil {
			return err
		}
		if err := fields.RefuseProfile(name, value); err != nil { // the merchant may have a stricter pattern
			return err
		}
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if nickname, given := form["nickname"]; given {
			if err := tx.Q.SetNickname(ctx, memberID, nickname); err != nil {
				return err
			}
		}
		if payee, given := form["payeeName"]; given && payee != row.PayeeName {
			n, err := tx.Q.SetPayeeName(ctx, memberID, payee)
			if err != nil {
				return err
			}
			if n == 0 {
				return ErrPayeeFixed.On("payeeName")
			}
			identity := map[string]string{"payeeName": payee, "address": self.From.Address}
			if err := s.o.Breaks.ReviewIn(ctx, tx, row.MerchantID, memberID, identity); err != nil {
				return err
			}
		}
		for _, name := range contacts {
			if value, given := form[name]; given {
				if err := tx.Q.PutMemberDetail(ctx, memberID, name, validation.Trim(value)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
