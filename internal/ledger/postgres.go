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
	roundTripTimeout = 10 * time.Second
	reconnectTimeout = 5 * time.Second
	maxRetries       = 10 // for races and deadlocks
)

// sessionSettings makes PostgreSQL use indexes, even in plans that it cached while the tables were small. The parameter is
// the lock timeout in milliseconds. With the timeout, a locked row fails one post, but not the posts that wait behind it.
const sessionSettings = `SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET jit = off; SET lock_timeout = %d; SET idle_in_transaction_session_timeout = '30s'`

// Statements for PostgreSQL only.
const (
	readClock    = `SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)`
	nextIDBlock  = `SELECT nextval('transfer_block')`
	lockAccounts = `SELECT id, member_id, merchant_id, kind, currency, balance, floor, derived, seq
FROM account WHERE id = ANY($1) AND NOT derived ORDER BY id FOR NO KEY UPDATE`
	lockTransfers = `SELECT id, debit_id, credit_id, amount, kind, origin_id, refusal
FROM transfer WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`
)

const (
	// idBlockSize is the increment of the sequence transfer_block.
	idBlockSize = 1000
	// maxIDBlockAge is the time after which the rest of a block is dropped. It limits how far ids can lag behind creation times,
	// even on a replica that rarely posts. It is less than idMargin.
	maxIDBlockAge = 5 * time.Minute
)

// An idBlock allocates transfer ids from blocks of the database sequence.
type idBlock struct {
	mu          sync.Mutex
	next, limit int64
	dropAt      time.Time
}

// take returns the first of n consecutive ids. n must not exceed idBlockSize.
func (b *idBlock) take(n int64, now time.Time, fetch func() (int64, error)) (int64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.limit-b.next < n || now.After(b.dropAt) {
		first, err := fetch()
		if err != nil {
			return 0, fmt.Errorf("fetch transfer ids: %w", err)
		}
		b.next, b.limit, b.dropAt = first, first+idBlockSize, now.Add(maxIDBlockAge)
	}
	first := b.next
	b.next += n
	return first, nil
}

// startPostgres starts the batch workers and creates the direct connections. Together they use at most half of the
// pool.
func (l *Ledger) startPostgres(batchConns, directConns int) {
	if maxConns := l.store.Writer.Stats().MaxOpenConnections; maxConns > 0 {
		batchConns = max(1, min(batchConns, maxConns/6))
		directConns = min(directConns, maxConns/3)
	}
	writers := make([]writer, batchConns)
	for i := range writers {
		writers[i] = &postgresConn{l: l}
	}
	l.startWriters(writers...)
	for range directConns {
		l.idle.size++
		l.idle.put(&postgresConn{l: l})
	}
}

type postgresConn struct {
	l    *Ledger
	conn *sql.Conn
}

func (p *postgresConn) close() { p.drop() }

// writeBatch posts a batch. If the connection fails, it retries on a new one. The keys show which posts were already
// committed, so nothing is posted twice.
func (p *postgresConn) writeBatch(posts []*post) error {
	defer func() {
		if r := recover(); r != nil {
			p.drop() // the connection may have an open transaction
			panic(r)
		}
	}()
	deadline := time.Now().Add(p.l.timeouts.Reconnect)
	for attempts := 0; ; attempts++ {
		sent, err := p.attempt(posts, attempts == 0 && !posts[0].outcomeUnknown)
		if err == nil {
			return nil
		}
		switch {
		case connectionLost(err):
			p.drop()
			for _, one := range posts {
				one.outcomeUnknown = one.outcomeUnknown || sent
			}
			if time.Now().Before(deadline) {
				time.Sleep(min(10*time.Millisecond<<min(attempts, 6), 500*time.Millisecond))
				continue
			}
			return &reconnectError{err}
		case retryable(err) && attempts < maxRetries:
			time.Sleep(time.Duration(attempts) * time.Millisecond)
			continue
		}
		return err
	}
}

// attempt tries to post the batch once. trySingle allows the faster single statement for a batch of one post. If sent is
// true, the database may have committed the batch, even if err is not nil.
func (p *postgresConn) attempt(posts []*post, trySingle bool) (sent bool, err error) {
	if err := p.connect(); err != nil {
		return false, err
	}
	if trySingle && len(posts) == 1 {
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

// raw calls fn with the driver's connection. It sets the timeout on the socket, because a context would cost a
// goroutine per statement.
func (p *postgresConn) raw(fn func(context.Context, *pgx.Conn) error) error {
	return p.conn.Raw(func(dc any) error {
		c := dc.(*stdlib.Conn).Conn()
		if err := c.PgConn().Conn().SetDeadline(time.Now().Add(p.l.timeouts.RoundTrip)); err != nil {
			return fmt.Errorf("set deadline: %w", err)
		}
		return fn(context.Background(), c)
	})
}

// drop closes the connection. It does not return to the pool, because it has different session settings.
func (p *postgresConn) drop() {
	if p.conn == nil {
		return
	}
	_ = p.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = p.conn.Close()
	p.conn = nil
}

func (p *postgresConn) ids(n int) (int64, error) {
	return p.l.ids.take(int64(n), p.l.now(), func() (first int64, err error) {
		err = p.raw(func(ctx context.Context, c *pgx.Conn) error { return c.QueryRow(ctx, nextIDBlock).Scan(&first) })
		return first, err
	})
}
