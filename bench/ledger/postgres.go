package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/ledger"
)

func measurePostgres(ctx context.Context, c *dbtest.Cluster, r *report, each time.Duration, o ledger.Options) error {
	if err := c.Create(ctx, "pgbench", "template0"); err != nil {
		return err
	}
	if out, err := pgbench(c, "-i", "-q", "-s", "10"); err != nil {
		return fmt.Errorf("pgbench -i: %w: %s", err, out)
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
	one := func(int) *ledger.Ledger { return l }
	posts := func(callers int, hot bool) subject {
		return func(d time.Duration) (float64, error) { return b.rate(ctx, load{callers: callers, hot: hot}, d, one) }
	}
	bench := func(clients int) subject {
		return func(d time.Duration) (float64, error) { return simpleUpdate(c, clients, d) }
	}
	singles := func(d time.Duration) (float64, error) { return b.singleStatements(ctx, 8, d) }

	few, err := inTurn(each, bench(1), posts(1, false))
	if err != nil {
		return err
	}
	r.figure("pgbench simple-update, 1 client", few[0].middle())
	r.figure("PostgreSQL posts, 1 caller", few[1].middle())
	r.ratio("ledger on PostgreSQL, 1 caller / pgbench simple-update", few[1].over(few[0]), 1)

	some, err := inTurn(each, bench(8), posts(8, false), singles)
	if err != nil {
		return err
	}
	r.figure("pgbench simple-update, 8 clients", some[0].middle())
	r.figure("PostgreSQL posts, 8 callers", some[1].middle())
	r.figure("PostgreSQL posts, 8 callers, a statement and connection each", some[2].middle())
	r.ratio("ledger on PostgreSQL, 8 callers / a statement each", some[1].over(some[2]), 1)

	many, err := inTurn(each, bench(64), posts(64, false), posts(64, true))
	if err != nil {
		return err
	}
	r.figure("pgbench simple-update, 64 clients", many[0].middle())
	r.figure("PostgreSQL posts, 64 callers", many[1].middle())
	r.figure("PostgreSQL posts, 64 callers, one hot member", many[2].middle())
	r.ratio("ledger on PostgreSQL, 64 callers / pgbench simple-update", many[1].over(many[0]), 2.5)
	r.ratio("ledger on PostgreSQL, one hot member / spread", many[2].over(many[1]), 0.95)

	if err := b.addVendor(ctx); err != nil {
		return err
	}
	for _, n := range []int{1, 8, 64} {
		if err := b.measureVendor(ctx, r, each, n, "pgbench simple-update", bench(n), l, o); err != nil {
			return err
		}
	}
	return nil
}

// singleStatements posts from ledgers of one caller each, which therefore never share a transaction.
func (b *bank) singleStatements(ctx context.Context, callers int, each time.Duration) (float64, error) {
	ledgers := make([]*ledger.Ledger, callers)
	for i := range ledgers {
		ledgers[i] = ledger.New(b.store, ledger.Options{Lanes: 1, Alone: 1})
		defer ledgers[i].Close()
	}
	return b.rate(ctx, load{callers: callers}, each, func(c int) *ledger.Ledger { return ledgers[c] })
}

var tpsLine = regexp.MustCompile(`tps = ([0-9.]+)`)

func simpleUpdate(c *dbtest.Cluster, clients int, each time.Duration) (float64, error) {
	seconds := max(1, int(each.Seconds()+0.5))
	for try := 0; ; try++ {
		out, err := pgbench(c, "-n", "-b", "simple-update", "-c", strconv.Itoa(clients), "-j", strconv.Itoa(min(clients, 2)), "-T", strconv.Itoa(seconds))
		if err != nil {
			return 0, fmt.Errorf("pgbench: %w: %s", err, out)
		}
		if m := tpsLine.FindSubmatch(out); m != nil {
			return strconv.ParseFloat(string(m[1]), 64)
		}
		if try == 3 { // on a very busy machine all the time may go into connecting
			return 0, fmt.Errorf("pgbench told no tps: %s", out)
		}
	}
}

func pgbench(c *dbtest.Cluster, args ...string) ([]byte, error) {
	cmd := exec.Command(c.Binary("pgbench"), append(args, "-h", c.Dir(), "-U", "postgres", "pgbench")...)
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable")
	return cmd.CombinedOutput()
}
