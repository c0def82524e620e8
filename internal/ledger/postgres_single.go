package ledger

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// postSingle posts a transfer between a member and the house in one statement and one round trip. It finds no
// row when a rule might say no, and leaves the answer to the batch's way, which knows every rule.
// $1 id, $2 member's account, $3 house's account, $4 amount as the member sees it, $5 currency,
// $6 merchant, $7 key, $8 hash, $9 kind, $10 to $12 references, $13 what a minor unit is worth. Everything follows
// from a alone, the time too: each join and each call less is felt, for the executor is set up anew for every post.
const postSingle = `WITH a AS (
  UPDATE account SET balance = balance + $4::bigint, seq = seq + 1
  WHERE id = $2 AND NOT derived AND kind <> 'held' AND currency = $5 AND merchant_id = $6 AND balance + $4 >= floor
  RETURNING balance, seq, member_id, kind, currency, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS at
), t AS (
  INSERT INTO transfer (id, idem_key, payload_hash, debit_id, credit_id, amount, kind, debit_seq, credit_seq,
    ref_type, ref_id, note, created_at)
  SELECT $1::bigint, $7, $8, CASE WHEN $4 < 0 THEN $2 ELSE $3 END, CASE WHEN $4 < 0 THEN $3 ELSE $2 END, abs($4), $9,
    CASE WHEN $4 < 0 THEN a.seq ELSE $1 END, CASE WHEN $4 < 0 THEN $1 ELSE a.seq END,
    $10, $11, $12, a.at
  FROM a
), e AS (
  INSERT INTO entry (account_id, seq, transfer_id, amount, balance_after)
  SELECT $2::bigint, a.seq, $1, $4, a.balance FROM a UNION ALL SELECT $3::bigint, $1, $1, -$4, NULL FROM a
), d AS (
  INSERT INTO account_delta (account_id, amount) SELECT $3, -$4 FROM a
), o AS (
  INSERT INTO outbox (payload, created_at)
  SELECT concat('[{"member":"', a.member_id, '","event":"balance","data":{"kind":"cash","currency":"', a.currency,
    '","balance":', a.balance * $13::numeric, ',"version":', a.seq, '}}]'), a.at
  FROM a WHERE a.kind = 'cash'
)
SELECT a.balance, a.at FROM a`

// single tries the one-statement way. done means that the post is answered.
func (p *postgresConn) single(one *post) (done, sent bool, err error) {
	housePost, ok := p.l.asHousePost(one.Transfer)
	if !ok || !one.fitsSingle() || one.triedSingle {
		return false, false, nil
	}
	one.triedSingle = true
	id, err := p.ids(1)
	if err != nil {
		return false, false, err
	}
	var after, at int64
	err = p.raw(func(ctx context.Context, c *pgx.Conn) error {
		return c.QueryRow(ctx, postSingle, id, housePost.member, housePost.house.ID, housePost.signed, housePost.currency.Code, housePost.house.MerchantID, one.Key,
			one.digest[:], one.Kind, one.RefType, one.RefID, one.Note, housePost.currency.Format(1)).Scan(&after, &at)
	})
	var pe *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows), errors.As(err, &pe) && !connectionLost(err):
		return false, false, nil // nothing was written
	case err != nil:
		return false, true, err
	}
	one.answer, one.err = Posted{ID: id, At: time.UnixMilli(at).UTC()}, nil
	if housePost.signed < 0 {
		one.answer.DebitAfter = money.Minor(after)
	} else {
		one.answer.CreditAfter = money.Minor(after)
	}
	p.l.committed()
	return true, true, nil
}

// postDirect posts on a connection of its own, in the caller's goroutine, while few posts are under way and none
// of them is this member's: those are better grouped than made to wait for each other's locks. It says
// whether the post is answered; if not, it goes the way of the queue.
func (l *Ledger) postDirect(one *post) bool {
	limit := int64(l.idle.size)
	if !one.fitsSingle() {
		limit = min(limit, 1) // several round trips each: in company they are better grouped
	}
	if l.inFlight.Load() > limit {
		return false
	}
	housePost, ok := l.asHousePost(one.Transfer)
	if !ok {
		return false
	}
	done := make(chan struct{})
	if _, busy := l.busy.LoadOrStore(housePost.member, done); busy {
		return false
	}
	defer func() { l.busy.Delete(housePost.member); close(done) }()
	l.closing.RLock()
	defer l.closing.RUnlock()
	if l.closed {
		return false
	}
	conn := l.idle.take()
	if conn == nil {
		return false
	}
	defer l.idle.put(conn)
	return conn.post(one)
}

// idleConns are the connections that nobody posts on just now. The one used last is taken first: each is a process
// of the database with a plan and caches of its own, and taken in turn they would all be cold.
type idleConns struct {
	size  int // with those in use; fixed when the ledger starts
	mu    sync.Mutex
	conns []*postgresConn
}

// take gives nil when there is none.
func (s *idleConns) take() *postgresConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.conns) == 0 {
		return nil
	}
	last := len(s.conns) - 1
	conn := s.conns[last]
	s.conns = s.conns[:last]
	return conn
}

func (s *idleConns) put(conn *postgresConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.conns = append(s.conns, conn)
}

func (p *postgresConn) post(one *post) (answered bool) {
	if p.connect() != nil {
		return false // nothing was sent; the queue's lanes are the ones to wait for a new connection
	}
	if !one.fitsSingle() {
		p.postWithRetry([]*post{one}, false)
		return true
	}
	done, sent, err := p.single(one)
	if err != nil {
		p.drop()
		p.postWithRetry([]*post{one}, sent)
		return true
	}
	return done
}

// pair is a plain transfer between a member and the house.
type housePost struct {
	member   int64
	house    query.Account
	signed   int64 // as the member sees it
	currency money.Currency
}

// plain says that one statement can do it.
func (t *Transfer) fitsSingle() bool {
	return !t.Empty && t.Refuse == "" && !t.Guarded && len(t.Rows) == 0
}

// asHousePost tells the two sides apart when exactly one is known to be the house's.
func (l *Ledger) asHousePost(t *Transfer) (p housePost, ok bool) {
	if t.Origin != 0 || t.Kind == KindHold {
		return housePost{}, false
	}
	debit, debitHouse := l.derived.Load(t.Debit)
	credit, creditHouse := l.derived.Load(t.Credit)
	switch {
	case debitHouse == creditHouse:
		return housePost{}, false
	case debitHouse:
		p = housePost{member: t.Credit, house: debit.(query.Account), signed: int64(t.Amount)}
	default:
		p = housePost{member: t.Debit, house: credit.(query.Account), signed: -int64(t.Amount)}
	}
	var err error
	p.currency, err = money.Find(p.house.Currency)
	return p, err == nil
}
