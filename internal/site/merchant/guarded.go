package merchant

import (
	"context"
	"encoding/json"
	"net/netip"
	"slices"
	"strings"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// ActionSetting is the change of a setting that needs two people.
const ActionSetting = "setting.ops"

// ErrExcludesCaller refuses networks that would lock out the operator who sets them.
var ErrExcludesCaller = fault.ForOperators(fault.Refused, "setting.excludes_caller")

// An Approval is a change that waits for a second person.
type Approval struct {
	ID    string `json:"id"`
	State string `json:"state"`
}

// Approvals makes a change at once, or stores it until a second person approves it and returns the approval.
type Approvals interface {
	Request(ctx context.Context, merchantID int64, action, object string, payload any) (*Approval, error)
}

// A guardedChange is the payload of ActionSetting.
type guardedChange struct {
	MerchantID int64           `json:"merchantId,string"`
	Name       Setting         `json:"name"`
	Value      json.RawMessage `json:"value"`
	Version    int64           `json:"version"`
	Reason     string          `json:"reason,omitempty"`
}

// guarded reports whether a change of a setting needs a code and two people. Settings of the operators' own rules do, because
// one person could otherwise remove the rule, act alone and restore it.
func guarded(name string) bool { return strings.HasPrefix(name, "ops.") }

// needsCode reports whether a change of a setting needs a code: if it leads members to other sites, or changes withdrawals.
func needsCode(name string) bool {
	switch Setting(name) {
	case SiteDownloads, SiteServices, ChatService:
		return true
	default:
		return guarded(name) || strings.HasPrefix(name, "withdraw.")
	}
}

// requestGuarded requests a guarded change. It returns nil if the change took effect at once.
func (s *Service) requestGuarded(ctx context.Context, approvals Approvals, by rest.Operator, client netip.Addr, c guardedChange) (*Approval, error) {
	next := defaultSettings()
	if err := next.apply(c.Name, c.Value); err != nil {
		return nil, err
	}
	if c.Name == OpsAllowedNetworks {
		if err := s.checkCallerAllowed(ctx, by, c.MerchantID, next.OperatorNetworks, client); err != nil {
			return nil, err
		}
	}
	waiting, err := approvals.Request(ctx, c.MerchantID, ActionSetting, "setting/"+string(c.Name), c)
	if err == nil && waiting == nil {
		s.cache.Committed()
	}
	return waiting, err
}

// checkCallerAllowed fails if the networks apply to the caller and do not contain the caller's address.
func (s *Service) checkCallerAllowed(ctx context.Context, by rest.Operator, merchantID int64, networks []netip.Prefix, client netip.Addr) error {
	own := by.Merchant.ID
	if own == 0 {
		standard, err := s.Find(ctx, "")
		if err != nil {
			return err
		}
		own = standard.ID
	}
	contains := func(n netip.Prefix) bool { return n.Contains(client.Unmap()) }
	if own == merchantID && len(networks) > 0 && !slices.ContainsFunc(networks, contains) {
		return ErrExcludesCaller.On("value")
	}
	return nil
}

// RunSetting makes a guarded change in the transaction of the decision.
func (s *Service) RunSetting(ctx context.Context, tx *db.Tx, _ string, payload json.RawMessage) (before, after any, err error) {
	var c guardedChange
	if err := json.Unmarshal(payload, &c); err != nil {
		return nil, nil, err
	}
	type state struct {
		Value  json.RawMessage `json:"value"`
		Reason string          `json:"reason,omitempty"`
	}
	var old json.RawMessage
	err = s.setIn(ctx, tx, c.MerchantID, c.Name, c.Value, c.Version, func(_ *db.Tx, before, _ json.RawMessage) error {
		old = before
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return state{Value: old}, state{c.Value, c.Reason}, s.cache.ChangeIn(ctx, tx)
}

// SettingCommitted makes an approved change visible in this process.
func (s *Service) SettingCommitted() { s.cache.Committed() }
