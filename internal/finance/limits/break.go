package limits

import (
	"context"
	"fmt"
	"math"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// A Break is a time-out or self-exclusion.
type Break struct {
	Kind   string // timeOut or exclusion
	Period string
	Since  int64 // unix ms
	Until  int64 // unix ms; noEnd: permanent

	Longer []string // periods that would end later if they began now; only these are allowed
}

// BeginBreak starts a break at once. It closes the member's open games and has the stakes of bets on open draws returned. A new
// break replaces a running one only if the new break ends later (PP-07).
func (s *Service) BeginBreak(ctx context.Context, memberID int64, period string) error {
	var announce func()
	err := s.o.Store.Write(ctx, func(tx *db.Tx) (err error) {
		announce, err = s.BeginBreakIn(ctx, tx, memberID, period)
		return err
	})
	if err != nil {
		return fmt.Errorf("begin break: %w", err)
	}
	announce()
	return nil
}

// BeginBreakIn does the same as BeginBreak within the caller's transaction. The caller runs announce after the commit.
func (s *Service) BeginBreakIn(ctx context.Context, tx *db.Tx, memberID int64, period string) (announce func(), err error) {
	announceClosed := func() {}
	err = s.changeIn(ctx, tx, memberID, "break", func(tx *db.Tx, now int64) error {
		g, err := loadGuard(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		if g.BreakKind == holdKind {
			return ErrHeld
		}
		since, until := now, breakUntil(period, now)
		if current := breakOf(g, now); current != nil {
			if current.Until >= until {
				return ErrBreakShorter
			}
			since = current.Since // an extended break keeps its start
		}
		// Remember the member's contacts, so that they stay barred if the member changes them during the break.
		for _, mark := range []func(context.Context, int64) error{tx.Q.AddMobileMark, tx.Q.AddEmailMark, tx.Q.AddExternalEmailMarks} {
			if err := mark(ctx, memberID); err != nil {
				return fmt.Errorf("mark contacts of the member: %w", err)
			}
		}
		if s.o.Plays != nil {
			if announceClosed, err = s.o.Plays.CloseAllIn(ctx, tx, memberID); err != nil {
				return err
			}
		}
		if s.o.Bets != nil {
			if err := s.o.Bets.QueueReturnIn(ctx, tx, memberID); err != nil {
				return err
			}
		}
		return tx.Q.SetBreak(ctx, query.SetBreakParams{
			MemberID: memberID, BreakKind: breakPeriods[period].kind, BreakPeriod: period, BreakSince: since, BreakUntil: until,
		})
	})
	return func() {
		announceClosed()
		s.o.Outbox.Wake()
	}, err
}

func breakOf(g query.LimitGuard, now int64) *Break {
	if g.BreakUntil <= now || g.BreakKind == holdKind {
		return nil
	}
	return &Break{Kind: g.BreakKind, Period: g.BreakPeriod, Since: g.BreakSince, Until: g.BreakUntil, Longer: longerThan(g.BreakUntil, now)}
}

// Check returns ErrExcluded if the member is on a break, and ErrHeld if the account waits for a review. It is called before a
// launch, a deposit or a promotion. Bets are checked by the gate, in their own transaction.
func (s *Service) Check(ctx context.Context, memberID int64) error {
	g, err := loadGuard(ctx, s.o.Store.Q(), memberID)
	if err != nil || g.BreakUntil == 0 {
		return err
	}
	if g.BreakKind == holdKind {
		return ErrHeld
	}
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err == nil && breakOf(g, now) != nil {
		err = ErrExcluded
	}
	return err
}

// BarredIn reports whether a mobile number or e-mail address belongs to another member on a break. Such a contact must
// not be used for a new account or added to an existing one. memberID is 0 for a new account. Only verified contacts of
// the member on a break count. Otherwise anyone could bar others by entering their contacts.
func (s *Service) BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error) {
	now, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return false, err
	}
	return contactOnBreak(ctx, tx.Q, query.CountMembersOnBreakWithContactsParams{
		Now: now, Before: math.MaxInt64, MemberID: memberID, MerchantID: merchantID, Mobile: mobile, Email: email,
	})
}

