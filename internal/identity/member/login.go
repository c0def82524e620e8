package member

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// ByMobile returns the member with a verified number. An unknown number returns the same fault as a wrong password.
func (s *Service) ByMobile(ctx context.Context, merchantID int64, e164 string) (id, epoch int64, err error) {
	row, err := s.o.Store.Q().MemberByMobile(ctx, merchantID, db.Text(e164))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, ErrIncorrect
	}
	if err != nil {
		return 0, 0, fmt.Errorf("find member: %w", err)
	}
	return row.ID, row.Epoch, nil
}

// Epoch returns the member's epoch, which counts how often all sessions were ended. Read it before checking credentials.
func (s *Service) Epoch(ctx context.Context, id int64) (int64, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("find member: %w", err)
	}
	return row.Epoch, nil
}

// Admit returns the type of a member who may log in. Call it only after the credentials were correct, because its faults reveal the
// account's state.
func (s *Service) Admit(ctx context.Context, id int64) (Type, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrIncorrect
	}
	if err != nil {
		return 0, fmt.Errorf("find member: %w", err)
	}
	return Type(row.Type), checkCanLogIn(row)
}

// LockIn locks the row of a member before a session opens. It fails if the epoch changed. It stores the language for later messages.
// firstTimeLogin is true for the first session after a registration, and until the member changes a password that an operator set
// (ruling 31).
func (s *Service) LockIn(ctx context.Context, tx *db.Tx, id, epoch int64, language string) (username string, kind Type, firstTimeLogin bool, err error) {
	locked, err := tx.Q.LockMemberEpoch(ctx, id, epoch)
	if err != nil {
		return "", 0, false, fmt.Errorf("lock member: %w", err)
	}
	if locked == 0 {
		return "", 0, false, ErrOvertaken
	}
	row, err := tx.Q.MemberByID(ctx, id)
	if err != nil {
		return "", 0, false, fmt.Errorf("read member: %w", err)
	}
	if language != "" && row.Language != language {
		if err := tx.Q.SetLanguage(ctx, language, id); err != nil {
			return "", 0, false, fmt.Errorf("store the member's language: %w", err)
		}
	}
	return row.Account, Type(row.Type), row.FirstTimeLogin || !row.HasLoggedIn, nil
}

// checkCanLogIn rejects disabled accounts, and staff, test and bot accounts.
func checkCanLogIn(row query.Member) error {
	switch t := Type(row.Type); {
	case row.Status != rest.MemberActive:
		return ErrLocked
	case !t.Real() && t != Trial:
		return ErrNotMember
	default:
		return nil
	}
}
