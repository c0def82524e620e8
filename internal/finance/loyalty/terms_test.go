package loyalty_test

import (
	"fmt"
	"testing"
	"time"

	"fairground/internal/finance/loyalty"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant/merchanttest"
)

// invite adds members whom the player invites now.
func (d *fixture) invite(t *testing.T, friends ...int64) {
	t.Helper()
	for _, id := range friends {
		d.AddMember(t, id, fmt.Sprint("friend", id))
		d.Exec(t, "UPDATE member SET parent_id = $1, created_at = $2 WHERE id = $3", member, db.Millis(d.Clock.Now()), id)
	}
}

// deposit stores a deposit of a member.
func (d *fixture) deposit(t *testing.T, who, amount int64, status string) {
	t.Helper()
	const method = 991
	d.Exec(t, `INSERT INTO deposit_method (id, merchant_id, code, kind, scheme, name, currency, min_amount, max_amount, fee, fee_rate, opens_at, closes_at, minutes, accounts, sorting, enabled, created_at)
VALUES ($1, $2, 'BANK', 'mt', '', 'Bank', 'VND', 1, 1000000, 0, 0, '00:00', '00:00', 30, '[]', 1, TRUE, 1) ON CONFLICT DO NOTHING`, method, d.ID)
	id := d.IDs()
	d.Exec(t, `INSERT INTO deposit (id, merchant_id, member_id, method_id, kind, reference, status, currency, amount, fee, source_id, cash_id, reserve_id, created_at, expires_at)
VALUES ($1, $2, $3, $4, 'mt', $5, $6, 'VND', $7, 0, 0, 0, 0, 1, 1)`, id, d.ID, who, method, fmt.Sprint("D", id), status, amount)
}

func (d *fixture) rewarded(t *testing.T) int64 {
	t.Helper()
	d.runJob(t)
	return merchanttest.Value[loyalty.ReferralView](t, d.Call(t, "GET", "/wps/relay/MCSFE_getReferralDetails", nil, "Authorization", "player")).Total.Rewarded
}

// An invited member must deposit and stake as much as the rule requires, within its days. Only credited deposits count.
func TestReferralNeedsDeposits(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		rule := referralRule
		rule.Referral = &loyalty.ReferralRule{Reward: 50, Deposit: 5_000, Turnover: 500, Days: 30}
		d := newFixture(t, store, rule)
		d.Clock.Add(time.Minute)
		d.invite(t, 704, 705, 706)
		d.play(t, 704, d.Clock.Now(), 500, 0)
		want(t, "stakes without a deposit", d.rewarded(t), 0)
		for _, status := range []string{"WAITING", "CLAIMED", "REFUSED", "EXPIRED", "CANCELLED"} {
			d.deposit(t, 704, 9_000, status)
		}
		want(t, "deposits that are not credited", d.rewarded(t), 0)
		d.deposit(t, 704, 2_000, "CREDITED")
		d.deposit(t, 704, 2_999, "CREDITED")
		want(t, "one too few", d.rewarded(t), 0)
		d.deposit(t, 704, 1, "CREDITED")
		want(t, "deposits that add up", d.rewarded(t), 1)
		want(t, "once", d.rewarded(t), 1)

		d.deposit(t, 705, 5_000, "CREDITED")
		d.play(t, 705, d.Clock.Now(), 499, 0)
		want(t, "a deposit with too few stakes", d.rewarded(t), 1)
		d.play(t, 705, d.Clock.Now(), 1, 0)
		want(t, "a deposit with enough stakes", d.rewarded(t), 2)

		d.Clock.Add(30*24*time.Hour + time.Second)
		d.deposit(t, 706, 5_000, "CREDITED")
		d.play(t, 706, d.Clock.Now(), 500, 0)
		want(t, "after the days of the rule", d.rewarded(t), 2)
		d.VerifyLedger(t)
	})
}

// A rule may require only a deposit.
func TestReferralForADepositAlone(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t), loyalty.Rule{Kind: loyalty.Referral, Referral: &loyalty.ReferralRule{Reward: 50, Deposit: 1_000, Days: 30}})
	d.Clock.Add(time.Minute)
	d.invite(t, 704)
	want(t, "no deposit", d.rewarded(t), 0)
	d.deposit(t, 704, 999, "CREDITED")
	want(t, "one too few", d.rewarded(t), 0)
	d.deposit(t, 704, 1, "CREDITED")
	want(t, "enough", d.rewarded(t), 1)
}

