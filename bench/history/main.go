// Command history measures the cost of a long history. It compares a member with 100,000 rounds in a month to one
// with ten rounds, on both engines. It measures bets, limits, the betting record and a sitting. Only the ratios are
// meaningful. A ratio of 1 means that a long history costs nothing.
//
//	go run ./bench/history
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func main() {
	seconds := flag.Float64("seconds", 10, "seconds of measurement per figure")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	only := flag.String("only", "", "measure only postgres or sqlite")
	rounds := flag.Int("rounds", 100_000, "rounds of the member with the long history")
	flag.Parse()
	if err := run(context.Background(), time.Duration(*seconds*float64(time.Second)), *rounds, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench history:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, duration time.Duration, rounds int, out, only string) error {
	work, err := os.MkdirTemp("", "fairground-bench-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }()
	r := &compare.Report{}
	if only != "postgres" {
		if err := measure(ctx, db.Options{Data: filepath.Join(work, "data")}, r, duration, rounds); err != nil {
			return err
		}
	}
	if only != "sqlite" {
		c, err := dbtest.StartDurableCluster(ctx)
		if err != nil {
			return err
		}
		defer func() { _ = c.Stop() }()
		if err := c.Create(ctx, "history", "template0"); err != nil {
			return err
		}
		if err := measure(ctx, db.Options{URL: c.URL("history")}, r, duration, rounds); err != nil {
			return err
		}
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "history.md"))
}

func measure(ctx context.Context, o db.Options, r *compare.Report, duration time.Duration, rounds int) error {
	s, err := open(ctx, o, rounds)
	if err != nil {
		return err
	}
	defer s.close()
	for _, what := range []struct {
		name   string
		budget float64
		run    func(ctx context.Context, m *player) error
	}{
		{"a bet under nine limits", 0.5, s.bet},
		{"the own limits", 0, s.showLimits},
		{"a page of the betting record, all of the month", 0, s.firstPage},
		{"the next page of it", 0, s.secondPage},
		{"a sitting of all of the last day, as the game's bar asks for it", 0, s.sitting},
	} {
		subjectFor := func(m *player) compare.Subject {
			return func(d time.Duration) (float64, error) {
				n, start := 0, time.Now()
				for ; time.Since(start) < d; n++ {
					if err := what.run(ctx, m); err != nil {
						return 0, err
					}
				}
				return float64(n) / time.Since(start).Seconds(), nil
			}
		}
		series, err := compare.InTurn(duration, subjectFor(s.short), subjectFor(s.long))
		if err != nil {
			return fmt.Errorf("%s: %w", what.name, err)
		}
		r.Figure(fmt.Sprintf("%s, %s after 10 rounds", s.store.Engine, what.name), series[0].Middle())
		r.Figure(fmt.Sprintf("%s, %s after %d rounds", s.store.Engine, what.name, rounds), series[1].Middle())
		r.Ratio(fmt.Sprintf("%s, %s: after %d rounds / after 10", s.store.Engine, what.name, rounds), series[1].Over(series[0]), what.budget)
	}
	return nil
}
