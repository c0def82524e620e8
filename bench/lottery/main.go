// Command lottery measures bets on one numero, the settlement of a numero with many orders, and bets on another game during
// a settlement, on both engines. Only the ratios are meaningful.
//
//	go run ./bench/lottery
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

// clients is how many members bet at the same time.
const clients = 64

// Lowest accepted ratios. Each round has a payment with its entries and its row in the betting record.
const (
	minSettlement = 0.3
	minDuring     = 0.1
)

func main() {
	seconds := flag.Float64("seconds", 6, "how long each rate of bets is measured, two at a time")
	out := flag.String("out", "bench/results", "folder for the table; empty writes none")
	bets := flag.Int("bets", 50_000, "bets of each settled numero")
	perOrder := flag.Int("per-order", 1, "bets of each order of a settled numero, at most 100; divides -bets")
	flag.Parse()
	if err := run(context.Background(), time.Duration(*seconds*float64(time.Second)), size{*bets, *perOrder}, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench lottery:", err)
		os.Exit(1)
	}
}

// A size is the number of bets of a settled numero.
type size struct{ bets, perOrder int }

func run(ctx context.Context, each time.Duration, n size, out string) error {
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
	if err := c.Create(ctx, "lottery", "template0"); err != nil {
		return err
	}
	r := &compare.Report{}
	for _, engine := range []struct {
		name    string
		options db.Options
	}{{"SQLite", db.Options{Data: filepath.Join(work, "data")}}, {"PostgreSQL", db.Options{URL: c.URL("lottery")}}} {
		if err := measure(ctx, r, engine.name, engine.options, each, n); err != nil {
			return fmt.Errorf("%s: %w", engine.name, err)
		}
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "lottery.md"))
}

func measure(ctx context.Context, r *compare.Report, engine string, o db.Options, each time.Duration, n size) error {
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.close()
	got, err := compare.InTurn(each, s.inserts(ctx), s.orders)
	if err != nil {
		return err
	}
	r.Figure(engine+": raw inserts, a transaction each", got[0].Middle())
	r.Figure(fmt.Sprintf("%s: bets on one numero, %d members", engine, clients), got[1].Middle())
	r.Ratio(engine+": bets on one numero / raw inserts", got[1].Over(got[0]), 0.3)

	if err := s.pass(ctx); err != nil { // a new numero
		return err
	}
	if err := s.fill(n); err != nil {
		return err
	}
	bulk, err := s.bulkInserts(ctx, n.bets)
	if err != nil {
		return err
	}
	alone, _, err := s.settle(ctx, n.bets, false)
	if err != nil {
		return err
	}
	if err := s.fill(n); err != nil {
		return err
	}
	loaded, placed, err := s.settle(ctx, n.bets, true)
	if err != nil {
		return err
	}
	r.Figure(engine+": raw inserts, 1,000 in a transaction", bulk)
	r.Figure(fmt.Sprintf("%s: settlement of %d bets, %d in an order", engine, n.bets, n.perOrder), alone)
	r.Figure(engine+": settlement while members bet on another game", loaded)
	r.Figure(engine+": bets on another game during the settlement", placed)
	r.Ratio(engine+": settlement / raw inserts", alone/bulk, minSettlement)
	r.Ratio(engine+": bets during a settlement / bets otherwise", placed/got[1].Middle(), minDuring)
	return nil
}
