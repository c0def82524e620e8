package limits

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// readGuards reads the limits of members: a row with the guard, and a row for each limit with its use. Members without
// limits have no rows.
const readGuards = `WITH t AS MATERIALIZED (SELECT %[2]s AS now), e AS MATERIALIZED (
  SELECT DISTINCT l.member_id, l.currency, l.period,
    t.now - CASE l.period WHEN 'day' THEN 86400000 WHEN 'week' THEN 604800000 ELSE 2592000000 END AS edge
  FROM t CROSS JOIN play_limit l WHERE l.member_id %[1]s
), s AS MATERIALIZED (%[3]s)
SELECT g.member_id, '' AS kind, '' AS period, '' AS currency, g.check_minutes, g.checked_at, g.break_until, g.playing_since,
  CASE WHEN g.check_minutes = 0 THEN 0 ELSE (
    SELECT COUNT(*) FROM (
      SELECT 1 FROM limit_use u JOIN member m ON m.id = u.member_id AND m.currency = u.currency
      WHERE u.member_id = g.member_id AND u.what = 'stake' AND u.amount > 0 AND u.at > t.now - 1800000 LIMIT 1) one
  ) END
FROM t CROSS JOIN limit_guard g WHERE g.member_id %[1]s
UNION ALL
SELECT l.member_id, l.kind, l.period, l.currency, l.amount,
  COALESCE(CASE l.kind WHEN 'deposit' THEN s.deposit_high WHEN 'loss' THEN s.stake_high - s.return_high ELSE s.stake_high END, 0),
  COALESCE(CASE l.kind WHEN 'deposit' THEN s.deposit_low WHEN 'loss' THEN s.stake_low - s.return_low ELSE s.stake_low END, 0), 0, 0
FROM play_limit l LEFT JOIN s ON s.member_id = l.member_id AND s.currency = l.currency AND s.period = l.period WHERE l.member_id %[1]s`

var (
	// Both are sent together with the locks, before the ledger's time is known, so PostgreSQL reads the clock itself.
	readGuardsPostgres = fmt.Sprintf(readGuards, "= ANY($1)", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", usedPostgres)
	readGuardsSQLite   = fmt.Sprintf(readGuards, "= $1", "CAST($2 AS BIGINT)", usedSQLite)

	// findGuards is faster than readGuards. Most members have no limits.
	findGuards = `SELECT g.member_id FROM limit_guard g WHERE g.member_id = ANY($1) UNION ALL SELECT l.member_id FROM play_limit l WHERE l.member_id = ANY($1)`

	beginPlayPostgres = "UPDATE limit_guard SET playing_since = $2 WHERE member_id = ANY($1)"
	beginPlaySQLite   = "UPDATE limit_guard SET playing_since = $2 WHERE member_id = $1"
)

// memberLimits are the limits of a member with their use.
type memberLimits struct {
	checkMinutes, checkedAt, breakUntil int64
	playingSince                        int64
	playing                             bool // has staked within restTime
	limits                              []countedLimit
}

// A countedLimit is a limit with its use, which is updated within a batch. used is capped far above every limit, so that
// the transfers of a batch can neither lower it to a limit nor overflow it.
type countedLimit struct {
	kind         Kind
	period       Period
	currency     string
	amount, used money.Minor
}

// A gate decides about the transfers of one batch.
type gate struct {
	s       *Service
	unread  []int64 // members with limits that are still to be read
	posts   []ledger.Guarded
	uses    [][]use
	members map[int64]*memberLimits
}

// Prepare implements ledger.Limits. It reads limits for the transfers with a row of this package; others pass.
func (s *Service) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	g := &gate{s: s, members: map[int64]*memberLimits{}}
	var ids, fresh []int64 // members who had limits at the last read, and others
	for _, t := range posts {
		for _, u := range usesOf(t) {
			if _, set := s.guarded.GetIfPresent(u.memberID); set || engine == db.SQLite {
				ids = append(ids, u.memberID)
			} else {
				fresh = append(fresh, u.memberID)
			}
		}
	}
	ids, fresh = sorted(ids), sorted(fresh)
	q := ledger.LimitCheck{Open: g.open}
	if engine == db.SQLite {
		for _, id := range ids {
			q.Reads = append(q.Reads, ledger.Read{Statement: readGuardsSQLite, Args: []any{id, db.Millis(s.o.Now())}, Take: g.take})
		}
		return q
	}
	if len(ids) > 0 {
		q.Reads = append(q.Reads, ledger.Read{Statement: readGuardsPostgres, Args: []any{ids}, Take: g.take})
	}
	if len(fresh) > 0 {
		q.Reads = append(q.Reads, ledger.Read{Statement: findGuards, Args: []any{fresh}, Take: g.find})
	}
	return q
}

