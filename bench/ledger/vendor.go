package main

import (
	"context"
	"fmt"
	"time"

	"fairground/bench/compare"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// A vendor's bet costs more than a plain transfer: it has an extra row, and Limits reads the limits of all members of the
// batch in the same transaction.
const (
	limitTable = `CREATE TABLE bench_limit (account_id BIGINT PRIMARY KEY, most BIGINT NOT NULL)`
	betTable   = `CREATE TABLE bench_bet (transfer_id BIGINT PRIMARY KEY, account_id BIGINT NOT NULL, vendor TEXT NOT NULL, tx TEXT NOT NULL,
  round TEXT NOT NULL, stake BIGINT NOT NULL)`
	betIndex  = `CREATE INDEX bench_bet_round ON bench_bet (account_id, round)`
	setLimits = `INSERT INTO bench_limit (account_id, most) SELECT id, 1000000 FROM account WHERE NOT derived`

	readLimits = `SELECT account_id, most FROM bench_limit WHERE account_id = ANY($1)`
	readLimit  = `SELECT account_id, most FROM bench_limit WHERE account_id = $1`
)

var betRows = ledger.NewTable("bench_bet",
	ledger.Column{Name: "account_id", Type: ledger.Int},
	ledger.Column{Name: "vendor", Type: ledger.Text},
	ledger.Column{Name: "tx", Type: ledger.Text},
	ledger.Column{Name: "round", Type: ledger.Text},
	ledger.Column{Name: "stake", Type: ledger.Int},
)

func (b *bank) addVendor(ctx context.Context) error {
	for _, q := range []string{limitTable, betTable, betIndex, setLimits} {
		if _, err := b.store.Writer.ExecContext(ctx, q); err != nil {
			return fmt.Errorf("add vendor: %w", err)
		}
	}
	return nil
}

func vendorBet(t *ledger.Transfer) {
	t.Guarded = true
	t.Rows = []ledger.Row{{Table: betRows, Values: []any{t.Debit, "HOUSE", t.Key, t.RefID, int64(t.Amount)}}}
}

type stakeLimits struct{}

func (stakeLimits) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	g := &stakeGate{max: make(map[int64]money.Minor, len(posts))}
	ids := make([]int64, len(posts))
	for i, t := range posts {
		ids[i] = t.Debit
	}
	q := ledger.LimitCheck{Open: g.open}
	if engine == db.Postgres {
		q.Reads = []ledger.Read{{Statement: readLimits, Args: []any{ids}, Take: g.take}}
		return q
	}
	for _, id := range ids {
		q.Reads = append(q.Reads, ledger.Read{Statement: readLimit, Args: []any{id}, Take: g.take})
	}
	return q
}

type stakeGate struct {
	posts []ledger.Guarded
	max   map[int64]money.Minor
}

func (g *stakeGate) open(_ context.Context, _ ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
	g.posts = posts
	return g, nil
}

func (g *stakeGate) take(row ledger.Scanner) error {
	var id int64
	var limit money.Minor
	err := row.Scan(&id, &limit)
	g.max[id] = limit
	return err
}

func (g *stakeGate) Admit(i int) string {
	if g.posts[i].Amount > g.max[g.posts[i].Debit] {
		return "bench.limit"
	}
	return ""
}

func (g *stakeGate) Count(int) {}

// measureVendor compares vendors' bets with another subject and with plain bets. It has no budget, because the budget
// of wallet calls is measured over HTTP.
func (b *bank) measureVendor(ctx context.Context, r *compare.Report, duration time.Duration, callers int, name string, other compare.Subject, plain *ledger.Ledger, o ledger.Options) error {
	o.Limits = stakeLimits{}
	l := ledger.New(b.store, o)
	defer l.Close()
	always := func(l *ledger.Ledger) func(int) *ledger.Ledger { return func(int) *ledger.Ledger { return l } }
	series, err := compare.InTurn(duration, other,
		func(d time.Duration) (float64, error) {
			return b.rate(ctx, load{callers: callers, change: vendorBet}, d, always(l))
		},
		func(d time.Duration) (float64, error) { return b.rate(ctx, load{callers: callers}, d, always(plain)) })
	if err != nil {
		return err
	}
	r.Figure(fmt.Sprintf("%s, vendor's bets (limits and a row each), callers: %d", b.store.Engine, callers), series[1].Middle())
	r.Ratio(fmt.Sprintf("vendor's bets on %s, callers %d / %s", b.store.Engine, callers, name), series[1].Over(series[0]), 0)
	r.Ratio(fmt.Sprintf("vendor's bets on %s, callers %d / plain posts", b.store.Engine, callers), series[1].Over(series[2]), 0)
	return nil
}
