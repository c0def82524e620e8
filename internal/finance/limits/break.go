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
	Until  int64 // forLife: permanent

	Longer []string // periods that would end later if they began now; only these are allowed
}

// BeginBreak starts a break at once and closes the member's open games. It replaces a running break only if it ends
// later (PP-07).
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

// BeginBreakIn is BeginBreak within the caller's transaction. The caller runs announce after the commit.
func (s *Service) BeginBreakIn(ctx context.Context, tx *db.Tx, memberID int64, period string) (announce func(), err error) {
	announceClosed := func() {}
	err = s.changeIn(ctx, tx, memberID, "break", func(tx *db.Tx, at int64) error {
		g, err := guardOf(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		if g.BreakKind == holdKind {
			return ErrHeld
		}
		since, until := at, breakUntil(period, at)
		if current := breakOf(g, at); current != nil {
			if current.Until >= until {
				return ErrBreakShorter
			}
			since = current.Since // an extended break keeps its start
		}
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
		return tx.Q.SetBreak(ctx, query.SetBreakParams{
			MemberID: memberID, BreakKind: breaks[period].kind, BreakPeriod: period, BreakSince: since, BreakUntil: until,
		})
	})
	return func() {
		announceClosed()
		s.o.Outbox.Wake()
	}, err
}

func breakOf(g query.LimitGuard, at int64) *Break {
	if g.BreakUntil <= at || g.BreakKind == holdKind {
		return nil
	}
	return &Break{Kind: g.BreakKind, Period: g.BreakPeriod, Since: g.BreakSince, Until: g.BreakUntil, Longer: longerThan(g.BreakUntil, at)}
}

// Check returns ErrExcluded if the member is on a break, and ErrHeld if the account waits for a review. Callers check before a launch, a deposit or a promotion.
// The gate checks bets in their own transaction.
func (s *Service) Check(ctx context.Context, memberID int64) error {
	g, err := guardOf(ctx, s.o.Store.Q(), memberID)
	if err != nil || g.BreakUntil == 0 {
		return err
	}
	if g.BreakKind == holdKind {
		return ErrHeld
	}
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err == nil && breakOf(g, at) != nil {
		err = ErrExcluded
	}
	return err
}

// BarredIn reports whether a mobile number or e-mail address belongs to another member on a break. Such a contact must
// not be used for a new account or added to an existing one. memberID is 0 for a new account. Only verified contacts of
// the member on a break count; otherwise anyone could bar others by entering their contacts.
func (s *Service) BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error) {
	at, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return false, err
	}
	return onBreak(ctx, tx.Q, query.CountSameContactsOnBreakParams{
		Now: at, Before: math.MaxInt64, MemberID: memberID, MerchantID: merchantID, Mobile: mobile, Email: email,
	})
}

// Admit rejects the login of an account that was created during a break, which still runs, of a member with the same
// contact, and of a held account. Accounts from before the break may log in: PP-07 bars only new ones. So may accounts that an
// operator released.
func (s *Service) Admit(ctx context.Context, memberID int64) error {
	q := s.o.Store.Q()
	held, released, err := holdOf(ctx, q, memberID)
	switch {
	case err != nil || released:
		return err
	case held:
		return ErrHeld
	}
	who, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("find member: %w", err)
	}
	contacts := [][2]string{{who.Mobile.String, who.Email.String}}
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
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	for _, c := range contacts {
		if c == [2]string{} {
			continue
		}
		barred, err := onBreak(ctx, q, query.CountSameContactsOnBreakParams{
			Now: at, Before: who.CreatedAt, MemberID: memberID, MerchantID: who.MerchantID, Mobile: c[0], Email: c[1],
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

func onBreak(ctx context.Context, q *query.Queries, p query.CountSameContactsOnBreakParams) (bool, error) {
	if p.Mobile == "" && p.Email == "" {
		return false, nil
	}
	n, err := q.CountSameContactsOnBreak(ctx, p)
	if err != nil {
		return false, fmt.Errorf("look for breaks of the same contact: %w", err)
	}
	return n > 0, nil
}

// SetRealityCheck sets the interval of reality checks; 0 disables them. Play before the change counts. While a check
// is due, the member must acknowledge it before choosing a longer interval (PP-04).
func (s *Service) SetRealityCheck(ctx context.Context, memberID, minutes int64) error {
	return s.change(ctx, memberID, "realityCheck", func(tx *db.Tx, at int64) error {
		g, err := guardOf(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		if g.CheckMinutes > 0 && (minutes == 0 || minutes > g.CheckMinutes) && at > checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince) {
			last, err := tx.Q.LastStakeTime(ctx, memberID, at-restTime.Milliseconds())
			if err != nil {
				return fmt.Errorf("find the last stake: %w", err)
			}
			if last > 0 {
				return ErrCheckDue
			}
		}
		since, err := tx.Q.PlayingSince(ctx, memberID, at-day.Milliseconds(), restTime.Milliseconds())
		if err != nil {
			return fmt.Errorf("find the start of play: %w", err)
		}
		return tx.Q.SetRealityCheck(ctx, memberID, minutes, since)
	})
}

// Acknowledge records that the member has seen a reality check in one of their open games. It applies to all of them.
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
	return s.change(ctx, memberID, "realityCheck", func(tx *db.Tx, at int64) error {
		return tx.Q.AnswerRealityCheck(ctx, memberID, at)
	})
}

// RealityCheck returns the interval in minutes and the time of the next check by the database's clock. The interval is 0
// if checks are disabled. The time is zero if the member is not playing: the next stake starts a new interval.
func (s *Service) RealityCheck(ctx context.Context, memberID int64) (minutes int, due time.Time, err error) {
	q := s.o.Store.Q()
	g, err := guardOf(ctx, q, memberID)
	if err != nil || g.CheckMinutes == 0 {
		return 0, time.Time{}, err
	}
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return 0, time.Time{}, err
	}
	last, err := q.LastStakeTime(ctx, memberID, at-restTime.Milliseconds())
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("find the last stake: %w", err)
	}
	if last == 0 {
		return int(g.CheckMinutes), time.Time{}, nil
	}
	return int(g.CheckMinutes), time.UnixMilli(checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince)).UTC(), nil
}

// checkDue returns when the next reality check is due, in unix ms.
func checkDue(minutes, checkedAt, playingSince int64) int64 {
	return max(playingSince, checkedAt) + minutes*time.Minute.Milliseconds()
}
