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

// stakes stands for members' limits: it refuses what carries a stake with the code that it holds just now, and asks the
// gate of rounds after that.
type stakes struct {
	mu   sync.Mutex
	code string
}

func (s *stakes) set(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.code = code
}

func (s *stakes) now() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.code
}

// stakeRows is the table that counts stakes; newWorldWith makes it.
var stakeRows = ledger.NewTable("stake_row", ledger.Column{Name: "member_id", Type: ledger.Int}, ledger.Column{Name: "amount", Type: ledger.Int})

// errExcluded is limits' own.
var errExcluded = fault.New(fault.Refused, "limits.excluded")

func (s *stakes) Check(context.Context, int64) error {
	if s.now() == "limits.excluded" {
		return errExcluded
	}
	return nil
}

func (s *stakes) Stake(memberID int64, currency string, amount money.Minor) ledger.Row {
	return ledger.Row{Table: stakeRows, Values: []any{memberID, int64(amount)}}
}

func (s *stakes) Return(memberID int64, currency string, amount money.Minor) ledger.Row {
	return ledger.Row{Table: stakeRows, Values: []any{memberID, -int64(amount)}}
}

func (s *stakes) Promotion(memberID int64, currency string, amount money.Minor) ledger.Row {
	return s.Stake(memberID, currency, amount)
}

func (s *stakes) TakenBack(_ context.Context, _ *db.Tx, _, memberID int64, currency string, amount money.Minor) ([]ledger.Row, error) {
	return []ledger.Row{s.Stake(memberID, currency, -amount)}, nil
}

func (*stakes) RealityCheck(context.Context, int64) (int, time.Time, error) {
	return 0, time.Time{}, nil
}

func (s *stakes) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	q := vendor.Rounds{}.Prepare(engine, posts)
	open := q.Open
	q.Open = func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		rounds, err := open(ctx, v, posts)
		return &stakeGate{s, posts, rounds}, err
	}
	return q
}

type stakeGate struct {
	s      *stakes
	posts  []ledger.Guarded
	rounds ledger.Gate
}

func (g *stakeGate) Admit(i int) string {
	for _, r := range g.posts[i].Rows {
		if r.Table == stakeRows && r.Values[1].(int64) >= 0 && g.s.now() != "" {
			return g.s.now()
		}
	}
	return g.rounds.Admit(i)
}

func (g *stakeGate) Count(i int) { g.rounds.Count(i) }
