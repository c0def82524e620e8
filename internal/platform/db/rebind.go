package db

import (
	"context"
	"database/sql"
	"strings"
	"sync"

	"fairground/internal/platform/db/query"
)

// sqliteDBTX replaces $1 with ?1 in queries. SQLite would take "$1" for a name and assign parameters in order of
// appearance.
type sqliteDBTX struct{ query.DBTX }

// rebound caches the results of Rebind.
var rebound sync.Map

// Rebind returns the SQLite form of a query with $N parameters.
func Rebind(q string) string {
	if v, ok := rebound.Load(q); ok {
		return v.(string)
	}
	var b strings.Builder
	quoted := false
	for i := range len(q) {
		c := q[i]
		if c == '\'' {
			quoted = !quoted
		}
		if c == '$' && !quoted && i+1 < len(q) && q[i+1] >= '1' && q[i+1] <= '9' {
			c = '?'
		}
		b.WriteByte(c)
	}
	out := b.String()
	rebound.Store(q, out)
	return out
}

func (r sqliteDBTX) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	return r.DBTX.ExecContext(ctx, Rebind(q), args...)
}

func (r sqliteDBTX) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	return r.DBTX.PrepareContext(ctx, Rebind(q))
}

func (r sqliteDBTX) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return r.DBTX.QueryContext(ctx, Rebind(q), args...)
}

func (r sqliteDBTX) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	return r.DBTX.QueryRowContext(ctx, Rebind(q), args...)
}
