// Command table lets 200 players bet at one live table of the real binary on PostgreSQL, over HTTP, each with an open
// event stream. Between these turns, the same players make the same bets as direct vendor calls, for comparison. Then it
// waits until all tickets are settled and all streams have the result, and verifies the ledger. Only the ratios are
// meaningful.
//
//	go run ./bench/table             needs bin/fairground (make build)
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

var binary string

// timeout limits the whole benchmark.
const timeout = 3 * time.Minute

func main() {
	players := flag.Int("players", 200, "number of players at the table")
	out := flag.String("out", "bench/results", "folder for the report; empty: no file")
	flag.StringVar(&binary, "binary", "bin/fairground", "path of the server binary")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := run(ctx, *players, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench table:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, players int, out string) error {
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
	if err := c.Create(ctx, "tables", "template0"); err != nil {
		return err
	}
	s := &server{data: filepath.Join(work, "data"), database: c.URL("tables")}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	if err := s.start(ctx); err != nil {
		return err
	}
	defer s.stop()
	r := &compare.Report{}
	if err := measure(ctx, s, players, r); err != nil {
		return err
	}
	s.stop()
	if output, err := exec.CommandContext(ctx, binary, "ledger", "verify", "--data", s.data, "--db", s.database).CombinedOutput(); err != nil {
		return fmt.Errorf("the ledger is inconsistent: %w\n%s", err, output)
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "live.md"))
}

// measure plays one round with all players.
func measure(ctx context.Context, s *server, count int, r *compare.Report) error {
	players := make([]*player, count)
	err := compare.Parallel(parallelLogins, func(n int) (err error) {
		for i := n; i < count && err == nil; i += parallelLogins {
			players[i], err = s.addPlayer(ctx, i)
		}
		return err
	})
	if err != nil {
		return err
	}
	round, err := players[0].waitForBetting(ctx)
	if err != nil {
		return err
	}
	var table, direct measurement
	for range turns {
		if err := table.run(players, func(p *player) error { return p.bet(ctx, round) }); err != nil {
			return err
		}
		if err := direct.run(players, func(p *player) error { return p.vendorBet(ctx) }); err != nil {
			return err
		}
	}
	store, err := db.Open(ctx, db.Options{Data: s.data, URL: s.database, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	settlement, err := waitSettled(ctx, store, round)
	if err != nil {
		return err
	}
	if want := len(table.durations); settlement.tickets != want {
		return fmt.Errorf("%d bets were accepted, but %d tickets are stored", want, settlement.tickets)
	}
	for _, p := range players {
		if err := p.waitForResult(ctx, round); err != nil {
			return err
		}
	}
	r.Figure(fmt.Sprintf("bets at one live table, players: %d", count), table.rate())
	r.Figure(fmt.Sprintf("bets as direct vendor calls, players: %d", count), direct.rate())
	r.Figure("tickets settled after the result", float64(settlement.tickets)/settlement.took.Seconds())
	r.Ratio(fmt.Sprintf("bet rate: live table / direct vendor calls (%d players)", count), table.rate()/direct.rate(), 0)
	r.Ratio("median time: direct vendor call / bet at the live table", direct.quantile(0.5).Seconds()/table.quantile(0.5).Seconds(), 0)
	r.Ratio("95th percentile of the time: direct vendor call / bet at the live table", direct.quantile(0.95).Seconds()/table.quantile(0.95).Seconds(), 0)
	r.Ratio("tickets settled in a second / bets taken in a second", float64(settlement.tickets)/settlement.took.Seconds()/table.rate(), 0)
	fmt.Fprintf(os.Stderr, "a bet: median %v, 95 %% within %v; a direct vendor call: %v, %v; %d tickets, all settled %v after the result; every stream received it; the ledger is consistent\n",
		table.quantile(0.5), table.quantile(0.95), direct.quantile(0.5), direct.quantile(0.95), settlement.tickets, settlement.took)
	return nil
}
