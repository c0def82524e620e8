package server

import (
	"context"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
)

// gates checks several limits in order. The first that rejects a transfer determines the code.
type gates []ledger.Limits

// Ask implements ledger.Limits. It combines the reads of all limits.
func (g gates) Ask(engine db.Engine, posts []*ledger.Transfer) ledger.Question {
	asked := make([]ledger.Question, len(g))
	var q ledger.Question
	for i, limits := range g {
		asked[i] = limits.Ask(engine, posts)
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