func sorted(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// find records a member who has limits but was not in the cache. open reads the limits while the member is locked.
func (g *gate) find(row ledger.Scanner) error {
	var id int64
	if err := row.Scan(&id); err != nil {
		return fmt.Errorf("find limits: %w", err)
	}
	if g.members[id] == nil { // a member is in both queries if another batch cached it meanwhile
		g.unread = append(g.unread, id)
	}
	g.s.guarded.Set(id, struct{}{})
	return nil
}

// readUnread reads the limits that were not read with the locks.
func (g *gate) readUnread(ctx context.Context, v ledger.View) (err error) {
	rows, err := v.DB.QueryContext(ctx, readGuardsPostgres, sorted(g.unread))
	if err != nil {
		return fmt.Errorf("read limits: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := g.take(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// open prepares the gate and records whose play begins.
func (g *gate) open(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
	if len(g.unread) > 0 {
		if err := g.readUnread(ctx, v); err != nil {
			return nil, err
		}
	}
	g.posts, g.uses = posts, make([][]use, len(posts))
	for i := range posts {
		g.uses[i] = usesOf(&posts[i].Transfer)
	}
	at := posts[0].At
	beginners := g.beginners(at)
	if len(beginners) == 0 {
		return g, nil
	}
	if v.Engine == db.Postgres {
		return g, beginPlay(ctx, v.DB, beginPlayPostgres, beginners, at)
	}
	for _, id := range beginners {
		if err := beginPlay(ctx, v.DB, beginPlaySQLite, id, at); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// beginners returns the members with reality checks who stake after a rest. If the stake is refused, the next one
// begins play again.
func (g *gate) beginners(at int64) (ids []int64) {
	for i := range g.uses {
		for _, u := range g.uses[i] {
			m := g.members[u.memberID]
			if m == nil || m.checkMinutes == 0 || m.playing || u.what != useStake || u.amount <= 0 {
				continue
			}
			m.playing, m.playingSince = true, at
			ids = append(ids, u.memberID)
		}
	}
	return ids
}

// beginPlay is the only write of the gate. The members are locked already.
func beginPlay(ctx context.Context, x query.DBTX, statement string, who any, at int64) error {
	if _, err := x.ExecContext(ctx, statement, who, at); err != nil {
		return fmt.Errorf("record the start of play: %w", err)
	}
	return nil
}

func (g *gate) take(row ledger.Scanner) error {
	var id, a, b, c, since, staked int64
	var kind, period, currency string
	if err := row.Scan(&id, &kind, &period, &currency, &a, &b, &c, &since, &staked); err != nil {
		return fmt.Errorf("read limits: %w", err)
	}
	m := g.members[id]
	if m == nil {
		m = &memberLimits{}
		g.members[id] = m
	}
	if kind == "" {
		m.checkMinutes, m.checkedAt, m.breakUntil, m.playingSince, m.playing = a, b, c, since, staked > 0
		return nil
	}
	used := money.SplitSum{High: b, Low: c}.Minor()
	if kind == string(Stake) {
		used = max(0, used) // cancelled stakes make no extra room
	}
	m.limits = append(m.limits, countedLimit{Kind(kind), Period(period), currency, money.Minor(a), used})
	return nil
}

// Admit implements ledger.Gate. Returns and cancelled bets always pass.
func (g *gate) Admit(i int) string {
	for _, u := range g.uses[i] {
		m := g.members[u.memberID]
		if m == nil || u.what == useReturn || u.amount < 0 {
			continue
		}
		at := g.posts[i].At
		switch {
		case at < m.breakUntil:
			return ErrExcluded.Code
		case u.what == useStake && m.checkMinutes > 0 && m.playing && at > checkDue(m.checkMinutes, m.checkedAt, m.playingSince)+checkGrace.Milliseconds():
			return ErrCheckDue.Code
		}
		for _, l := range m.limits {
			if n := l.counts(u); n > 0 && (l.used > l.amount || n > l.amount-l.used) {
				return ErrReached.Code
			}
		}
	}
	return ""
}

// Count implements ledger.Gate.
func (g *gate) Count(i int) {
	for _, u := range g.uses[i] {
		m := g.members[u.memberID]
		if m == nil {
			continue
		}
		for k := range m.limits {
			if l := &m.limits[k]; u.at == 0 || u.at > g.posts[i].At-windows[l.period] {
				l.used += l.counts(u)
			}
		}
	}
}

// counts returns the amount by which a use counts against the limit.
func (l *countedLimit) counts(u use) money.Minor {
	switch {
	case u.currency != l.currency:
		return 0
	case u.what == useReturn && l.kind == Loss:
		return -u.amount
	case u.what == useStake && (l.kind == Stake || l.kind == Loss), u.what == useDeposit && l.kind == Deposit:
		return u.amount
	default:
		return 0
	}
}
