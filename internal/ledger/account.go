package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Kinds of member account.
const (
	Cash  = "cash"  // available to play and withdraw
	Held  = "held"  // reserved by holds; only holds and their settlements change it
	Bonus = "bonus" // bonus money that must be wagered before it becomes cash
)

// Kinds of house account. Each merchant has one per kind and currency.
const (
	Deposits    = "deposit"    // source of deposits
	Withdrawals = "withdrawal" // destination of paid withdrawals
	Adjustments = "adjustment" // operator corrections
	Promotions  = "promotion"  // source of bonuses and rewards
)

// Vendor returns the kind of the house account for one vendor's bets and wins.
func Vendor(code string) string { return "vendor:" + code }

// An Account is a balance in one currency, owned by a member or by the house.
type Account struct {
	ID       int64
	Member   int64 // 0 for a house account
	Merchant int64
	Kind     string
	Currency string
	Balance  money.Minor
	Derived  bool  // true for a house account, whose balance a job computes from its entries
	Version  int64 // increases with every change of a member account
}

// walletPrefix is the prefix of the kind of a member's account at a vendor with a separate wallet.
const walletPrefix = "wallet:"

// Wallet returns the kind of a member's account at a vendor with a separate wallet.
func Wallet(vendorCode string) string { return walletPrefix + vendorCode }

// WalletVendor returns the vendor's code from the kind of a wallet account. It returns "" for other kinds.
func WalletVendor(kind string) string {
	code, ok := strings.CutPrefix(kind, walletPrefix)
	if !ok {
		return ""
	}
	return code
}

// EnsureWallet returns a member's account at a vendor and creates it if needed.
func (l *Ledger) EnsureWallet(ctx context.Context, merchant, member int64, vendorCode, currency string) (Account, error) {
	return l.ensure(ctx, l.store.Q(), l.writes, merchant, member, Wallet(vendorCode), currency)
}

// EnsureBonusIn returns a member's bonus account and creates it if needed, within the caller's transaction.
func (l *Ledger) EnsureBonusIn(ctx context.Context, tx *db.Tx, merchant, member int64, currency string) (Account, error) {
	return l.ensure(ctx, tx.Q, tx.Q, merchant, member, Bonus, currency)
}

// EnsureMember returns a member's cash account and creates the cash and held accounts if needed.
// It is idempotent. Inside a transaction, use EnsureMemberIn.
func (l *Ledger) EnsureMember(ctx context.Context, merchant, member int64, currency string) (Account, error) {
	return l.ensureMember(ctx, l.store.Q(), l.writes, merchant, member, currency)
}

// EnsureMemberIn is EnsureMember within the caller's transaction.
func (l *Ledger) EnsureMemberIn(ctx context.Context, tx *db.Tx, merchant, member int64, currency string) error {
	_, err := l.ensureMember(ctx, tx.Q, tx.Q, merchant, member, currency)
	return err
}

func (l *Ledger) ensureMember(ctx context.Context, read, write *query.Queries, merchant, member int64, currency string) (Account, error) {
	if member <= 0 {
		return Account{}, ErrMalformed.On("member")
	}
	if _, err := l.ensure(ctx, read, write, merchant, member, Held, currency); err != nil {
		return Account{}, err
	}
	return l.ensure(ctx, read, write, merchant, member, Cash, currency)
}

// House returns one of the merchant's house accounts and creates it if needed. The result is cached.
func (l *Ledger) House(ctx context.Context, merchant int64, kind, currency string) (Account, error) {
	key := houseKey{merchant, kind, currency}
	if a, ok := l.houses.Load(key); ok {
		return a.(Account), nil
	}
	a, err := l.ensure(ctx, l.store.Q(), l.writes, merchant, 0, kind, currency)
	if err == nil {
		l.houses.Store(key, a)
	}
	return a, err
}

// HouseIn is House within the caller's transaction.
func (l *Ledger) HouseIn(ctx context.Context, tx *db.Tx, merchant int64, kind, currency string) (Account, error) {
	return l.ensure(ctx, tx.Q, tx.Q, merchant, 0, kind, currency)
}

type houseKey struct {
	merchant       int64
	kind, currency string
}

func (l *Ledger) ensure(ctx context.Context, read, write *query.Queries, merchant, member int64, kind, currency string) (Account, error) {
	if kind == "" || len(kind) > maxKind || strings.TrimSpace(kind) != kind {
		return Account{}, ErrMalformed.On("kind")
	}
	if _, err := money.Find(currency); err != nil {
		return Account{}, err
	}
	a, err := findAccount(ctx, read, merchant, member, kind, currency)
	if !errors.Is(err, sql.ErrNoRows) {
		return a, err
	}
	_, err = write.AddAccount(ctx, query.AddAccountParams{
		ID: l.newID(), MemberID: nullable(member), MerchantID: merchant, Kind: kind, Currency: currency, Derived: member == 0,
	})
	if err != nil {
		return Account{}, fmt.Errorf("open account: %w", err)
	}
	// Another replica may have created it first, so read it back.
	return findAccount(ctx, write, merchant, member, kind, currency)
}

func findAccount(ctx context.Context, q *query.Queries, merchant, member int64, kind, currency string) (Account, error) {
	var row query.Account
	var err error
	if member == 0 {
		row, err = q.AccountOfHouse(ctx, merchant, kind, currency)
	} else {
		row, err = q.AccountOfMember(ctx, nullable(member), kind, currency)
	}
	if err != nil {
		return Account{}, fmt.Errorf("find account: %w", err)
	}
	if row.MerchantID != merchant {
		return Account{}, ErrMismatch.On("merchant")
	}
	return accountOf(row), nil
}

func accountOf(row query.Account) Account {
	return Account{
		ID: row.ID, Member: row.MemberID.Int64, Merchant: row.MerchantID, Kind: row.Kind, Currency: row.Currency,
		Balance: money.Minor(row.Balance), Derived: row.Derived, Version: row.Seq,
	}
}

// Balances returns a member's accounts, oldest first.
func (l *Ledger) Balances(ctx context.Context, member int64) ([]Account, error) {
	rows, err := l.store.Q().AccountsOfMember(ctx, nullable(member))
	if err != nil {
		return nil, fmt.Errorf("read balances: %w", err)
	}
	out := make([]Account, len(rows))
	for i, row := range rows {
		out[i] = accountOf(row)
	}
	return out, nil
}

// Balance returns an account's balance. For a house account it includes deltas that are not rolled up yet.
func (l *Ledger) Balance(ctx context.Context, account int64) (money.Minor, error) {
	n, err := l.store.Q().BalanceOfAccount(ctx, account)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, ErrAccount
	}
	if err != nil {
		return 0, fmt.Errorf("read balance: %w", err)
	}
	return money.Minor(n), nil
}

// nullable returns the value to store for an id. It stores 0 as NULL.
func nullable(id int64) sql.NullInt64 { return sql.NullInt64{Int64: id, Valid: id != 0} }
