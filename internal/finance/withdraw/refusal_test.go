package withdraw_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// outcome returns the status of a reply, and the code, the field and the arguments of a refusal.
func outcome(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct {
		ErrorCode, Field string
		Args             map[string]string
	}
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	words := []string{fmt.Sprint(r.Status), reply.ErrorCode, reply.Field}
	for _, name := range slices.Sorted(maps.Keys(reply.Args)) {
		words = append(words, name+"="+reply.Args[name])
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

// try requests a withdrawal and returns its outcome.
func (d *fixture) try(t *testing.T, amount string, headers ...string) string {
	t.Helper()
	d.Refill()
	return outcome(t, d.request(t, amount, headers...))
}

func (d *fixture) terms(t *testing.T) withdraw.WithdrawTerms {
	t.Helper()
	return merchanttest.Value[withdraw.WithdrawTerms](t, d.Call(t, "GET", "/wps/transaction/withdraw/terms", nil, "Authorization", "player"))
}

// Amounts that are not written as the API writes them are refused, and hold nothing.
func TestOS21CA30PartAmountsOfWithdrawals(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	for refusal, amounts := range map[string]map[string]string{
		"400 withdraw.amount amount max=" + currency(t).Format(ledger.MaxAmount) + " min=1": servertest.WrongNumbers,
		"400 request_param_err amount": servertest.NotNumbers, "400 request_param_err": servertest.NotJSON,
	} {
		for what, amount := range amounts {
			want(t, what+": "+amount, d.try(t, amount), refusal)
		}
	}
	want(t, "withdrawals", d.Count(t, "withdrawal"), 0)
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(1_000_000))
	d.VerifyLedger(t)
}

func currency(t *testing.T) money.Currency {
	t.Helper()
	c, err := money.Find("VND")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// An amount must be within the limits, above the fee, and at most the balance. The refusal names the limits.
func TestPP09OS21PartLimitsOfWithdrawals(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.WithdrawMin, "20000")
	d.Set(t, merchant.WithdrawMax, "300000")
	d.Set(t, merchant.WithdrawPerDay, "100")
	const outside = "400 withdraw.amount amount max=300000 min=20000"
	for _, c := range []struct{ what, amount, want string }{
		{"below the minimum", "19999", outside},
		{"the minimum", "20000", "200"},
		{"above the maximum", "300001", outside},
		{"the maximum", "300000", "200"},
		{"above the balance and the maximum", "2000000", outside},
		{"the most that is left", "300000", "200"},
		{"again", "300000", "200"},
		{"above the balance of 80,000", "80001", "422 withdraw.balance amount"},
		{"the balance", "80000", "200"},
		{"nothing is left", "20000", "422 withdraw.balance amount"},
	} {
		want(t, c.what, d.try(t, c.amount), c.want)
	}
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(0))
	d.VerifyLedger(t)
}

func TestPP09OS21PartFeesOfWithdrawals(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	d.Set(t, merchant.WithdrawFee, "30000")
	most := currency(t).Format(ledger.MaxAmount)
	want(t, "the fee alone", d.try(t, "30000"), "400 withdraw.amount amount max="+most+" min=1")
	v := merchanttest.Value[withdraw.Withdrawal](t, d.request(t, "30001"))
	want(t, "amount, fee and paid amount", fmt.Sprintf("%s %s %s", v.Amount, v.Fee, v.Paid), "30001 30000 1")
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(969_999))
	d.VerifyLedger(t)
}

// A member can withdraw so often on a day in the time zone of the currency. A refused or failed withdrawal does not count.
func TestPP09OS21PartWithdrawalsPerDay(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan := d.Operator(t, "lan", "finance")
		d.Set(t, merchant.WithdrawPerDay, "2")
		left := func(what string, count int) {
			t.Helper()
			terms := d.terms(t)
			want(t, what+": withdrawals left", terms.Left, count)
			want(t, what+": open", terms.Open, count > 0)
		}
		left("before the first", 2)
		first := merchanttest.Value[withdraw.Withdrawal](t, d.request(t, "10000"))
		left("after the first", 1)
		want(t, "the second", d.try(t, "10000", "Idempotency-Key", "second"), "200")
		left("after the second", 0)
		want(t, "the third", d.try(t, "10000"), "422 withdraw.per_day")
		want(t, "the second again", d.try(t, "10000", "Idempotency-Key", "second"), "200")
		want(t, "balance after two", d.Balance(t, d.cash.ID), money.Minor(980_000))
		want(t, "an operator refuses the first", outcome(t, lan(http.MethodPost, opsPath+first.ID+"/refuse", map[string]any{"version": 1, "reason": "no"})), "200")
		left("after a refusal", 1)
		want(t, "instead of the refused one", d.try(t, "10000"), "200")

		midnight := time.Date(2026, 3, 14, 17, 0, 0, 0, time.UTC) // in Vietnam
		d.Clock.Add(midnight.Add(-time.Millisecond).Sub(d.Clock.Now()))
		want(t, "just before midnight", d.try(t, "10000"), "422 withdraw.per_day")
		d.Clock.Add(time.Millisecond)
		left("at midnight", 2)
		for range 2 {
			want(t, "on the next day", d.try(t, "10000"), "200")
		}
		want(t, "the third on the next day", d.try(t, "10000"), "422 withdraw.per_day")
		d.Clock.Add(24 * time.Hour)
		d.Set(t, merchant.WithdrawPerDay, "0")
		left("with 0 a day", 0)
		want(t, "with 0 a day", d.try(t, "10000"), "422 withdraw.per_day")
		want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(960_000))
		d.VerifyLedger(t)
	})
}
