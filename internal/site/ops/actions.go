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
)

// A RoleChange replaces the roles of an operator, if the operator still has the version.
type RoleChange struct {
	Roles   []string `json:"roles"`
	Version int64    `json:"version"`
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
	}
}

// publicDraft returns a draft without the password hash.
func publicDraft(payload json.RawMessage) any {
	var d Draft
	_ = json.Unmarshal(payload, &d) // Request has encoded it
	return struct {
		Name  string   `json:"name"`
		Roles []string `json:"roles"`
	}{d.Name, d.Roles}
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
	o, err := s.findIn(ctx, tx.Q, strings.TrimPrefix(object, objectOf("")))
	if err != nil {
		return nil, nil, err
	}
	if o.Version != change.Version {
		return nil, nil, ErrStale
	}
	next := o
	next.Roles = change.Roles
	return o.state(), next.state(), s.setRolesIn(ctx, tx, o, change.Roles)
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
