package member

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/platform/db/query"
)

// ByMobile gives whose number it is that somebody has proved to hold. Of one that is nobody's it says what it says of
// a wrong password.
func (s *Service) ByMobile(ctx context.Context, merchantID int64, e164 string) (id, epoch int64, err error) {
	row, err := s.o.Store.Q().MemberByMobile(ctx, merchantID, text(e164))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, ErrIncorrect
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find member: %w", err)
	}
	return row.ID, row.Epoch, nil
}

// Admit refuses a member who may not enter, and gives the type and the epoch of one who may. It is asked only after a right proof.
func (s *Service) Admit(ctx context.Context, id int64) (kind Type, epoch int64, err error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, ErrIncorrect
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find member: %w", err)
	}
	return Type(row.Type), row.Epoch, admitted(row)
}

// admitted: accounts that are closed, and those of the house, do not log in to the app.
func admitted(row query.Member) error {
	switch t := Type(row.Type); {
	case row.Status != active:
		return ErrLocked
	case !t.Real() && t != Trial:
		return ErrNotMember
	default:
		return nil
	}
}
