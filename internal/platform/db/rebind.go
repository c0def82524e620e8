package db

import (
	"context"
	"database/sql"
	"strings"
	"sync"

	"fairground/internal/platform/db/query"
)

// rebound turns $1 into ?1 on the way to SQLite, which would read "$1" as a name and bind by order of
// appearance. Each query text is rewritten once.
type rebound struct{ query.DBTX }

var rewritten sync.Map

// Rebind gives the SQLite form of a query written with $N parameters.
func Rebind(q string) string {
	if v, ok := rewritten.Load(q); ok {
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
	rewritten.Store(q, out)
	return out
}

func (r rebound) ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error) {
	return r.DBTX.ExecContext(ctx, Rebind(q), args...)
}

func (r rebound) PrepareContext(ctx context.Context, q string) (*sql.Stmt, error) {
	return r.DBTX.PrepareContext(ctx, Rebind(q))
}

func (r rebound) QueryContext(ctx context.Context, q string, args ...any) (*sql.Rows, error) {
	return r.DBTX.QueryContext(ctx, Rebind(q), args...)
}

func (r rebound) QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row {
	return r.DBTX.QueryRowContext(ctx, Rebind(q), args...)
}
