package deposit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"fairground/internal/finance/gateway"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// reconcileSpan is how far back a reconciliation looks.
const reconcileSpan = 3 * 24 * time.Hour

// A Difference is a deposit whose state differs at the gateway.
type Difference struct {
	Reference string `json:"reference"`
	Here      string `json:"here" doc:"Status of the deposit, or empty if there is none."`
	There     string `json:"there" doc:"Status of the payment; unknown: the gateway does not know it; silent: it did not answer."`
	Amount    string `json:"amount" doc:"Amount and currency at the gateway."`
	Text      string `json:"text"`
}

// A Reconciliation is the result of comparing the deposits of a gateway with its payments.
type Reconciliation struct {
	At          int64        `json:"at"`
	Since       int64        `json:"since" doc:"Deposits created from then on were compared."`
	Checked     int64        `json:"checked" doc:"Number of deposits."`
	Differences []Difference `json:"differences"`
}

// Reconcile compares the deposits of a gateway with its payments and stores the result. It moves no money.
func (s *Service) Reconcile(ctx context.Context, g gateway.Gateway) (Reconciliation, error) {
	now := s.o.Now()
	out := Reconciliation{At: db.Millis(now), Since: db.Millis(now.Add(-reconcileSpan)), Differences: []Difference{}}
	deposits, err := s.o.Store.Q().GatewayDeposits(ctx, sql.NullInt64{Int64: g.ID, Valid: true}, out.Since)
	if err != nil {
		return out, fmt.Errorf("read deposits: %w", err)
	}
	unknown, err := s.o.Store.Q().UnknownNotices(ctx, g.ID, out.Since)
	if err != nil {
		return out, fmt.Errorf("read notices: %w", err)
	}
	out.Checked = int64(len(deposits))
	var mu sync.Mutex
	slots := make(chan struct{}, maxStateRequests)
	var wg sync.WaitGroup
	for _, d := range deposits {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			state, err := s.o.Gateways.PaymentState(ctx, g, d.Reference)
			if diff := compare(d, state, err); diff != nil {
				mu.Lock()
				out.Differences = append(out.Differences, *diff)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return out, err
	}
	if s.extraComparer != nil {
		checked, more, err := s.extraComparer(ctx, g, out.Since)
		if err != nil {
			return out, err
		}
		out.Checked += checked
		out.Differences = append(out.Differences, more...)
	}
	for _, n := range unknown {
		out.Differences = append(out.Differences, Difference{
			Reference: n.Reference, There: n.Status, Amount: n.Amount + " " + n.Currency, Text: "a notice about a " + n.Kind + " that does not exist here",
		})
	}
	slices.SortFunc(out.Differences, func(a, b Difference) int {
		return strings.Compare(a.Reference+a.Text, b.Reference+b.Text)
	})
	list, err := json.Marshal(out.Differences)
	if err != nil {
		return out, fmt.Errorf("encode differences: %w", err)
	}
	err = s.o.Store.Write(ctx, func(tx *db.Tx) error {
		return tx.Q.AddReconciliation(ctx, query.AddReconciliationParams{
			ID: s.o.IDs(), GatewayID: g.ID, At: out.At, Since: out.Since, Checked: out.Checked, Differences: string(list),
		})
	})
	return out, err
}

// compare returns the difference between a deposit and the payment at the gateway, or nil if both are paid with the same amount or
// neither is paid.
func compare(d query.Deposit, state gateway.State, err error) *Difference {
	out := &Difference{Reference: d.Reference, Here: d.Status, There: state.Status, Amount: state.Amount + " " + state.Currency}
	credited := d.Status == Credited
	switch {
	case errors.Is(err, gateway.ErrNotFound):
		out.There, out.Amount = "unknown", ""
		if !credited {
			return nil
		}
		out.Text = "credited, but the gateway does not know it"
	case err != nil:
		out.There, out.Amount, out.Text = "silent", "", "the gateway did not answer: "+err.Error()
	case state.Status == gateway.Paid && !credited:
		out.Text = "paid, but not credited"
	case state.Status != gateway.Paid && credited:
		out.Text = "credited, but not paid"
	case credited && !state.SameMoney(money.Minor(d.Amount), d.Currency):
		out.Text = "credited with another amount or currency"
	case isOpen(d.Status) && (state.Status == gateway.Failed || state.Status == gateway.Expired):
		out.Text = "ended at the gateway, but not here"
	default:
		return nil
	}
	return out
}

// ReconcileAll reconciles all gateways and logs the number of differences. It runs as a daily job.
func (s *Service) ReconcileAll(ctx context.Context) error {
	all, err := s.o.Gateways.All(ctx)
	if err != nil {
		return err
	}
	var failures []error
	for _, g := range all {
		last, err := s.LastReconciliation(ctx, g.ID)
		if err == nil && last != nil && s.o.Now().Sub(time.UnixMilli(last.At)) < 20*time.Hour {
			continue // the job also runs when the server starts
		}
		result, err := s.Reconcile(ctx, g)
		if err != nil {
			failures = append(failures, fmt.Errorf("reconcile %s: %w", g.Code, err))
			continue
		}
		if n := len(result.Differences); n > 0 {
			s.o.Log.WarnContext(ctx, "a gateway's payments differ from the deposits: see its last reconciliation", "gateway", g.Code, "differences", n)
		}
	}
	return errors.Join(failures...)
}

// LastReconciliation returns the last reconciliation of a gateway, or nil if there is none.
func (s *Service) LastReconciliation(ctx context.Context, gatewayID int64) (*Reconciliation, error) {
	rows, err := s.o.Store.Q().LastReconciliation(ctx, gatewayID)
	if err != nil {
		return nil, fmt.Errorf("read reconciliation: %w", err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // there was none yet
	}
	out := &Reconciliation{At: rows[0].At, Since: rows[0].Since, Checked: rows[0].Checked}
	if err := json.Unmarshal([]byte(rows[0].Differences), &out.Differences); err != nil {
		return nil, fmt.Errorf("decode reconciliation: %w", err)
	}
	return out, nil
}

// A Comparer compares other records of a gateway, such as payouts, in the same reconciliation.
type Comparer func(ctx context.Context, g gateway.Gateway, since int64) (checked int64, differences []Difference, err error)

// AlsoCompare adds a comparison to each reconciliation. Call it before requests arrive.
func (s *Service) AlsoCompare(comparer Comparer) { s.extraComparer = comparer }
