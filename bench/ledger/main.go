// Command ledger measures how many transfers a second the ledger posts, beside what the same machine gives
// to others in the same run: pgbench on the same PostgreSQL cluster, and bare syncs in the same folder. Only
// the ratios mean anything; they are written as a table.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/side"
	"fairground/internal/ledger"
	"fairground/internal/platform/db/dbtest"
)

func main() {
	seconds := flag.Float64("seconds", 10, "how long each figure is measured, two at a time")
	out := flag.String("out", "bench/results", "folder for the table; empty writes none")
	only := flag.String("only", "", "postgres or sqlite alone")
	var o ledger.Options
	flag.IntVar(&o.BatchConns, "batch-conns", 0, "connections that group posts; 0 means the usual number")
	flag.IntVar(&o.DirectConns, "direct-conns", 0, "connections for posting alone; 0 means the usual number, -1 none")
	flag.Parse()
	if err := run(time.Duration(*seconds*float64(time.Second)), *out, *only, o); err != nil {
		fmt.Fprintln(os.Stderr, "bench ledger:", err)
		os.Exit(1)
	}
}

func run(each time.Duration, out, only string, o ledger.Options) error {
	ctx := context.Background()
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := &side.Report{}
	if only != "sqlite" {
		c, err := dbtest.StartDurableCluster(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Stop() }()
		if err := measurePostgres(ctx, c, r, each, o); err != nil {
			return err
		}
	}
	if only != "postgres" {
		if err := measureSQLite(ctx, work, r, each); err != nil {
			return err
		}
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "ledger.md"))
}
