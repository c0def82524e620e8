package limits_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/finance/limits"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// A usage is a use in the model. Its time is the model's.
type usage struct {
	what   string // stake, return, deposit
	amount money.Minor
	at     time.Duration
	undone bool
}

type limitName struct {
	kind   limits.Kind
	period limits.Period
}

type raise struct {
	amount money.Minor // -1: removal
	at     time.Duration
}

// A model is the simplest implementation of a member's limits: it adds up all uses every time.
type model struct {
	now    time.Duration
	used   []usage
	limit  map[limitName]money.Minor
	raises map[limitName]raise // pending
}

var spans = map[limits.Period]time.Duration{limits.Day: 24 * hour, limits.Week: 7 * 24 * hour, limits.Month: 30 * 24 * hour}

// sum returns the current use of a limit.
func (m *model) sum(l limitName) (total money.Minor) {
	for _, u := range m.used {
		if u.undone || m.now-u.at >= spans[l.period] {
			continue
		}
		switch {
		case u.what == string(l.kind), u.what == "stake" && l.kind == limits.Loss:
			total += u.amount
		case u.what == "return" && l.kind == limits.Loss:
			total -= u.amount
		}
	}
	return total
}

// allows reports whether a use stays within all limits.
func (m *model) allows(what string, amount money.Minor) bool {
	for l, limit := range m.limit {
		counts := what == string(l.kind) || what == "stake" && l.kind == limits.Loss
		if counts && m.sum(l)+amount > limit {
			return false
		}
	}
	return true
}

func (m *model) set(l limitName, amount money.Minor) {
	limit, found := m.limit[l]
	switch {
	case !found && amount < 0:
	case !found, amount >= 0 && amount <= limit:
		m.limit[l] = amount
		delete(m.raises, l)
	default:
		if pending, found := m.raises[l]; !found || pending.amount != amount || m.now-pending.at > 8*24*hour {
			m.raises[l] = raise{amount, m.now}
		}
	}
}

func (m *model) confirm(l limitName) string {
	pending, found := m.raises[l]
	switch {
	case !found || m.now-pending.at > 8*24*hour:
		return "limits.nothing_waits"
	case m.now-pending.at < 24*hour:
		return "limits.too_soon"
	case pending.amount < 0:
		delete(m.limit, l)
	default:
		m.limit[l] = pending.amount
	}
	delete(m.raises, l)
	return ""
}

// After any sequence of changes, bets, deposits and advances of time, exactly the uses within all limits pass. Some of them
// are concurrent.
func TestLimitsAgainstAModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("PP-05 PP-06 random changes, bets and advances of time match the model", func(t *testing.T) {
			w := newFixture(t, store)
			id := int64(0)
			rapid.Check(t, func(rt *rapid.T) {
				id++
				w.addMember(t, id)
				r := &modelRun{fixture: w, T: rt, tb: t, id: id, m: &model{limit: map[limitName]money.Minor{}, raises: map[limitName]raise{}}}
				rt.Repeat(map[string]func(*rapid.T){
					"set": r.set, "set another": r.set, "confirm": r.confirm, "stake": r.stake, "stake more": r.stake, "stakes at once": r.stake,
					"return": r.winOnce, "undo": r.undoStake, "deposit": r.depositSeveral, "advance": r.advanceTime, "compare": r.compare,
				})
			})
			t.Logf("%d members", id)
		})
	})
}

// A modelRun is a member with the model of their limits.
type modelRun struct {
	*fixture
	*rapid.T
	tb testing.TB
	id int64
	m  *model
}

func (r *modelRun) drawLimit(rt *rapid.T) limitName {
	return limitName{
		rapid.SampledFrom([]limits.Kind{limits.Deposit, limits.Loss, limits.Stake}).Draw(rt, "kind"),
		rapid.SampledFrom([]limits.Period{limits.Day, limits.Week, limits.Month}).Draw(rt, "period"),
	}
}

func (r *modelRun) set(rt *rapid.T) {
	l, amount := r.drawLimit(rt), money.Minor(rapid.IntRange(-1, 60).Draw(rt, "limit"))
	limit := &amount
	if amount < 0 {
		limit = nil
	}
	if err := r.Set(context.Background(), r.id, currency, l.kind, l.period, limit); err != nil {
		rt.Fatal(err)
	}
	r.m.set(l, amount)
}

