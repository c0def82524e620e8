package loyalty_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/loyalty"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const member, other = 701, 702

// A fixture is a site with two members.
type fixture struct {
	*servertest.Site
	store *db.Store
	cash  ledger.Account
	round int
}

func newFixture(t *testing.T, store *db.Store, rules ...loyalty.Rule) *fixture {
	t.Helper()
	d := &fixture{Site: servertest.New(t, store), store: store}
	d.Clock.Add(midday.Sub(d.Clock.Now()))
	d.AddMember(t, member, "player")
	d.AddMember(t, other, "stranger")
	d.cash = d.Fund(t, member, "VND", 1_000)
	d.Serve(t, merchanttest.Tokens{
		"player": d.Caller(member, "player"), "stranger": d.Caller(other, "stranger"), "trial": {MemberID: 703, MerchantID: d.ID, Type: rest.Trial, Currency: "VND"},
	}, func(a *rest.API) { d.Server.Routes(a, nil) })
	for _, s := range []merchant.Switch{merchant.SwitchOf(spec.FlagCashBack, true), merchant.SwitchOf(spec.PromotionReferral, true)} {
		if err := d.Server.Merchants.SetSwitch(t.Context(), d.ID, s); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range rules {
		d.save(t, r)
	}
	return d
}

// midday is 12:00 in Vietnam on a Wednesday.
var midday = time.Date(2030, 5, 15, 5, 0, 0, 0, time.UTC)

func (d *fixture) save(t *testing.T, r loyalty.Rule) {
	t.Helper()
	r.MerchantID, r.Currency, r.Enabled = d.ID, "VND", true
	err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		_, _, err := d.Server.Loyalty.SaveIn(t.Context(), tx, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	checkInRule  = loyalty.Rule{Kind: loyalty.CheckIn, CheckIn: &loyalty.CheckInRule{Amounts: []money.Minor{10, 20, 30, 40, 50, 60, 100}}}
	cashBackRule = loyalty.Rule{Kind: loyalty.CashBack, CashBack: &loyalty.CashBackRule{Every: "day", Rates: map[string]int64{spec.Slots: 100}, Least: 5}}
	vipRule      = loyalty.Rule{Kind: loyalty.VIP, VIP: &loyalty.VIPRule{Days: 90, Levels: []loyalty.Level{{Turnover: 1_000, Reward: 7, Extra: 50}, {Turnover: 5_000, Reward: 9, Extra: 100}}}}
	referralRule = loyalty.Rule{Kind: loyalty.Referral, Referral: &loyalty.ReferralRule{Reward: 50, Turnover: 500, Days: 30, Most: 1}}
)

// play stores a settled round of a slot game.
func (d *fixture) play(t *testing.T, who int64, at time.Time, staked, refunded int64) {
	t.Helper()
	d.round++
	activeBets := 1
	if refunded == staked {
		activeBets = 0
	}
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
VALUES (%d, 1, %d, 'r%d', %d, %d, %d, %d, %d, 0, %d, 1, 1)`, d.IDs(), who, d.round, d.game(t), db.Millis(at), db.Millis(at), staked, refunded, activeBets),
	} {
		if _, err := d.store.Writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// game adds a slot game, if it is missing, and returns its id.
func (d *fixture) game(t *testing.T) int64 {
	t.Helper()
	const id = 990
	for _, statement := range []string{
		fmt.Sprintf(`INSERT INTO vendor (id, merchant_id, code, display_name, account_type, sorting, enabled) VALUES (%d, %d, 'TV', 'TV', 'RNG', 1, TRUE) ON CONFLICT DO NOTHING`, id, d.ID),
		fmt.Sprintf(`INSERT INTO game (id, merchant_id, vendor_id, code, category, launch_code, icon, min_bet, min_lines, support_play, free_play, sorting, hot_rank, enabled)
VALUES (%d, %d, %d, 'slot', 'RNG', 'slot', '', 1, 1, TRUE, FALSE, 1, 0, TRUE) ON CONFLICT DO NOTHING`, id, d.ID, id),
	} {
		if _, err := d.store.Writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return id
}

func want[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// code returns the code of a refusal, or "".
func (d *fixture) code(t *testing.T, method, path, who string) string {
	t.Helper()
	r := d.Call(t, method, path, nil, "Authorization", who)
	var reply struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return reply.ErrorCode
}

// callConcurrently sends a call eight times concurrently and returns the number of successful calls.
func (d *fixture) callConcurrently(t *testing.T, path string) (succeeded int) {
	t.Helper()
	var wg sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		wg.Go(func() { statuses[i] = d.Call(t, http.MethodPost, path, nil, "Authorization", "player").Status })
	}
	wg.Wait()
	for _, s := range statuses {
		if s == http.StatusOK {
			succeeded++
		} else if s != http.StatusConflict {
			t.Errorf("status: got %d, want 200 or 409", s)
		}
	}
	return succeeded
}

func (d *fixture) runJob(t *testing.T) {
	t.Helper()
	if err := d.Server.Loyalty.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (d *fixture) checkIn(t *testing.T) loyalty.CheckInView {
	t.Helper()
	return merchanttest.Value[loyalty.CheckInView](t, d.Call(t, "GET", "/wps/checkIn", nil, "Authorization", "player"))
}

func TestOS10PartCheckInOnceADay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, checkInRule)
		want(t, "checked in before", d.checkIn(t).CheckedIn, false)
		want(t, "check-ins that paid", d.callConcurrently(t, "/wps/checkIn"), 1)
		want(t, "balance after the first day", d.Balance(t, d.cash.ID), money.Minor(1_010))
		d.Clock.Add(12*time.Hour - time.Second) // 23:59:59 in Vietnam
		want(t, "second try on the day", d.code(t, "POST", "/wps/checkIn", "player"), "checkin.done")
		d.Clock.Add(time.Second)
		v := merchanttest.Value[loyalty.CheckInView](t, d.Call(t, "POST", "/wps/checkIn", nil, "Authorization", "player"))
		want(t, "streak after midnight", v.Streak, int64(2))
		d.Clock.Add(-time.Hour) // the clock goes back to the day before
		want(t, "after the clock went back", d.code(t, "POST", "/wps/checkIn", "player"), "checkin.done")
		d.Clock.Add(time.Hour)
		for range 5 {
			d.Clock.Add(24 * time.Hour)
			want(t, "check-in", d.code(t, "POST", "/wps/checkIn", "player"), "")
		}
		want(t, "balance after the weekly gift", d.Balance(t, d.cash.ID), money.Minor(1_310))
		d.Clock.Add(48 * time.Hour)
		v = d.checkIn(t)
		want(t, "streak after a missed day", v.Streak, int64(0))
		want(t, "longest", v.Longest, int64(7))
		want(t, "next amount", v.Amount, "10")
		want(t, "days in the calendar", len(v.Dates), 7)
		want(t, "trial member", d.Call(t, "GET", "/wps/checkIn", nil, "Authorization", "trial").Status, http.StatusForbidden)
		d.VerifyLedger(t)
	})
}

func TestOS15PartCashBackOncePerPeriod(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, cashBackRule)
		start := time.Date(2030, 5, 14, 17, 0, 0, 0, time.UTC) // 00:00 in Vietnam
		d.play(t, member, start.Add(-time.Millisecond), 100_000, 0)
		d.play(t, member, start, 1_000, 0)
		d.play(t, member, start.Add(time.Hour), 1_000, 400) // partly refunded
		d.play(t, member, start.Add(time.Hour), 7_000, 7_000)
		d.play(t, member, start.Add(24*time.Hour), 100_000, 0)
		d.Clock.Add(24 * time.Hour)
		v := merchanttest.Value[loyalty.CashBackView](t, d.Call(t, "GET", "/wps/rebate", nil, "Authorization", "player"))
		want(t, "turnover without refunds and other days", v.Turnover, "1600")
		want(t, "amount", v.Amount, "16")
		want(t, "state", v.State, "open")
		want(t, "claims that paid", d.callConcurrently(t, "/wps/rebate/claim"), 1)
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_016))
		want(t, "member without stakes", d.code(t, "POST", "/wps/rebate/claim", "stranger"), "rebate.nothing")
		want(t, "trial member", d.Call(t, "GET", "/wps/rebate", nil, "Authorization", "trial").Status, http.StatusForbidden)
		if err := d.Server.Merchants.SetSwitch(t.Context(), d.ID, merchant.SwitchOf(spec.FlagCashBack, false)); err != nil {
			t.Fatal(err)
		}
		want(t, "switched off", d.code(t, "GET", "/wps/rebate", "player"), "loyalty.off")
		d.VerifyLedger(t)
	})
}

// A daily cash back becomes weekly: the days that were claimed are not paid again, and the others of the week are.
func TestCashBackOfADayIsPaidOnce(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t), cashBackRule)
	claim := func() string {
		t.Helper()
		r := d.Call(t, "POST", "/wps/rebate/claim", nil, "Authorization", "player")
		if r.Status != http.StatusOK {
			return d.code(t, "POST", "/wps/rebate/claim", "player")
		}
		return string(merchanttest.Value[loyalty.CashBackView](t, r).Amount)
	}
	every := func(period string) {
		rule, err := d.Server.Loyalty.Rule(t.Context(), d.ID, loyalty.CashBack)
		if err != nil {
			t.Fatal(err)
		}
		rule.CashBack.Every = period
		d.save(t, rule)
	}
	d.play(t, member, d.Clock.Now(), 1_000, 0) // Wednesday
	d.Clock.Add(24 * time.Hour)
	want(t, "Wednesday", claim(), "10")
	d.play(t, member, d.Clock.Now(), 2_000, 0) // Thursday
	every("week")
	d.Clock.Add(5 * 24 * time.Hour) // Tuesday
	view := merchanttest.Value[loyalty.CashBackView](t, d.Call(t, "GET", "/wps/rebate", nil, "Authorization", "player"))
	want(t, "state of the week", view.State, "open")
	want(t, "amount of the week", string(view.Amount), "20")
	want(t, "the rest of the week", claim(), "20")
	want(t, "the week again", claim(), "rebate.claimed")
	d.play(t, member, d.Clock.Now(), 3_000, 0)
	every("day")
	d.Clock.Add(24 * time.Hour) // Wednesday
	want(t, "Tuesday", claim(), "30")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_060))
	d.VerifyLedger(t)
}

func TestOS14PartLevels(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, vipRule)
		rank := func() loyalty.RankView {
			return merchanttest.Value[loyalty.RankView](t, d.Call(t, "GET", "/wps/relay/MCSFE_getPlayerRankProgress", nil, "Authorization", "player"))
		}
		rewards := func() (list []string) {
			all := merchanttest.Value[struct {
				List []struct{ Amount json.Number }
			}](t, d.Call(t, "GET", "/wps/reward", nil, "Authorization", "player"))
			for _, r := range all.List {
				list = append(list, r.Amount.String())
			}
			return list
		}
		d.play(t, member, d.Clock.Now(), 900, 0)
		d.runJob(t)
		want(t, "level with too few stakes", rank().Level, int64(0))
		want(t, "left", rank().Left, "100")
		d.play(t, member, d.Clock.Now(), 4_100, 0)
		d.runJob(t)
		d.runJob(t)
		want(t, "level", rank().Name, "VIP 2")
		want(t, "rewards of two levels, once", fmt.Sprint(len(rewards())), "2")
		d.Clock.Add(91 * 24 * time.Hour)
		d.runJob(t)
		want(t, "level after 90 days without stakes", rank().Level, int64(0))
		d.play(t, member, d.Clock.Now(), 5_000, 0)
		d.runJob(t)
		want(t, "level again", rank().Level, int64(2))
		want(t, "rewards are not granted again", len(rewards()), 2)
	})
}

func TestReferralReward(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, referralRule)
		d.Clock.Add(time.Minute)
		for _, id := range []int64{704, 705, 706} {
			d.AddMember(t, id, fmt.Sprint("friend", id))
			statement := fmt.Sprintf(`UPDATE member SET parent_id = %d, created_at = %d WHERE id = %d`, member, db.Millis(d.Clock.Now()), id)
			if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		for id, email := range map[int64]string{member: "me@example.com", 704: "me+2@example.com"} {
			if _, err := store.Writer.ExecContext(t.Context(), fmt.Sprintf(`UPDATE member SET email = '%s' WHERE id = %d`, email, id)); err != nil {
				t.Fatal(err)
			}
		}
		referrals := func() loyalty.ReferralView {
			return merchanttest.Value[loyalty.ReferralView](t, d.Call(t, "GET", "/wps/relay/MCSFE_getReferralDetails", nil, "Authorization", "player"))
		}
		d.play(t, 705, d.Clock.Now(), 499, 0)
		d.runJob(t)
		want(t, "rewards for too few stakes", referrals().Total.Rewarded, int64(0))
		for _, id := range []int64{704, 705, 706} {
			d.play(t, id, d.Clock.Now(), 500, 0)
		}
		d.runJob(t)
		d.runJob(t)
		v := referrals()
		want(t, "registered", v.Total.Registered, int64(3))
		want(t, "rewards, without the inviter's other account and those above the monthly limit", v.Total.Rewarded, int64(1))
		want(t, "waiting", v.Month.Waiting, "50")
		want(t, "has a code", v.Code != "", true)
		id, err := d.Server.Members.AffiliateID(t.Context(), d.ID, v.Code)
		if err != nil || id != member {
			t.Errorf("member of the code: got %d, %v, want %d", id, err, member)
		}
	})
}

// TestOS10PartRandomDays compares check-ins on random days with a simple model.
func TestOS10PartRandomDays(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t), checkInRule)
	random := rand.New(rand.NewPCG(1, 2))
	balance, streak, last := money.Minor(1_000), 0, -2
	for day := 0; day < 60; {
		step := random.IntN(3)
		d.Clock.Add(time.Duration(step) * 24 * time.Hour)
		day += step
		wantCode := ""
		switch day {
		case last:
			wantCode = "checkin.done"
		case last + 1:
			streak++
		default:
			streak = 1
		}
		if day != last {
			balance += checkInRule.CheckIn.Amounts[(streak-1)%loyalty.Week]
		}
		last = day
		got := ""
		if _, err := d.Server.Loyalty.DoCheckIn(t.Context(), loyalty.Member{ID: member, MerchantID: d.ID, Currency: "VND"}, ""); err != nil {
			got = err.Error()
		}
		want(t, fmt.Sprint("day ", day), got, wantCode)
	}
	want(t, "balance", d.Balance(t, d.cash.ID), balance)
	d.VerifyLedger(t)
}

func TestInvalidRulesAreRefused(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	want(t, "check-in without a rule", d.code(t, "GET", "/wps/checkIn", "player"), "loyalty.off")
	for name, r := range map[string]loyalty.Rule{
		"six days":         {Kind: loyalty.CheckIn, CheckIn: &loyalty.CheckInRule{Amounts: make([]money.Minor, 6)}},
		"negative amount":  {Kind: loyalty.CheckIn, CheckIn: &loyalty.CheckInRule{Amounts: []money.Minor{-1, 0, 0, 0, 0, 0, 0}}},
		"rate of 11 %":     {Kind: loyalty.CashBack, CashBack: &loyalty.CashBackRule{Every: "day", Rates: map[string]int64{spec.Slots: 1_100}}},
		"unknown category": {Kind: loyalty.CashBack, CashBack: &loyalty.CashBackRule{Every: "day", Rates: map[string]int64{"ALL": 1}}},
		"falling levels":   {Kind: loyalty.VIP, VIP: &loyalty.VIPRule{Levels: []loyalty.Level{{Turnover: 2}, {Turnover: 1}}}},
		"unconditional":    {Kind: loyalty.Referral, Enabled: true, Referral: &loyalty.ReferralRule{Reward: 1, Days: 1}},
	} {
		r.MerchantID, r.Currency = d.ID, "VND"
		err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			_, _, err := d.Server.Loyalty.SaveIn(context.WithoutCancel(t.Context()), tx, r)
			return err
		})
		if err == nil {
			t.Errorf("%s: got no error, want loyalty.malformed", name)
		}
	}
}
