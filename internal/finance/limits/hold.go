package limits

import (
	"context"
	"fmt"
	"strconv"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/tasks"
)

// ErrHeld refuses play, deposits and logins of an account that an operator has not reviewed yet.
var ErrHeld = fault.New(fault.Refused, "limits.held")

// ErrNotHeld reports that an account to release is not held.
var ErrNotHeld = fault.ForOperators(fault.NotFound, "limits.not_held")

// holdKind is stored as the kind of break of a held account, so that the gate refuses its bets and deposits.
const holdKind = "hold"

// Reasons for holds. They are stored.
const (
	holdContact = "contact" // mobile number or e-mail address of a member on a break
	holdPerson  = "person"  // identity number, card, device, or real name with birth date or network address, of a member on a break
)

// ReviewIn holds an account if its identity matches another member on a break. It is called for new accounts and for accounts
// whose identity changes. identity has entered and verified values: mobileNum, email, idNumber, payeeName and birthDate, and
// the device's network address (address) and id (device). The response to the member must not depend on the result.
func (s *Service) ReviewIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, identity map[string]string) error {
	reason, err := s.matchIn(ctx, tx, merchantID, memberID, identity)
	if err != nil || reason == "" {
		return err
	}
	return s.holdIn(ctx, tx, merchantID, memberID, reason)
}

// ReviewCardIn holds an account that adds the card of another member on a break. The response to the member must not depend
// on the result.
func (s *Service) ReviewCardIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, digest []byte) error {
	now, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return err
	}
	n, err := tx.Q.CountMembersOnBreakWithCard(ctx, query.CountMembersOnBreakWithCardParams{MerchantID: merchantID, Digest: digest, MemberID: memberID, Now: now})
	if err != nil {
		return fmt.Errorf("look for breaks with the same card: %w", err)
	}
	if n == 0 {
		return nil
	}
	return s.holdIn(ctx, tx, merchantID, memberID, holdPerson)
}

// holdIn holds an account, unless an operator released it before.
func (s *Service) holdIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, reason string) error {
	if err := tx.Q.LockLimitGuard(ctx, memberID); err != nil {
		return fmt.Errorf("lock the member: %w", err)
	}
	held, released, err := loadHold(ctx, tx.Q, memberID)
	if err != nil || held || released {
		return err
	}
	now, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return err
	}
	guard, err := tx.Q.LimitGuard(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read the member's break: %w", err)
	}
	heldAt := db.Millis(s.o.Now())
	if err := tx.Q.AddMemberHold(ctx, memberID, reason, heldAt); err != nil {
		return fmt.Errorf("hold member: %w", err)
	}
	if breakOf(guard, now) == nil { // the member's own break continues, and Admit refuses the next login
		err = tx.Q.SetBreak(ctx, query.SetBreakParams{MemberID: memberID, BreakKind: holdKind, BreakSince: heldAt, BreakUntil: noEnd})
		if err != nil {
			return fmt.Errorf("hold member: %w", err)
		}
	}
	if s.o.Tasks == nil {
		return nil
	}
	id := strconv.FormatInt(memberID, 10)
	return s.o.Tasks.AddIn(ctx, tx, tasks.Task{MerchantID: merchantID, Kind: taskHold, Reference: id, Object: "members/" + id, Permission: permission.MemberEdit})
}

// taskHold is the kind of the task to review a held account.
const taskHold = "hold"

// matchIn returns the reason to hold an account, or "" if no member on a break matches.
func (s *Service) matchIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, identity map[string]string) (reason string, err error) {
	now, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return "", err
	}
	sameTraits, err := s.storeAndMatchTraitsIn(ctx, tx, merchantID, memberID, now, identity)
	if err != nil {
		return "", err
	}
	for _, contact := range [][2]string{{identity["mobileNum"], ""}, {"", identity["email"]}} {
		barred, err := s.BarredIn(ctx, tx, merchantID, memberID, contact[0], contact[1])
		if err != nil || barred {
			return holdContact, err
		}
	}
	n, err := tx.Q.CountMembersOnBreakWithPerson(ctx, query.CountMembersOnBreakWithPersonParams{
		Now: now, MemberID: memberID, MerchantID: merchantID,
		IDNumber: identity["idNumber"], PayeeName: identity["payeeName"], Address: identity["address"],
	})
	if err != nil {
		return "", fmt.Errorf("look for breaks of the same person: %w", err)
	}
	if sameTraits || n > 0 {
		return holdPerson, nil
	}
	return "", nil
}

// Release ends the hold of an account. The account is not held again.
func (s *Service) Release(ctx context.Context, memberID int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error { return s.ReleaseIn(ctx, tx, memberID) })
	if err != nil {
		return fmt.Errorf("release member: %w", err)
	}
	s.o.Outbox.Wake()
	return nil
}

// ReleaseIn does the same as Release within the caller's transaction.
func (s *Service) ReleaseIn(ctx context.Context, tx *db.Tx, memberID int64) error {
	return s.changeIn(ctx, tx, memberID, "hold", func(tx *db.Tx, _ int64) error {
		n, err := tx.Q.ReleaseMember(ctx, db.Millis(s.o.Now()), memberID)
		if err != nil {
			return err
		}
		if n == 0 {
			return ErrNotHeld
		}
		if s.o.Tasks != nil {
			if err := s.o.Tasks.DoneIn(ctx, tx, taskHold, strconv.FormatInt(memberID, 10)); err != nil {
				return err
			}
		}
		guard, err := tx.Q.LimitGuard(ctx, memberID)
		if err != nil || guard.BreakKind != holdKind {
			return err
		}
		return tx.Q.SetBreak(ctx, query.SetBreakParams{MemberID: memberID})
	})
}

// A Hold is an account that waits for a review.
type Hold struct {
	Username string
	Reason   string
	Since    int64 // unix ms
}

// Holds returns the held accounts of a merchant, oldest first.
func (s *Service) Holds(ctx context.Context, merchantID int64) ([]Hold, error) {
	rows, err := s.o.Store.Q().HeldMembers(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read held members: %w", err)
	}
	holds := make([]Hold, len(rows))
	for i, row := range rows {
		holds[i] = Hold{Username: row.Account, Reason: row.Reason, Since: row.HeldAt}
	}
	return holds, nil
}

// loadHold reports whether an account is held, and whether it was held and released.
func loadHold(ctx context.Context, q *query.Queries, memberID int64) (held, released bool, err error) {
	row, err := q.MemberHold(ctx, memberID)
	found, err := db.Found("read hold", err)
	return found && row.ReleasedAt == 0, found && row.ReleasedAt != 0, err
}
