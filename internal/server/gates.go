package server

import (
	"context"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
)

// gates asks several limits about each guarded post, in their order: the first that refuses is the one that counts.
type gates []ledger.Limits

// Prepare implements ledger.Limits: what all of them read is read together.
func (g gates) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	asked := make([]ledger.LimitCheck, len(g))
	var q ledger.LimitCheck
	for i, limits := range g {
		asked[i] = limits.Prepare(engine, posts)
		q.Reads = append(q.Reads, asked[i].Reads...)
	}
	q.Open = func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		all := make(openGates, len(asked))
		for i := range asked {
			gate, err := asked[i].Open(ctx, v, posts)
			if err != nil {
				return nil, err
			}
			all[i] = gate
		}
		return all, nil
	}
	return q
}

type openGates []ledger.Gate

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
