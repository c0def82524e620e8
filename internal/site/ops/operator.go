package ops

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
)

// FirstName is the name of the first operator.
const FirstName = "admin"

// serverActor is the operator's name in the audit log for changes that the server itself makes.
const serverActor = "server"

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9._-]{2,31}$`)

// An Operator is a person who runs the site.
type Operator struct {
	ID          int64
	Name        string
	MerchantID  int64 // 0: the whole installation
	Roles       []string
	Permissions []permission.Name
	Enrolled    bool // has a second factor
	Disabled    bool
	CreatedAt   time.Time
	Version     int64
}

// operatorState describes an operator in the audit log.
type operatorState struct {
	Roles      []string `json:"roles"`
	MerchantID string   `json:"merchantId,omitempty"`
	Disabled   bool     `json:"disabled"`
}

func (o Operator) state() operatorState {
	state := operatorState{Roles: o.Roles, Disabled: o.Disabled}
	if o.MerchantID != 0 {
		state.MerchantID = strconv.FormatInt(o.MerchantID, 10)
	}
	return state
}

func objectOf(name string) string { return "operator/" + name }

// A Draft describes a new operator.
type Draft struct {
	Name       string   `json:"name"`
	Roles      []string `json:"roles"`
	MerchantID int64    `json:"merchantId,string,omitempty"`
	Hash       string   `json:"passwordHash"`  // the password itself is shown once and never stored
	Given      bool     `json:"givenPassword"` // another person knows the password, so the operator must change it at the first login
}

// NewDraft checks a new operator and generates the password, which the operator must change at the first login.
func (s *Service) NewDraft(ctx context.Context, name string, roles []string, merchantID int64) (d Draft, password string, err error) {
	d = Draft{Name: strings.ToLower(name), Roles: roles, MerchantID: merchantID, Given: true}
	if !namePattern.MatchString(d.Name) {
		return d, "", ErrNameFormat.On("name")
	}
	if err := s.checkRoles(ctx, s.o.Store.Q(), roles); err != nil {
		return d, "", err
	}
	if _, err := s.o.Store.Q().OperatorByName(ctx, d.Name); err == nil {
		return d, "", ErrNameTaken.On("name")
	}
	password, d.Hash, err = s.newPassword(ctx)
	return d, password, err
}

// CreateIn adds an operator in the caller's transaction.
func (s *Service) CreateIn(ctx context.Context, tx *db.Tx, d Draft) error {
	if err := s.checkRoles(ctx, tx.Q, d.Roles); err != nil {
		return err
	}
	id := s.o.IDs()
	n, err := tx.Q.AddOperator(ctx, query.AddOperatorParams{
		ID: id, Name: d.Name, Role: d.Roles[0], PasswordHash: d.Hash, PasswordGiven: flag(d.Given), CreatedAt: db.Millis(s.o.Now()), MerchantID: d.MerchantID,
	})
	if err == nil && n == 0 {
		return ErrNameTaken.On("name")
	}
	if err != nil {
		return fmt.Errorf("create operator: %w", err)
	}
	return addRoles(ctx, tx, id, d.Roles)
}

func addRoles(ctx context.Context, tx *db.Tx, id int64, roles []string) error {
	for _, role := range roles {
		if err := tx.Q.AddOperatorRole(ctx, id, role); err != nil {
			return fmt.Errorf("add role: %w", err)
		}
	}
	return nil
}

// CreateFirst creates the first operator of an installation. If there is one already, it changes nothing and returns
// an empty password. If several servers start at once, only one of them creates it.
func (s *Service) CreateFirst(ctx context.Context) (password string, err error) {
	n, err := s.o.Store.Q().CountOperators(ctx)
	if err != nil {
		return "", fmt.Errorf("count operators: %w", err)
	}
	if n > 0 {
		return "", nil
	}
	password, hash, err := s.newPassword(ctx)
	if err != nil {
		return "", err
	}
	var created int64
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		id := s.o.IDs()
		created, err = tx.Q.AddFirstOperator(ctx, query.AddFirstOperatorParams{
			ID: id, Name: FirstName, Role: permission.Owner, PasswordHash: hash, CreatedAt: db.Millis(s.o.Now()),
		})
		if err != nil || created == 0 {
			return err
		}
		if err := addRoles(ctx, tx, id, []string{permission.Owner}); err != nil {
			return err
		}
		return s.auditCreated(ctx, tx, FirstName)
	})
	if err != nil {
		return "", fmt.Errorf("create first operator: %w", err)
	}
	if created == 0 {
		return "", nil
	}
	return password, nil
}

// CreateKnown creates an operator with a given password and TOTP secret. Only the demo uses it, because its passwords are public.
func (s *Service) CreateKnown(ctx context.Context, name, password, totp string) error {
	hash, err := s.o.Passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Q.OperatorByName(ctx, name); err == nil {
			return nil
		}
		if err := s.CreateIn(ctx, tx, Draft{Name: name, Roles: []string{permission.Owner}, Hash: hash}); err != nil {
			return err
		}
		row, err := tx.Q.OperatorByName(ctx, name)
		if err != nil {
			return err
		}
		sealed, err := s.o.Keys.Wrap(totpPurpose(row.ID), []byte(totp))
		if err != nil {
			return err
		}
		if err := tx.Q.SetOperatorTOTP(ctx, row.ID, sealed, 0); err != nil {
			return err
		}
		if err := tx.Q.MarkPublicOperator(ctx, row.ID); err != nil {
			return err
		}
		return s.auditCreated(ctx, tx, name)
	})
}

// auditCreated records an owner whom the server itself has created.
func (s *Service) auditCreated(ctx context.Context, tx *db.Tx, name string) error {
	return s.audit(audit.As(ctx, serverActor), tx, ActionCreate, Operator{Name: name}, nil, Operator{Roles: []string{permission.Owner}}.state())
}

// RequestChange changes an operator that still has the version; 0 accepts any version. Change is roles, reset-totp, enable or
// disable. Only disable never needs a second person.
func (s *Service) RequestChange(ctx context.Context, name, change string, version int64, roles []string) (*Approval, error) {
	o, err := s.findIn(ctx, s.o.Store.Q(), name)
	if err != nil {
		return nil, err
	}
	if version == 0 {
		version = o.Version
	}
	if o.Version != version {
		return nil, ErrStale
	}
	switch change {
	case "roles":
		if err := s.checkRoles(ctx, s.o.Store.Q(), roles); err != nil {
			return nil, err
		}
		return s.Request(ctx, o.MerchantID, ActionRoles, objectOf(o.Name), RoleChange{roles, version})
	case "reset-totp":
		return s.Request(ctx, o.MerchantID, ActionResetTOTP, objectOf(o.Name), OperatorVersion{version})
	case "enable":
		return s.Request(ctx, o.MerchantID, ActionEnable, objectOf(o.Name), OperatorVersion{version})
	default:
		return nil, s.Disable(ctx, o.Name, version)
	}
}

// resetTOTPIn removes an operator's second factor. The operator enrols again at the next login.
func (s *Service) resetTOTPIn(ctx context.Context, tx *db.Tx, o Operator) error {
	if err := s.bump(ctx, tx, o); err != nil {
		return err
	}
	if err := tx.Q.SetOperatorTOTP(ctx, o.ID, nil, 0); err != nil {
		return err
	}
	if err := tx.Q.DropRecoveryCodes(ctx, o.ID); err != nil {
		return err
	}
	return s.endSessions(ctx, tx, o.ID)
}

// Disable disables an operator that still has the version. The last enabled owner cannot be disabled.
func (s *Service) Disable(ctx context.Context, name string, version int64) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		o, err := s.findIn(ctx, tx.Q, name)
		if err != nil {
			return err
		}
		if o.Version != version {
			return ErrStale
		}
		if err := s.disableIn(ctx, tx, o, true); err != nil {
			return err
		}
		after := o
		after.Disabled = true
		return s.audit(ctx, tx, "operator.disable", o, o.state(), after.state())
	})
	if err != nil {
		return fmt.Errorf("disable operator: %w", err)
	}
	return nil
}

// disableIn disables or enables an operator.
func (s *Service) disableIn(ctx context.Context, tx *db.Tx, o Operator, disabled bool) error {
	disabledAt := sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: disabled}
	n, err := tx.Q.SetOperatorDisabled(ctx, disabledAt, o.ID, o.Version)
	if err == nil && n == 0 {
		return ErrStale
	}
	if err != nil {
		return err
	}
	if err := s.endSessions(ctx, tx, o.ID); err != nil {
		return err
	}
	return s.checkOwnerLeft(ctx, tx)
}

// bump raises the version of an operator who has not changed since o was read.
func (s *Service) bump(ctx context.Context, tx *db.Tx, o Operator) error {
	n, err := tx.Q.BumpOperator(ctx, o.ID, o.Version)
	if err == nil && n == 0 {
		return ErrStale
	}
	return err
}

// setRolesIn replaces an operator's roles and ends their sessions.
func (s *Service) setRolesIn(ctx context.Context, tx *db.Tx, o Operator, roles []string) error {
	if err := s.checkRoles(ctx, tx.Q, roles); err != nil {
		return err
	}
	if err := s.bump(ctx, tx, o); err != nil {
		return err
	}
	if err := tx.Q.DropOperatorRoles(ctx, o.ID); err != nil {
		return err
	}
	if err := addRoles(ctx, tx, o.ID, roles); err != nil {
		return err
	}
	if err := s.endSessions(ctx, tx, o.ID); err != nil {
		return err
	}
	return s.checkOwnerLeft(ctx, tx)
}

// checkOwnerLeft fails if no enabled owner of the whole installation is left, because no other operator can appoint one.
func (s *Service) checkOwnerLeft(ctx context.Context, tx *db.Tx) error {
	all, err := s.list(ctx, tx.Q)
	if err != nil {
		return err
	}
	for _, o := range all {
		if !o.Disabled && o.MerchantID == 0 && slices.Contains(o.Roles, permission.Owner) {
			return nil
		}
	}
	return ErrLastOwner
}

func (s *Service) findIn(ctx context.Context, q *query.Queries, name string) (Operator, error) {
	all, err := s.list(ctx, q)
	if err != nil {
		return Operator{}, err
	}
	i := slices.IndexFunc(all, func(o Operator) bool { return o.Name == strings.ToLower(name) })
	if i < 0 {
		return Operator{}, ErrUnknown.On("name")
	}
	return all[i], nil
}

// List returns all operators, sorted by name.
func (s *Service) List(ctx context.Context) ([]Operator, error) { return s.list(ctx, s.o.Store.Q()) }

func (s *Service) list(ctx context.Context, q *query.Queries) ([]Operator, error) {
	rows, err := q.Operators(ctx)
	if err != nil {
		return nil, fmt.Errorf("read operators: %w", err)
	}
	roles, err := q.OperatorRoles(ctx)
	if err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	permissions, err := s.roles(ctx, q)
	if err != nil {
		return nil, err
	}
	byID := map[int64][]string{}
	for _, r := range roles {
		byID[r.OperatorID] = append(byID[r.OperatorID], r.Role)
	}
	out := make([]Operator, len(rows))
	for i, row := range rows {
		out[i] = Operator{
			ID: row.ID, Name: row.Name, MerchantID: row.MerchantID, Roles: byID[row.ID], Permissions: permissions.forRoles(byID[row.ID]),
			Enrolled: row.Enrolled != 0, Disabled: row.DisabledAt.Valid, CreatedAt: time.UnixMilli(row.CreatedAt), Version: row.Version,
		}
	}
	return out, nil
}

// HasEnrolled reports whether an enabled operator has enrolled. Operators of the demo, whose secrets are public, do not count.
func (s *Service) HasEnrolled(ctx context.Context) (bool, error) {
	n, err := s.o.Store.Q().CountEnrolledOperators(ctx)
	if err != nil {
		return false, fmt.Errorf("count operators: %w", err)
	}
	return n > 0, nil
}

// Find returns an enabled operator by name, for commands that act as an operator.
func (s *Service) Find(ctx context.Context, name string) (Operator, error) {
	o, err := s.findIn(ctx, s.o.Store.Q(), name)
	if err == nil && o.Disabled {
		return o, ErrUnknown.On("operator")
	}
	return o, err
}

func (s *Service) endSessions(ctx context.Context, tx *db.Tx, id int64) error {
	err := tx.Q.EndOperatorSessions(ctx, id, sql.NullInt64{Int64: db.Millis(s.o.Now()), Valid: true})
	if err != nil {
		return fmt.Errorf("end operator sessions: %w", err)
	}
	return nil
}

func (s *Service) audit(ctx context.Context, tx *db.Tx, action string, o Operator, before, after any) error {
	if err := s.changed(ctx, tx, "operators"); err != nil {
		return err
	}
	return audit.Append(ctx, tx, s.o.Now(), audit.Entry{
		MerchantID: o.MerchantID, Permission: string(permission.OperatorEdit), Action: action, Object: objectOf(o.Name), Before: before, After: after,
	})
}

func isNotFound(err error) bool { return errors.Is(err, sql.ErrNoRows) }
