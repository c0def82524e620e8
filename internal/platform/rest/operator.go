package rest

import (
	"context"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/permission"
)

// Faults of calls that operators make.
var (
	ErrForbidden = fault.ForOperators(fault.Forbidden, "ops.forbidden")
	ErrStale     = fault.ForOperators(fault.Conflict, "ops.stale")
	ErrConfirm   = fault.ForOperators(fault.Forbidden, "ops.confirm")
)

// OperatorCookie is the name of the cookie with an operator's session.
const OperatorCookie = "fairground_operator"

// An Operator is the operator who makes a call under /ops.
type Operator struct {
	ID             int64
	SessionID      int64
	Name           string
	Merchant       Merchant // the only merchant that the operator may see; the zero value means all
	Roles          []string
	Permissions    []permission.Name
	Confirmed      bool // the operator may make dangerous calls
	ConfirmedUntil time.Time
	GivenPassword  bool // another person has set the password, so the console asks for a new one
}

// Can reports whether the operator has a permission.
func (o Operator) Can(p permission.Name) bool {
	return p == permission.OwnSession || slices.Contains(o.Permissions, p)
}

// OperatorSessions finds the operator of a session token. It fails with ErrNoSession if the session is not valid, and with
// ErrForbidden if the client's network may not reach the operators' API.
type OperatorSessions interface {
	Operator(ctx context.Context, token string, client netip.Addr) (Operator, error)
}

// OperatorOf returns the operator of a call with Access Operators.
func OperatorOf(ctx context.Context) (Operator, bool) {
	if x := exchangeOf(ctx); x != nil {
		return x.operator, x.operatorOK
	}
	return Operator{}, false
}

// ListedMerchants returns the ids of the merchants whose rows a list shows: the merchant of the request and, for an operator of
// the whole installation, 0, which rows without a merchant have. For other operators, both ids are the merchant's.
func ListedMerchants(ctx context.Context) (merchantID, sharedID int64) {
	merchantID = MerchantOf(ctx).ID
	if by, ok := OperatorOf(ctx); ok && by.Merchant.ID == 0 {
		return merchantID, 0
	}
	return merchantID, merchantID
}

// OperatorToken returns the token in the operator's cookie, or "".
func OperatorToken(ctx context.Context) string {
	x := exchangeOf(ctx)
	if x == nil {
		return ""
	}
	cookie, err := x.request.Cookie(OperatorCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// admitOperator finds the operator and checks the permission. An operator of one merchant may see no other merchant.
func (rt *route) admitOperator(r *http.Request, x *exchange) error {
	if rt.api.options.Operators == nil {
		return ErrNoSession
	}
	operator, err := rt.api.options.Operators.Operator(r.Context(), OperatorToken(r.Context()), x.address)
	if err != nil {
		return err
	}
	if own := operator.Merchant; own.ID != 0 && own.ID != x.merchant.ID {
		if x.merchantNamed {
			return ErrMerchantUnknown
		}
		x.merchant = own
	}
	if !operator.Can(rt.op.Permission) {
		return ErrForbidden.With("permission", rt.op.Permission)
	}
	if rt.op.Dangerous && !operator.Confirmed {
		return ErrConfirm
	}
	x.operator, x.operatorOK = operator, true
	return nil
}
