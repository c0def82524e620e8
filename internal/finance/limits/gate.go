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

// readGuards reads the limits of members: one row with the guard, and one row for each limit with its use. Members without
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

	// findGuards only finds the members who have limits. It is faster than readGuards, and most members have none.
	findGuards = `SELECT g.member_id FROM limit_guard g WHERE g.member_id = ANY($1) UNION ALL SELECT l.member_id FROM play_limit l WHERE l.member_id = ANY($1)`

	setPlayStartPostgres = "UPDATE limit_guard SET playing_since = $2 WHERE member_id = ANY($1)"
	setPlayStartSQLite   = "UPDATE limit_guard SET playing_since = $2 WHERE member_id = $1"
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
	s         *Service
	unread    []int64 // members with limits that are still to be read
	transfers []ledger.Guarded
	uses      [][]use
	members   map[int64]*memberLimits
}

// Prepare implements ledger.Limits. It reads the limits for transfers that write a use. Other transfers pass.
func (s *Service) Prepare(engine db.Engine, transfers []*ledger.Transfer) ledger.LimitCheck {
	g := &gate{s: s, members: map[int64]*memberLimits{}}
	var cached, uncached []int64 // members who had limits at the last read, and others
	for _, t := range transfers {
		for _, u := range usesOf(t) {
			if _, set := s.limitedMembers.GetIfPresent(u.memberID); set || engine == db.SQLite {
				cached = append(cached, u.memberID)
			} else {
				uncached = append(uncached, u.memberID)
			}
		}
	}
	cached, uncached = sortUnique(cached), sortUnique(uncached)
	check := ledger.LimitCheck{Open: g.open}
	if engine == db.SQLite {
		for _, id := range cached {
			check.Reads = append(check.Reads, ledger.Read{Statement: readGuardsSQLite, Args: []any{id, db.Millis(s.o.Now())}, Take: g.scanRow})
		}
		return check
	}
	if len(cached) > 0 {
		check.Reads = append(check.Reads, ledger.Read{Statement: readGuardsPostgres, Args: []any{cached}, Take: g.scanRow})
	}
	if len(uncached) > 0 {
		check.Reads = append(check.Reads, ledger.Read{Statement: findGuards, Args: []any{uncached}, Take: g.scanMember})
	}
	return check
}

func sortUnique(ids []int64) []int64 {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// scanMember reads a row of findGuards: a member who has limits but was not in the cache. open reads the limits while the
// member is locked.
func (g *gate) scanMember(row ledger.Scanner) error {
	var id int64
	if err := row.Scan(&id); err != nil {
		return fmt.Errorf("find limits: %w", err)
	}
	if g.members[id] == nil { // a member is in both queries if another batch cached it during Prepare
		g.unread = append(g.unread, id)
	}
	g.s.limitedMembers.Set(id, struct{}{})
	return nil
}

// readUnread reads the limits that were not read with the locks.
func (g *gate) readUnread(ctx context.Context, v ledger.View) (err error) {
	rows, err := v.DB.QueryContext(ctx, readGuardsPostgres, sortUnique(g.unread))
	if err != nil {
		return fmt.Errorf("read limits: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := g.scanRow(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// open prepares the gate and stores the start of play.
func (g *gate) open(ctx context.Context, v ledger.View, transfers []ledger.Guarded) (ledger.Gate, error) {
	if len(g.unread) > 0 {
		if err := g.readUnread(ctx, v); err != nil {
			return nil, err
		}
	}
	g.transfers, g.uses = transfers, make([][]use, len(transfers))
	for i := range transfers {
		g.uses[i] = usesOf(&transfers[i].Transfer)
	}
	now := transfers[0].At
	starting := g.startPlay(now)
	if len(starting) == 0 {
		return g, nil
	}
	if v.Engine == db.Postgres {
		return g, storePlayStart(ctx, v.DB, setPlayStartPostgres, starting, now)
	}
	for _, id := range starting {
		if err := storePlayStart(ctx, v.DB, setPlayStartSQLite, id, now); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// startPlay marks the members with reality checks who stake after a rest as playing, and returns them. If the stake is
// refused, the member's next stake starts play again.
func (g *gate) startPlay(now int64) (ids []int64) {
	for i := range g.uses {
		for _, u := range g.uses[i] {
			m := g.members[u.memberID]
			if m == nil || m.checkMinutes == 0 || m.playing || u.what != useStake || u.amount <= 0 {
				continue
			}
			m.playing, m.playingSince = true, now
			ids = append(ids, u.memberID)
		}
	}
	return ids
}

// storePlayStart makes the only write of the gate. The members are already locked.
func storePlayStart(ctx context.Context, x query.DBTX, statement string, members any, now int64) error {
	if _, err := x.ExecContext(ctx, statement, members, now); err != nil {
		return fmt.Errorf("record the start of play: %w", err)
	}
	return nil
}

// scanRow reads a row of readGuards. Without a kind, the row is the guard, and a, b and c are its checkMinutes, checkedAt and
// breakUntil. Otherwise they are a limit's amount and the high and low half of its use.
func (g *gate) scanRow(row ledger.Scanner) error {
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
		used = max(0, used) // cancelled stakes do not raise the limit
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
		now := g.transfers[i].At
		switch {
		case now < m.breakUntil:
			return ErrExcluded.Code
		case u.what == useStake && m.checkMinutes > 0 && m.playing && now > checkDue(m.checkMinutes, m.checkedAt, m.playingSince)+checkGrace.Milliseconds():
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
			if l := &m.limits[k]; u.at == 0 || u.at > g.transfers[i].At-windowMs[l.period] {
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
