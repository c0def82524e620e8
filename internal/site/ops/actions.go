package ops

import (
	"context"
	"encoding/json"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
)

// Actions on operators.
const (
	ActionCreate = "operator.create"
	ActionRoles  = "operator.roles"
	ActionRole   = "role.put"

	ActionResetTOTP = "operator.reset-totp"
	ActionEnable    = "operator.enable"
)

// A RoleChange replaces the roles of an operator, if the operator still has the version.
type RoleChange struct {
	Roles   []string `json:"roles"`
	Version int64    `json:"version"`
}

// An OperatorVersion is the payload of a change of an operator who must still have the version.
type OperatorVersion struct {
	Version int64 `json:"version"`
}

// A RoleDraft defines a role. Without permissions the role is deleted.
type RoleDraft struct {
	Permissions []permission.Name `json:"permissions"`
}

// operatorActions returns the changes to operators that need two people.
func (s *Service) operatorActions() []Action {
	return []Action{
		{Name: ActionCreate, Permission: permission.OperatorEdit, Run: s.runCreate, Public: publicDraft},
		{Name: ActionRoles, Permission: permission.OperatorEdit, Run: s.runRoles},
		{Name: ActionRole, Permission: permission.OperatorEdit, Run: s.runRole},
		{Name: ActionResetTOTP, Permission: permission.OperatorEdit, Run: s.runResetTOTP},
		{Name: ActionEnable, Permission: permission.OperatorEdit, Run: s.runEnable},
	}
}

// publicDraft returns a draft without the password hash.
func publicDraft(payload json.RawMessage) any {
	var d Draft
	_ = json.Unmarshal(payload, &d) // Request has encoded it
	return struct {
		Name       string   `json:"name"`
		Roles      []string `json:"roles"`
		MerchantID int64    `json:"merchantId,string,omitempty"` // absent: the whole installation
	}{d.Name, d.Roles, d.MerchantID}
}

func (s *Service) runCreate(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var d Draft
	if err := json.Unmarshal(payload, &d); err != nil {
		return nil, nil, err
	}
	return nil, publicDraft(payload), s.CreateIn(ctx, tx, d)
}

func (s *Service) runRoles(ctx context.Context, tx *db.Tx, object string, payload json.RawMessage) (before, after any, err error) {
	var change RoleChange
	if err := json.Unmarshal(payload, &change); err != nil {
		return nil, nil, err
	}
	o, err := s.findVersion(ctx, tx, object, change.Version)
	if err != nil {
		return nil, nil, err
	}
	next := o
	next.Roles = change.Roles
	return o.state(), next.state(), s.setRolesIn(ctx, tx, o, change.Roles)
}

func (s *Service) runResetTOTP(ctx context.Context, tx *db.Tx, object string, payload json.RawMessage) (before, after any, err error) {
	var change OperatorVersion
	if err := json.Unmarshal(payload, &change); err != nil {
		return nil, nil, err
	}
	o, err := s.findVersion(ctx, tx, object, change.Version)
	if err != nil {
		return nil, nil, err
	}
	return nil, nil, s.resetTOTPIn(ctx, tx, o)
}

func (s *Service) runEnable(ctx context.Context, tx *db.Tx, object string, payload json.RawMessage) (before, after any, err error) {
	var change OperatorVersion
	if err := json.Unmarshal(payload, &change); err != nil {
		return nil, nil, err
	}
	o, err := s.findVersion(ctx, tx, object, change.Version)
	if err != nil {
		return nil, nil, err
	}
	next := o
	next.Disabled = false
	return o.state(), next.state(), s.disableIn(ctx, tx, o, false)
}

// findVersion returns the operator of a change, or fails if the operator has changed since the request.
func (s *Service) findVersion(ctx context.Context, tx *db.Tx, object string, version int64) (Operator, error) {
	o, err := s.findIn(ctx, tx.Q, strings.TrimPrefix(object, objectOf("")))
	if err == nil && o.Version != version {
		err = ErrStale
	}
	return o, err
}

func (s *Service) runRole(ctx context.Context, tx *db.Tx, object string, payload json.RawMessage) (before, after any, err error) {
	var draft RoleDraft
	if err := json.Unmarshal(payload, &draft); err != nil {
		return nil, nil, err
	}
	name := strings.TrimPrefix(object, "role/")
	all, err := s.roles(ctx, tx.Q)
	if err != nil {
		return nil, nil, err
	}
	if _, builtIn := permission.Roles[name]; builtIn || !namePattern.MatchString(name) {
		return nil, nil, ErrNameFormat.On("name")
	}
	for _, p := range draft.Permissions {
		if !permission.Valid(p) {
			return nil, nil, ErrRoleUnknown.On("permissions").With("permission", p)
		}
	}
	holders, err := tx.Q.OperatorsWithRole(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if len(draft.Permissions) == 0 {
		if len(holders) > 0 {
			return nil, nil, ErrNameTaken.On("name")
		}
		_, err = tx.Q.DropCustomRole(ctx, name)
		return all[name], nil, err
	}
	text, err := json.Marshal(draft.Permissions)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range holders {
		if err := s.endSessions(ctx, tx, id); err != nil {
			return nil, nil, err
		}
	}
	return all[name], draft.Permissions, tx.Q.PutCustomRole(ctx, name, string(text))
}
