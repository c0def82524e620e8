// Package idempotency makes a change take effect once, even if the client repeats the request. The client sends the header
// Idempotency-Key. The transaction that makes the change also stores the response. A repeated request gets the stored
// response.
package idempotency

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// ErrConflict reports that the caller has already used the key for another request.
var ErrConflict = fault.New(fault.Conflict, "idempotency.conflict")

// Lifetime is how long a response is stored.
const Lifetime = 24 * time.Hour

// A Header adds the header Idempotency-Key to the input of a call. Embed it.
type Header struct {
	IdempotencyKey string `header:"Idempotency-Key" pattern:"^[A-Za-z0-9._:-]+$" maxLength:"64" doc:"Makes the call take effect once: a repeated request with the same key and the same content gets the first answer."`
}

// A Request identifies a request of one caller.
type Request struct {
	Owner   string // from Member or Operator
	Call    string // operation id of the call
	Key     string // from Header; if it is empty, the change runs and nothing is stored
	Content any    // everything that the change depends on, such as the path's id and the body; encoded as JSON
}

// Member returns the Request.Owner for a member.
func Member(id int64) string { return fmt.Sprintf("member/%d", id) }

// Operator returns the Request.Owner for an operator.
func Operator(id int64) string { return fmt.Sprintf("operator/%d", id) }

// A Writer runs a function in a transaction. *db.Store and *ledger.Ledger implement it.
type Writer interface {
	Write(ctx context.Context, fn func(*db.Tx) error) error
}

// Keys stores the used keys and their responses.
type Keys struct {
	store *db.Store
	now   func() time.Time
}

// New returns the Keys in store.
func New(store *db.Store, now func() time.Time) *Keys { return &Keys{store, now} }

// Do runs change in a transaction of w. If the caller has sent the same request before, Do returns the stored response
// instead.
//
// Do also stores refusals: faults of kind Invalid, Forbidden, NotFound, Conflict or Refused. It stores no other errors, so
// a request that failed can be repeated. T must survive encoding as JSON and must contain no secret.
func Do[T any](ctx context.Context, k *Keys, w Writer, r Request, change func(*db.Tx) (T, error)) (T, error) {
	var response T
	if r.Key == "" {
		err := w.Write(ctx, func(tx *db.Tx) (err error) {
			response, err = change(tx)
			return err
		})
		return response, err
	}
	content, err := json.Marshal(r.Content)
	if err != nil {
		return response, fmt.Errorf("encode the content of %s: %w", r.Call, err)
	}
	digest := sha256.Sum256(content)
	var stored *query.KeyAnswerRow
	err = w.Write(ctx, func(tx *db.Tx) error {
		var none T
		response, stored = none, nil // the ledger may run the function again
		if stored, err = k.useKey(ctx, tx, r, digest[:], false, ""); err != nil || stored != nil {
			return err
		}
		if response, err = change(tx); err != nil {
			return err
		}
		body, err := json.Marshal(response)
		if err != nil {
			return fmt.Errorf("encode the response of %s: %w", r.Call, err)
		}
		return tx.Q.SaveAnswer(ctx, query.SaveAnswerParams{Owner: r.Owner, Call: r.Call, RequestKey: r.Key, Response: string(body)})
	})
	if refusal := refusalOf(err); refusal != nil {
		stored, err = k.saveRefusal(ctx, r, digest[:], refusal, err)
	}
	if err != nil || stored == nil {
		return response, err
	}
	return decodeStored[T](r, stored, digest[:])
}

// useKey stores the key with a response. If the key is already stored, useKey changes nothing and returns the stored row.
func (k *Keys) useKey(ctx context.Context, tx *db.Tx, r Request, digest []byte, refused bool, response string) (*query.KeyAnswerRow, error) {
	added, err := tx.Q.UseKey(ctx, query.UseKeyParams{
		Owner: r.Owner, Call: r.Call, RequestKey: r.Key, Digest: digest, Refused: refused, Response: response, CreatedAt: db.Millis(k.now()),
	})
	if err != nil {
		return nil, fmt.Errorf("use idempotency key: %w", err)
	}
	if added == 1 {
		return nil, nil
	}
	row, err := tx.Q.KeyAnswer(ctx, r.Owner, r.Call, r.Key)
	if err != nil {
		return nil, fmt.Errorf("read response: %w", err)
	}
	return &row, nil
}

// A refusal is a fault as it is stored. It has no cause: the cause is only logged.
type refusal struct {
	Kind  fault.Kind
	Code  string
	Field string
	Args  map[string]string
}

func refusalOf(err error) *refusal {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return nil
	}
	switch f.Kind {
	case fault.Invalid, fault.Forbidden, fault.NotFound, fault.Conflict, fault.Refused:
		return &refusal{f.Kind, f.Code, f.Field, f.Args}
	default:
		return nil
	}
}

// saveRefusal stores a refusal in its own transaction, because the change's transaction was rolled back. If a concurrent
// request has already stored a response, saveRefusal returns that response.
func (k *Keys) saveRefusal(ctx context.Context, r Request, digest []byte, refused *refusal, cause error) (stored *query.KeyAnswerRow, err error) {
	body, err := json.Marshal(refused)
	if err != nil {
		return nil, fmt.Errorf("encode the refusal of %s: %w", r.Call, err)
	}
	err = k.store.Write(ctx, func(tx *db.Tx) (err error) {
		stored, err = k.useKey(ctx, tx, r, digest, true, string(body))
		return err
	})
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return nil, cause
	}
	return stored, nil
}

func decodeStored[T any](r Request, stored *query.KeyAnswerRow, digest []byte) (response T, err error) {
	if !bytes.Equal(stored.Digest, digest) {
		return response, ErrConflict
	}
	if stored.Refused {
		var refused refusal
		if err := json.Unmarshal([]byte(stored.Response), &refused); err != nil {
			return response, fmt.Errorf("decode the refusal of %s: %w", r.Call, err)
		}
		return response, &fault.Fault{Kind: refused.Kind, Code: refused.Code, Field: refused.Field, Args: refused.Args}
	}
	if err := json.Unmarshal([]byte(stored.Response), &response); err != nil {
		return response, fmt.Errorf("decode the response of %s: %w", r.Call, err)
	}
	return response, nil
}

// Sweep deletes responses older than Lifetime.
func (k *Keys) Sweep(ctx context.Context) error {
	before := db.Millis(k.now().Add(-Lifetime))
	for deleted := int64(1); deleted > 0; {
		err := k.store.Write(ctx, func(tx *db.Tx) (err error) {
			deleted, err = tx.Q.DropOldKeys(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old idempotency keys: %w", err)
		}
	}
	return nil
}
