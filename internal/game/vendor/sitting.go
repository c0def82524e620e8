package vendor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// clocksApart is more than the largest difference between two replicas' readings of the database time.
const clocksApart = time.Minute

// restDuration is the pause in play that ends a sitting. Limits use the same duration, but for them only stakes
// count as play. For a sitting, launches, closings and wins count too, so a sitting is never shorter than the period that limits
// use.
const restDuration = 30 * time.Minute

// sumMoves sums a sitting's stakes and returns, and counts its rounds. A jackpot counts as a return. Moves of
// the play itself ($5) count even after the end of the period ($4).
var sumMoves = fmt.Sprintf(`SELECT %s, %s, COUNT(DISTINCT CASE WHEN call = 'bet' THEN CAST(vendor_id AS TEXT) || ':' || round END) FROM (
  SELECT call, amount, vendor_id, round FROM vendor_move WHERE member_id = $1 AND at >= $2 AND currency = $3 AND (at <= $4 OR play_id = $5)
  UNION ALL SELECT 'win', w.amount, b.vendor_id, b.round FROM jackpot_win w JOIN vendor_move b ON b.transfer_id = w.ticket_id
  WHERE w.member_id = $1 AND b.at >= $2 AND b.currency = $3 AND (b.at <= $4 OR b.play_id = $5)
) AS moves`,
	db.SplitSumColumns("CASE call WHEN 'bet' THEN amount WHEN 'rollback' THEN -amount ELSE 0 END"),
	db.SplitSumColumns("CASE call WHEN 'win' THEN amount ELSE 0 END"))

// countRounds counts rounds started since $2. From $3, the next quarter hour, it uses round_sum for finished rounds.
const countRounds = `SELECT CAST(COALESCE(SUM(x.n), 0) AS BIGINT) FROM (
  SELECT r.rounds AS n FROM round_sum r WHERE r.member_id = $1 AND r.since >= $3
  UNION ALL SELECT COUNT(*) FROM vendor_round r WHERE r.member_id = $1 AND r.status = 'open' AND r.started >= $3
  UNION ALL SELECT COUNT(*) FROM vendor_round r WHERE r.member_id = $1 AND r.status <> '' AND r.started >= $2 AND r.started < $3
) AS x`

// firstPlayBetween returns the first launch, closing or move strictly between two times. It uses indexes only.
const firstPlayBetween = `SELECT MIN(x.at) FROM (
  SELECT at FROM (SELECT at FROM vendor_move WHERE member_id = $1 AND at > $2 AND at < $3 AND currency = $4 ORDER BY at LIMIT 1) AS moved
  UNION ALL SELECT MIN(created_at) FROM play WHERE member_id = $1 AND created_at > $2 AND created_at < $3 AND currency = $4
  UNION ALL SELECT MIN(closed_at) FROM play WHERE member_id = $1 AND created_at > $5 AND closed_at > $2 AND closed_at < $3 AND currency = $4
) AS x`

// A Sitting is a play with the totals of all play since the member's last rest, in any game or window. Changing games
// does not reset the totals.
type Sitting struct {
	query.PlayDetailRow

	Since int64 // Unix milliseconds
	Sums
	Rounds int64

	RTP     string // published return to player, or ""
	Minutes int    // between reality checks; 0 means none
	Due     time.Time
}

// A sittingKey identifies a play whose sitting start is cached.
type sittingKey struct{ id, createdAt int64 }

// sittingStart returns when the play's sitting began: at the first launch or stake not followed by a rest. It
// searches backwards in steps shorter than a rest. Two steps cover at least one rest, so the number of steps does not
// depend on the number of moves.
func (s *Service) sittingStart(ctx context.Context, memberID int64, p query.PlayDetailRow) (int64, error) {
	key := sittingKey{p.ID, p.CreatedAt}
	if since, known := s.sittingStarts.GetIfPresent(key); known {
		return since, nil
	}
	reader := db.Bind(s.o.Store.Engine, s.o.Store.Reader)
	since, earliest := p.CreatedAt, p.CreatedAt-playTTL.Milliseconds()
	for {
		var before sql.NullInt64
		err := reader.QueryRowContext(ctx, firstPlayBetween, memberID, max(earliest, since-restDuration.Milliseconds()), since, p.Currency, earliest).Scan(&before)
		if err != nil {
			return 0, fmt.Errorf("find the start of the sitting: %w", err)
		}
		if !before.Valid {
			s.sittingStarts.Set(key, since)
			return since, nil
		}
		since = before.Int64
	}
}

func (s *Service) sumSitting(ctx context.Context, memberID int64, out *Sitting) (err error) {
	if out.Since, err = s.sittingStart(ctx, memberID, out.PlayDetailRow); err != nil {
		return err
	}
	from, until := out.Since-clocksApart.Milliseconds(), int64(math.MaxInt64)
	if s.o.PlayedSince != nil && !out.ClosedAt.Valid {
		return s.sumRunningSitting(ctx, memberID, from, out)
	}
	if out.ClosedAt.Valid { // a closed play excludes later moves, so its moves are summed
		until = out.ClosedAt.Int64
	}
	var staked, returned money.SplitSum
	err = db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryRowContext(ctx, sumMoves, memberID, from, out.Currency, until, out.ID).
		Scan(&staked.High, &staked.Low, &returned.High, &returned.Low, &out.Rounds)
	if err != nil {
		return fmt.Errorf("sum play: %w", err)
	}
	out.Sums = Sums{Staked: staked.Minor(), Returned: returned.Minor(), Net: returned.Sub(staked).Minor()}
	return nil
}

// sumRunningSitting uses precomputed sums, because the app polls running sittings and they can be long.
func (s *Service) sumRunningSitting(ctx context.Context, memberID, from int64, out *Sitting) error {
	var err error
	if out.Sums, err = s.o.PlayedSince(ctx, memberID, out.Currency, from); err != nil {
		return fmt.Errorf("sum play: %w", err)
	}
	sumsFrom := from - from%sumInterval.Milliseconds() + sumInterval.Milliseconds()
	if err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryRowContext(ctx, countRounds, memberID, from, sumsFrom).Scan(&out.Rounds); err != nil {
		return fmt.Errorf("count rounds: %w", err)
	}
	return nil
}

// Sitting returns a member's play with the totals of its sitting.
func (s *Service) Sitting(ctx context.Context, who rest.Caller, language string, playID int64) (Sitting, error) {
	q := s.o.Store.Q()
	var out Sitting
	var err error
	out.PlayDetailRow, err = q.PlayDetail(ctx, language, playID, who.MemberID)
	if errors.Is(err, sql.ErrNoRows) {
		return Sitting{}, ErrUnknownPlay
	}
	if err != nil {
		return Sitting{}, fmt.Errorf("read play: %w", err)
	}
	if err = s.sumSitting(ctx, who.MemberID, &out); err != nil {
		return Sitting{}, err
	}
	v, err := s.vendorByID(ctx, out.VendorID)
	if err != nil {
		return Sitting{}, err
	}
	if s.o.RTP != nil && v.launchURL == "" {
		out.RTP = s.o.RTP(Game{ID: out.GameID, VendorID: out.VendorID, Code: out.Game, Category: out.Category, Vendor: out.Vendor})
	}
	if s.o.Limits != nil {
		out.Minutes, out.Due, err = s.o.Limits.RealityCheck(ctx, who.MemberID)
	}
	return out, err
}
