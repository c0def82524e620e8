package promo_test

import (
	"net/http"
	"testing"

	"fairground/internal/finance/promo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// Accounts that share what identifies a person get one reward together. A shared network is not enough.
func TestOneRewardPerPersonByEachTrait(t *testing.T) {
	t.Parallel()
	session := func(t *testing.T, d *fixture, id int64, device, address string) {
		t.Helper()
		d.Exec(t, "INSERT INTO session (id, member_id, token_hash, device, address, created_at, seen_at, expires_at) VALUES ($1, $1, $2, $3, $4, 1, 1, 1)", id, []byte{byte(id)}, device, address)
	}
	for trait, c := range map[string]struct {
		share func(t *testing.T, d *fixture, id int64)
		same  bool
	}{
		"number": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			number := "+84900000001" // two accounts cannot both have a verified number
			if id == member {
				d.Exec(t, "UPDATE member SET mobile = $1 WHERE id = $2", number, id)
				return
			}
			d.Exec(t, "INSERT INTO member_detail (member_id, name, value) VALUES ($1, 'mobileNum', $2)", id, number)
		}, true},
		"card": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			d.Exec(t, "INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at) VALUES ($1, $2, $1, 'VCB', $3, '2418', $4, TRUE, 1)",
				id, d.ID, []byte{}, []byte("card"))
		}, true},
		"removed card": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			d.Exec(t, "INSERT INTO bank_card (id, merchant_id, member_id, bank, sealed, last_four, digest, is_default, created_at, removed_at) VALUES ($1, $2, $1, 'VCB', $3, '2418', $4, FALSE, 1, 2)",
				id, d.ID, []byte{}, []byte("card"))
		}, true},
		"document": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			d.Exec(t, "INSERT INTO kyc (id, merchant_id, member_id, state, details, number_mac, images, created_at) VALUES ($1, $2, $1, 'WAITING', $3, $4, '', 1)", id, d.ID, []byte{}, []byte("document"))
		}, true},
		"device": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			session(t, d, id, "device-1", "")
		}, true},
		"network": {func(t *testing.T, d *fixture, id int64) {
			t.Helper()
			session(t, d, id, "", "192.0.2.7")
		}, false},
	} {
		t.Run(trait, func(t *testing.T) {
			t.Parallel()
			dbtest.Each(t, func(t *testing.T, store *db.Store) {
				d := newFixture(t, store)
				d.promotion(t, promo.Promotion{Code: "hello", Kind: promo.PromoCode, PromoCode: "HELLO5", Amount: 5_000})
				c.share(t, d, member)
				c.share(t, d, other)
				redeem := func(who string) (status int, code string) {
					r := d.Call(t, "POST", "/wps/promotion/code", `{"code":"HELLO5"}`, "Authorization", who)
					return r.Status, d.code(t, r)
				}
				status, _ := redeem("player")
				want(t, "status of the first account", status, http.StatusOK)
				status, code := redeem("stranger")
				if c.same {
					want(t, "fault of the second account", code, "promotion.person")
				} else {
					want(t, "status of the second account", status, http.StatusOK)
				}
			})
		})
	}
}
