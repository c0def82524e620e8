// Package audit writes the log of operators' changes. A row is written in the same transaction as the change that it
// describes. Each row contains a digest of itself and the previous row, so that Verify finds changed and deleted rows.
package audit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/gowebpki/jcs"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/rest"
)

// Values of Entry.Mode: how a change was approved.
const (
	Direct   = ""         // needs one person
	Single   = "single"   // needs two people, but fewer than two operators hold the permission
	Proposed = "proposed" // waits for the second person
	Approved = "approved" // the second person approved, and the change was carried out
	Refused  = "refused"  // the second person refused
	Failed   = "failed"   // the second person approved, but the object had changed; or a repair of a round did not succeed
)

// An Entry describes one change. Secrets and documents must not be in it.
type Entry struct {
	MerchantID int64 // 0 for changes of the whole installation
	Permission string
	Action     string // such as member.disable
	Object     string // such as member/1234
	Mode       string // Direct, Single, Proposed, Approved, Refused or Failed
	Before     any    // encoded as JSON; nil if there is none
	After      any
}

// A row has the columns that the digest covers.
type row struct {
	Seq        int64           `json:"seq"`
	At         int64           `json:"at"`
	MerchantID int64           `json:"merchantId,string"`
	Operator   string          `json:"operator"`
	Permission string          `json:"permission"`
	Action     string          `json:"action"`
	Object     string          `json:"object"`
	Mode       string          `json:"mode"`
	Before     json.RawMessage `json:"before"`
	After      json.RawMessage `json:"after"`
	Address    string          `json:"address"`
	RequestID  string          `json:"requestId"`
}

// digest returns the SHA-256 of the row's canonical JSON (RFC 8785), followed by the digest of the previous row.
func (r row) digest(previous []byte) ([]byte, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(text)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(canonical, previous...))
	return sum[:], nil
}

type actorKey struct{}

// As returns a context for changes that a command makes for an operator. In the API, the operator comes from the session.
func As(ctx context.Context, operator string) context.Context {
	return context.WithValue(ctx, actorKey{}, operator)
}

// Actor returns the name of the operator who makes a change.
func Actor(ctx context.Context) string {
	if operator, ok := rest.OperatorOf(ctx); ok {
		return operator.Name
	}
	name, _ := ctx.Value(actorKey{}).(string)
	return name
}

// collections has the collections of the operators' API that show an object, by the first part of Entry.Object.
var collections = map[string][]string{
	"member": {"members"}, "vendor": {"vendors"}, "game": {"games"}, "merchant": {"merchants"}, "round": {"stuck"}, "method": {"methods"},
	"gateway":    {"gateways", "methods"}, // a gateway has a method
	"adjustment": {"transfers"}, "ledger": {"ledger"}, "announcement": {"announcements"}, "banner": {"banners"}, "popup": {"popups"},
	"page": {"pages"}, "help": {"help"},
}

// changedBy returns the collections of the operators' API that an entry changes. Open screens load them again. Other packages report
// the collections that operators are not alone to change, such as deposits.
func changedBy(e Entry) []string {
	object, _, _ := strings.Cut(e.Object, "/")
	changed := append([]string{"audit"}, collections[object]...)
	if strings.HasPrefix(e.Action, "protection.") { // the object is the member
		changed = append(changed, "protection")
	}
	return changed
}

// Append writes a row and reports the change to operators' open screens. It locks the log until the transaction commits, so call it at
// the end of the transaction.
func Append(ctx context.Context, tx *db.Tx, now time.Time, e Entry) error {
	if err := events.ChangedIn(ctx, tx, now, e.MerchantID, changedBy(e)...); err != nil {
		return err
	}
	head, err := tx.Q.AdvanceAuditHead(ctx)
	if err != nil {
		return fmt.Errorf("lock audit log: %w", err)
	}
	r := row{
		Seq: head.Seq, At: db.Millis(now), MerchantID: e.MerchantID, Operator: Actor(ctx), Permission: e.Permission, Action: e.Action,
		Object: e.Object, Mode: e.Mode, Address: rest.AddressOf(ctx), RequestID: rest.RequestIDOf(ctx),
	}
	if r.Before, err = encode(e.Before); err != nil {
		return err
	}
	if r.After, err = encode(e.After); err != nil {
		return err
	}
	sum, err := r.digest(head.Digest)
	if err != nil {
		return fmt.Errorf("digest audit row: %w", err)
	}
	err = tx.Q.AddAuditRow(ctx, query.AddAuditRowParams{
		Seq: r.Seq, At: r.At, MerchantID: r.MerchantID, Operator: r.Operator, Permission: r.Permission, Action: r.Action, Object: r.Object,
		Mode: r.Mode, Before: string(r.Before), After: string(r.After), Address: r.Address, RequestID: r.RequestID, Digest: sum,
	})
	if err != nil {
		return fmt.Errorf("write audit row: %w", err)
	}
	if err := tx.Q.SetAuditHead(ctx, sum); err != nil {
		return fmt.Errorf("advance audit log: %w", err)
	}
	return nil
}

// With returns a context whose first Write transaction also appends an entry. It is for changes whose code opens its own
// transaction. check, if not nil, runs in that transaction first and can refuse the change.
func With(ctx context.Context, now func() time.Time, e Entry, check func(context.Context, *db.Tx) error) context.Context {
	return db.WithHook(ctx, func(ctx context.Context, tx *db.Tx) error {
		if check != nil {
			if err := check(ctx, tx); err != nil {
				return err
			}
		}
		return Append(ctx, tx, now(), e)
	})
}

func encode(value any) (json.RawMessage, error) {
	text, err := json.Marshal(value) // nil becomes null
	if err != nil {
		return nil, fmt.Errorf("encode audit row: %w", err)
	}
	return text, nil
}
