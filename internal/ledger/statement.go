package ledger

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// ErrCursor means that Statement did not create the cursor.
var ErrCursor = fault.New(fault.Invalid, "ledger.bad_cursor")

const maxPage = 200

// A Line is one entry of a member's statement.
type Line struct {
	Transfer int64
	Account  int64
	Kind     string // the account's kind: cash, held …
	Currency string
	Amount   money.Minor // negative for a debit
	After    money.Minor // the account's balance afterwards
	Cause    string      // the transfer's kind
	Origin   int64
	RefType  string
	RefID    string
	Note     string
	At       time.Time
}

// A Page is a part of a statement. Next is empty on the last page.
type Page struct {
	Lines []Line
	Next  string
}

// A Filter selects entries of a statement. Its zero value selects all.
type Filter struct {
	Since, Until int64              // Unix milliseconds; if Until is 0, there is no upper limit
	Kinds        []string           // kinds of transfer; empty selects all kinds
	Account      func(Account) bool // selects accounts; nil selects all
}

// Statement returns a page of the entries of all of a member's accounts, newest first. Entries of one account are in
// posting order. Entries posted after the first page do not appear on later pages.
func (l *Ledger) Statement(ctx context.Context, member int64, cursor string, limit int) (Page, error) {
	return l.StatementOf(ctx, member, Filter{}, cursor, limit)
}

// StatementOf is Statement with a filter.
func (l *Ledger) StatementOf(ctx context.Context, member int64, filter Filter, cursor string, limit int) (Page, error) {
	limit = max(1, min(limit, maxPage))
	q := l.store.Q()
	rows, err := q.AccountsOfMember(ctx, nullable(member))
	if err != nil {
		return Page{}, fmt.Errorf("read accounts: %w", err)
	}
	below, err := readCursor(cursor)
	if err != nil {
		return Page{}, err
	}
	var accounts []*accountEntries
	for _, a := range rows {
		start := a.Seq + 1
		if cursor != "" {
			start = below[a.ID] // 0 for an account created after the first page
		}
		if start <= 1 {
			continue
		}
		if filter.Account != nil && !filter.Account(accountOf(a)) {
			continue
		}
		entries := &accountEntries{account: a, below: start}
		entries.rows, err = q.StatementBetween(ctx, query.StatementBetweenParams{
			AccountID: a.ID, Below: start, Since: filter.Since, Until: filter.until(), Kinds: filter.kinds(), Most: int32(limit + 1),
		})
		if err != nil {
			return Page{}, fmt.Errorf("read entries: %w", err)
		}
		accounts = append(accounts, entries)
	}
	page := Page{Lines: make([]Line, 0, limit)}
	for len(page.Lines) < limit {
		entries := newest(accounts)
		if entries == nil {
			return page, nil
		}
		page.Lines = append(page.Lines, entries.take())
	}
	if newest(accounts) != nil {
		page.Next = writeCursor(accounts)
	}
	return page, nil
}

func (f Filter) until() int64 {
	if f.Until == 0 {
		return math.MaxInt64
	}
	return f.Until
}

func (f Filter) kinds() string {
	if len(f.Kinds) == 0 {
		return ""
	}
	return "," + strings.Join(f.Kinds, ",") + ","
}

// A Sum adds up the entries of one kind of transfer.
type Sum struct {
	Kind              string
	Movements         int64
	Credited, Debited money.Minor
}

// Sums adds up the entries of one account between two times, by kind of transfer.
func (l *Ledger) Sums(ctx context.Context, account int64, filter Filter) ([]Sum, error) {
	rows, err := l.store.Q().SumsOfAccount(ctx, account, filter.Since, filter.until())
	if err != nil {
		return nil, fmt.Errorf("add up entries: %w", err)
	}
	out := make([]Sum, len(rows))
	for i, r := range rows {
		out[i] = Sum{Kind: r.Kind, Movements: r.Movements, Credited: money.Minor(r.Credited), Debited: money.Minor(r.Debited)}
	}
	return out, nil
}

type accountEntries struct {
	account query.Account
	rows    []query.StatementBetweenRow
	below   int64 // entries from this seq on are already returned
}

func (entries *accountEntries) take() Line {
	r := entries.rows[0]
	entries.rows, entries.below = entries.rows[1:], r.Seq
	return Line{
		Transfer: r.TransferID, Account: entries.account.ID, Kind: entries.account.Kind, Currency: entries.account.Currency,
		Amount: money.Minor(r.Amount), After: money.Minor(r.BalanceAfter.Int64), Cause: r.Kind, Origin: r.OriginID.Int64,
		RefType: r.RefType, RefID: r.RefID, Note: r.Note, At: time.UnixMilli(r.CreatedAt).UTC(),
	}
}

func newest(accounts []*accountEntries) *accountEntries {
	var best *accountEntries
	for _, entries := range accounts {
		if len(entries.rows) == 0 {
			continue
		}
		if best == nil || entries.rows[0].CreatedAt > best.rows[0].CreatedAt ||
			entries.rows[0].CreatedAt == best.rows[0].CreatedAt && entries.rows[0].TransferID > best.rows[0].TransferID {
			best = entries
		}
	}
	return best
}

// writeCursor encodes pairs of account id and seq. Statement ignores other members' accounts in a cursor.
func writeCursor(accounts []*accountEntries) string {
	var b []byte
	for _, entries := range accounts {
		b = binary.AppendUvarint(b, uint64(entries.account.ID))
		b = binary.AppendUvarint(b, uint64(entries.below))
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func readCursor(s string) (map[int64]int64, error) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil, ErrCursor
	}
	out := make(map[int64]int64)
	for len(b) > 0 {
		account, n := binary.Uvarint(b)
		if n <= 0 {
			return nil, ErrCursor
		}
		below, m := binary.Uvarint(b[n:])
		if m <= 0 || int64(account) <= 0 || int64(below) <= 0 {
			return nil, ErrCursor
		}
		b = b[n+m:]
		out[int64(account)] = int64(below)
	}
	return out, nil
}
