// Command message measures how long a message to all members takes until a member can read it, on both engines.
//
//	go run ./bench/message
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
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/site/message"
)

// tries is the number of messages sent. The slowest one counts.
const tries = 20

func main() {
	out := flag.String("out", "bench/results", "folder for the table; empty means none")
	members := flag.Int("members", 1_000_000, "number of members of the merchant")
	flag.Parse()
	if err := run(context.Background(), *members, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench message:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, members int, out string) error {
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
	if err := c.Create(ctx, "message", "template0"); err != nil {
		return err
	}
	r := &compare.Report{}
	for engine, o := range map[string]db.Options{"SQLite": {Data: filepath.Join(work, "data")}, "PostgreSQL": {URL: c.URL("message")}} {
		slowest, err := measure(ctx, o, members)
		if err != nil {
			return fmt.Errorf("%s: %w", engine, err)
		}
		r.Ratio(fmt.Sprintf("%s: one second against a message to %d members", engine, members), 1/slowest.Seconds(), 1)
		r.Figure(engine+": messages to all members", 1/slowest.Seconds())
	}
	r.Write(os.Stdout)
	if out == "" {
		return nil
	}
	return r.Save(filepath.Join(out, "message.md"))
}

// measure sends messages to all members and reads one member's inbox after each. It returns the longest time.
func measure(ctx context.Context, o db.Options, members int) (slowest time.Duration, err error) {
	store, err := db.Open(ctx, o)
	if err != nil {
		return 0, err
	}
	defer func() { _ = store.Close() }()
	if err := store.Migrate(ctx); err != nil {
		return 0, err
	}
	if err := jobs.Migrate(ctx, store); err != nil {
		return 0, err
	}
	for _, statement := range []string{
		"INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'bench', 'Bench', 'VND', 0)",
		fmt.Sprintf("WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < %d) ", members) +
			"INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at) SELECT n, 1, 'player' || n, 0, 'VND', '', n FROM s",
		"ANALYZE",
	} {
		if _, err := store.Writer.ExecContext(ctx, statement); err != nil {
			return 0, fmt.Errorf("%.60s: %w", statement, err)
		}
	}
	queue, err := jobs.NewQueue(store)
	if err != nil {
		return 0, err
	}
	outbox := events.NewOutbox(store, nil, nil)
	inbox, err := message.New(message.Options{
		Store: store, Queue: queue, Outbox: outbox, Screens: events.Screens{Outbox: outbox, Now: time.Now}, IDs: db.NewIDs(time.Now), Now: time.Now,
	})
	if err != nil {
		return 0, err
	}
	who := message.Reader{ID: int64(members / 2), MerchantID: 1, Language: "vi"}
	draft := message.Draft{MerchantID: 1, Audience: message.ToAll, Texts: map[string]message.Text{"vi": {Title: "Bảo trì", Body: "<p>02:00–02:30</p>"}}}
	for n := range tries {
		start := time.Now()
		err := store.Write(ctx, func(tx *db.Tx) error {
			_, err := inbox.CreateIn(ctx, tx, draft)
			return err
		})
		if err != nil {
			return 0, err
		}
		unread, err := inbox.Unread(ctx, who)
		if err != nil {
			return 0, err
		}
		if unread != n+1 {
			return 0, fmt.Errorf("the member has %d unread messages, want %d", unread, n+1)
		}
		slowest = max(slowest, time.Since(start))
	}
	return slowest, nil
}
