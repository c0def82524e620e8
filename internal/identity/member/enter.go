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

// ByMobile gives whose number it is that somebody has proved to hold. Of one that is nobody's it says what it says of
// a wrong password.
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

// Epoch gives the member's epoch: how often all sessions were ended. It is read before a proof is looked at.
func (s *Service) Epoch(ctx context.Context, id int64) (int64, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if err != nil {
		return 0, fmt.Errorf("find member: %w", err)
	}
	return row.Epoch, nil
}

// Admit refuses a member who may not enter, and gives the type of one who may. It is asked only after a right proof.
func (s *Service) Admit(ctx context.Context, id int64) (Type, error) {
	row, err := s.o.Store.Q().MemberByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrIncorrect
	}
	if err != nil {
		return 0, fmt.Errorf("find member: %w", err)
	}
	return Type(row.Type), admitted(row)
}

// LockIn gives a member for whom a session is opened, and locks the row until the transaction ends: whatever ends all
// sessions comes before it or after it. A member whose epoch is another by now is refused. What is sent to members is in the language
// that they last came in.
func (s *Service) LockIn(ctx context.Context, tx *db.Tx, id, epoch int64, language string) (username string, kind Type, firstTimeLogin bool, err error) {
	locked, err := tx.Q.LockEpoch(ctx, id, epoch)
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
			return "", 0, false, fmt.Errorf("keep the member's language: %w", err)
		}
	}
	return row.Account, Type(row.Type), row.FirstTimeLogin, nil
}

// admitted: accounts that are closed, and those of the house, do not log in to the app.
func admitted(row query.Member) error {
	switch t := Type(row.Type); {
	case row.Status != rest.MemberActive:
		return ErrLocked
	case !t.Real() && t != Trial:
		return ErrNotMember
	default:
		return nil
	}
}
