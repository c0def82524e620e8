package server

import (
	"context"
	"strconv"
	"strings"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/finance/loyalty"
	"fairground/internal/finance/promo"
	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/permission"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/tasks"
)

// payouts connects withdrawals to the other services.
type payouts struct{ s *Server }

// rule returns the merchant's withdrawal settings in minor units.
func (p payouts) rule(ctx context.Context, merchantID int64, c money.Currency) (withdraw.Rule, error) {
	in, err := p.s.Merchants.Withdraw(ctx, merchantID)
	if err != nil {
		return withdraw.Rule{}, err
	}
	out := withdraw.Rule{PerDay: in.PerDay, TurnoverPercent: in.TurnoverPercent}
	for _, f := range []struct {
		from rest.Amount
		to   *money.Minor
	}{{in.Min, &out.Min}, {in.Max, &out.Max}, {in.Fee, &out.Fee}, {in.TwoPersonAbove, &out.TwoPersonAbove}} {
		if *f.to, err = c.Parse(string(f.from)); err != nil {
			return out, rest.ErrSystem.Because(err) // a setting does not fit the currency
		}
	}
	if out.Max == 0 {
		out.Max = ledger.MaxAmount
	}
	return out, nil
}

// depositTasks adds waiting deposits to the operators' task list and notifies operators' open screens.
type depositTasks struct {
	queue   *tasks.Queue
	screens tasks.Screens
}

// AddIn implements deposit.Tasks.
func (d depositTasks) AddIn(ctx context.Context, tx *db.Tx, merchantID int64, kind, reference, object string) error {
	err := d.queue.AddIn(ctx, tx, tasks.Task{
		MerchantID: merchantID, Kind: kind, Reference: reference, Object: object, Permission: permission.DepositConfirm,
	})
	if err != nil {
		return err
	}
	return d.changed(ctx, tx, merchantID, object)
}

// DoneIn implements deposit.Tasks.
func (d depositTasks) DoneIn(ctx context.Context, tx *db.Tx, merchantID int64, kind, reference, object string) error {
	if err := d.queue.DoneIn(ctx, tx, kind, reference); err != nil {
		return err
	}
	return d.changed(ctx, tx, merchantID, object)
}

func (d depositTasks) changed(ctx context.Context, tx *db.Tx, merchantID int64, object string) error {
	kind, id, _ := strings.Cut(object, "/")
	return d.screens.ChangedOf(ctx, tx, merchantID, kind, id)
}

// banks returns the banks of the deposit methods.
func (p payouts) banks(ctx context.Context, merchantID int64, currency string) (out []withdraw.PayoutBank, err error) {
	methods, err := p.s.Deposits.Methods(ctx, deposit.Member{MerchantID: merchantID, Currency: currency})
	seen := map[string]bool{}
	for _, m := range methods {
		for _, a := range m.Accounts {
			if !seen[a.Code] {
				seen[a.Code] = true
				out = append(out, withdraw.PayoutBank{Code: a.Code, Name: a.Name})
			}
		}
	}
	return out, err
}

func (p payouts) merchant(ctx context.Context, id int64) (string, error) {
	m, err := p.s.Merchants.FindByID(ctx, id)
	return m.Code, err
}

// SharedDevices implements withdraw.Members.
func (p payouts) SharedDevices(ctx context.Context, merchantID, memberID int64) (names []string, err error) {
	all, err := p.s.MemberDesk.SharedWith(ctx, merchantID, memberID)
	for _, a := range all {
		if a.Kind == "device" {
			names = append(names, a.Account)
		}
	}
	return names, err
}

// Request implements withdraw.Approvals.
func (p payouts) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*withdraw.PayoutApproval, error) {
	waiting, err := p.s.Operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &withdraw.PayoutApproval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// twoPersonAbove returns the amount above which operators' changes need two people.
func (p payouts) twoPersonAbove(ctx context.Context, merchantID int64, c money.Currency) (money.Minor, error) {
	rule, err := p.rule(ctx, merchantID, c)
	return rule.TwoPersonAbove, err
}

// confirmApprovals adapts the operators' approvals to deposit.Approvals.
type confirmApprovals struct{ s *Server }

// Request implements deposit.Approvals.
func (a confirmApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*deposit.ConfirmApproval, error) {
	waiting, err := a.s.Operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &deposit.ConfirmApproval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// grantApprovals adapts the operators' approvals to promo.Approvals.
type grantApprovals struct{ s *Server }

// Request implements promo.Approvals.
func (a grantApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*promo.GrantApproval, error) {
	waiting, err := a.s.Operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &promo.GrantApproval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

// ruleApprovals adapts the operators' approvals to loyalty.Approvals.
type ruleApprovals struct{ s *Server }

// Request implements loyalty.Approvals.
func (a ruleApprovals) Request(ctx context.Context, merchantID int64, action, object string, payload any) (*loyalty.RuleApproval, error) {
	waiting, err := a.s.Operators.Request(ctx, merchantID, action, object, payload)
	if err != nil || waiting == nil {
		return nil, err
	}
	return &loyalty.RuleApproval{ID: strconv.FormatInt(waiting.ID, 10), State: waiting.State}, nil
}

func (p payouts) compare(ctx context.Context, g gateway.Gateway, since int64) (checked int64, out []deposit.Difference, err error) {
	checked, all, err := p.s.Withdrawals.Compare(ctx, g, since)
	for _, d := range all {
		out = append(out, deposit.Difference(d))
	}
	return checked, out, err
}
