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

// usage is one movement that counted, in the model's time.
type usage struct {
	what   string // stake, return, deposit
	amount money.Minor
	at     time.Duration
	back   bool // was taken back: as if it had never been
}

type limitName struct {
	kind   limits.Kind
	period limits.Period
}

type raise struct {
	amount money.Minor // -1: none at all
	at     time.Duration
}

// model is a member's limits as simply as they can be said: every movement is kept, and added up anew each time.
type model struct {
	now   time.Duration
	used  []usage
	limit map[limitName]money.Minor
	asked map[limitName]raise
}

var spans = map[limits.Period]time.Duration{limits.Day: 24 * hour, limits.Week: 7 * 24 * hour, limits.Month: 30 * 24 * hour}

// sum is what counts against a limit now.
func (m *model) sum(l limitName) (total money.Minor) {
	for _, u := range m.used {
		if u.back || m.now-u.at >= spans[l.period] {
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

// allows tells whether a movement stays within every limit in force, and so within the lowest.
func (m *model) allows(what string, amount money.Minor) bool {
	for l, most := range m.limit {
		counts := what == string(l.kind) || what == "stake" && l.kind == limits.Loss
		if counts && m.sum(l)+amount > most {
			return false
		}
	}
	return true
}

func (m *model) set(l limitName, amount money.Minor) {
	most, there := m.limit[l]
	switch {
	case !there && amount < 0:
	case !there, amount >= 0 && amount <= most:
		m.limit[l] = amount
		delete(m.asked, l)
	default:
		if was, waits := m.asked[l]; !waits || was.amount != amount || m.now-was.at > 8*24*hour {
			m.asked[l] = raise{amount, m.now}
		}
	}
}

func (m *model) confirm(l limitName) string {
	asked, waits := m.asked[l]
	switch {
	case !waits || m.now-asked.at > 8*24*hour:
		return "limits.nothing_waits"
	case m.now-asked.at < 24*hour:
		return "limits.too_soon"
	case asked.amount < 0:
		delete(m.limit, l)
	default:
		m.limit[l] = asked.amount
	}
	delete(m.asked, l)
	return ""
}

// Limits change, bets and deposits come, some of them many at once, and time passes: what is posted never goes beyond the lowest
// limit that is in force then, and nothing is refused that stays within.
func TestLimitsAgainstAModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		t.Run("PP-05 PP-06 any order of changes, bets and time", func(t *testing.T) {
			w := newWorld(t, store)
			id := int64(0)
			rapid.Check(t, func(rt *rapid.T) {
				id++
				w.join(t, id)
				r := &modelled{world: w, T: rt, tb: t, id: id, m: &model{limit: map[limitName]money.Minor{}, asked: map[limitName]raise{}}}
				rt.Repeat(map[string]func(*rapid.T){
					"set": r.set, "set another": r.set, "confirm": r.confirm, "stake": r.stake, "stake more": r.stake, "stakes at once": r.stake,
					"return": r.give, "take back": r.takeBack, "deposit": r.pay, "pass": r.passSome, "look": r.compare,
				})
			})
			t.Logf("%d members", id)
		})
	})
}

// modelled is a member beside their model.
type modelled struct {
	*world
	*rapid.T
	tb testing.TB
	id int64
	m  *model
}

func (r *modelled) which(rt *rapid.T) limitName {
	return limitName{
		rapid.SampledFrom([]limits.Kind{limits.Deposit, limits.Loss, limits.Stake}).Draw(rt, "kind"),
		rapid.SampledFrom([]limits.Period{limits.Day, limits.Week, limits.Month}).Draw(rt, "period"),
	}
}

func (r *modelled) set(rt *rapid.T) {
	l, amount := r.which(rt), money.Minor(rapid.IntRange(-1, 60).Draw(rt, "limit"))
	limit := &amount
	if amount < 0 {
		limit = nil
	}
	if err := r.Set(context.Background(), r.id, currency, l.kind, l.period, limit); err != nil {
		rt.Fatal(err)
	}
	r.m.set(l, amount)
}

func (r *modelled) confirm(rt *rapid.T) {
	l := r.which(rt)
	code := ""
	var f *fault.Fault
	if err := r.Confirm(context.Background(), r.id, l.kind, l.period); errors.As(err, &f) {
		code = f.Code
	} else if err != nil {
		rt.Fatal(err)
	}
	if want := r.m.confirm(l); code != want {
		rt.Fatalf("confirm %v: %q, want %q", l, code, want)
	}
}

// stake bets the same amount some times at once: as many are posted as fit.
func (r *modelled) stake(rt *rapid.T) {
	r.several(rt, "stake", r.bet)
}

func (r *modelled) pay(rt *rapid.T) { r.several(rt, "deposit", r.deposit) }

func (r *modelled) several(rt *rapid.T, what string, move func(int64, money.Minor) error) {
	amount := money.Minor(rapid.IntRange(1, 30).Draw(rt, "amount"))
	errs := make([]error, rapid.IntRange(1, 4).Draw(rt, "times"))
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = move(r.id, amount) })
	}
	wg.Wait()
	posted := 0
	for _, err := range errs {
		var f *fault.Fault
		switch {
		case err == nil:
			posted++
		case !errors.As(err, &f) || f.Code != reached:
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
		rt.Fatalf("%d of %d times %d were posted, want %d; limits %v, used %v", posted, len(errs), amount, want, r.m.limit, r.m.used)
	}
}

func (r *modelled) give(rt *rapid.T) {
	amount := money.Minor(rapid.IntRange(1, 40).Draw(rt, "amount"))
	if err := r.win(r.id, amount); err != nil {
		rt.Fatal(err)
	}
	r.m.used = append(r.m.used, usage{what: "return", amount: amount, at: r.m.now})
}

func (r *modelled) takeBack(rt *rapid.T) {
	for i := len(r.m.used) - 1; i >= 0; i-- { // the latest: others of its amount are older
		u := r.m.used[i]
		if u.what != "stake" || u.back {
			continue
		}
		if err := r.back(r.id, u.amount); err != nil {
			rt.Fatal(err)
		}
		r.m.used[i].back = true
		return
	}
	rt.Skip("no bet stands")
}

// passSome lets time go by for this member alone. The minute keeps sums of spans from ever meeting a boundary at which the few
// milliseconds that really pass would decide.
func (r *modelled) passSome(rt *rapid.T) {
	d := time.Minute + rapid.SampledFrom([]time.Duration{hour, 12 * hour, 23 * hour, 24 * hour, 6 * 24 * hour, 23 * 24 * hour}).Draw(rt, "time")
	r.older(r.tb, fmt.Sprintf("member_id = %d", r.id), d)
	r.exec(r.tb, "UPDATE play_limit SET since = since - $1, asked_at = asked_at - $1 WHERE member_id = $2", d.Milliseconds(), r.id)
	r.m.now += d
}

// compare asks for what the member is shown.
func (r *modelled) compare(rt *rapid.T) {
	state, err := r.Show(context.Background(), r.id, currency)
	if err != nil {
		rt.Fatal(err)
	}
	for _, l := range state.Limits {
		name := limitName{l.Kind, l.Period}
		most, there := r.m.limit[name]
		if there != (l.Amount != nil) || there && *l.Amount != most {
			rt.Fatalf("limit %v is %v, want %v (%v)", name, l.Amount, most, there)
		}
		if want := r.m.sum(name); l.Used != want {
			rt.Fatalf("%d of %v is used, want %d: %v", l.Used, name, want, r.m.used)
		}
	}
}
