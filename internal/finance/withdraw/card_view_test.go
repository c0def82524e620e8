package withdraw_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

// cardNumber is the account number of the fixture's card.
const cardNumber = "0011001932418"

// An operator who pays a withdrawal manually sees the whole number of the card. It needs the permission to approve and a confirmed code.
// Each view is a row of the audit log, which does not contain the number.
func TestSE12CardNumberIsShownWithACodePart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		withdrawal := d.newWithdrawal(t, "100000")
		path := opsPath + withdrawal.ID + "/view"
		views := func() int { return d.Count(t, "audit WHERE action = 'withdrawal.view'") }

		for _, role := range []string{"risk", "support", "content", "games", "auditor"} {
			call := d.Operator(t, "of-"+role, role)
			r := call(http.MethodPost, path, nil)
			wantReply(t, role, r, 403, `"permission":"withdrawal.approve"`)
			if strings.Contains(string(r.Body), cardNumber) {
				t.Errorf("%s: got %s, which contains the number", role, r.Body)
			}
		}
		lan := d.Operator(t, "lan", "finance")
		detail := lan(http.MethodGet, opsPath+withdrawal.ID, nil)
		wantReply(t, "detail", detail, 200, `"lastFour":"2418"`)
		if strings.Contains(string(detail.Body), cardNumber) {
			t.Errorf("detail: got %s, which contains the whole number", detail.Body)
		}
		d.Clock.Add(5 * time.Minute)
		wantReply(t, "without a confirmed code", lan(http.MethodPost, path, nil), 403, "ops.confirm")
		minh := d.Operator(t, "minh", "finance") // has just confirmed a code
		wantReply(t, "unknown withdrawal", minh(http.MethodPost, opsPath+"7/view", nil), 404, "withdraw.unknown")
		want(t, "audit rows before a view", views(), 0)

		for n := range 2 {
			card := merchanttest.Value[struct{ Bank, Number, Holder string }](t, minh(http.MethodPost, path, nil))
			want(t, "bank", card.Bank, "VCB")
			want(t, "number", card.Number, cardNumber)
			want(t, "holder", card.Holder, "NGUYEN VAN AN")
			want(t, "audit rows after a view", views(), n+1)
		}
		where := fmt.Sprintf("audit WHERE action = 'withdrawal.view' AND operator = 'minh' AND permission = 'withdrawal.approve' AND object = 'withdrawals/%s' AND after = '{\"lastFour\":\"2418\"}'", withdrawal.ID)
		want(t, "audit rows with operator, permission, object and last digits", d.Count(t, where), 2)
		want(t, "audit rows with the number", d.Count(t, "audit WHERE before LIKE '%"+cardNumber+"%' OR after LIKE '%"+cardNumber+"%'"), 0)
		d.VerifyLedger(t)
	})
}
