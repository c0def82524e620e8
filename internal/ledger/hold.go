package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fairground/internal/money"
	"fairground/internal/platform/db/query"
)

// A Reference describes the cause of a transfer in the caller's terms.
type Reference struct {
	Type, ID, Note string
}

// Hold reserves a member's money. Pay or Release settles the hold later, once, by the id that Hold returns.
func (l *Ledger) Hold(ctx context.Context, key string, account int64, amount money.Minor, ref Reference) (Posted, error) {
	t, err := l.PrepareHold(ctx, key, account, amount, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Pay transfers held money to a house account.
func (l *Ledger) Pay(ctx context.Context, key string, hold, houseAccount int64, ref Reference) (Posted, error) {
	t, err := l.PreparePay(ctx, key, hold, houseAccount, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Release returns held money to the account it came from.
func (l *Ledger) Release(ctx context.Context, key string, hold int64, ref Reference) (Posted, error) {
	t, err := l.PrepareRelease(ctx, key, hold, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// Reverse posts the opposite of a transfer. A transfer can be reversed once. Reverse rejects holds, settlements,
// reversals and empty transfers. It fails if the money has been spent.
func (l *Ledger) Reverse(ctx context.Context, key string, transfer int64, ref Reference) (Posted, error) {
	t, err := l.PrepareReversal(ctx, key, transfer, ref)
	if err != nil {
		return Posted{}, err
	}
	return l.Post(ctx, t)
}

// PrepareHold returns the transfer that Hold would post, for PostIn.
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
	return ref.applyTo(Transfer{Key: key, Debit: account, Credit: held.ID, Amount: amount, Kind: KindHold}), nil
}

// PreparePay returns the transfer that Pay would post, for PostIn.
func (l *Ledger) PreparePay(ctx context.Context, key string, hold, houseAccount int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, hold)
	if err == nil && o.Kind != KindHold {
		err = ErrOrigin
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.applyTo(Transfer{Key: key, Debit: o.CreditID, Credit: houseAccount, Amount: money.Minor(o.Amount), Kind: KindPay, Origin: hold}), nil
}

// PrepareRelease returns the transfer that Release would post, for PostIn.
func (l *Ledger) PrepareRelease(ctx context.Context, key string, hold int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, hold)
	if err == nil && o.Kind != KindHold {
		err = ErrOrigin
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.applyTo(Transfer{Key: key, Debit: o.CreditID, Credit: o.DebitID, Amount: money.Minor(o.Amount), Kind: KindRelease, Origin: hold}), nil
}

// PrepareReversal returns the transfer that Reverse would post, for PostIn.
func (l *Ledger) PrepareReversal(ctx context.Context, key string, transfer int64, ref Reference) (Transfer, error) {
	o, err := l.originOf(ctx, transfer)
	if err == nil && !isReversible(&o) {
		err = ErrNotReversible
	}
	if err != nil {
		return Transfer{}, err
	}
	return ref.applyTo(Transfer{Key: key, Debit: o.CreditID, Credit: o.DebitID, Amount: money.Minor(o.Amount), Kind: KindReversal, Origin: transfer}), nil
}

// originOf reads an earlier transfer. Its content never changes, so it may be read before the transaction that
// settles it. That transaction checks whether it is already settled.
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

func (r Reference) applyTo(t Transfer) Transfer {
	t.RefType, t.RefID, t.Note = r.Type, r.ID, r.Note
	return t
}
