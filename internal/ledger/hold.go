package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// Reference says what a movement is for, in the asking domain's words.
type Reference struct {
	Type, ID, Note string
}

// Hold sets a member's money aside. It is then paid or released, once, by the id of the answer.
func (l *Ledger) Hold(ctx context.Context, key string, account int64, amount money.Minor, ref Reference) (Posted, error) {
	t, err := l.PrepareHold(ctx, key, account, amount, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Pay sends held money on to an account of the house.
func (l *Ledger) Pay(ctx context.Context, key string, hold, to int64, ref Reference) (Posted, error) {
	t, err := l.PreparePay(ctx, key, hold, to, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Release gives held money back to the account it came from.
func (l *Ledger) Release(ctx context.Context, key string, hold int64, ref Reference) (Posted, error) {
	t, err := l.PrepareRelease(ctx, key, hold, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Reverse undoes a transfer by its exact opposite, once. Holds, their settlements, reversals and empty transfers
// are not reversed; nor is anything whose money has been spent since.
func (l *Ledger) Reverse(ctx context.Context, key string, transfer int64, ref Reference) (Posted, error) {
	t, err := l.PrepareReversal(ctx, key, transfer, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// PrepareHold gives the transfer that Hold would post, for PostIn.
func (l *Ledger) PrepareHold(ctx context.Context, key string, account int64, amount money.Minor, ref Reference) (Transfer, error) {
	q := l.store.Q()
	from, err := q.AccountByID(ctx, account)
	if errors.Is(err, sql.ErrNoRows) {
		return Transfer{}, ErrAccount.On("debit")
	}
	if err != nil {
		return Transfer{}, fmt.Errorf("read account: %w", err)
	}
	if from.Derived {
		return Transfer{}, ErrMismatch.On("hold")
	}
	held, err := q.AccountOfMember(ctx, from.MemberID, Held, from.Currency)
	if errors.Is(err, sql.ErrNoRows) {
		return Transfer{}, ErrAccount.On("credit")
	}
	if err != nil {
		return Transfer{}, fmt.Errorf("read held account: %w", err)
	}
	return ref.on(Transfer{Key: key, Debit: account, Credit: held.ID, Amount: amount, Kind: KindHold}), nil
}

// PreparePay gives the transfer that Pay would post, for PostIn.
func (l *Ledger) PreparePay(ctx context.Context, key string, hold, to int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, hold)
	if err == nil && o.Kind != KindHold {
		err = ErrOrigin
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.on(Transfer{Key: key, Debit: o.CreditID, Credit: to, Amount: money.Minor(o.Amount), Kind: KindPay, Origin: hold}), nil
}

// PrepareRelease gives the transfer that Release would post, for PostIn.
func (l *Ledger) PrepareRelease(ctx context.Context, key string, hold int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, hold)
	if err == nil && o.Kind != KindHold {
		err = ErrOrigin
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.on(Transfer{Key: key, Debit: o.CreditID, Credit: o.DebitID, Amount: money.Minor(o.Amount), Kind: KindRelease, Origin: hold}), nil
}

// PrepareReversal gives the transfer that Reverse would post, for PostIn.
func (l *Ledger) PrepareReversal(ctx context.Context, key string, transfer int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, transfer)
	if err == nil && !reversible(&o) {
		err = ErrNotReversible
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.on(Transfer{Key: key, Debit: o.CreditID, Credit: o.DebitID, Amount: money.Minor(o.Amount), Kind: KindReversal, Origin: transfer}), nil
}

// originOf reads an earlier transfer. What it says never changes, so it may be read before the transaction
// that settles it; whether it is settled is asked again there.
func (l *Ledger) originOf(ctx context.Context, id int64) (query.Transfer, error) {
	o, err := l.store.Q().TransferByID(ctx, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && o.Refusal.Valid {
		return query.Transfer{}, ErrOrigin
	}
	if err != nil {
		return query.Transfer{}, fmt.Errorf("read transfer: %w", err)
	}
	return o, nil
}

func (r Reference) on(t Transfer) Transfer {
	t.RefType, t.RefID, t.Note = r.Type, r.ID, r.Note
	return t
}