// cashBack reads the player's cash back as LEVEL PERCENT AMOUNT RUNNING STATE.
func (d *fixture) cashBack(t *testing.T) string {
	t.Helper()
	v := merchanttest.Value[loyalty.CashBackView](t, d.Call(t, "GET", "/wps/rebate", nil, "Authorization", "player"))
	if len(v.List) != 1 {
		t.Fatalf("categories: got %+v, want slots", v.List)
	}
	return fmt.Sprint(v.Level, " ", v.List[0].Percent, "% ", v.Amount, " ", v.Running, " ", v.State)
}

// A VIP level adds its percentage to each rate. Level 1 needs stakes of 1,000, and level 2 of 5,000.
func TestOS14OS15PartLevelsRaiseCashBack(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		staked int64
		off    bool // the rule for levels
		shown  string
		paid   money.Minor
	}{
		"level 0":                {999, false, "0 1% 9 0 open", 9},
		"the stakes of level 1":  {1_000, false, "1 1.5% 15 0 open", 15},
		"below level 2":          {4_999, false, "1 1.5% 74 0 open", 74},
		"the stakes of level 2":  {5_000, false, "2 2% 100 0 open", 100},
		"levels are not enabled": {5_000, true, "0 1% 50 0 open", 50},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				d := newFixture(t, store, cashBackRule, vipRule)
				if c.off {
					d.Exec(t, "UPDATE loyalty_rule SET enabled = FALSE WHERE kind = 'vip'")
				}
				d.play(t, member, d.Clock.Now(), c.staked, 0)
				d.runJob(t)
				d.Clock.Add(24 * time.Hour)
				want(t, "cash back", d.cashBack(t), c.shown)
				before := d.Balance(t, d.cash.ID)
				want(t, "claim", d.code(t, "POST", "/wps/rebate/claim", "player"), "")
				want(t, "paid", d.Balance(t, d.cash.ID)-before, c.paid)
				d.VerifyLedger(t)
			})
		})
	}
}

// A category without a rate pays nothing, whatever the level adds.
func TestOS14OS15PartLevelsAddNothingToNoRate(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t), vipRule, loyalty.Rule{Kind: loyalty.CashBack, CashBack: &loyalty.CashBackRule{Every: "day", Rates: map[string]int64{spec.Fishing: 100}}})
	d.play(t, member, d.Clock.Now(), 5_000, 0)
	d.Clock.Add(24 * time.Hour)
	want(t, "cash back", d.cashBack(t), "2 2% 0 0 none")
	want(t, "claim", d.code(t, "POST", "/wps/rebate/claim", "player"), "rebate.nothing")
}

// The most of the rule caps each period, also with the extra of a level. The least refuses a smaller amount.
func TestOS15PartLeastAndMostOfCashBack(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, vipRule, loyalty.Rule{
			Kind: loyalty.CashBack, CashBack: &loyalty.CashBackRule{Every: "day", Rates: map[string]int64{spec.Slots: 100}, Least: 5, Most: 40},
		})
		balance := d.Balance(t, d.cash.ID)
		for _, c := range []struct {
			what   string
			staked int64
			shown  string
			paid   money.Minor
		}{
			{"below the least", 499, "0 1% 0 0 none", 0},
			{"the least", 500, "0 1% 5 0 open", 5}, // 999 in all: still level 0
			{"above the most by the extra of the level", 2_800, "1 1.5% 40 0 open", 40},
			{"above the most", 1_000_000, "2 2% 40 0 open", 40},
		} {
			d.play(t, member, d.Clock.Now(), c.staked, 0)
			d.Clock.Add(24 * time.Hour)
			want(t, c.what, d.cashBack(t), c.shown)
			code := ""
			if c.paid == 0 {
				code = "rebate.nothing"
			}
			want(t, c.what+": claim", d.code(t, "POST", "/wps/rebate/claim", "player"), code)
			balance += c.paid
			want(t, c.what+": balance", d.Balance(t, d.cash.ID), balance)
		}
		d.play(t, member, d.Clock.Now(), 1_000_000, 0)
		want(t, "the most of the current day", d.cashBack(t), "2 2% 40 40 claimed")
		d.VerifyLedger(t)
	})
}
