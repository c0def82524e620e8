package ops

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/gowebpki/jcs"

	"fairground/internal/fault"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/tasks"
)

// States of an approval.
const (
	Waiting  = "waiting"
	Approved = "approved"
	Refused  = "refused"
	Failed   = "failed" // approved, but its object had changed
)

// An Action is a change that needs two people.
type Action struct {
	Name       string // such as operator.roles
	Permission permission.Name
	// Always makes the change wait for a second person even if only one operator holds the permission. Without Always, such a
	// change is made immediately.
	Always bool
	// Run makes the change in the transaction of the decision. It must fail if the object has changed since the request. It
	// returns the object's state before and after, for the audit log.
	Run func(ctx context.Context, tx *db.Tx, object string, payload json.RawMessage) (before, after any, err error)
	// Done is called after an approved change is committed. It may be nil.
	Done func()
	// Public returns the payload without secrets, for the audit log and other operators. If it is nil, the payload has none.
	Public func(payload json.RawMessage) any
}

// An Approval is a requested change.
type Approval struct {
	ID          int64
	MerchantID  int64
	Permission  permission.Name
	Action      string
	Object      string
	Payload     any // without secrets
	Digest      []byte
	State       string
	RequestedBy string
	RequestedAt time.Time
	DecidedBy   string
	DecidedAt   time.Time
	Reason      string
	Version     int64
}

// Register adds actions. Call it before the service is used.
func (s *Service) Register(actions ...Action) {
	for _, a := range actions {
		s.actions[a.Name] = a
	}
}

// Request stores a change until a second person approves it, and returns the approval. If fewer than two enabled operators
// hold the permission, it makes the change immediately and returns nil, unless the action has Always set.
func (s *Service) Request(ctx context.Context, merchantID int64, name, object string, payload any) (*Approval, error) {
	action, known := s.actions[name]
	if !known {
		return nil, fmt.Errorf("request %s: unknown action", name)
	}
	encodedPayload, err := json.Marshal(payload)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", name, err)
	}
	digest, err := changeDigest(name, object, encodedPayload)
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", name, err)
	}
	var waiting *Approval
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		holders, err := s.holders(ctx, tx, merchantID, action.Permission)
		if err != nil {
			return err
		}
		entry := audit.Entry{MerchantID: merchantID, Permission: string(action.Permission), Action: name, Object: object, Mode: audit.Single}
		if holders < 2 && !action.Always {
			if entry.Before, entry.After, err = action.Run(ctx, tx, object, encodedPayload); err != nil {
				return err
			}
			if err := s.changed(ctx, tx, "operators", "roles"); err != nil {
				return err
			}
			return audit.Append(ctx, tx, s.o.Now(), entry)
		}
		row := query.AddApprovalParams{
			ID: s.o.IDs(), MerchantID: merchantID, Permission: string(action.Permission), Action: name, Object: object,
			Payload: string(encodedPayload), Digest: digest, RequestedBy: audit.Actor(ctx), RequestedAt: db.Millis(s.o.Now()),
		}
		if err := tx.Q.AddApproval(ctx, row); err != nil {
			return err
		}
		stored, err := tx.Q.Approval(ctx, row.ID)
		if err != nil {
			return err
		}
		waiting = s.approval(stored)
		if err := s.addTask(ctx, tx, stored); err != nil {
			return err
		}
		entry.Mode, entry.After = audit.Proposed, waiting.Payload
		return audit.Append(ctx, tx, s.o.Now(), entry)
	})
	if err != nil {
		return nil, fmt.Errorf("request %s: %w", name, err)
	}
	return waiting, nil
}

// counts reports whether an operator counts as a holder of a permission for a merchant.
func (s *Service) counts(o Operator, merchantID int64, p permission.Name) bool {
	return !o.Disabled && (o.MerchantID == 0 || o.MerchantID == merchantID) && slices.Contains(o.Permissions, p)
}

func (s *Service) holders(ctx context.Context, tx *db.Tx, merchantID int64, p permission.Name) (n int, err error) {
	all, err := s.list(ctx, tx.Q)
	for _, o := range all {
		if s.counts(o, merchantID, p) {
			n++
		}
	}
	return n, err
}

// HeldByOne returns the permissions for changes that need two people if fewer than two operators hold them.
func (s *Service) HeldByOne(ctx context.Context, merchantID int64) ([]permission.Name, error) {
	var out []permission.Name
	all, err := s.List(ctx)
	for _, p := range permission.All {
		needsTwo, n := false, 0
		for _, a := range s.actions {
			needsTwo = needsTwo || a.Permission == p
		}
		for _, o := range all {
			if s.counts(o, merchantID, p) {
				n++
			}
		}
		if needsTwo && n < 2 {
			out = append(out, p)
		}
	}
	return out, err
}

// changeDigest returns a digest of everything that the second person approves.
func changeDigest(action, object string, payload []byte) ([]byte, error) {
	text, err := json.Marshal(map[string]any{"action": action, "object": object, "payload": json.RawMessage(payload)})
	if err != nil {
		return nil, err
	}
	canonical, err := jcs.Transform(text)
	sum := sha256.Sum256(canonical)
	return sum[:], err
}

