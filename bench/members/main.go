// Command members measures an operator's search for members and a member's movements, on both engines. Only the ratio of many
// members to few is meaningful. A ratio of 1 means that the number of members costs nothing.
//
//	go run ./bench/members
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"fairground/bench/compare"
	"fairground/internal/finance/books"
	"fairground/internal/identity/desk"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/page"
)

const few = 1000

func main() {
	seconds := flag.Float64("seconds", 5, "seconds of measurement per figure")
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	members := flag.Int("members", 1_000_000, "the large number of members")
	flag.Parse()
	if err := run(context.Background(), time.Duration(*seconds*float64(time.Second)), *members, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench members:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, duration time.Duration, members int, out string) error {
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
	r := &compare.Report{}
	for _, engine := range []string{"sqlite", "postgres"} {
		optionsFor := func(name string) db.Options {
			if engine == "sqlite" {
				return db.Options{Data: filepath.Join(work, name)}
			}
			return db.Options{URL: c.URL(name)}
		}
		if engine == "postgres" {
			for _, name := range []string{"few", "many"} {
				if err := c.Create(ctx, name, "template0"); err != nil {
					return err
				}
			}
		}
		if err := measure(ctx, r, duration, optionsFor("few"), optionsFor("many"), members); err != nil {
			return err
		}
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "members.md"))
}

// A fixture is a database with members, each with a name, an account and one transfer.
type fixture struct {
	store   *db.Store
	ledger  *ledger.Ledger
	desk    *desk.Service
	books   *books.Service
	members int
}

func open(ctx context.Context, o db.Options, members int) (*fixture, error) {
	store, err := db.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx); err != nil {
		return nil, err
	}
	numbers := fmt.Sprintf("WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) ", members)
	for _, statement := range []string{
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'bench', 'Bench', 'VND', 0)",
		numbers + "INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM s",
		numbers + "INSERT INTO member_term (merchant_id, kind, term, member_id) SELECT 1, 'name', 'nguyen ' || n, n FROM s",
		"DELETE FROM member_unindexed",
		"INSERT INTO account (id, merchant_id, kind, currency, derived) VALUES (2000000001, 1, 'deposit', 'VND', TRUE)",
		numbers + "INSERT INTO account (id, member_id, merchant_id, kind, currency, balance, seq) SELECT n, n, 1, 'cash', 'VND', 5, 1 FROM s",
		numbers + "INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq, created_at) SELECT n, 'k' || n, '', 2000000001, n, 5, 'deposit', n, 1, n FROM s",
		numbers + "INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after) SELECT n, 1, n, 5, 5 FROM s",
		numbers + "INSERT INTO entry (account_id, seq, transfer_id, amount) SELECT 2000000001, n, n, -5 FROM s",
		"ANALYZE",
	} {
		if _, err := store.Writer.ExecContext(ctx, statement); err != nil {
			return nil, fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	queue, err := jobs.NewQueue(store)
	if err != nil {
		return nil, err
	}
	l := ledger.New(store, ledger.Options{})
	b, err := books.New(books.Options{Store: store, Ledger: l, Queue: queue, Now: time.Now})
	return &fixture{store, l, desk.New(desk.Options{Store: store, Now: time.Now}), b, members}, err
}

func (f *fixture) close() {
	f.ledger.Close()
	_ = f.store.Close()
}

func measure(ctx context.Context, r *compare.Report, duration time.Duration, small, large db.Options, members int) error {
	short, err := open(ctx, small, few)
	if err != nil {
		return err
	}
	defer short.close()
	long, err := open(ctx, large, members)
	if err != nil {
		return err
	}
	defer long.close()
	first, err := page.After("")
	if err != nil {
		return err
	}
	search := func(text string) func(*fixture) error {
		return func(f *fixture) error {
			_, err := f.desk.Members(ctx, desk.Search{MerchantID: 1, Text: text, Contacts: true}, first, 26)
			return err
		}
	}
	transfers := func(searchFor func(*fixture) books.Search) func(*fixture) error {
		return func(f *fixture) error {
			_, err := f.books.Transfers(ctx, searchFor(f), first.ID, 26)
			return err
		}
	}
	for _, what := range []struct {
		name string
		do   func(*fixture) error
	}{
		{"the newest members", search("")},
		{"members by a name that all share", search("nguyen")},
		{"members by a username", search("player77")},
		{"movements of a member", transfers(func(f *fixture) books.Search { return books.Search{MerchantID: 1, MemberID: int64(f.members / 2)} })},
		{"the newest transfers", transfers(func(*fixture) books.Search { return books.Search{MerchantID: 1} })},
	} {
		subjectFor := func(f *fixture) compare.Subject {
			return func(d time.Duration) (float64, error) {
				n, start := 0, time.Now()
				for ; time.Since(start) < d; n++ {
					if err := what.do(f); err != nil {
						return 0, err
					}
				}
				return float64(n) / time.Since(start).Seconds(), nil
			}
		}
		series, err := compare.InTurn(duration, subjectFor(short), subjectFor(long))
		if err != nil {
			return fmt.Errorf("%s: %w", what.name, err)
		}
		r.Figure(fmt.Sprintf("%s, %s, %d members", long.store.Engine, what.name, few), series[0].Middle())
		r.Figure(fmt.Sprintf("%s, %s, %d members", long.store.Engine, what.name, members), series[1].Middle())
		r.Ratio(fmt.Sprintf("%s, %s: %d members / %d", long.store.Engine, what.name, members, few), series[1].Over(series[0]), 0)
	}
	return nil
}
