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

// postSingle posts a transfer between a member and the house in one statement. It returns no row if a rule may
// refuse the transfer. The batch then decides.
// $1 id, $2 member account, $3 house account, $4 amount, negative if the member pays, $5 currency, $6 merchant, $7 key,
// $8 hash, $9 kind, $10 to $12 references, $13 value of a minor unit. Everything is selected from a alone, because
// each extra join or call slows every post.
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

// single tries postSingle. done reports whether the post has a result.
func (p *postgresConn) single(one *post) (done, sent bool, err error) {
	hp, ok := p.l.asHousePost(one.Transfer)
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
		return c.QueryRow(ctx, postSingle, id, hp.member, hp.house.ID, hp.signed, hp.currency.Code, hp.house.MerchantID, one.Key,
			one.digest[:], one.Kind, one.RefType, one.RefID, one.Note, hp.currency.Format(1)).Scan(&after, &at)
	})
	var pgErr *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows), errors.As(err, &pgErr) && !connectionLost(err):
		return false, false, nil // nothing was written
	case err != nil:
		return false, true, err
	}
	one.result, one.err = Posted{ID: id, At: time.UnixMilli(at).UTC()}, nil
	if hp.signed < 0 {
		one.result.DebitAfter = money.Minor(after)
	} else {
		one.result.CreditAfter = money.Minor(after)
	}
	p.l.committed()
	return true, true, nil
}

// postDirect posts on an idle connection in the caller's goroutine. It does so only while few posts are in flight
// and no other direct post uses the same member. Otherwise a batch is faster, because its posts do not wait for each
// other's locks. postDirect reports whether the post has a result. If not, the caller must queue it.
func (l *Ledger) postDirect(one *post) bool {
	limit := int64(l.idle.size)
	if !one.fitsSingle() {
		limit = min(limit, 1) // these posts need several round trips, so a batch is faster
	}
	if l.inFlight.Load() > limit {
		return false
	}
	hp, ok := l.asHousePost(one.Transfer)
	if !ok {
		return false
	}
	done := make(chan struct{})
	if _, busy := l.busy.LoadOrStore(hp.member, done); busy {
		return false
	}
	defer func() { l.busy.Delete(hp.member); close(done) }()
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
	return conn.postDirect(one)
}

// idleConns is a stack of unused connections. The most recently used one is taken first, because its server process
// has cached plans and data.
type idleConns struct {
	size  int // number of connections, including those in use; fixed at the start
	mu    sync.Mutex
	conns []*postgresConn
}

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

func (p *postgresConn) postDirect(one *post) (finished bool) {
	if p.connect() != nil {
		return false // nothing was sent; the batch workers wait for a new connection
	}
	if !one.fitsSingle() {
		_ = p.l.run(p, []*post{one}) // sets the result of a single post
		return true
	}
	done, sent, err := p.single(one)
	if err != nil {
		p.drop()
		one.outcomeUnknown = sent
		_ = p.l.run(p, []*post{one})
		return true
	}
	return done
}

// A housePost is a transfer between one member account and one house account.
type housePost struct {
	member   int64
	house    query.Account
	signed   int64 // amount as the member sees it: negative if the member pays
	currency money.Currency
}

// fitsSingle reports whether postSingle can post the transfer.
func (t *Transfer) fitsSingle() bool {
	return !t.Empty && t.Refuse == "" && !t.Guarded && len(t.Rows) == 0
}

// asHousePost returns the transfer as a housePost. ok is false unless exactly one side is a cached house account.
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