// Decide approves or refuses a change as the second person. If the object has changed since the request, the approval fails
// and nothing else changes.
func (s *Service) Decide(ctx context.Context, by rest.Operator, id int64, approve bool, reason string) (*Approval, error) {
	var out *Approval
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		row, err := s.lockApproval(ctx, tx, by, id)
		if err != nil {
			return err
		}
		entry := audit.Entry{MerchantID: row.MerchantID, Permission: row.Permission, Action: row.Action, Object: row.Object, Mode: audit.Refused, After: map[string]string{"reason": reason}}
		state := Refused
		if approve {
			state, entry.Mode = Approved, audit.Approved
			if err := s.checkChange(row); err != nil {
				return err
			}
			if entry.Before, entry.After, err = s.actions[row.Action].Run(ctx, tx, row.Object, json.RawMessage(row.Payload)); err != nil {
				return err
			}
		}
		if err := s.decide(ctx, tx, row.ID, state, by.Name, reason); err != nil {
			return err
		}
		if err := audit.Append(ctx, tx, s.o.Now(), entry); err != nil {
			return err
		}
		row, err = tx.Q.Approval(ctx, id)
		out = s.approval(row)
		return err
	})
	if outdated(err) {
		// Close the approval, so that it cannot be tried again later.
		return nil, errors.Join(err, s.fail(ctx, by, id, err))
	}
	if err != nil {
		return nil, fmt.Errorf("decide approval: %w", err)
	}
	if done := s.actions[out.Action].Done; done != nil && approve {
		done()
	}
	return out, nil
}

// fail closes an approval whose change can no longer be made.
func (s *Service) fail(ctx context.Context, by rest.Operator, id int64, reason error) error {
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		row, err := tx.Q.Approval(ctx, id)
		if err != nil {
			return err
		}
		if err := s.decide(ctx, tx, id, Failed, by.Name, reason.Error()); err != nil {
			return err
		}
		return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
			MerchantID: row.MerchantID, Permission: row.Permission, Action: row.Action, Object: row.Object, Mode: audit.Failed,
			After: map[string]string{"reason": reason.Error()},
		})
	})
}

// outdated reports whether an error means that a change can no longer be made.
func outdated(err error) bool {
	if err == nil || errors.Is(err, ErrDecided) || errors.Is(err, ErrNotFound) {
		return false
	}
	switch fault.KindOf(err) {
	case fault.Conflict, fault.Refused, fault.NotFound, fault.Invalid:
		return true
	default:
		return false
	}
}

// lockApproval returns a waiting approval that the operator may decide.
func (s *Service) lockApproval(ctx context.Context, tx *db.Tx, by rest.Operator, id int64) (query.Approval, error) {
	row, err := tx.Q.LockApproval(ctx, id)
	if isNotFound(err) || err == nil && by.Merchant.ID != 0 && row.MerchantID != by.Merchant.ID {
		return row, ErrNotFound
	}
	switch {
	case err != nil:
		return row, err
	case !by.Can(permission.Name(row.Permission)):
		return row, rest.ErrForbidden.With("permission", row.Permission)
	case row.State != Waiting:
		return row, ErrDecided
	case row.RequestedBy == by.Name:
		return row, ErrSamePerson
	}
	return row, nil
}

// checkChange checks that the stored change has not been modified since the request.
func (s *Service) checkChange(row query.Approval) error {
	digest, err := changeDigest(row.Action, row.Object, []byte(row.Payload))
	if err != nil {
		return err
	}
	if !bytes.Equal(digest, row.Digest) {
		return ErrStale.Because(errors.New("the stored change differs from the requested one"))
	}
	if _, known := s.actions[row.Action]; !known {
		return ErrStale.Because(fmt.Errorf("unknown action %s", row.Action))
	}
	return nil
}

func (s *Service) decide(ctx context.Context, tx *db.Tx, id int64, state, by, reason string) error {
	n, err := tx.Q.DecideApproval(ctx, query.DecideApprovalParams{
		State: state, DecidedBy: by, DecidedAt: sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true}, Reason: reason, ID: id,
	})
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrDecided
	}
	if s.o.Tasks != nil {
		if err := s.o.Tasks.DoneIn(ctx, tx, taskApproval, strconv.FormatInt(id, 10)); err != nil {
			return err
		}
	}
	return s.changed(ctx, tx, "approvals", "operators", "roles")
}

// taskApproval is the kind of the task for a change that waits for a second person.
const taskApproval = "approval"

func (s *Service) addTask(ctx context.Context, tx *db.Tx, row query.Approval) error {
	if err := s.changed(ctx, tx, "approvals"); err != nil || s.o.Tasks == nil {
		return err
	}
	id := strconv.FormatInt(row.ID, 10)
	return s.o.Tasks.AddIn(ctx, tx, tasks.Task{
		MerchantID: row.MerchantID, Kind: taskApproval, Reference: id, Object: "approvals/" + id, Permission: permission.Name(row.Permission),
	})
}

// approval converts a row for operators. It leaves out secrets.
func (s *Service) approval(row query.Approval) *Approval {
	out := &Approval{
		ID: row.ID, MerchantID: row.MerchantID, Permission: permission.Name(row.Permission), Action: row.Action, Object: row.Object,
		Payload: json.RawMessage(row.Payload), Digest: row.Digest, State: row.State, RequestedBy: row.RequestedBy, RequestedAt: time.UnixMilli(row.RequestedAt),
		DecidedBy: row.DecidedBy, Reason: row.Reason, Version: row.Version,
	}
	if row.DecidedAt.Valid {
		out.DecidedAt = time.UnixMilli(row.DecidedAt.Int64)
	}
	if public := s.actions[row.Action].Public; public != nil {
		out.Payload = public(json.RawMessage(row.Payload))
	}
	return out
}
