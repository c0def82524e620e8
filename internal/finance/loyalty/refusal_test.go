package loyalty_test

import (
	"net/http"
	"testing"
	"time"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// addCard stores a bank card of a member. Members with the same digest have the same card.
func (d *fixture) addCard(t *testing.T, who int64, digest string) {
	t.Helper()
	d.Exec(t, "INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at) VALUES ($1, $2, $1, 'VCB', $3, '2418', $4, TRUE, 1)",
		who, d.ID, []byte{}, []byte(digest))
}

// Two accounts of a person are paid for one check-in a day together.
func TestOS10PartOneCheckInPerPerson(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, checkInRule)
		strangers := d.Fund(t, other, "VND", 0)
		want(t, "the second account before it shares a card", d.code(t, "POST", "/wps/checkIn", "stranger"), "")
		d.Clock.Add(24 * time.Hour)
		d.addCard(t, member, "card")
		d.addCard(t, other, "card")
		want(t, "the first account", d.code(t, "POST", "/wps/checkIn", "player"), "")
		for range 2 {
			r := d.Call(t, "POST", "/wps/checkIn", nil, "Authorization", "stranger")
			want(t, "status of the second account", r.Status, http.StatusUnprocessableEntity)
			want(t, "code of the second account", codeOf(t, r), "checkin.person")
		}
		want(t, "the first account again", d.code(t, "POST", "/wps/checkIn", "player"), "checkin.done")
		want(t, "balance of the first account", d.Balance(t, d.cash.ID), money.Minor(1_010))
		want(t, "balance of the second account", d.Balance(t, strangers.ID), money.Minor(10))
		d.Clock.Add(24 * time.Hour)
		want(t, "the second account on the next day", d.code(t, "POST", "/wps/checkIn", "stranger"), "")
		want(t, "the first account after it", d.code(t, "POST", "/wps/checkIn", "player"), "checkin.person")
		want(t, "balance of the first account on the next day", d.Balance(t, d.cash.ID), money.Minor(1_010))
		want(t, "balance of the second account on the next day", d.Balance(t, strangers.ID), money.Minor(20))
		d.VerifyLedger(t)
	})
}

// A member on a break, or whose account is held, sees the check-in and cannot check in.
func TestOS10PP07PartNoCheckInDuringABreak(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store, checkInRule)
		strangers := d.Fund(t, other, "VND", 0)
		d.addCard(t, member, "card")
		if err := d.Server.Limits.BeginBreak(t.Context(), member, "24h"); err != nil {
			t.Fatal(err)
		}
		if err := d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
			return d.Server.Limits.ReviewCardIn(t.Context(), tx, d.ID, other, []byte("card"))
		}); err != nil {
			t.Fatal(err)
		}
		for who, code := range map[string]string{"player": "limits.excluded", "stranger": "limits.held"} {
			r := d.Call(t, "POST", "/wps/checkIn", nil, "Authorization", who)
			want(t, "status of "+who, r.Status, http.StatusUnprocessableEntity)
			want(t, "code of "+who, codeOf(t, r), code)
			want(t, "what "+who+" sees", d.code(t, "GET", "/wps/checkIn", who), "")
		}
		want(t, "check-ins", d.Count(t, "check_in"), 0)
		if err := d.Server.Limits.Release(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		want(t, "after the release", d.code(t, "POST", "/wps/checkIn", "stranger"), "")
		d.Exec(t, "UPDATE limit_guard SET break_until = break_since WHERE member_id = $1", member)
		want(t, "after the break", d.code(t, "POST", "/wps/checkIn", "player"), "")
		want(t, "balance after the release", d.Balance(t, strangers.ID), money.Minor(10))
		want(t, "balance after the break", d.Balance(t, d.cash.ID), money.Minor(1_010))
		d.VerifyLedger(t)
	})
}
