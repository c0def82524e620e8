// Package ops manages operators: their accounts, logins and permissions, and the changes that need two operators. It never changes
// members' accounts or money.
package ops

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/tasks"
)

// Faults of this package.
var (
	ErrNameFormat  = fault.ForOperators(fault.Invalid, "operator.name_format")
	ErrNameTaken   = fault.ForOperators(fault.Conflict, "operator.name_taken")
	ErrUnknown     = fault.ForOperators(fault.NotFound, "operator.unknown")
	ErrRoleUnknown = fault.ForOperators(fault.Invalid, "operator.role_unknown")
	ErrLastOwner   = fault.ForOperators(fault.Conflict, "operator.last_owner")
	ErrLogin       = fault.ForOperators(fault.Unauth, "ops.login")
	ErrCode        = fault.ForOperators(fault.Refused, "ops.code")
	ErrStale       = rest.ErrStale

	ErrUnnamed       = fault.ForOperators(fault.Forbidden, "operator.unnamed") // of commands
	ErrPasswordWrong = fault.ForOperators(fault.Refused, "ops.password_wrong")
	ErrPasswordSame  = fault.ForOperators(fault.Refused, "ops.password_same")

	ErrSamePerson = fault.ForOperators(fault.Forbidden, "ops.same_person")
	ErrDecided    = fault.ForOperators(fault.Conflict, "ops.decided")
	ErrNotFound   = fault.ForOperators(fault.NotFound, "ops.not_found")
)

// Passwords hashes and compares passwords.
type Passwords interface {
	Hash(ctx context.Context, password string) (string, error)
	Matches(ctx context.Context, stored, password string) (bool, error)
}

// Merchants finds merchants and their settings.
type Merchants interface {
	FindByID(ctx context.Context, id int64) (rest.Merchant, error)
	// Find returns the merchant with a code, or the default merchant if the code is empty.
	Find(ctx context.Context, code string) (rest.Merchant, error)
	// IDs returns the ids of all merchants.
	IDs(ctx context.Context) ([]int64, error)
	// OperatorNetworks returns the networks that may reach the operators' API. An empty list allows all networks.
	OperatorNetworks(ctx context.Context, merchantID int64) ([]netip.Prefix, error)
}

// Screens informs operators' open screens that an object changed.
type Screens interface {
	ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
}

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Passwords Passwords
	Keys      *secret.Keys
	Limiter   *ratelimit.Stored
	Merchants Merchants
	Screens   Screens
	Tasks     *tasks.Queue
	IDs       db.IDs
	Now       func() time.Time
	Log       *slog.Logger
}

// A Service manages operators, their sessions and approvals.
type Service struct {
	o       Options
	actions map[string]Action
}

// New returns a Service. It registers the actions on operators themselves.
func New(o Options) *Service {
	s := &Service{o: o, actions: map[string]Action{}}
	s.Register(s.operatorActions()...)
	return s
}

// changed informs the operators' screens that objects of the collections changed.
func (s *Service) changed(ctx context.Context, tx *db.Tx, collections ...string) error {
	if s.o.Screens == nil {
		return nil
	}
	for _, collection := range collections {
		if err := s.o.Screens.ChangedOf(ctx, tx, 0, collection, ""); err != nil {
			return err
		}
	}
	return nil
}
