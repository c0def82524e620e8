// Command vendor measures wallet calls as a vendor makes them: signed bets and wins over HTTP on one member's
// account, sent to the real binary on PostgreSQL. It compares them with pgbench on the same cluster. Only the ratios
// are meaningful. It shares no code with the server.
//
//	go run ./bench/vendor               needs bin/fairground (make build)
//	go run ./bench/vendor -before FILE  also compares with another build
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

func main() {
	seconds := flag.Float64("seconds", 10, "seconds of measurement per figure")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	binary := flag.String("binary", "bin/fairground", "path of the server binary")
	before := flag.String("before", "", "path of another build to compare with")
	flag.Parse()
	if err := run(context.Background(), *binary, *before, time.Duration(*seconds*float64(time.Second)), *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench vendor:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, before string, duration time.Duration, out string) error {
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
	var plays []*play
	for _, file := range []string{binary, before} {
		if file == "" {
			continue
		}
		name := fmt.Sprintf("vendor%d", len(plays))
		if err := c.Create(ctx, name, "template0"); err != nil {
			return err
		}
		s, err := startServer(ctx, file, filepath.Join(work, name), c.URL(name))
		if err != nil {
			return err
		}
		defer s.stop()
		p, err := s.open(ctx)
		if err != nil {
			return err
		}
		plays = append(plays, p)
	}
	r := &compare.Report{}
	if err := measure(c, plays, r, duration); err != nil {
		return err
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "vendor.md"))
}

// measure compares the calls of 1, 8 and 32 clients with pgbench, with each other and with the second server, if any.
func measure(c *dbtest.Cluster, plays []*play, r *compare.Report, duration time.Duration) error {
	counts := []int{1, 8, 32}
	var subjects []compare.Subject
	for _, clients := range counts {
		subjects = append(subjects, func(d time.Duration) (float64, error) { return compare.SimpleUpdate(c, clients, d) })
		for _, p := range plays {
			subjects = append(subjects, func(d time.Duration) (float64, error) { return p.rate(clients, d) })
		}
	}
	series, err := compare.InTurn(duration, subjects...)
	if err != nil {
		return err
	}
	row := 1 + len(plays)
	for i, clients := range counts {
		bench, calls := series[i*row], series[i*row+1]
		r.Figure(fmt.Sprintf("pgbench simple-update, clients: %d", clients), bench.Middle())
		r.Figure(fmt.Sprintf("wallet calls over HTTP, one hot account, clients: %d", clients), calls.Middle())
		budget := 0.0
		if clients == 8 {
			budget = 0.4
		}
		r.Ratio(fmt.Sprintf("wallet calls over HTTP, one hot account, clients %d / pgbench simple-update", clients), calls.Over(bench), budget)
		if len(plays) > 1 {
			r.Ratio(fmt.Sprintf("the same, clients %d: the build before / pgbench simple-update", clients), series[i*row+2].Over(bench), 0)
			r.Ratio(fmt.Sprintf("the same, clients %d / the build before", clients), calls.Over(series[i*row+2]), 0)
		}
	}
	r.Ratio("wallet calls over HTTP, one hot account, 32 clients / 8 clients", series[2*row+1].Over(series[row+1]), 1)
	return nil
}
