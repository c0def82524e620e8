package withdraw_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"fairground/internal/finance/withdraw"
	"fairground/internal/ledger"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// convertBonus credits cash that was a bonus.
func (d *fixture) convertBonus(t *testing.T, amount money.Minor) {
	t.Helper()
	books := d.Server.Ledger
	err := books.Write(t.Context(), func(tx *db.Tx) error {
		bonus, err := books.EnsureBonusIn(t.Context(), tx, d.ID, member, "VND")
		if err != nil {
			return err
		}
		house, err := books.HouseIn(t.Context(), tx, d.ID, ledger.Promotions, "VND")
		if err != nil {
			return err
		}
		for _, move := range []ledger.Transfer{
			{Key: "test/bonus", Debit: house.ID, Credit: bonus.ID, Kind: "reward"},
			{Key: "test/paid", Debit: bonus.ID, Credit: d.cash.ID, Kind: "bonus.paid"},
		} {
			move.Amount, move.RefType, move.RefID = amount, "reward", "1"
			if _, err := books.PostIn(t.Context(), tx, move); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestRiskSignals(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		d.Set(t, merchant.WithdrawPerDay, "100")
		d.Set(t, merchant.WithdrawTurnover, "0")
		lan := d.Operator(t, "lan", "finance")
		read := func(id string) map[string]string {
			type detail struct {
				Signals []struct {
					Code, Value string
					Alert       bool
				}
			}
			out := map[string]string{}
			for _, s := range merchanttest.Value[detail](t, lan(http.MethodGet, opsPath+id, nil)).Signals {
				out[s.Code] = fmt.Sprint(s.Value, " ", s.Alert)
			}
			return out
		}
		check := func(what, id string, wanted map[string]string) {
			t.Helper()
			got := read(id)
			for code, value := range wanted {
				want(t, what+": "+code, got[code], value)
			}
		}
		first := d.newApproved(t, "100000")
		check("a usual member", first.ID, map[string]string{
			"identity": "VERIFIED false", "first_payout": "0 true", "name_differs": " false", "velocity": "1 false", "bonus_share": "0 false", "shared_device": " false",
			"shared_card": "0 false", "password_reset": "0 false", "turnover": " false",
		})
		d.callDue(t)
		want(t, "paid", d.notice(t, first.Reference, "P1", "paid", "100000", d.key.Key), "OK")
		d.payDeposit(t) // 200,000
		d.convertBonus(t, 300_000)
		d.newWithdrawal(t, "10000")
		last := d.newWithdrawal(t, "10000")
		d.Exec(t, "UPDATE member SET payee_name = 'Nguyễn Văn Án' WHERE id = $1", member)
		check("accents in a name", last.ID, map[string]string{"name_differs": " false"})
		d.Exec(t, "UPDATE member SET payee_name = 'Other Name' WHERE id = $1", member)
		wantReply(t, "card of the other member", d.Call(t, "POST", "/wps/member/bankCard", `{"bank":"VCB","number":"0011001932418","paymentPassword":"123456"}`, "Authorization", "stranger"), 200, "2418")
		for i, who := range []int64{member, other} {
			d.Exec(t, "INSERT INTO session (id, member_id, token_hash, device, created_at, seen_at, expires_at) VALUES ($1, $2, $3, 'phone', 0, 0, 0)", i+1, who, []byte{byte(i)})
		}
		if r := d.Operator(t, "sam", "support")(http.MethodPost, fmt.Sprintf("/ops/v1/members/%d/reset-payment-password", member), map[string]any{"version": 1}); r.Status != 200 {
			t.Fatalf("reset the payment password: got %d %s, want 200", r.Status, r.Body)
		}
		check("a password that was reset", last.ID, map[string]string{"password_reset": "1 true"})
		d.Exec(t, "UPDATE withdrawal SET created_at = created_at + $1 WHERE id = $2", (73 * time.Hour).Milliseconds(), last.ID)
		check("a password that was reset long ago", last.ID, map[string]string{"password_reset": "0 false"})
		d.Exec(t, "UPDATE withdrawal SET created_at = created_at - $1 WHERE id = $2", (73 * time.Hour).Milliseconds(), last.ID)
		delete(d.identities, member)
		check("an unusual member", last.ID, map[string]string{
			"identity": "NONE true", "first_payout": "1 false", "name_differs": "Other Name true", "velocity": "3 true", "bonus_share": "59 true", "shared_device": "stranger true",
			"shared_card": "1 true",
		})
	})
}

// A member on a break can withdraw without the turnover. The operators see what was missing, also at the next withdrawal.
func TestSignalOfTurnoverThatABreakWaived(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan := d.Operator(t, "lan", "finance")
		signal := func(id string) (text string) {
			type detail struct {
				Signals []struct {
					Code, Value string
					Alert       bool
				}
			}
			for _, s := range merchanttest.Value[detail](t, lan(http.MethodGet, opsPath+id, nil)).Signals {
				if s.Code == "turnover" {
					text = fmt.Sprint(s.Value, " ", s.Alert)
				}
			}
			return text
		}
		want(t, "before the deposit", signal(d.newWithdrawal(t, "10000").ID), " false")
		d.Clock.Add(time.Minute)
		d.payDeposit(t) // 200,000
		d.Clock.Add(time.Minute)
		d.Exec(t, `INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
			VALUES (9001, 1, $1, '9001', 1, $2, $2, 150000, 0, 0, 1, 0, 1)`, member, d.Clock.Now().UnixMilli())
		wantReply(t, "before the break", d.request(t, "50000"), 422, "withdraw.turnover")
		wantReply(t, "break", d.Call(t, "POST", "/wps/member/limits/break", `{"period":"24h"}`, "Authorization", "player"), 200, "")
		for _, when := range []string{"on the break", "on the break again"} {
			d.Clock.Add(time.Minute)
			want(t, when, signal(d.newWithdrawal(t, "50000").ID), "150000 / 200000 true")
		}
	})
}

