// Command ledger measures the transfers per second of the ledger. In the same run it measures pgbench on the same
// PostgreSQL cluster and raw syncs in the same folder. Only the ratios are meaningful. It writes them as a table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/ledger"
	"fairground/internal/platform/db/dbtest"
)

func main() {
	seconds := flag.Float64("seconds", 10, "measuring time per figure")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	only := flag.String("only", "", "measure only postgres or sqlite")
	var o ledger.Options
	flag.IntVar(&o.BatchConns, "batch-conns", 0, "batch connections; 0 means the default")
	flag.IntVar(&o.DirectConns, "direct-conns", 0, "direct connections; 0 means the default, -1 none")
	flag.Parse()
	if err := run(time.Duration(*seconds*float64(time.Second)), *out, *only, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench ledger:", err)
		os.Exit(1)
	}
}

func run(duration time.Duration, out, only string, o ledger.Options) error {
	ctx := context.Background()
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := &compare.Report{}
	if only != "sqlite" {
		c, err := dbtest.StartDurableCluster(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Stop() }()
		if err := measurePostgres(ctx, c, r, duration, o); err != nil {
			return err
		}
	}
	if only != "postgres" {
		if err := measureSQLite(ctx, work, r, duration); err != nil {
			return err
		}
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "ledger.md"))
}
