// Command cashier measures signed payment notices as a gateway sends them: each credits a waiting deposit, over
// HTTP, on the real binary with PostgreSQL. It compares them with pgbench on the same cluster. Only the ratios are meaningful.
//
//	go run ./bench/cashier    needs bin/fairground (make build)
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/platform/db/dbtest"
)

// clients is the number of concurrent connections.
const clients = 8

func main() {
	seconds := flag.Float64("seconds", 10, "seconds of measurement per figure")
	deposits := flag.Int("deposits", 50_000, "number of waiting deposits in each of the two storms")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	binary := flag.String("binary", "bin/fairground", "path of the server binary")
	flag.Parse()
	if err := run(context.Background(), *binary, *deposits, time.Duration(*seconds*float64(time.Second)), *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench cashier:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary string, deposits int, duration time.Duration, out string) error {
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	c, err := dbtest.StartDurableCluster(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = c.Stop() }()
	if err := compare.Prepare(ctx, c); err != nil {
		return err
	}
	if err := c.Create(ctx, "cashier", "template0"); err != nil {
		return err
	}
	s, err := startServer(ctx, binary, filepath.Join(work, "data"), c.URL("cashier"))
	if err != nil {
		return err
	}
	defer s.stop()
	hot, spread, err := s.prepare(ctx, deposits)
	if err != nil {
		return err
	}
	series, err := compare.InTurn(duration,
		func(d time.Duration) (float64, error) { return compare.SimpleUpdate(c, clients, d) },
		func(d time.Duration) (float64, error) { return hot.rate(clients, d) },
		func(d time.Duration) (float64, error) { return spread.rate(clients, d) },
	)
	if err != nil {
		return err
	}
	r := &compare.Report{}
	for i, name := range []string{"deposits of one member", fmt.Sprintf("deposits of %d members", members)} {
		what := fmt.Sprintf("payment notices over HTTP, %s, clients: %d", name, clients)
		r.Figure(what, series[i+1].Middle())
		r.Ratio(what+" / pgbench simple-update", series[i+1].Over(series[0]), 0.4)
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "cashier.md"))
}