func TestTurnoverOfEachDeposit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		stake := func(id, staked int64) {
			d.Exec(t, `INSERT INTO vendor_round (first_id, vendor_id, member_id, round, game_id, started, settled, staked, refunded, won, standing, wins, ends)
				VALUES ($1, 1, $2, $3, 1, $4, $4, $5, 0, 0, 1, 0, 1)`, id, member, fmt.Sprint(id), d.Clock.Now().UnixMilli(), staked)
		}
		terms := func() withdraw.WithdrawTerms {
			return merchanttest.Value[withdraw.WithdrawTerms](t, d.Call(t, "GET", "/wps/transaction/withdraw/terms", nil, "Authorization", "player"))
		}
		d.payDeposit(t)
		d.Clock.Add(time.Minute)
		stake(9001, 500_000)
		d.Clock.Add(time.Minute)
		d.payDeposit(t)
		want(t, "required after stakes before the deposit", string(terms().Turnover.Required), "200000")
		want(t, "done after stakes before the deposit", string(terms().Turnover.Done), "0")
		wantReply(t, "stakes before the deposit", d.request(t, "50000"), 422, "withdraw.turnover")
		d.Clock.Add(time.Minute)
		stake(9002, 150_000)
		d.Clock.Add(time.Minute)
		d.payDeposit(t)
		want(t, "required with the rest of the second deposit", string(terms().Turnover.Required), "250000")
		stake(9003, 249_999)
		wantReply(t, "one stake unit too little", d.request(t, "50000"), 422, "withdraw.turnover")
		stake(9004, 1)
		wantReply(t, "enough stakes", d.request(t, "50000"), 200, "REQUESTED")
		d.VerifyLedger(t)
	})
}

// The gateway said paid with another amount, and then failed: the money may have left, so it stays held.
func TestStateAfterPaidNotice(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	withdrawal := d.newApproved(t, "100000")
	d.callDue(t)
	want(t, "other amount", d.notice(t, withdrawal.Reference, "P1", "paid", "200000", d.key.Key), "AMOUNT_MISMATCH")
	d.mu.Lock()
	d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintf(w, `{"reference":%q,"gatewayId":"P1","status":"failed","amount":"100000","currency":"VND"}`, withdrawal.Reference)
	}
	d.mu.Unlock()
	d.Clock.Add(6 * time.Minute)
	d.callDue(t)
	want(t, "status", d.find(t, withdrawal.ID).Status, "SENT")
	want(t, "tasks", d.openTasks(t, "withdrawal.conflict", withdrawal.Reference), 1)
	want(t, "balance", d.Balance(t, d.cash.ID), money.Minor(900_000))
}

func TestNoticesOfADisabledGatewayDecideNothing(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	for _, status := range []string{"paid", "failed"} {
		withdrawal := d.newApproved(t, "100000")
		d.callDue(t)
		d.Exec(t, "UPDATE gateway SET enabled = FALSE")
		want(t, status, d.notice(t, withdrawal.Reference, "P1", status, "100000", d.key.Key), "CONFLICT")
		want(t, "status after "+status, d.find(t, withdrawal.ID).Status, "SENT")
		want(t, "tasks after "+status, d.openTasks(t, "withdrawal.conflict", withdrawal.Reference), 1)
		d.Exec(t, "UPDATE gateway SET enabled = TRUE")
	}
}

func TestDaysBeginAtMidnightOfTheCurrency(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 17, 30, 0, 0, time.UTC) // 00:30 in Vietnam, 01:30 in China
	for currency, start := range map[string]time.Time{
		"VND": now.Add(-30 * time.Minute), "CNY": now.Add(-90 * time.Minute), "PKR": now.Add(-22*time.Hour - 30*time.Minute), "BRL": now.Add(-14*time.Hour - 30*time.Minute),
	} {
		want(t, currency, withdraw.DayStart(now, currency), start.UnixMilli())
	}
}
