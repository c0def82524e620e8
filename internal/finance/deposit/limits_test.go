package deposit_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// used returns the use of the member's daily deposit limit.
func (d *fixture) used(t *testing.T) string {
	t.Helper()
	type limit struct {
		Kind, Period string
		Used         amountText
	}
	for _, l := range merchanttest.Value[struct{ Limits []limit }](t, d.Call(t, "GET", "/wps/member/limits", nil, "Authorization", "payer")).Limits {
		if l.Kind == "deposit" && l.Period == "day" {
			return string(l.Used)
		}
	}
	t.Fatal("no daily deposit limit")
	return ""
}

// An amountText is an amount as the API sends it.
type amountText string

func (a *amountText) UnmarshalJSON(text []byte) error { *a = amountText(text); return nil }

func (d *fixture) setLimit(t *testing.T, amount string) {
	t.Helper()
	r := d.Call(t, "PUT", "/wps/member/limits", `{"kind":"deposit","period":"day","amount":`+amount+`}`, "Authorization", "payer")
	want(t, "set the limit", fmt.Sprint(r.Status), "200")
}

func (d *fixture) transfer(t *testing.T, amount string) deposit.View {
	t.Helper()
	r := d.create(t, "mt", "BANK-mt", amount)
	want(t, "deposit of "+amount, fmt.Sprint(r.Status), "200")
	return merchanttest.Value[deposit.View](t, r)
}

func (d *fixture) wantRefused(t *testing.T, what, amount, code string) {
	t.Helper()
	if r := d.create(t, "mt", "BANK-mt", amount); r.Status/100 != 4 || !strings.Contains(string(r.Body), `"`+code+`"`) {
		t.Errorf("%s: got %d %s, want %s", what, r.Status, r.Body, code)
	}
}

func (d *fixture) id(t *testing.T, v deposit.View) (id int64) {
	t.Helper()
	if _, err := fmt.Sscan(v.ID, &id); err != nil {
		t.Fatal(err)
	}
	return id
}

func (d *fixture) confirm(t *testing.T, v deposit.View) {
	t.Helper()
	err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		_, _, err := d.Server.Deposits.ConfirmIn(t.Context(), tx, d.ID, d.id(t, v), 0, 0)
		return err
	})
	if err != nil {
		t.Errorf("confirm: %v", err)
	}
}

// A deposit counts against the limit when it is created. A cancelled, refused or expired one no longer counts.
func TestPP05PartDepositsReserveTheirAmount(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.setLimit(t, "100000")
		first := d.transfer(t, "60000")
		want(t, "used after the first", d.used(t), "60000")
		d.wantRefused(t, "above the limit together", "40001", "limits.reached")
		second := d.transfer(t, "40000")
		want(t, "cancel", fmt.Sprint(d.Call(t, "DELETE", "/wps/transaction/deposit/"+first.ID, nil, "Authorization", "payer").Status), "200")
		want(t, "used after the cancellation", d.used(t), "40000")
		err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			_, _, err := d.Server.Deposits.RefuseIn(t.Context(), tx, d.ID, d.id(t, second), 0, "no money")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "used after the refusal", d.used(t), "0")
		third := d.transfer(t, "100000")
		d.wantRefused(t, "above the limit", "10000", "limits.reached")
		d.Clock.Add(31 * time.Minute)
		if err := d.Server.Deposits.Expire(t.Context()); err != nil {
			t.Fatal(err)
		}
		want(t, "status after the end", d.status(t, third.ID), "EXPIRED")
		want(t, "used after the end", d.used(t), "0")
		fourth := d.transfer(t, "100000")
		d.confirm(t, fourth)
		want(t, "used after the credit", d.used(t), "100000")
		want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "99000") // without the fee of 1 %
		d.confirm(t, third)                                              // its money arrived late, and money that has arrived is never refused
		want(t, "used after the late credit", d.used(t), "200000")
		want(t, "balance after the late credit", fmt.Sprint(d.Balance(t, d.cash.ID)), "198000")
		d.VerifyLedger(t)
	})
}

// During a break nothing can be deposited, but a deposit that was paid is credited.
func TestPP07PartDepositsDuringABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		bank, gatewayDeposit := d.transfer(t, "60000"), d.pay(t, "100000")
		want(t, "break", fmt.Sprint(d.Call(t, "POST", "/wps/member/limits/break", `{"period":"24h"}`, "Authorization", "payer").Status), "200")
		d.wantRefused(t, "a new deposit", "10000", "limits.break")
		d.confirm(t, bank)
		want(t, "paid", d.notice(t, gatewayDeposit.Reference, "P1", "paid", "100000", "VND"), "200 OK")
		want(t, "status of the transfer", d.status(t, bank.ID), "CREDITED")
		want(t, "status of the payment", d.status(t, gatewayDeposit.ID), "CREDITED")
		want(t, "balance", fmt.Sprint(d.Balance(t, d.cash.ID)), "159400")
		d.VerifyLedger(t)
	})
}
