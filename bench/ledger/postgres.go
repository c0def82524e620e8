package main

import (
	"context"
	"time"

	"fairground/bench/compare"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func measurePostgres(ctx context.Context, c *dbtest.Cluster, r *compare.Report, duration time.Duration, o ledger.Options) error {
	if err := compare.Prepare(ctx, c); err != nil {
		return err
	}
	if err := c.Create(ctx, "ledger", "template0"); err != nil {
		return err
	}
	b, err := openBank(ctx, db.Options{URL: c.URL("ledger")})
	if err != nil {
		return err
	}
	defer func() { _ = b.store.Close() }()
	l := ledger.New(b.store, o)
	defer l.Close()
	shared := func(int) *ledger.Ledger { return l }
	posts := func(callers int, hot bool) compare.Subject {
		return func(d time.Duration) (float64, error) {
			return b.rate(ctx, load{callers: callers, hot: hot}, d, shared)
		}
	}
	bench := func(clients int) compare.Subject {
		return func(d time.Duration) (float64, error) { return compare.SimpleUpdate(c, clients, d) }
	}
	singles := func(d time.Duration) (float64, error) { return b.singleStatements(ctx, 8, d) }

	few, err := compare.InTurn(duration, bench(1), posts(1, false))
	if err != nil {
		return err
	}
	r.Figure("pgbench simple-update, 1 client", few[0].Middle())
	r.Figure("PostgreSQL posts, 1 caller", few[1].Middle())
	r.Ratio("ledger on PostgreSQL, 1 caller / pgbench simple-update", few[1].Over(few[0]), 1)

	some, err := compare.InTurn(duration, bench(8), posts(8, false), singles)
	if err != nil {
		return err
	}
	r.Figure("pgbench simple-update, 8 clients", some[0].Middle())
	r.Figure("PostgreSQL posts, 8 callers", some[1].Middle())
	r.Figure("PostgreSQL posts, 8 callers, a statement and connection each", some[2].Middle())
	r.Ratio("ledger on PostgreSQL, 8 callers / a statement each", some[1].Over(some[2]), 1)

	many, err := compare.InTurn(duration, bench(64), posts(64, false), posts(64, true))
	if err != nil {
		return err
	}
	r.Figure("pgbench simple-update, 64 clients", many[0].Middle())
	r.Figure("PostgreSQL posts, 64 callers", many[1].Middle())
	r.Figure("PostgreSQL posts, 64 callers, one hot member", many[2].Middle())
	r.Ratio("ledger on PostgreSQL, 64 callers / pgbench simple-update", many[1].Over(many[0]), 2.5)
	r.Ratio("ledger on PostgreSQL, one hot member / spread", many[2].Over(many[1]), 0.95)

	if err := b.addVendor(ctx); err != nil {
		return err
	}
	for _, n := range []int{1, 8, 64} {
		if err := b.measureVendor(ctx, r, duration, n, "pgbench simple-update", bench(n), l, o); err != nil {
			return err
		}
	}
	return nil
}

// singleStatements uses one ledger per caller, so that posts never share a transaction.
func (b *bank) singleStatements(ctx context.Context, callers int, duration time.Duration) (float64, error) {
	ledgers := make([]*ledger.Ledger, callers)
	for i := range ledgers {
		ledgers[i] = ledger.New(b.store, ledger.Options{BatchConns: 1, DirectConns: 1})
		defer ledgers[i].Close()
	}
	return b.rate(ctx, load{callers: callers}, duration, func(c int) *ledger.Ledger { return ledgers[c] })
}
