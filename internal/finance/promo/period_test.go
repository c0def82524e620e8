package promo_test

import (
	"fmt"
	"testing"
	"time"

	"fairground/internal/finance/promo"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// addRound stores a settled round of now.
func (d *fixture) addRound(t *testing.T, id, who, staked, won int64) {
	t.Helper()
	d.Exec(t, `INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
		VALUES ($1, 1, $2, $3, 1, $4, $4, $5, 0, $6, 1, 1, 1)`, id, who, fmt.Sprint("r", id), db.Millis(d.Clock.Now()), staked, won)
}

func (d *fixture) change(t *testing.T, p promo.Promotion) promo.Promotion {
	t.Helper()
	err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) (err error) {
		_, p, err = d.Server.Promotions.ChangeIn(t.Context(), tx, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// amounts returns the amounts of the member's rewards, oldest first.
func (d *fixture) amounts(t *testing.T, who string) (list []string) {
	t.Helper()
	for _, r := range d.rewards(t, who).List {
		list = append([]string{string(r.Amount)}, list...)
	}
	return list
}

// wednesday is 12:00 in Vietnam on a Wednesday.
var wednesday = time.Date(2040, 5, 16, 5, 0, 0, 0, time.UTC)

// A daily rebate becomes weekly in the middle of a week: the losses of the days before are rebated once.
func TestLossesAreRebatedOnceAfterAChangeOfThePeriod(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	p := d.promotion(t, promo.Promotion{Code: "rebate", Kind: promo.LossRebate, Rate: 1_000, Least: 100, Most: 50_000, Every: "day"})
	d.Clock.Add(time.Minute)
	d.addRound(t, 1, member, 3_000, 0)
	d.Clock.Add(24 * time.Hour) // Thursday
	d.evaluate(t)
	want(t, "rewards after a day", fmt.Sprint(d.amounts(t, "player")), "[300]")
	p.Every = "week"
	d.change(t, p)
	d.addRound(t, 2, member, 5_000, 0)
	d.evaluate(t)
	d.Clock.Add(7 * 24 * time.Hour)
	d.evaluate(t)
	want(t, "rewards after the week", fmt.Sprint(d.amounts(t, "player")), "[300 500]")
}

// A promotion grants nothing for the time when it was hidden.
func TestHiddenPromotionGrantsNothing(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	p := d.promotion(t, promo.Promotion{Code: "first", Kind: promo.FirstDeposit, Rate: 5_000, Most: 4_000})
	p.Published = false
	p = d.change(t, p)
	d.Clock.Add(time.Hour)
	d.deposit(t, member, 10_000)
	d.Clock.Add(time.Hour)
	p.Published = true
	d.change(t, p)
	d.evaluate(t)
	want(t, "rewards for a deposit while it was hidden", fmt.Sprint(d.amounts(t, "player")), "[]")
	d.deposit(t, other, 10_000)
	d.Clock.Add(time.Minute)
	d.evaluate(t)
	want(t, "rewards for a deposit after it was published", fmt.Sprint(d.amounts(t, "stranger")), "[4000]")
}

func (d *fixture) claimBonus(t *testing.T, code, who string) promo.RewardView {
	t.Helper()
	v := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"`+code+`"}`, "Authorization", who))
	return merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/reward/"+v.ID+"/claim", nil, "Authorization", who))
}

// A bonus whose stakes are met becomes cash, even for a member who no longer wants it.
func TestGivingUpAMetBonusPaysIt(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.promotion(t, promo.Promotion{Code: "bonus", Kind: promo.PromoCode, PromoCode: "BONUS", Payout: promo.Bonus, Amount: 5_000, Wagering: 2})
		before := d.Balance(t, d.cash.ID)
		met, open := d.claimBonus(t, "BONUS", "player"), d.claimBonus(t, "BONUS", "stranger")
		d.Clock.Add(time.Second)
		d.addRound(t, 1, member, 10_000, 0)
		d.addRound(t, 2, other, 9_999, 0)
		giveUp := func(id, who string) string {
			return merchanttest.Value[promo.RewardView](t, d.Call(t, "DELETE", "/wps/reward/"+id, nil, "Authorization", who)).Status
		}
		want(t, "a bonus with enough stakes", giveUp(met.ID, "player"), promo.Completed)
		want(t, "paid", d.Balance(t, d.cash.ID)-before, money.Minor(5_000))
		want(t, "a bonus with too few stakes", giveUp(open.ID, "stranger"), promo.GivenUp)
		d.VerifyLedger(t)
	})
}

// One reward that cannot be settled does not stop the others.
func TestBadRewardDoesNotStopTheJob(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	for _, code := range []string{"BAD", "GOOD"} {
		d.promotion(t, promo.Promotion{Code: "bonus-" + map[string]string{"BAD": "bad", "GOOD": "good"}[code], Kind: promo.PromoCode, PromoCode: code, Payout: promo.Bonus, Amount: 5_000, Wagering: 1, Days: 5})
	}
	bad, good := d.claimBonus(t, "BAD", "player"), d.claimBonus(t, "GOOD", "stranger")
	d.Exec(t, "UPDATE promotion SET texts = 'damaged' WHERE code = 'bonus-bad'")
	d.Clock.Add(time.Second)
	d.addRound(t, 1, member, 5_000, 0)
	d.addRound(t, 2, other, 5_000, 0)
	status := func(v promo.RewardView) string {
		row, err := d.Server.Store.Q().RewardByID(t.Context(), d.number(t, v.ID))
		if err != nil {
			t.Fatal(err)
		}
		return row.Status
	}
	if err := d.Server.Promotions.Settle(t.Context()); err == nil {
		t.Error("settle: got no error, want the error of the damaged promotion")
	}
	want(t, "the bad reward", status(bad), promo.Wagering)
	want(t, "the good reward", status(good), promo.Completed)
}

func (*fixture) number(t *testing.T, id string) (n int64) {
	t.Helper()
	if _, err := fmt.Sscan(id, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A refused or granted application does not close the promotion for the next day.
func TestRT32PartDailyApplicationOpensAgain(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Clock.Add(wednesday.Sub(d.Clock.Now()))
	p := d.promotion(t, promo.Promotion{Code: "daily", Kind: promo.Application, Amount: 500, Every: "day"})
	state := func() string {
		t.Helper()
		type promotion struct{ State string }
		return merchanttest.Value[struct{ List []promotion }](t, d.Call(t, "GET", "/wps/promotion", nil, "Authorization", "player")).List[0].State
	}
	apply := func() promo.RewardView {
		t.Helper()
		body, contentType := form(t, "my story")
		return ok[promo.RewardView](t, "apply", d.Call(t, "POST", fmt.Sprintf("/wps/promotion/%d/apply", p.ID), body, "Authorization", "player", "Content-Type", contentType))
	}
	decide := func(v promo.RewardView, approve bool) {
		t.Helper()
		err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			return d.Server.Promotions.DecideIn(t.Context(), tx, promo.Decision{MerchantID: d.ID, ID: d.number(t, v.ID), Version: 1, Approve: approve, Reason: "no"})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	want(t, "state before the application", state(), "open")
	first := apply()
	want(t, "state after the application", state(), "applied")
	decide(first, false)
	want(t, "state after the refusal", state(), "refused")
	d.Clock.Add(24 * time.Hour)
	want(t, "state on the next day", state(), "open")
	decide(apply(), true)
	want(t, "state after the approval", state(), "granted")
	d.Clock.Add(24 * time.Hour)
	want(t, "state on the third day", state(), "open")
}

// The list has at most 200 rewards. Open ones are always among them.
func TestOpenRewardsStayInTheList(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.promotion(t, promo.Promotion{Code: "bonus", Kind: promo.PromoCode, PromoCode: "BONUS", Payout: promo.Bonus, Amount: 5_000, Wagering: 2, Days: 30})
	p := d.promotion(t, promo.Promotion{Code: "gift", Kind: promo.PromoCode, PromoCode: "GIFT", Amount: 300, ClaimDays: 30})
	wagering := d.claimBonus(t, "BONUS", "player")
	unclaimed := merchanttest.Value[promo.RewardView](t, d.Call(t, "POST", "/wps/promotion/code", `{"code":"GIFT"}`, "Authorization", "player"))
	at := db.Millis(d.Clock.Now())
	for i := range int64(201) {
		d.Exec(t, `INSERT INTO reward (id, merchant_id, member_id, promotion_id, period, status, payout, currency, amount, required, days, created_at, expires_at, ended_at)
			VALUES ($1, $2, $3, $4, $5, 'EXPIRED', 'cash', 'VND', 1, 0, 1, $6, $6, $6)`, d.IDs(), d.ID, member, p.ID, fmt.Sprint("day ", i), at+i)
	}
	d.Clock.Add(time.Minute)
	got := d.rewards(t, "player")
	want(t, "rewards in the list", len(got.List), 200)
	want(t, "unclaimed", got.Unclaimed, int64(1))
	want(t, "the newest", got.List[0].Status, promo.Expired)
	want(t, "the open ones", fmt.Sprint(got.List[198].ID, got.List[199].ID), fmt.Sprint(unclaimed.ID, wagering.ID))
}