// Admit rejects the login of a held account. It also rejects an account that was created during a running break of another
// member with the same contact. Older accounts may log in, because PP-07 bars only new ones. Accounts that an operator
// released may log in too.
func (s *Service) Admit(ctx context.Context, memberID int64) error {
	q := s.o.Store.Q()
	held, released, err := loadHold(ctx, q, memberID)
	switch {
	case err != nil || released:
		return err
	case held:
		return ErrHeld
	}
	member, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("find member: %w", err)
	}
	contacts := [][2]string{{member.Mobile.String, member.Email.String}} // pairs of mobile number and e-mail address
	details, err := q.MemberDetails(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read details: %w", err)
	}
	for _, d := range details { // unverified contacts count too, because the member claims them
		switch d.Name {
		case "mobileNum":
			contacts = append(contacts, [2]string{d.Value, ""})
		case "email":
			contacts = append(contacts, [2]string{"", d.Value})
		}
	}
	external, err := q.ExternalEmails(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read addresses of external accounts: %w", err)
	}
	for _, email := range external {
		contacts = append(contacts, [2]string{"", email})
	}
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	for _, c := range contacts {
		if c == [2]string{} {
			continue
		}
		barred, err := contactOnBreak(ctx, q, query.CountMembersOnBreakWithContactsParams{
			Now: now, Before: member.CreatedAt, MemberID: memberID, MerchantID: member.MerchantID, Mobile: c[0], Email: c[1],
		})
		if err != nil {
			return err
		}
		if barred {
			return ErrExcluded
		}
	}
	return nil
}

func contactOnBreak(ctx context.Context, q *query.Queries, p query.CountMembersOnBreakWithContactsParams) (bool, error) {
	if p.Mobile == "" && p.Email == "" {
		return false, nil
	}
	n, err := q.CountMembersOnBreakWithContacts(ctx, p)
	if err != nil {
		return false, fmt.Errorf("look for breaks of the same contact: %w", err)
	}
	return n > 0, nil
}

// SetRealityCheck sets the interval of reality checks in minutes. 0 disables them. Play before the change counts towards
// the next check. While a check is due, the member must acknowledge it before choosing a longer interval (PP-04).
func (s *Service) SetRealityCheck(ctx context.Context, memberID, minutes int64) error {
	return s.change(ctx, memberID, "realityCheck", func(tx *db.Tx, now int64) error {
		g, err := loadGuard(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		if g.CheckMinutes > 0 && (minutes == 0 || minutes > g.CheckMinutes) && now > checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince) {
			lastStake, err := tx.Q.LastStakeTime(ctx, memberID, now-restTime.Milliseconds())
			if err != nil {
				return fmt.Errorf("find the last stake: %w", err)
			}
			if lastStake > 0 {
				return ErrCheckDue
			}
		}
		since, err := tx.Q.PlayingSince(ctx, memberID, now-day.Milliseconds(), restTime.Milliseconds())
		if err != nil {
			return fmt.Errorf("find the start of play: %w", err)
		}
		return tx.Q.SetRealityCheck(ctx, memberID, minutes, since)
	})
}

// Acknowledge records that the member has seen a reality check in one of their open games. The
// acknowledgement applies to all of them.
func (s *Service) Acknowledge(ctx context.Context, memberID, playID int64) error {
	if s.o.Plays != nil {
		open, err := s.o.Plays.IsOpen(ctx, memberID, playID)
		if err != nil {
			return fmt.Errorf("find play: %w", err)
		}
		if !open {
			return rest.ErrParam.On("playId")
		}
	}
	return s.change(ctx, memberID, "realityCheck", func(tx *db.Tx, now int64) error {
		return tx.Q.AnswerRealityCheck(ctx, memberID, now)
	})
}

// RealityCheck returns the interval in minutes and the time of the next check by the database's clock. The interval is 0
// if checks are disabled. The time is zero if the member is not playing: the next stake starts a new interval.
func (s *Service) RealityCheck(ctx context.Context, memberID int64) (minutes int, due time.Time, err error) {
	q := s.o.Store.Q()
	g, err := loadGuard(ctx, q, memberID)
	if err != nil || g.CheckMinutes == 0 {
		return 0, time.Time{}, err
	}
	now, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return 0, time.Time{}, err
	}
	lastStake, err := q.LastStakeTime(ctx, memberID, now-restTime.Milliseconds())
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("find the last stake: %w", err)
	}
	if lastStake == 0 {
		return int(g.CheckMinutes), time.Time{}, nil
	}
	return int(g.CheckMinutes), time.UnixMilli(checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince)).UTC(), nil
}

// checkDue returns when the next reality check is due, in unix ms.
func checkDue(minutes, checkedAt, playingSince int64) int64 {
	return max(playingSince, checkedAt) + minutes*time.Minute.Milliseconds()
}
