package limits

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// What was used is kept added up by spans, by a trigger on the table of uses, so that nothing that counts is ever left out. A window
// that begins at any millisecond is made of the long spans that lie in it, shorter ones up to the first of those, and so on down to
// single rows. Sums are kept in halves of 32 bits, for one member's absurd history must not be an error.
//
// inWindow are these parts for the windows of e, which has a member, a currency, a name and the edge of each: what was at the edge is outside.
var inWindow = strings.NewReplacer(
	"{sums}", "u.stake_high, u.stake_low, u.return_high, u.return_low, u.deposit_high, u.deposit_low",
	"{use}", halves("stake")+", "+halves("return")+", "+halves("deposit"),
	"{own}", "u.member_id = e.member_id AND u.currency = e.currency",
).Replace(`SELECT {e}{sums} FROM {from}limit_sum u WHERE {own} AND u.span = 43200000 AND u.since > e.edge
UNION ALL
SELECT {e}{sums} FROM {from}limit_sum u WHERE {own} AND u.span = 900000 AND u.since > e.edge AND u.since < e.edge - e.edge % 43200000 + 43200000
UNION ALL
SELECT {e}{sums} FROM {from}limit_sum u WHERE {own} AND u.span = 20000 AND u.since > e.edge AND u.since < e.edge - e.edge % 900000 + 900000
UNION ALL
SELECT {e}{use} FROM {from}limit_use u WHERE {own} AND u.at > e.edge AND u.at < e.edge - e.edge % 20000 + 20000`)

// halves are those of a use's amount where it is of a kind.
func halves(what string) string {
	return strings.ReplaceAll("CASE u.what WHEN '?' THEN u.amount >> 32 ELSE 0 END AS ?_high, CASE u.what WHEN '?' THEN u.amount & 4294967295 ELSE 0 END AS ?_low", "?", what)
}

const windowTotals = `CAST(COALESCE(SUM(u.stake_high), 0) AS BIGINT) AS stake_high, CAST(COALESCE(SUM(u.stake_low), 0) AS BIGINT) AS stake_low,
CAST(COALESCE(SUM(u.return_high), 0) AS BIGINT) AS return_high, CAST(COALESCE(SUM(u.return_low), 0) AS BIGINT) AS return_low,
CAST(COALESCE(SUM(u.deposit_high), 0) AS BIGINT) AS deposit_high, CAST(COALESCE(SUM(u.deposit_low), 0) AS BIGINT) AS deposit_low`

var (
	// usedPostgres goes from each window to its sums, whatever is guessed of their number: lanes make their plans once.
	usedPostgres = `SELECT e.member_id, e.currency, e.period, x.* FROM e CROSS JOIN LATERAL (SELECT ` + windowTotals + ` FROM (` +
		strings.NewReplacer("{e}", "", "{from}", "").Replace(inWindow) + `) u) x`
	// usedSQLite has no such join. CROSS JOIN keeps the order there. A window in which nothing was used has no row.
	usedSQLite = `SELECT u.member_id, u.currency, u.period, ` + windowTotals + ` FROM (` +
		strings.NewReplacer("{e}", "e.member_id, e.currency, e.period, ", "{from}", "e CROSS JOIN ").Replace(inWindow) + `) u GROUP BY u.period, u.currency, u.member_id`

	// showUsed is for the windows that are named.
	showUsed = `WITH e AS (
  SELECT CAST($1 AS BIGINT) AS member_id, CAST($2 AS TEXT) AS currency, 'day' AS period, CAST($3 AS BIGINT) AS edge
  UNION ALL SELECT $1, $2, 'week', $4
  UNION ALL SELECT $1, $2, 'month', $5
  UNION ALL SELECT $1, $2, 'play', $6
) `
	showUsedPostgres = showUsed + usedPostgres
	showUsedSQLite   = showUsed + usedSQLite

	// showSince is for one that begins at a time.
	showSince         = `WITH e AS (SELECT CAST($1 AS BIGINT) AS member_id, CAST($2 AS TEXT) AS currency, 'play' AS period, CAST($3 AS BIGINT) AS edge) `
	showSincePostgres = showSince + usedPostgres
	showSinceSQLite   = showSince + usedSQLite
)

// windowSums are what one window came to.
type windowSums struct{ deposit, loss, stake, returned money.Minor }

// of gives what counts against a kind of limit.
func (w windowSums) of(k Kind) money.Minor {
	switch k {
	case Deposit:
		return w.deposit
	case Loss:
		return w.loss
	default:
		return w.stake
	}
}

// sitting names the window of what was played without a rest.
const sitting Period = "play"

// used reads what counts against a member's limits now, and what was played since a time.
func (s *Service) used(ctx context.Context, memberID int64, currency string, at, playingSince int64) (map[Period]windowSums, error) {
	statement := showUsedSQLite
	if s.o.Store.Engine == db.Postgres {
		statement = showUsedPostgres
	}
	return s.sums(ctx, statement, memberID, currency, at-windows[Day], at-windows[Week], at-windows[Month], playingSince-1)
}

// sums reads what windows came to.
func (s *Service) sums(ctx context.Context, statement string, args ...any) (_ map[Period]windowSums, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("sum what was used: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := map[Period]windowSums{}
	for rows.Next() {
		var period Period
		var id int64
		var code string
		var stake, back, deposit money.SplitSum
		if err := rows.Scan(&id, &code, &period, &stake.High, &stake.Low, &back.High, &back.Low, &deposit.High, &deposit.Low); err != nil {
			return nil, fmt.Errorf("read what was used: %w", err)
		}
		out[period] = windowSums{deposit: deposit.Minor(), loss: stake.Sub(back).Minor(), stake: stake.Minor(), returned: back.Minor()}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read what was used: %w", err)
	}
	return out, nil
}
