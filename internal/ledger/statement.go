package ledger

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// ErrCursor reports a cursor that Statement did not create.
var ErrCursor = fault.New(fault.Invalid, "ledger.bad_cursor")

const maxPage = 200

// A Line is one entry of a member's statement.
type Line struct {
	Transfer int64
	Account  int64
	Kind     string // the account's kind: cash, held …
	Currency string
	Amount   money.Minor // negative if it left the account
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

// Statement returns a page of the entries of all of a member's accounts, newest first. Entries of one account are in
// posting order. Entries posted after the first page do not appear on later pages.
func (l *Ledger) Statement(ctx context.Context, member int64, cursor string, limit int) (Page, error) {
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
		f := &accountEntries{account: a, below: start}
		if f.rows, err = q.StatementOfAccount(ctx, a.ID, start, int32(limit+1)); err != nil {
			return Page{}, fmt.Errorf("read entries: %w", err)
		}
		accounts = append(accounts, f)
	}
	page := Page{Lines: make([]Line, 0, limit)}
	for len(page.Lines) < limit {
		f := newest(accounts)
		if f == nil {
			return page, nil
		}
		page.Lines = append(page.Lines, f.take())
	}
	if newest(accounts) != nil {
		page.Next = writeCursor(accounts)
	}
	return page, nil
}

type accountEntries struct {
	account query.Account
	rows    []query.StatementOfAccountRow
	below   int64 // entries from this seq on are already returned
}

func (f *accountEntries) take() Line {
	r := f.rows[0]
	f.rows, f.below = f.rows[1:], r.Seq
	return Line{
		Transfer: r.TransferID, Account: f.account.ID, Kind: f.account.Kind, Currency: f.account.Currency,
		Amount: money.Minor(r.Amount), After: money.Minor(r.BalanceAfter.Int64), Cause: r.Kind, Origin: r.OriginID.Int64,
		RefType: r.RefType, RefID: r.RefID, Note: r.Note, At: time.UnixMilli(r.CreatedAt).UTC(),
	}
}

func newest(accounts []*accountEntries) *accountEntries {
	var best *accountEntries
	for _, f := range accounts {
		if len(f.rows) == 0 {
			continue
		}
		if best == nil || f.rows[0].CreatedAt > best.rows[0].CreatedAt ||
			f.rows[0].CreatedAt == best.rows[0].CreatedAt && f.rows[0].TransferID > best.rows[0].TransferID {
			best = f
		}
	}
	return best
}

// A cursor is a list of pairs of account and seq. Other members' accounts in it are ignored.
func writeCursor(accounts []*accountEntries) string {
	var b []byte
	for _, f := range accounts {
		b = binary.AppendUvarint(b, uint64(f.account.ID))
		b = binary.AppendUvarint(b, uint64(f.below))
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
