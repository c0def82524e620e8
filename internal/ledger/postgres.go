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
	lockTimeout      = 2 * time.Second
	roundTripTimeout = 10 * time.Second // a network that swallows a statement must not hold a lane for ever
	reconnectTimeout = 5 * time.Second
	maxRetries       = 10 // of races and deadlocks
)

// sessionSettings keep plans as they must be whatever the tables' size when they were first made: every
// access is by index. A row that somebody else holds fails one post rather than all behind it, after the
// milliseconds that are put in.
const sessionSettings = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
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
type idBlock struct {
	mu        sync.Mutex
	next, end int64
}

// take gives the first of n ids in a row. n is never more than a block.
func (b *idBlock) take(n int64, fetch func() (int64, error)) (int64, error) {
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
func (l *Ledger) startPostgres(batchConns, directConns int) {
	if maxConns := l.store.Writer.Stats().MaxOpenConnections; maxConns > 0 {
		batchConns = max(1, min(batchConns, maxConns/6))
		directConns = min(directConns, maxConns/3)
	}
	for range batchConns {
		p := &postgresConn{l: l}
		l.startWorker(p.run, p.close)
	}
	for range directConns {
		l.idle.size++
		l.idle.put(&postgresConn{l: l})
	}
}

// postgresConn posts on a connection of its own.
type postgresConn struct {
	l    *Ledger
	conn *sql.Conn
}

func (p *postgresConn) close() { p.drop() }

// run answers every post. A batch whose connection fails is tried again on a new one: the keys tell what
// the first try achieved, so nothing is posted twice and nobody gets a false answer.
func (p *postgresConn) run(posts []*post) { p.postWithRetry(posts, false) }

func (p *postgresConn) postWithRetry(posts []*post, unknown bool) {
	deadline := time.Now().Add(p.l.timeouts.Reconnect)
	for try := 0; ; try++ {
		sent, err := p.attempt(posts, try == 0 && !unknown)
		if err == nil {
			return
		}
		switch {
		case connectionLost(err):
			p.drop()
			unknown = unknown || sent
			if time.Now().Before(deadline) {
				time.Sleep(min(10*time.Millisecond<<min(try, 6), 500*time.Millisecond))
				continue
			}
		case retryable(err) && try < maxRetries:
			time.Sleep(time.Duration(try) * time.Millisecond)
			continue
		case len(posts) > 1 && causedByPost(err):
			for _, one := range posts { // one of them spoilt it for all: each on its own
				p.postWithRetry([]*post{one}, unknown)
			}
			return
		}
		p.l.log.Error("post batch", "engine", "postgres", "posts", len(posts), "error", err)
		if unknown {
			failAll(posts, ErrOutcomeUnknown.Because(err))
		} else {
			failAll(posts, publicError(err))
		}
		return
	}
}

// try posts the batch once. sent says that the database may have committed it, whatever the error.
func (p *postgresConn) attempt(posts []*post, first bool) (sent bool, err error) {
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

func (p *postgresConn) connect() error {
	if p.conn != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.l.timeouts.RoundTrip)
	defer cancel()
	conn, err := p.l.store.Writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	p.conn = conn
	err = p.raw(func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.PgConn().Exec(ctx, fmt.Sprintf(sessionSettings, p.l.timeouts.Lock.Milliseconds())).ReadAll()
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
func (p *postgresConn) raw(fn func(context.Context, *pgx.Conn) error) error {
	return p.conn.Raw(func(dc any) error {
		c := dc.(*stdlib.Conn).Conn()
		if err := c.PgConn().Conn().SetDeadline(time.Now().Add(p.l.timeouts.RoundTrip)); err != nil {
			return fmt.Errorf("set deadline: %w", err)
		}
		return fn(context.Background(), c)
	})
}

// drop throws the connection away: its settings are not for others.
func (p *postgresConn) drop() {
	if p.conn == nil {
		return
	}
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = p.conn.Close()
	p.conn = nil
}

// ids gives the first of n transfer ids.
func (p *postgresConn) ids(n int) (int64, error) {
	return p.l.ids.take(int64(n), func() (first int64, err error) {
		err = p.raw(func(ctx context.Context, c *pgx.Conn) error { return c.QueryRow(ctx, nextBlock).Scan(&first) })
		return first, err
	})
}
