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

// ErrCursor says that a page's cursor was not made by Statement.
var ErrCursor = fault.New(fault.Invalid, "ledger.bad_cursor")

const maxPage = 200

// Line is one entry of a member's statement.
type Line struct {
	Transfer int64
	Account  int64
	Kind     string // of the account: cash, held …
	Currency string
	Amount   money.Minor // negative when it left the account
	After    money.Minor // balance of the account after it
	Cause    string      // the transfer's kind
	Origin   int64
	RefType  string
	RefID    string
	Note     string
	At       time.Time
}

// Page is a part of a statement. Next is empty on the last one.
type Page struct {
	Lines []Line
	Next  string
}

// Statement is what happened on all of a member's accounts, newest first, in pages. Within an account the
// order is that of posting. What is posted after the first page was read does not disturb the others.
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
			start = below[a.ID] // an account opened since the first page has none: nothing of it is older
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

// accountEntries is one account's entries, newest first.
type accountEntries struct {
	account query.Account
	rows    []query.StatementOfAccountRow
	below   int64 // every entry from here on has been given
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

// A cursor is pairs of account and entry number. It grants nothing: accounts of others are passed over.
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
