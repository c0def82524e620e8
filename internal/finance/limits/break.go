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

// Break is time away from play.
type Break struct {
	Kind   string // timeOut or exclusion
	Period string
	Since  int64 // unix ms
	Until  int64 // forLife: it has no end

	Longer []string // the periods that, begun now, reach further than it: no other can be taken
}

// Begin takes a break, at once, and closes the games that are open. One that reaches further than what stands replaces
// it; none is ever made shorter.
func (s *Service) Begin(ctx context.Context, memberID int64, period string) error {
	closed := func() {}
	err := s.change(ctx, memberID, "break", func(tx *db.Tx, at int64) error {
		g, err := guardOf(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		since, until := at, breakUntil(period, at)
		if stands := breakOf(g, at); stands != nil {
			if stands.Until >= until {
				return ErrBreakStands
			}
			since = stands.Since // one goes over into the other
		}
		for _, mark := range []func(context.Context, int64) error{tx.Q.MarkMobile, tx.Q.MarkEmail, tx.Q.MarkExternalEmails} {
			if err := mark(ctx, memberID); err != nil {
				return fmt.Errorf("mark who it is: %w", err)
			}
		}
		if s.o.Plays != nil {
			if closed, err = s.o.Plays.CloseAllIn(ctx, tx, memberID); err != nil {
				return err
			}
		}
		return tx.Q.SetBreak(ctx, query.SetBreakParams{
			MemberID: memberID, BreakKind: breaks[period].kind, BreakPeriod: period, BreakSince: since, BreakUntil: until,
		})
	})
	if err != nil {
		return err
	}
	closed()
	return nil
}

// breakOf gives the break that runs at a time.
func breakOf(g query.LimitGuard, at int64) *Break {
	if g.BreakUntil <= at {
		return nil
	}
	return &Break{Kind: g.BreakKind, Period: g.BreakPeriod, Since: g.BreakSince, Until: g.BreakUntil, Longer: longerThan(g.BreakUntil, at)}
}

// Check refuses a member who is on a break: asked before a launch, a deposit, a promotion. Bets are decided by the
// gate, in their own transaction.
func (s *Service) Check(ctx context.Context, memberID int64) error {
	g, err := guardOf(ctx, s.o.Store.Q(), memberID)
	if err != nil || g.BreakUntil == 0 {
		return err
	}
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err == nil && breakOf(g, at) != nil {
		err = ErrExcluded
	}
	return err
}

// BarredIn says whether a number or an address is that of somebody on a break other than the member (0: nobody yet),
// so that no new account is opened with it, nor an old one comes by it. Only what was proved counts on the side of who is on
// a break: otherwise anybody could bar others by typing what is theirs.
func (s *Service) BarredIn(ctx context.Context, tx *db.Tx, merchantID, memberID int64, mobile, email string) (bool, error) {
	at, err := s.clock(ctx, tx.Tx)
	if err != nil {
		return false, err
	}
	return twin(ctx, tx.Q, query.TwinsOnBreakParams{
		Now: at, Before: math.MaxInt64, MemberID: memberID, MerchantID: merchantID, Mobile: mobile, Email: email,
	})
}

// Admit refuses the login of an account that was opened while somebody with the same number or address was on a break
// that still runs. An account from before is let in as ever: PP-07 bars new ones, and a break holds the account that takes it.
func (s *Service) Admit(ctx context.Context, memberID int64) error {
	q := s.o.Store.Q()
	who, err := q.MemberByID(ctx, memberID)
	if err != nil {
		return fmt.Errorf("find member: %w", err)
	}
	known := [][2]string{{who.Mobile.String, who.Email.String}}
	details, err := q.Details(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read details: %w", err)
	}
	for _, d := range details { // typed, not proved: whoever typed it says that it is theirs
		switch d.Name {
		case "mobileNum":
			known = append(known, [2]string{d.Value, ""})
		case "email":
			known = append(known, [2]string{"", d.Value})
		}
	}
	external, err := q.ExternalEmails(ctx, memberID)
	if err != nil {
		return fmt.Errorf("read addresses of external accounts: %w", err)
	}
	for _, email := range external {
		known = append(known, [2]string{"", email})
	}
	at, err := s.clock(ctx, s.o.Store.Reader)
	if err != nil {
		return err
	}
	for _, k := range known {
		if k == [2]string{} {
			continue
		}
		barred, err := twin(ctx, q, query.TwinsOnBreakParams{
			Now: at, Before: who.CreatedAt, MemberID: memberID, MerchantID: who.MerchantID, Mobile: k[0], Email: k[1],
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

func twin(ctx context.Context, q *query.Queries, p query.TwinsOnBreakParams) (bool, error) {
	if p.Mobile == "" && p.Email == "" {
		return false, nil
	}
	n, err := q.TwinsOnBreak(ctx, p)
	if err != nil {
		return false, fmt.Errorf("look for breaks of the same person: %w", err)
	}
	return n > 0, nil
}

// SetCheck chooses after how many minutes of play the member is asked about the time; 0 is never. To choose is not to have
// seen how long it was: what was played without a rest counts, also from before, and a check that is due is answered before
// it can be put off.
func (s *Service) SetCheck(ctx context.Context, memberID, minutes int64) error {
	return s.change(ctx, memberID, "realityCheck", func(tx *db.Tx, at int64) error {
		g, err := guardOf(ctx, tx.Q, memberID)
		if err != nil {
			return err
		}
		if g.CheckMinutes > 0 && (minutes == 0 || minutes > g.CheckMinutes) && at > checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince) {
			last, err := tx.Q.LastStake(ctx, memberID, at-restFor.Milliseconds())
			if err != nil {
				return fmt.Errorf("find the last stake: %w", err)
			}
			if last > 0 {
				return ErrCheckDue
			}
		}
		since, err := tx.Q.PlayingSince(ctx, memberID, at-day.Milliseconds(), restFor.Milliseconds())
		if err != nil {
			return fmt.Errorf("find when play began: %w", err)
		}
		return tx.Q.SetRealityCheck(ctx, memberID, minutes, since)
	})
}

// Acknowledge notes that the member has seen how long they have played, in one of the games they have open. It counts for
// every play of theirs.
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

// RealityCheck tells how often the member is asked about the time, and when next, by the database's time; 0 and the zero time
// are never. Who has not staked for a while is not playing: what they stake next begins to count anew, in whatever game.
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
	last, err := q.LastStake(ctx, memberID, at-restFor.Milliseconds())
	if err != nil {
		return 0, time.Time{}, fmt.Errorf("find the last stake: %w", err)
	}
	if last == 0 {
		return int(g.CheckMinutes), time.Time{}, nil
	}
	return int(g.CheckMinutes), time.UnixMilli(checkDue(g.CheckMinutes, g.CheckedAt, g.PlayingSince)).UTC(), nil
}

// checkDue is when the next reality check is due, in unix ms.
func checkDue(minutes, checkedAt, playingSince int64) int64 {
	return max(playingSince, checkedAt) + minutes*time.Minute.Milliseconds()
}
