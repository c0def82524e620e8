package limits

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// A trigger on limit_use adds up uses in limit_sum by spans of 12 hours, 15 minutes and 20 seconds. The sum of a window
// consists of the 12-hour spans inside it, then shorter spans before the first of them, then single rows. Sums are stored
// as two 32-bit halves, so that they cannot overflow.
//
// inWindow selects these parts for the windows in e, which has the columns member_id, currency, period and edge. The edge
// is the start of the window. A use at the edge is outside the window.
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

// halves returns the columns with the high and low half of a use's amount. They are 0 for uses of another kind.
func halves(what string) string {
	return strings.ReplaceAll("CASE u.what WHEN '?' THEN u.amount >> 32 ELSE 0 END AS ?_high, CASE u.what WHEN '?' THEN u.amount & 4294967295 ELSE 0 END AS ?_low", "?", what)
}

const windowTotals = `CAST(COALESCE(SUM(u.stake_high), 0) AS BIGINT) AS stake_high, CAST(COALESCE(SUM(u.stake_low), 0) AS BIGINT) AS stake_low,
CAST(COALESCE(SUM(u.return_high), 0) AS BIGINT) AS return_high, CAST(COALESCE(SUM(u.return_low), 0) AS BIGINT) AS return_low,
CAST(COALESCE(SUM(u.deposit_high), 0) AS BIGINT) AS deposit_high, CAST(COALESCE(SUM(u.deposit_low), 0) AS BIGINT) AS deposit_low`

var (
	// LATERAL forces a lookup per window. Prepared plans must not depend on estimated row counts.
	usedPostgres = `SELECT e.member_id, e.currency, e.period, x.* FROM e CROSS JOIN LATERAL (SELECT ` + windowTotals + ` FROM (` +
		strings.NewReplacer("{e}", "", "{from}", "").Replace(inWindow) + `) u) x`
	// SQLite has no LATERAL. CROSS JOIN fixes the order of the join. Windows without uses have no row.
	usedSQLite = `SELECT u.member_id, u.currency, u.period, ` + windowTotals + ` FROM (` +
		strings.NewReplacer("{e}", "e.member_id, e.currency, e.period, ", "{from}", "e CROSS JOIN ").Replace(inWindow) + `) u GROUP BY u.period, u.currency, u.member_id`

	showUsed = `WITH e AS (
  SELECT CAST($1 AS BIGINT) AS member_id, CAST($2 AS TEXT) AS currency, 'day' AS period, CAST($3 AS BIGINT) AS edge
  UNION ALL SELECT $1, $2, 'week', $4
  UNION ALL SELECT $1, $2, 'month', $5
  UNION ALL SELECT $1, $2, 'play', $6
) `
	showUsedPostgres = showUsed + usedPostgres
	showUsedSQLite   = showUsed + usedSQLite

	showSince         = `WITH e AS (SELECT CAST($1 AS BIGINT) AS member_id, CAST($2 AS TEXT) AS currency, 'play' AS period, CAST($3 AS BIGINT) AS edge) `
	showSincePostgres = showSince + usedPostgres
	showSinceSQLite   = showSince + usedSQLite
)

type windowSums struct{ deposit, loss, stake, returned money.Minor }

func (w windowSums) byKind(k Kind) money.Minor {
	switch k {
	case Deposit:
		return w.deposit
	case Loss:
		return w.loss
	default:
		return w.stake
	}
}

// continuousPlay is the window of play without a rest.
const continuousPlay Period = "play"

// usedByPeriod returns the sums of all periods, and of play since playingSince.
func (s *Service) usedByPeriod(ctx context.Context, memberID int64, currency string, now, playingSince int64) (map[Period]windowSums, error) {
	statement := showUsedSQLite
	if s.o.Store.Engine == db.Postgres {
		statement = showUsedPostgres
	}
	return s.querySums(ctx, statement, memberID, currency, now-windowMs[Day], now-windowMs[Week], now-windowMs[Month], playingSince-1)
}

func (s *Service) querySums(ctx context.Context, statement string, args ...any) (_ map[Period]windowSums, err error) {
	rows, err := db.Bind(s.o.Store.Engine, s.o.Store.Reader).QueryContext(ctx, statement, args...)
	if err != nil {
		return nil, fmt.Errorf("sum uses: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	out := map[Period]windowSums{}
	for rows.Next() {
		var period Period
		var id int64
		var code string
		var stake, returned, deposit money.SplitSum
		if err := rows.Scan(&id, &code, &period, &stake.High, &stake.Low, &returned.High, &returned.Low, &deposit.High, &deposit.Low); err != nil {
			return nil, fmt.Errorf("read uses: %w", err)
		}
		out[period] = windowSums{deposit: deposit.Minor(), loss: stake.Sub(returned).Minor(), stake: stake.Minor(), returned: returned.Minor()}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read uses: %w", err)
	}
	return out, nil
}
