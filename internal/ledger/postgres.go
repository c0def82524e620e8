package ledger

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	lockLimit      = 2 * time.Second
	tripLimit      = 10 * time.Second // a network that swallows a statement must not hold a lane for ever
	reconnectLimit = 5 * time.Second
	maxRetries     = 10 // of races and deadlocks
)

// laneSettings keep plans as they must be whatever the tables' size when they were first made: every
// access is by index. A row that somebody else holds fails one post rather than all behind it, after the
// milliseconds that are put in.
const laneSettings = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET jit = off; SET lock_timeout = %d; SET idle_in_transaction_session_timeout = '30s'`

// Statements for PostgreSQL alone.
const (
	readClock    = `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
	nextBlock    = `SELECT nextval('transfer_block')`
	lockAccounts = `SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq
FROM account WHERE id = ANY($1) AND NOT derived ORDER BY id FOR NO KEY UPDATE`
	lockOrigins = `SELECT id, debit_id, credit_id, amount, kind, origin_id, refusal
FROM transfer WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`
)

// blockSize is the sequence's increment.
const blockSize = 1000

// block hands out transfer ids from blocks that the database gave to this process.
type block struct {
	mu        sync.Mutex
	next, end int64
}

// take gives the first of n ids in a row. n is never more than a block.
func (b *block) take(n int64, fetch func() (int64, error)) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.end-b.next < n {
		first, err := fetch()
		if err != nil {
			return 0, fmt.Errorf("fetch transfer ids: %w", err)
		}
		b.next, b.end = first, first+blockSize
	}
	first := b.next
	b.next += n
	return first, nil
}

// startPostgres makes the ways to post: lanes that group what is queued, and connections on which callers post
// alone while few are about. At least half of the pool is left to everybody else.
func (l *Ledger) startPostgres(lanes, alone int) {
	if most := l.store.Writer.Stats().MaxOpenConnections; most > 0 {
		lanes = max(1, min(lanes, most/6))
		alone = min(alone, most/3)
	}
	for range lanes {
		p := &postgresLane{l: l}
		l.startLane(p.run, p.close)
	}
	for range alone {
		l.alone.size++
		l.alone.put(&postgresLane{l: l})
	}
}

// postgresLane posts on a connection of its own.
type postgresLane struct {
	l    *Ledger
	conn *sql.Conn
}

func (p *postgresLane) close() { p.drop() }

// run answers every post. A batch whose connection fails is tried again on a new one: the keys tell what
// the first try achieved, so nothing is posted twice and nobody gets a false answer.
func (p *postgresLane) run(posts []*post) { p.answer(posts, false) }

func (p *postgresLane) answer(posts []*post, unknown bool) {
	deadline := time.Now().Add(p.l.waits.Reconnect)
	for try := 0; ; try++ {
		sent, err := p.try(posts, try == 0 && !unknown)
		if err == nil {
			return
		}
		switch {
		case lost(err):
			p.drop()
			unknown = unknown || sent
			if time.Now().Before(deadline) {
				time.Sleep(min(10*time.Millisecond<<min(try, 6), 500*time.Millisecond))
				continue
			}
		case again(err) && try < maxRetries:
			time.Sleep(time.Duration(try) * time.Millisecond)
			continue
		case len(posts) > 1 && blamesPost(err):
			for _, one := range posts { // one of them spoilt it for all: each on its own
				p.answer([]*post{one}, unknown)
			}
			return
		}
		p.l.log.Error("post batch", "engine", "postgres", "posts", len(posts), "error", err)
		if unknown {
			failAll(posts, ErrUnknown.Because(err))
		} else {
			failAll(posts, blame(err))
		}
		return
	}
}

// try posts the batch once. sent says that the database may have committed it, whatever the error.
func (p *postgresLane) try(posts []*post, first bool) (sent bool, err error) {
	if err := p.connect(); err != nil {
		return false, err
	}
	if first && len(posts) == 1 {
		if done, sent, err := p.single(posts[0]); done || err != nil {
			return sent, err
		}
	}
	return p.batch(posts)
}

func (p *postgresLane) connect() error {
	if p.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.l.waits.Trip)
	defer cancel()
	conn, err := p.l.store.Writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	p.conn = conn
	err = p.raw(func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.PgConn().Exec(ctx, fmt.Sprintf(laneSettings, p.l.waits.Lock.Milliseconds())).ReadAll()
		return err
	})
	if err != nil {
		p.drop()
		return fmt.Errorf("set up connection: %w", err)
	}
	return nil
}

// raw reaches the driver's own connection, for batches and arrays. The limit is set on the socket and not in
// the context, whose watching costs a goroutine for each statement.
func (p *postgresLane) raw(fn func(context.Context, *pgx.Conn) error) error {
	return p.conn.Raw(func(dc any) error {
		c := dc.(*stdlib.Conn).Conn()
		if err := c.PgConn().Conn().SetDeadline(time.Now().Add(p.l.waits.Trip)); err != nil {
			return fmt.Errorf("set deadline: %w", err)
		}
		return fn(context.Background(), c)
	})
}

// drop throws the connection away: its settings are not for others.
func (p *postgresLane) drop() {
	if p.conn == nil {
		return
	}
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = p.conn.Close()
	p.conn = nil
}

// ids gives the first of n transfer ids.
func (p *postgresLane) ids(n int) (int64, error) {
	return p.l.ids.take(int64(n), func() (first int64, err error) {
		err = p.raw(func(ctx context.Context, c *pgx.Conn) error { return c.QueryRow(ctx, nextBlock).Scan(&first) })
		return first, err
	})
}
