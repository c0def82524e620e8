package vendor_test

import (
	"context"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// fakeLimits refuses stakes with its current code, if it has one. It passes everything else to the rounds gate.
type fakeLimits struct {
	mu   sync.Mutex
	code string
}

func (s *fakeLimits) set(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code = code
}

func (s *fakeLimits) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.code
}

// stakeRows counts stakes. newSiteWith creates the table.
var stakeRows = ledger.NewTable("stake_row", ledger.Column{Name: "member_id", Type: ledger.Int}, ledger.Column{Name: "amount", Type: ledger.Int})

var errExcluded = fault.New(fault.Refused, "limits.excluded")

func (s *fakeLimits) Check(context.Context, int64) error {
	if s.now() == "limits.excluded" {
		return errExcluded
	}
	return nil
}

func (s *fakeLimits) Stake(memberID int64, currency string, amount money.Minor) ledger.Row {
	return ledger.Row{Table: stakeRows, Values: []any{memberID, int64(amount)}}
}

func (s *fakeLimits) Return(memberID int64, currency string, amount money.Minor) ledger.Row {
	return ledger.Row{Table: stakeRows, Values: []any{memberID, -int64(amount)}}
}

func (s *fakeLimits) Promotion(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.Stake(memberID, currency, amount)
}

func (s *fakeLimits) TakenBack(_ context.Context, _ *db.Tx, _, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	return []ledger.Row{s.Stake(memberID, currency, -amount)}, nil
}

func (*fakeLimits) RealityCheck(context.Context, int64) (int, time.Time, error) {
	return 0, time.Time{}, nil
}

func (s *fakeLimits) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	q := vendor.Rounds{}.Prepare(engine, posts)
	open := q.Open
	q.Open = func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		rounds, err := open(ctx, v, posts)
		return &fakeLimitsGate{s, posts, rounds}, err
	}
	return q
}

type fakeLimitsGate struct {
	s      *fakeLimits
	posts  []ledger.Guarded
	rounds ledger.Gate
}

func (g *fakeLimitsGate) Admit(i int) string {
	for _, r := range g.posts[i].Rows {
		if r.Table == stakeRows && r.Values[1].(int64) >= 0 && g.s.now() != "" {
			return g.s.now()
		}
	}
	return g.rounds.Admit(i)
}

func (g *fakeLimitsGate) Count(i int) { g.rounds.Count(i) }
