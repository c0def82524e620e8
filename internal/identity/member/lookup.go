package member

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// Available reports whether a username is free. It fails if the username is invalid.
func (s *Service) Available(ctx context.Context, merchantID int64, username string) (bool, error) {
	rules, err := s.o.Settings.Rules(ctx, merchantID)
	if err != nil {
		return false, err
	}
	username = validation.Trim(username)
	if err := rules.Refuse("username", username, nil); err != nil {
		return false, err
	}
	err = s.RefuseTaken(ctx, s.o.Store.Q(), merchantID, username, "")
	if errors.Is(err, ErrUsernameTaken) {
		return false, nil
	}
	return err == nil, err
}

// HasMobile reports whether a member has a number.
func (s *Service) HasMobile(ctx context.Context, merchantID int64, e164 string) (bool, error) {
	_, err := s.o.Store.Q().MemberByMobile(ctx, merchantID, db.Text(e164))
	return db.Found("find member", err)
}

// HasEmail reports whether a member has an address, ignoring case.
func (s *Service) HasEmail(ctx context.Context, merchantID int64, email string) (bool, error) {
	_, err := s.o.Store.Q().MemberByEmail(ctx, merchantID, email)
	return db.Found("find member", err)
}

// AffiliateID returns the active member with this invitation code, or 0.
func (s *Service) AffiliateID(ctx context.Context, merchantID int64, code string) (int64, error) {
	row, err := s.o.Store.Q().MemberByAffiliateCode(ctx, merchantID, db.Text(strings.ToLower(code)))
	ok, err := db.Found("find member", err)
	if err != nil {
		return 0, err
	}
	if !ok {
		return s.playerByCode(ctx, merchantID, code)
	}
	if row.Status != rest.MemberActive {
		return 0, nil
	}
	return row.ID, nil
}

// playerByCode returns the active player with this invitation code, or 0.
func (s *Service) playerByCode(ctx context.Context, merchantID int64, code string) (int64, error) {
	id := parsePlayerCode(code)
	if id == 0 {
		return 0, nil
	}
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if ok, err := db.Found("find member", err); !ok || row.MerchantID != merchantID || row.Status != rest.MemberActive || Type(row.Type) != Player {
		return 0, err
	}
	return id, nil
}

// playerCodePrefix is the prefix of players' invitation codes. The rest is the member's id, so that a code does not reveal the username.
const playerCodePrefix = "p-"

// InvitationCode returns the code with which a member invites people.
func (s *Service) InvitationCode(ctx context.Context, memberID int64) (string, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, memberID)
	if err != nil {
		return "", err
	}
	if row.AffiliateCode.String != "" {
		return row.AffiliateCode.String, nil
	}
	return playerCodePrefix + strconv.FormatInt(memberID, 36), nil
}

// parsePlayerCode returns the member id in a player's invitation code, or 0.
func parsePlayerCode(code string) int64 {
	digits, ok := strings.CutPrefix(strings.ToLower(code), playerCodePrefix)
	id, err := strconv.ParseInt(digits, 36, 64)
	if !ok || err != nil || id <= 0 {
		return 0
	}
	return id
}
