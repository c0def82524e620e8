package server

import (
	"context"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
)

// gates checks several limits in order. The first limit that rejects a transfer determines the fault code.
type gates []ledger.Limits

// Prepare implements ledger.Limits. It combines the reads of all limits.
func (g gates) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	checks := make([]ledger.LimitCheck, len(g))
	var combined ledger.LimitCheck
	for i, limits := range g {
		checks[i] = limits.Prepare(engine, posts)
		combined.Reads = append(combined.Reads, checks[i].Reads...)
	}
	combined.Open = func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		all := make(openGates, len(checks))
		for i := range checks {
			gate, err := checks[i].Open(ctx, v, posts)
			if err != nil {
				return nil, err
			}
			all[i] = gate
		}
		return all, nil
	}
	return combined
}

type openGates []ledger.Gate

// Stop implements ledger.Stopper.
func (g openGates) Stop(i int) error {
	for _, gate := range g {
		if stopper, ok := gate.(ledger.Stopper); ok {
			if err := stopper.Stop(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// Admit implements ledger.Gate.
func (g openGates) Admit(i int) string {
	for _, gate := range g {
		if code := gate.Admit(i); code != "" {
			return code
		}
	}
	return ""
}

// Count implements ledger.Gate.
func (g openGates) Count(i int) {
	for _, gate := range g {
		gate.Count(i)
	}
}
