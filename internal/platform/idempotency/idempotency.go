// Package idempotency makes a change take effect once, even if its request is sent again. The client sends the header
// Idempotency-Key. The first answer is stored in the transaction of the change, and a repeated request gets it again.
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

// ErrConflict refuses a key that the caller has used for another request.
var ErrConflict = fault.New(fault.Conflict, "idempotency.conflict")

// Lifetime is how long an answer is kept.
const Lifetime = 24 * time.Hour

// A Header adds the header Idempotency-Key to the input of a call. Embed it.
type Header struct {
	IdempotencyKey string `header:"Idempotency-Key" pattern:"^[A-Za-z0-9._:-]+$" maxLength:"64" doc:"Makes the call take effect once: a repeated request with the same key and the same content gets the first answer."`
}

// A Request identifies a request of one caller.
type Request struct {
	Owner   string // from Member or Operator
	Call    string // operation id of the call
	Key     string // from Header; "" runs the change without a record
	Content any    // everything that the change depends on, such as the path's id and the body; encoded as JSON
}

// Member returns the owner of a member's keys.
func Member(id int64) string { return fmt.Sprintf("member/%d", id) }

// Operator returns the owner of an operator's keys.
func Operator(id int64) string { return fmt.Sprintf("operator/%d", id) }

// A Writer runs a function in a transaction. *db.Store and *ledger.Ledger implement it.
type Writer interface {
	Write(ctx context.Context, fn func(*db.Tx) error) error
}

// Keys stores the answers.
type Keys struct {
	store *db.Store
	now   func() time.Time
}

// New returns the keys in store.
func New(store *db.Store, now func() time.Time) *Keys { return &Keys{store, now} }

// Do runs change in a transaction of w, unless the caller has sent the request before: then it returns the first answer.
//
// A refusal, which is a fault of kind Invalid, Forbidden, NotFound, Conflict or Refused, is an answer too. After any other error
// the same request may be sent again. T must survive encoding as JSON and must contain no secret.
func Do[T any](ctx context.Context, k *Keys, w Writer, r Request, change func(*db.Tx) (T, error)) (T, error) {
	var answer T
	if r.Key == "" {
		err := w.Write(ctx, func(tx *db.Tx) (err error) {
			answer, err = change(tx)
			return err
		})
		return answer, err
	}
	content, err := json.Marshal(r.Content)
	if err != nil {
		return answer, fmt.Errorf("encode the content of %s: %w", r.Call, err)
	}
	digest := sha256.Sum256(content)
	var stored *query.KeyAnswerRow
	err = w.Write(ctx, func(tx *db.Tx) error {
		var none T
		answer, stored = none, nil // the ledger may run the function again
		if stored, err = k.use(ctx, tx, r, digest[:], false, ""); err != nil || stored != nil {
			return err
		}
		if answer, err = change(tx); err != nil {
			return err
		}
		body, err := json.Marshal(answer)
		if err != nil {
			return fmt.Errorf("encode the answer of %s: %w", r.Call, err)
		}
		return tx.Q.SaveAnswer(ctx, query.SaveAnswerParams{Owner: r.Owner, Call: r.Call, RequestKey: r.Key, Response: string(body)})
	})
	if refusal := refusalOf(err); refusal != nil {
		stored, err = k.saveRefusal(ctx, r, digest[:], refusal, err)
	}
	if err != nil || stored == nil {
		return answer, err
	}
	return answerOf[T](r, stored, digest[:])
}

// use takes a key. It returns the stored answer if the key was taken before.
func (k *Keys) use(ctx context.Context, tx *db.Tx, r Request, digest []byte, refused bool, response string) (*query.KeyAnswerRow, error) {
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
		return nil, fmt.Errorf("read answer: %w", err)
	}
	return &row, nil
}

// A refusal is a fault without its cause, which stays in the log.
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

// saveRefusal stores a refusal in its own transaction, because that of the change was rolled back. If a concurrent request has
// stored an answer, that is the first answer.
func (k *Keys) saveRefusal(ctx context.Context, r Request, digest []byte, refused *refusal, cause error) (stored *query.KeyAnswerRow, err error) {
	body, err := json.Marshal(refused)
	if err != nil {
		return nil, fmt.Errorf("encode the refusal of %s: %w", r.Call, err)
	}
	err = k.store.Write(ctx, func(tx *db.Tx) (err error) {
		stored, err = k.use(ctx, tx, r, digest, true, string(body))
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

func answerOf[T any](r Request, stored *query.KeyAnswerRow, digest []byte) (answer T, err error) {
	if !bytes.Equal(stored.Digest, digest) {
		return answer, ErrConflict
	}
	if stored.Refused {
		var refused refusal
		if err := json.Unmarshal([]byte(stored.Response), &refused); err != nil {
			return answer, fmt.Errorf("decode the refusal of %s: %w", r.Call, err)
		}
		return answer, &fault.Fault{Kind: refused.Kind, Code: refused.Code, Field: refused.Field, Args: refused.Args}
	}
	if err := json.Unmarshal([]byte(stored.Response), &answer); err != nil {
		return answer, fmt.Errorf("decode the answer of %s: %w", r.Call, err)
	}
	return answer, nil
}

// Sweep deletes answers older than Lifetime.
func (k *Keys) Sweep(ctx context.Context) error {
	before := db.Millis(k.now().Add(-Lifetime))
	for dropped := int64(1); dropped > 0; {
		err := k.store.Write(ctx, func(tx *db.Tx) (err error) {
			dropped, err = tx.Q.DropOldKeys(ctx, before)
			return err
		})
		if err != nil {
			return fmt.Errorf("drop old idempotency keys: %w", err)
		}
	}
	return nil
}
