package ledger

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"slices"

	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// Invariants, by the name that a report shows.
const (
	InvariantZero       = "entries sum to zero per currency"
	InvariantEntries    = "two entries per posted transfer, none per refused or empty one"
	InvariantBalance    = "balance equals the sum of entries"
	InvariantChain      = "entries are numbered without gaps and carry the running balance"
	InvariantFloor      = "no balance below its floor"
	InvariantHash       = "payload hashes match"
	InvariantAccounts   = "both sides share currency and merchant"
	InvariantHolds      = "held balance equals the open holds"
	InvariantOrigins    = "settlements and reversals match their origin, once"
	InvariantTombstones = "tombstones refuse and have no content"
)

var invariants = [...]string{InvariantZero, InvariantEntries, InvariantBalance, InvariantChain, InvariantFloor, InvariantHash,
	InvariantAccounts, InvariantHolds, InvariantOrigins, InvariantTombstones}

const maxSamples = 10

// A Finding is one invariant and the places where it is broken.
type Finding struct {
	Invariant string
	Broken    int64
	Samples   []string // the first few places
}

// A Report is the result of Verify. It lists every invariant, broken or not.
type Report struct {
	Accounts, Transfers, Entries int64
	Refused, Empty, Tombstones   int64 // numbers of transfers; Tombstones counts tombstones without a transfer, which Refused includes
	Findings                     []Finding
}

// OK reports whether no invariant is broken.
func (r *Report) OK() bool {
	return !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Broken > 0 })
}

// Verify checks every invariant in one snapshot of the database. It only reads, and works while a ledger runs.
func Verify(ctx context.Context, s *db.Store) (*Report, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.Engine == db.Postgres {
		options.Isolation = sql.LevelRepeatableRead // one snapshot for all statements, as SQLite always has
	}
	tx, err := s.Reader.BeginTx(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("verify: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	v := &verifier{tx: tx, report: &Report{}, sums: make(map[string]*big.Int)}
	for _, name := range invariants {
		v.report.Findings = append(v.report.Findings, Finding{Invariant: name})
	}
	for _, step := range []func(context.Context) error{v.readDeltas, v.checkAccounts, v.checkTransfers, v.checkEntryCounts, v.checkSettlements} {
		if err := step(ctx); err != nil {
			return nil, fmt.Errorf("verify: %w", err)
		}
	}
	return v.report, nil
}

type verifier struct {
	tx     *sql.Tx
	report *Report
	deltas map[int64]int64
	sums   map[string]*big.Int
}

func (v *verifier) addBroken(invariant, format string, args ...any) {
	i := slices.Index(invariants[:], invariant)
	f := &v.report.Findings[i]
	if f.Broken++; len(f.Samples) < maxSamples {
		f.Samples = append(f.Samples, fmt.Sprintf(format, args...))
	}
}

func (v *verifier) each(ctx context.Context, q string, row func(*sql.Rows) error) error {
	rows, err := v.tx.QueryContext(ctx, q)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (v *verifier) readDeltas(ctx context.Context) error {
	v.deltas = make(map[int64]int64)
	return v.each(ctx, `SELECT account_id, CAST(SUM(amount) AS BIGINT) FROM account_delta GROUP BY account_id`, func(rows *sql.Rows) error {
		var id, sum int64
		if err := rows.Scan(&id, &sum); err != nil {
			return err
		}
		v.deltas[id] = sum
		return nil
	})
}

// An accountScan is one account and the state of the scan over its entries.
type accountScan struct {
	id, balance, floor, seq, openHolds int64
	kind, currency                     string
	derived                            bool
	sum                                money.Minor
	lastSeq                            int64
}

func (v *verifier) checkAccounts(ctx context.Context) error {
	const q = `SELECT a.id, a.kind, a.currency, a.balance, a.floor, a.derived, a.seq, COALESCE(h.amount, 0),
  e.seq, e.transfer_id, e.amount, e.balance_after
FROM account a
LEFT JOIN (
  SELECT t.credit_id, CAST(SUM(t.amount) AS BIGINT) AS amount FROM transfer t
  WHERE t.kind = 'hold' AND t.refusal IS NULL
    AND NOT EXISTS (SELECT 1 FROM transfer s WHERE s.origin_id = t.id AND s.refusal IS NULL)
  GROUP BY t.credit_id
) h ON h.credit_id = a.id
LEFT JOIN entry e ON e.account_id = a.id
ORDER BY a.id, e.seq`
	var current *accountScan
	err := v.each(ctx, q, func(rows *sql.Rows) error {
		w := accountScan{}
		var seq, transfer, amount, after sql.NullInt64
		if err := rows.Scan(&w.id, &w.kind, &w.currency, &w.balance, &w.floor, &w.derived, &w.seq, &w.openHolds, &seq, &transfer, &amount, &after); err != nil {
			return err
		}
		if current == nil || current.id != w.id {
			v.endAccount(current)
			current = &w
		}
		if seq.Valid {
			v.report.Entries++
			v.checkEntry(current, seq.Int64, transfer.Int64, amount.Int64, after)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read accounts: %w", err)
	}
	v.endAccount(current)
	for currency, sum := range v.sums {
		if sum.Sign() != 0 {
			v.addBroken(InvariantZero, "%s is off by %s", currency, sum)
		}
	}
	return nil
}

func (v *verifier) checkEntry(w *accountScan, seq, transfer, amount int64, after sql.NullInt64) {
	sum, err := w.sum.Add(money.Minor(amount))
	if err != nil {
		v.addBroken(InvariantBalance, "account %d overflows at entry %d", w.id, seq)
	}
	w.sum = sum
	switch {
	case w.derived && (seq != transfer || after.Valid):
		v.addBroken(InvariantChain, "account %d, entry %d: wrong form for a house account", w.id, seq)
	case !w.derived && seq != w.lastSeq+1:
		v.addBroken(InvariantChain, "account %d: entry %d follows %d", w.id, seq, w.lastSeq)
	case !w.derived && (!after.Valid || after.Int64 != int64(w.sum)):
		v.addBroken(InvariantChain, "account %d, entry %d: balance after is %d, not %d", w.id, seq, after.Int64, w.sum)
	}
	if !w.derived && after.Int64 < w.floor {
		v.addBroken(InvariantFloor, "account %d had balance %d after entry %d", w.id, after.Int64, seq)
	}
	w.lastSeq = seq
}

func (v *verifier) endAccount(w *accountScan) {
	if w == nil {
		return
	}
	v.report.Accounts++
	if v.sums[w.currency] == nil {
		v.sums[w.currency] = new(big.Int)
	}
	v.sums[w.currency].Add(v.sums[w.currency], big.NewInt(int64(w.sum)))
	if balance := w.balance + v.deltas[w.id]; balance != int64(w.sum) {
		v.addBroken(InvariantBalance, "account %d has balance %d, its entries sum to %d", w.id, balance, w.sum)
	}
	if !w.derived && w.balance < w.floor {
		v.addBroken(InvariantFloor, "account %d has balance %d", w.id, w.balance)
	}
	if !w.derived && w.seq != w.lastSeq {
		v.addBroken(InvariantChain, "account %d has seq %d, its last entry is %d", w.id, w.seq, w.lastSeq)
	}
	if !w.derived && v.deltas[w.id] != 0 {
		v.addBroken(InvariantBalance, "member account %d has pending deltas", w.id)
	}
	if w.kind == Held && w.balance != w.openHolds {
		v.addBroken(InvariantHolds, "account %d has balance %d, open holds sum to %d", w.id, w.balance, w.openHolds)
	}
}
