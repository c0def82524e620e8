package vendor_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"fairground/internal/finance/limits"
	"fairground/internal/game/vendor"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/events"
)

// serverGates runs the ledger gates of the real server: limits, then rounds. The limits are set after the ledger is created.
type serverGates struct{ limits *limits.Service }

func (g *serverGates) Prepare(engine db.Engine, posts []*ledger.Transfer) ledger.LimitCheck {
	own, rounds := g.limits.Prepare(engine, posts), vendor.Rounds{}.Prepare(engine, posts)
	return ledger.LimitCheck{Reads: append(own.Reads, rounds.Reads...), Open: func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		a, err := own.Open(ctx, v, posts)
		if err != nil {
			return nil, err
		}
		b, err := rounds.Open(ctx, v, posts)
		return gatePair{a, b}, err
	}}
}

type gatePair struct{ a, b ledger.Gate }

func (g gatePair) Admit(i int) string {
	if code := g.a.Admit(i); code != "" {
		return code
	}
	return g.b.Admit(i)
}

func (g gatePair) Count(i int) { g.a.Count(i); g.b.Count(i) }

// newSiteWithLimits returns a site with the ledger gates of the real server.
func newSiteWithLimits(t *testing.T, store *db.Store) (*vendorSite, *serverGates) {
	t.Helper()
	gate := &serverGates{}
	w := newSiteWith(t, store, gate, func(o *vendor.Options) {
		gate.limits = limits.New(limits.Options{Store: o.Store, Outbox: events.NewOutbox(o.Store, nil, nil), Now: o.Now})
		o.Limits = gate.limits
	})
	return w, gate
}

// newSiteWithHighLimits also sets limits that are checked on every bet but never reached.
func newSiteWithHighLimits(t *testing.T, store *db.Store) *vendorSite {
	t.Helper()
	w, gate := newSiteWithLimits(t, store)
	limit := ledger.MaxAmount
	for _, kind := range []limits.Kind{limits.Stake, limits.Loss} {
		if err := gate.limits.Set(t.Context(), minh, "VND", kind, limits.Day, &limit); err != nil {
			t.Fatal(err)
		}
	}
	if err := gate.limits.SetRealityCheck(t.Context(), minh, 60); err != nil {
		t.Fatal(err)
	}
	return w
}

func newModel() *model {
	return &model{balance: 1_000_000, known: map[string]string{}, code: map[string]string{}, tombstones: map[string]bool{}, bet: map[string]modelCall{}, rounds: map[string]*roundState{}}
}

func roundCalls(round string) []modelCall {
	return []modelCall{
		{call: "bet", tx: round + ":b", round: round, amount: 100},
		{call: "win", tx: round + ":w", round: round, amount: 30},
		{call: "rollback", tx: round + ":x", ref: round + ":b"},
		{call: "endRound", tx: round + ":e", round: round},
	}
}

// The test runs all 1,024 sequences of five calls, chosen from a round's four calls, concurrently. Shorter sequences are prefixes of
// these.
func TestAllSequencesOfRoundCalls(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 every order and repetition of bet, win, rollback and endRound", func(t *testing.T) {
			w := newSiteWithHighLimits(t, store)
			session := w.openSession(t, "minhanh92")
			var next, moved atomic.Int64
			var wg sync.WaitGroup
			for range 16 {
				wg.Go(func() {
					for n := next.Add(1) - 1; n < 1024; n = next.Add(1) - 1 {
						m, calls := newModel(), roundCalls(fmt.Sprintf("s%d", n))
						for k, rest := 0, n; k < 5; k, rest = k+1, rest/4 {
							c := calls[rest%4]
							code, replayed := m.expect(c)
							r := w.call(t, c.call, c.body(session))
							if r.status != 200 || r.Code != code || r.replayed() != replayed {
								t.Errorf("sequence %d, call %d, %s: %d %s, want %s, replayed %v", n, k+1, c.call, r.status, r.raw, code, replayed)
								return
							}
						}
						moved.Add(m.balance - 1_000_000)
					}
				})
			}
			wg.Wait()
			if got := int64(w.balance(t, minh)); got != 1_000_000+moved.Load() {
				t.Errorf("balance = %d, want %d", got, 1_000_000+moved.Load())
			}
			w.verify(t)
		})
	})
}

