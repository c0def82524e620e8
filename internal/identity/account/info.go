package account

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/identity/member"
	"fairground/internal/platform/rest"
)

// Info is the part of an account that its member sees.
type Info struct {
	ID            int64
	Currency      string
	Username      string
	Nickname      string
	Type          rest.MemberType
	VIPLabel      string
	Avatar        string // URL, or empty
	AffiliateCode string // invitation code, or empty
}

// Info returns the caller's account.
func (s *Service) Info(ctx context.Context, id int64) (Info, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Info{}, member.ErrUnknown
	}
	if err != nil {
		return Info{}, fmt.Errorf("read member: %w", err)
	}
	return Info{
		ID: row.ID, Currency: row.Currency, Username: row.Account, Nickname: row.Nickname, Type: rest.MemberType(row.Type),
		VIPLabel: row.VipLabel, Avatar: avatarURL(row.Avatar), AffiliateCode: row.AffiliateCode.String,
	}, nil
}
