package idempotency_test

import (
	"context"

	"fairground/internal/platform/db"
	"fairground/internal/platform/idempotency"
	"fairground/internal/platform/rest"
)

// A depositInput is the input of a call that accepts an idempotency key.
type depositInput struct {
	idempotency.Header
	Body struct {
		Amount int64 `json:"amount"`
	}
}

type deposited struct {
	ID int64 `json:"id"`
}

func ExampleDo() {
	var (
		keys  *idempotency.Keys
		store *db.Store
		add   func(tx *db.Tx, memberID, amount int64) (deposited, error) // the rule and its queries
	)
	_ = func(ctx context.Context, in *depositInput) (deposited, error) { // the handler
		caller, _ := rest.CallerOf(ctx)
		request := idempotency.Request{Owner: idempotency.Member(caller.MemberID), Call: "deposit", Key: in.IdempotencyKey, Content: in.Body}
		return idempotency.Do(ctx, keys, store, request, func(tx *db.Tx) (deposited, error) {
			return add(tx, caller.MemberID, in.Body.Amount)
		})
	}
}