func (r *modelRun) confirm(rt *rapid.T) {
	l := r.drawLimit(rt)
	code := ""
	var f *fault.Fault
	if err := r.Confirm(context.Background(), r.id, l.kind, l.period); errors.As(err, &f) {
		code = f.Code
	} else if err != nil {
		rt.Fatal(err)
	}
	if want := r.m.confirm(l); code != want {
		rt.Fatalf("confirm %v returned %q, want %q", l, code, want)
	}
}

// stake places up to four equal bets concurrently. Only those that fit into the limits pass.
func (r *modelRun) stake(rt *rapid.T) {
	r.postSeveral(rt, "stake", r.bet)
}

func (r *modelRun) depositSeveral(rt *rapid.T) { r.postSeveral(rt, "deposit", r.deposit) }

// postSeveral posts up to four equal transfers concurrently and compares the number that passed with the model.
func (r *modelRun) postSeveral(rt *rapid.T, what string, post func(int64, money.Minor) error) {
	amount := money.Minor(rapid.IntRange(1, 30).Draw(rt, "amount"))
	errs := make([]error, rapid.IntRange(1, 4).Draw(rt, "times"))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = post(r.id, amount) })
	}
	wg.Wait()
	posted := 0
	for _, err := range errs {
		var f *fault.Fault
		switch {
		case err == nil:
			posted++
		case !errors.As(err, &f) || f.Code != reachedCode:
			rt.Fatal(err)
		}
	}
	want := 0
	for range errs {
		if r.m.allows(what, amount) {
			r.m.used = append(r.m.used, usage{what: what, amount: amount, at: r.m.now})
			want++
		}
	}
	if posted != want {
		rt.Fatalf("%d of %d transfers of %d passed, want %d; limits %v, uses %v", posted, len(errs), amount, want, r.m.limit, r.m.used)
	}
}

func (r *modelRun) winOnce(rt *rapid.T) {
	amount := money.Minor(rapid.IntRange(1, 40).Draw(rt, "amount"))
	if err := r.win(r.id, amount); err != nil {
		rt.Fatal(err)
	}
	r.m.used = append(r.m.used, usage{what: "return", amount: amount, at: r.m.now})
}

func (r *modelRun) undoStake(rt *rapid.T) {
	for i := len(r.m.used) - 1; i >= 0; i-- { // the latest, because undo picks the latest with the amount
		u := r.m.used[i]
		if u.what != "stake" || u.undone {
			continue
		}
		if err := r.undo(r.id, u.amount); err != nil {
			rt.Fatal(err)
		}
		r.m.used[i].undone = true
		return
	}
	rt.Skip("no bet to undo")
}

// advanceTime advances the time of this member only. The extra minute keeps uses away from window edges, where the real
// duration of the test would change the result.
func (r *modelRun) advanceTime(rt *rapid.T) {
	d := time.Minute + rapid.SampledFrom([]time.Duration{hour, 12 * hour, 23 * hour, 24 * hour, 6 * 24 * hour, 23 * 24 * hour}).Draw(rt, "time")
	r.shiftUses(r.tb, fmt.Sprintf("member_id = %d", r.id), d)
	r.site.Exec(r.tb, "UPDATE play_limit SET since = since - $1, asked_at = asked_at - $1 WHERE member_id = $2", d.Milliseconds(), r.id)
	r.m.now += d
}

func (r *modelRun) compare(rt *rapid.T) {
	state, err := r.Show(context.Background(), r.id, currency)
	if err != nil {
		rt.Fatal(err)
	}
	for _, l := range state.Limits {
		name := limitName{l.Kind, l.Period}
		limit, found := r.m.limit[name]
		if found != (l.Amount != nil) || found && *l.Amount != limit {
			rt.Fatalf("limit %v = %v, want %v (set: %v)", name, l.Amount, limit, found)
		}
		if want := r.m.sum(name); l.Used != want {
			rt.Fatalf("used of %v = %d, want %d; uses %v", name, l.Used, want, r.m.used)
		}
	}
}