// Concurrent calls of one round must have the same effect as some sequential order.
func TestConcurrentCallsOfOneRound(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 concurrent calls of one round", func(t *testing.T) {
			w := newSiteWithHighLimits(t, store)
			session := w.openSession(t, "minhanh92")
			for n := range 40 {
				round := fmt.Sprintf("c%d", n)
				calls := append(roundCalls(round), modelCall{call: "bet", tx: round + ":b2", round: round, amount: 7})
				var before []modelCall
				if n%2 == 0 { // the bet is placed first
					before, calls = calls[:1], calls[1:]
				}
				started := w.balance(t, minh)
				for _, c := range before {
					if r := w.call(t, c.call, c.body(session)); r.Code != "OK" {
						t.Fatalf("%s = %s, want OK", c.call, r.raw)
					}
				}
				codes := make([]string, len(calls))
				var wg sync.WaitGroup
				for i, c := range calls {
					wg.Go(func() { codes[i] = w.call(t, c.call, c.body(session)).Code })
				}
				wg.Wait()
				moved := int64(w.balance(t, minh) - started)
				if !matchesSomeOrder(before, calls, codes, moved) {
					t.Errorf("round %d: codes %v of %+v and balance change %d match no sequential order", n, codes, calls, moved)
				}
			}
			w.verify(t)
		})
	})
}

// matchesSomeOrder reports whether some sequential order of the calls yields these codes and this sum.
func matchesSomeOrder(before, calls []modelCall, codes []string, moved int64) bool {
	order := make([]int, 0, len(calls))
	var try func() bool
	try = func() bool {
		if len(order) < len(calls) {
			for i := range calls {
				if slices.Contains(order, i) {
					continue
				}
				order = append(order, i)
				if try() {
					return true
				}
				order = order[:len(order)-1]
			}
			return false
		}
		m := newModel()
		for _, c := range before {
			m.expect(c)
		}
		for _, i := range order {
			if code, _ := m.expect(calls[i]); code != codes[i] {
				return false
			}
		}
		return m.balance-1_000_000 == moved
	}
	return try()
}

// Wins and rollbacks reduce the loss that counts against the limit. Refused bets and amounts in other currencies do not count.
func TestPP05CallsCountAgainstLossLimit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w, gate := newSiteWithLimits(t, store)
		limit := money.Minor(100)
		if err := gate.limits.Set(t.Context(), minh, "VND", limits.Loss, limits.Day, &limit); err != nil {
			t.Fatal(err)
		}
		session := w.openSession(t, "minhanh92")
		for i, step := range []struct {
			call string
			body func(string) fields
			want string
		}{
			{"bet", withField(betFor("p1", "p", "500"), "currency", "CNY"), "WRONG_CURRENCY"},
			{"bet", betFor("p2", "p", "101"), "LIMIT_REACHED"},
			{"bet", betFor("p3", "p", "100"), "OK"},
			{"bet", betFor("p4", "p", "1"), "LIMIT_REACHED"},
			{"win", winFor("p5", "p", "30", false), "OK"},
			{"win", winFor("p5", "p", "30", false), "OK"},
			{"bet", betFor("p6", "q", "31"), "LIMIT_REACHED"},
			{"bet", betFor("p7", "q", "30"), "OK"},
			{"bet", betFor("p8", "q", "1"), "LIMIT_REACHED"},
			{"rollback", rollbackFor("p9", "p7"), "OK"},
			{"rollback", rollbackFor("p10", "p7"), "OK"},
			{"bet", betFor("p11", "q", "31"), "LIMIT_REACHED"},
			{"bet", betFor("p12", "q", "30"), "OK"},
		} {
			if r := w.call(t, step.call, step.body(session)); r.Code != step.want {
				t.Errorf("step %d, %s: %s, want %s", i+1, step.call, r.raw, step.want)
			}
		}
		w.verify(t)
	})
}
