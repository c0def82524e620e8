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
	posts := map[int]float64{}
	for _, n := range []int{1, 8, 64} {
		tps, err := simpleUpdate(c, n, each)
		if err != nil {
			return err
		}
		r.figure(fmt.Sprintf("pgbench simple-update, %d clients", n), tps)
		if posts[n], err = b.rate(ctx, n, each, false, one); err != nil {
			return err
		}
		r.figure(fmt.Sprintf("PostgreSQL posts, %d callers", n), posts[n])
		budget := map[int]float64{1: 1, 8: 1, 64: 2.5}[n]
		r.ratio(fmt.Sprintf("PostgreSQL, %d callers / pgbench simple-update", n), posts[n]/tps, budget)
	}
	singles, err := b.singleStatements(ctx, 8, each)
	if err != nil {
		return err
	}
	r.figure("PostgreSQL posts, 8 callers, a statement each", singles)
	r.ratio("PostgreSQL, 8 callers / a statement each", posts[8]/singles, 1)
	hot, err := b.rate(ctx, 64, each, true, one)
	if err != nil {
		return err
	}
	r.figure("PostgreSQL posts, 64 callers, one hot member", hot)
	r.ratio("PostgreSQL, one hot member / spread", hot/posts[64], 0.95)
	return nil
}

// singleStatements posts from ledgers of one caller each, which therefore never share a transaction.
func (b *bank) singleStatements(ctx context.Context, callers int, each time.Duration) (float64, error) {
	ledgers := make([]*ledger.Ledger, callers)
	for i := range ledgers {
		ledgers[i] = ledger.New(b.store, ledger.Options{Lanes: 1, Alone: 1})
		defer ledgers[i].Close()
	}
	return b.rate(ctx, callers, each, false, func(c int) *ledger.Ledger { return ledgers[c] })
}

var tpsLine = regexp.MustCompile(`tps = ([0-9.]+)`)

func simpleUpdate(c *dbtest.Cluster, clients int, each time.Duration) (float64, error) {
	seconds := max(1, int(each.Seconds()+0.5))
	out, err := pgbench(c, "-n", "-b", "simple-update", "-c", strconv.Itoa(clients), "-j", strconv.Itoa(min(clients, 2)), "-T", strconv.Itoa(seconds))
	if err != nil {
		return 0, fmt.Errorf("pgbench: %w: %s", err, out)
	}
	m := tpsLine.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("pgbench told no tps: %s", out)
	}
	return strconv.ParseFloat(string(m[1]), 64)
}

func pgbench(c *dbtest.Cluster, args ...string) ([]byte, error) {
	cmd := exec.Command(c.Binary("pgbench"), append(args, "-h", c.Dir(), "-U", "postgres", "pgbench")...)
	cmd.Env = append(os.Environ(), "PGSSLMODE=disable")
	return cmd.CombinedOutput()
}
