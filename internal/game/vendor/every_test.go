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

// gates are those of a server: members' limits, then the rounds. The limits are made with the world.
type gates struct{ limits *limits.Service }

func (g *gates) Ask(engine db.Engine, posts []*ledger.Transfer) ledger.Question {
	own, rounds := g.limits.Ask(engine, posts), vendor.Rounds{}.Ask(engine, posts)
	return ledger.Question{Reads: append(own.Reads, rounds.Reads...), Open: func(ctx context.Context, v ledger.View, posts []ledger.Guarded) (ledger.Gate, error) {
		a, err := own.Open(ctx, v, posts)
		if err != nil {
			return nil, err
		}
		b, err := rounds.Open(ctx, v, posts)
		return two{a, b}, err
	}}
}

type two struct{ a, b ledger.Gate }

func (g two) Admit(i int) string {
	if code := g.a.Admit(i); code != "" {
		return code
	}
	return g.b.Admit(i)
}

func (g two) Count(i int) { g.a.Count(i); g.b.Count(i) }

// limited is a world with the real gates.
func limited(t *testing.T, store *db.Store) (*world, *gates) {
	t.Helper()
	gate := &gates{}
	w := newWorldWith(t, store, gate, func(o *vendor.Options) {
		gate.limits = limits.New(limits.Options{Store: o.Store, Outbox: events.NewOutbox(o.Store, nil, nil), Now: o.Now})
		o.Limits = gate.limits
	})
	return w, gate
}

// guarded is such a world, and a player with limits that are read on every bet and never reached.
func guarded(t *testing.T, store *db.Store) *world {
	t.Helper()
	w, gate := limited(t, store)
	most := ledger.MaxAmount
	for _, kind := range []limits.Kind{limits.Stake, limits.Loss} {
		if err := gate.limits.Set(t.Context(), minh, "VND", kind, limits.Day, &most); err != nil {
			t.Fatal(err)
		}
	}
	if err := gate.limits.SetRealityCheck(t.Context(), minh, 60); err != nil {
		t.Fatal(err)
	}
	return w
}

func newModel() *model {
	return &model{balance: 1_000_000, known: map[string]string{}, code: map[string]string{}, tomb: map[string]bool{}, bet: map[string]made{}, rounds: map[string]*stand{}}
}

// four are the calls of a round that has one bet.
func four(round string) []made {
	return []made{
		{call: "bet", tx: round + ":b", round: round, amount: 100},
		{call: "win", tx: round + ":w", round: round, amount: 30},
		{call: "rollback", tx: round + ":x", ref: round + ":b"},
		{call: "endRound", tx: round + ":e", round: round},
	}
}

// Every sequence of five out of the four calls of a round, 1,024 of them, so that every shorter one and every repetition is
// the beginning of some. Each has a round of its own, and many are under way at once.
func TestEverySequenceOfARoundsCalls(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 every order and repetition of bet, win, rollback and endRound", func(t *testing.T) {
			w := guarded(t, store)
			session := w.enter(t, "minhanh92")
			var next, moved atomic.Int64
			var wg sync.WaitGroup
			for range 16 {
				wg.Go(func() {
					for n := next.Add(1) - 1; n < 1024; n = next.Add(1) - 1 {
						m, calls := newModel(), four(fmt.Sprintf("s%d", n))
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
				t.Errorf("balance %d, the protocol's %d", got, 1_000_000+moved.Load())
			}
			w.verify(t)
		})
	})
}

// Different calls of one round at once: whatever becomes of them is what becomes of them in some order, one after the other.
func TestDifferentCallsAtOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("FT-06 different calls of a round at once", func(t *testing.T) {
			w := guarded(t, store)
			session := w.enter(t, "minhanh92")
			for n := range 40 {
				round := fmt.Sprintf("c%d", n)
				calls := append(four(round), made{call: "bet", tx: round + ":b2", round: round, amount: 7})
				var before []made
				if n%2 == 0 { // the bet stands already
					before, calls = calls[:1], calls[1:]
				}
				started := w.balance(t, minh)
				for _, c := range before {
					if r := w.call(t, c.call, c.body(session)); r.Code != "OK" {
						t.Fatal(r.raw)
					}
				}
				codes := make([]string, len(calls))
				var wg sync.WaitGroup
				for i, c := range calls {
					wg.Go(func() { codes[i] = w.call(t, c.call, c.body(session)).Code })
				}
				wg.Wait()
				moved := int64(w.balance(t, minh) - started)
				if !serial(before, calls, codes, moved) {
					t.Errorf("round %d: %v of %+v, and %d moved: in no order", n, codes, calls, moved)
				}
			}
			w.verify(t)
		})
	})
}

// serial tells whether the calls, in some order, come to these codes and this sum.
func serial(before, calls []made, codes []string, moved int64) bool {
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

// What a vendor's calls move counts against the player's own limit, and nothing else does: a win and a bet taken back make room, what
// was refused took none, and an amount of another currency is not held against it.
func TestPP05CallsCountAgainstALimitAsTheyMove(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		w, gate := limited(t, store)
		most := money.Minor(100)
		if err := gate.limits.Set(t.Context(), minh, "VND", limits.Loss, limits.Day, &most); err != nil {
			t.Fatal(err)
		}
		session := w.enter(t, "minhanh92")
		for i, step := range []struct {
			call string
			body func(string) fields
			want string
		}{
			{"bet", with(b("p1", "p", "500"), "currency", "CNY"), "WRONG_CURRENCY"},
			{"bet", b("p2", "p", "101"), "LIMIT_REACHED"},
			{"bet", b("p3", "p", "100"), "OK"},
			{"bet", b("p4", "p", "1"), "LIMIT_REACHED"},
			{"win", wi("p5", "p", "30", false), "OK"},
			{"win", wi("p5", "p", "30", false), "OK"},
			{"bet", b("p6", "q", "31"), "LIMIT_REACHED"},
			{"bet", b("p7", "q", "30"), "OK"},
			{"bet", b("p8", "q", "1"), "LIMIT_REACHED"},
			{"rollback", rb("p9", "p7"), "OK"},
			{"rollback", rb("p10", "p7"), "OK"},
			{"bet", b("p11", "q", "31"), "LIMIT_REACHED"},
			{"bet", b("p12", "q", "30"), "OK"},
		} {
			if r := w.call(t, step.call, step.body(session)); r.Code != step.want {
				t.Errorf("step %d, %s: %s, want %s", i+1, step.call, r.raw, step.want)
			}
		}
		w.verify(t)
	})
}
