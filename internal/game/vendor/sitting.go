package vendor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// clocksApart is more than two replicas can differ about the database's time.
const clocksApart = time.Minute

// restFor is how long nothing is played when somebody has rested. Limits reckon as long, from stakes alone; here launches, closings and
// returns are play too, so that a sitting is never shorter than theirs.
const restFor = 30 * time.Minute

// sumMoves adds up what was staked in a sitting, what came back by games or as a jackpot, and in how many rounds. What was staked
// in the play that is asked for counts whenever it comes back.
var sumMoves = fmt.Sprintf(`SELECT %s, %s, %s, COUNT(DISTINCT CASE WHEN call = 'bet' THEN CAST(vendor_id AS TEXT) || ':' || round END) FROM (
  SELECT call, amount, vendor_id, round FROM vendor_move WHERE member_id = $1 AND at >= $2 AND currency = $3 AND (at <= $4 OR play_id = $5)
  UNION ALL SELECT 'win', w.amount, b.vendor_id, b.round FROM jackpot_win w JOIN vendor_move b ON b.transfer_id = w.ticket_id
  WHERE w.member_id = $1 AND b.at >= $2 AND b.currency = $3 AND (b.at <= $4 OR b.play_id = $5)
) AS moves`,
	db.Total("CASE call WHEN 'bet' THEN amount WHEN 'rollback' THEN -amount ELSE 0 END"), db.Total("CASE call WHEN 'win' THEN amount ELSE 0 END"),
	db.Total("CASE call WHEN 'bet' THEN -amount WHEN 'rollback' THEN amount WHEN 'win' THEN amount ELSE 0 END"))

// countRounds counts those that began since a time, however many: by what is kept of those that are over, up to the first quarter of an hour ($3) one by one.
const countRounds = `SELECT CAST(COALESCE(SUM(x.n), 0) AS BIGINT) FROM (
  SELECT r.rounds AS n FROM round_sum r WHERE r.member_id = $1 AND r.since >= $3
  UNION ALL SELECT COUNT(*) FROM vendor_round r WHERE r.member_id = $1 AND r.status = 'open' AND r.started >= $3
  UNION ALL SELECT COUNT(*) FROM vendor_round r WHERE r.member_id = $1 AND r.status <> '' AND r.started >= $2 AND r.started < $3
) AS x`

// playedBefore finds what was played first within a time, at its edges not: a launch, a closing or a move. It is read off the ends of indexes.
const playedBefore = `SELECT MIN(x.at) FROM (
  SELECT at FROM (SELECT at FROM vendor_move WHERE member_id = $1 AND at > $2 AND at < $3 AND currency = $4 ORDER BY at LIMIT 1) AS moved
  UNION ALL SELECT MIN(created_at) FROM play WHERE member_id = $1 AND created_at > $2 AND created_at < $3 AND currency = $4
  UNION ALL SELECT MIN(closed_at) FROM play WHERE member_id = $1 AND created_at > $5 AND closed_at > $2 AND closed_at < $3 AND currency = $4
) AS x`

// Sitting is a play as its member sees it: with all that came before it, in whatever game or window, since the last rest. Another
// game makes no loss undone.
type Sitting struct {
	query.PlayShownRow

	Since int64 // unix ms
	Sums
	Rounds int64

	Return  string // the game's published one, or nothing
	Minutes int    // between reality checks; 0 is never
	Due     time.Time
}

// begun names a play whose sitting's beginning is known: what was before it changes no more.
type begun struct{ id, createdAt int64 }

// sittingSince finds when the sitting began that a play goes on: with the first launch or stake that no rest came after. It goes back from the launch
// by less than a rest at a time, to the first of what was played then, so two steps are a rest at least, however much was played.
func (s *Service) sittingSince(ctx context.Context, memberID int64, p query.PlayShownRow) (int64, error) {
	name := begun{p.ID, p.CreatedAt}
	if since, known := s.sittings.GetIfPresent(name); known {
		return since, nil
	}
	reader := db.Bind(s.o.Store.Engine, s.o.Store.Reader)
	since, earliest := p.CreatedAt, p.CreatedAt-playFor.Milliseconds()
	for {
		var before sql.NullInt64
		err := reader.QueryRowContext(ctx, playedBefore, memberID, max(earliest, since-restFor.Milliseconds()), since, p.Currency, earliest).Scan(&before)
		if err != nil {
			return 0, fmt.Errorf("find when the sitting began: %w", err)
		}
		if !before.Valid {
			s.sittings.Set(name, since)
			return since, nil
		}
		since = before.Int64
	}
}

// addUp finds when a sitting began, and what it has come to.
func (s *Service) addUp(ctx context.Context, memberID int64, out *Sitting) (err error) {
	if out.Since, err = s.sittingSince(ctx, memberID, out.PlayShownRow); err != nil {
		return err
	}
	from, until := out.Since-clocksApart.Milliseconds(), int64(math.MaxInt64)
	if s.o.Played != nil && !out.ClosedAt.Valid {
		return s.addKept(ctx, memberID, from, out)
	}
	if out.ClosedAt.Valid { // what came after it is another's: its moves are gone through, once it is over
		until = out.ClosedAt.Int64
	}
	err = db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryRowContext(ctx, sumMoves, memberID, from, out.Currency, until, out.ID).
		Scan(&out.Staked, &out.Returned, &out.Net, &out.Rounds)
	if err != nil {
		return fmt.Errorf("add up play: %w", err)
	}
	return nil
}

// addKept adds a sitting up that goes on, by what is kept summed up: it is asked for again and again, and may be long.
func (s *Service) addKept(ctx context.Context, memberID, from int64, out *Sitting) error {
	var err error
	if out.Sums, err = s.o.Played(ctx, memberID, out.Currency, from); err != nil {
		return fmt.Errorf("add up play: %w", err)
	}
	kept := from - from%quarter.Milliseconds() + quarter.Milliseconds()
	if err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryRowContext(ctx, countRounds, memberID, from, kept).Scan(&out.Rounds); err != nil {
		return fmt.Errorf("count rounds: %w", err)
	}
	return nil
}

// Sitting gives a play of a member.
func (s *Service) Sitting(ctx context.Context, who rest.Caller, language string, playID int64) (Sitting, error) {
	q := s.o.Store.Q()
	var out Sitting
	var err error
	out.PlayShownRow, err = q.PlayShown(ctx, language, playID, who.MemberID)
	if errors.Is(err, sql.ErrNoRows) {
		return Sitting{}, ErrUnknownPlay
	}
	if err != nil {
		return Sitting{}, fmt.Errorf("read play: %w", err)
	}
	if err = s.addUp(ctx, who.MemberID, &out); err != nil {
		return Sitting{}, err
	}
	m, err := s.maker(ctx, out.VendorID)
	if err != nil {
		return Sitting{}, err
	}
	if s.o.Return != nil && m.launchURL == "" {
		out.Return = s.o.Return(Game{ID: out.GameID, VendorID: out.VendorID, Code: out.Game, Category: out.Category, Vendor: out.Vendor})
	}
	if s.o.Limits != nil {
		out.Minutes, out.Due, err = s.o.Limits.RealityCheck(ctx, who.MemberID)
	}
	return out, err
}
