package ops

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
)

// merchantFor returns the id of the merchant for which a caller creates an operator, or 0 for the whole installation. own is
// the caller's only merchant, or the zero value. code may be empty.
func (s *Service) merchantFor(ctx context.Context, own rest.Merchant, code string) (int64, error) {
	if code == "" || code == own.Code {
		return own.ID, nil
	}
	if own.ID != 0 {
		return 0, rest.ErrMerchantUnknown.On("merchant")
	}
	m, err := s.o.Merchants.Find(ctx, code)
	return m.ID, err
}

// MerchantFor is merchantFor for the operator in whose name a command runs. The name may be empty.
func (s *Service) MerchantFor(ctx context.Context, operator, code string) (int64, error) {
	var own rest.Merchant
	if operator != "" {
		o, err := s.Find(ctx, operator)
		if err != nil {
			return 0, err
		}
		if o.MerchantID != 0 {
			if own, err = s.o.Merchants.FindByID(ctx, o.MerchantID); err != nil {
				return 0, err
			}
		}
	}
	return s.merchantFor(ctx, own, code)
}

// rolePermissions maps a role to its permissions.
type rolePermissions map[string][]permission.Name

// forRoles returns the permissions of several roles, in the order of permission.All.
func (r rolePermissions) forRoles(roles []string) []permission.Name {
	out := []permission.Name{}
	for _, p := range permission.All {
		if slices.ContainsFunc(roles, func(role string) bool { return slices.Contains(r[role], p) }) {
			out = append(out, p)
		}
	}
	return out
}

// roles returns the permissions of the built-in roles and of those that owners defined.
func (s *Service) roles(ctx context.Context, q *query.Queries) (rolePermissions, error) {
	all := rolePermissions{}
	custom, err := q.CustomRoles(ctx)
	if err != nil {
		return nil, fmt.Errorf("read roles: %w", err)
	}
	for _, row := range custom {
		var permissions []permission.Name
		if err := json.Unmarshal([]byte(row.Permissions), &permissions); err != nil {
			return nil, fmt.Errorf("read role %s: %w", row.Name, err)
		}
		all[row.Name] = permissions
	}
	for name, permissions := range permission.Roles { // a custom role cannot replace a built-in one
		all[name] = permissions
	}
	return all, nil
}

func (s *Service) checkRoles(ctx context.Context, q *query.Queries, roles []string) error {
	all, err := s.roles(ctx, q)
	if err != nil {
		return err
	}
	if len(roles) == 0 {
		return ErrRoleUnknown.On("roles")
	}
	for _, role := range roles {
		if _, known := all[role]; !known {
			return ErrRoleUnknown.On("roles").With("role", role)
		}
	}
	return nil
}
