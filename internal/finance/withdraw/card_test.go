package withdraw_test

import (
	"net/http"
	"strings"
	"testing"

	"fairground/internal/finance/withdraw"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestOS19CA30PartBankCards(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		const path = "/wps/member/bankCard"
		call := func(who, method, path, body string) merchanttest.Reply {
			t.Helper()
			d.Refill()
			return d.Call(t, method, path, body, "Authorization", who)
		}
		add := func(number, more string) merchanttest.Reply {
			t.Helper()
			return call("player", http.MethodPost, path, `{"bank":"VCB","number":"`+number+`","paymentPassword":"123456"`+more+`}`)
		}
		list := func() string {
			t.Helper()
			var out []string
			for _, c := range merchanttest.Value[struct{ List []withdraw.Card }](t, call("player", http.MethodGet, path, "")).List {
				text := c.LastFour
				if c.Default {
					text += " default"
				}
				out = append(out, text)
			}
			return strings.Join(out, ", ")
		}
		wantReply(t, "the same account, typed differently", add("0011-0019-32418", ""), 409, "withdraw.same_card")
		wantReply(t, "a number with a sign", add("00110019.2418", ""), 400, "withdraw.number")
		wantReply(t, "an unknown bank", call("player", http.MethodPost, path, `{"bank":"NONE","number":"0011001932420","paymentPassword":"123456"}`), 400, "withdraw.bank")
		wantReply(t, "the wrong password", call("player", http.MethodPost, path, `{"bank":"VCB","number":"0011001932420","paymentPassword":"000000"}`), 422, "withdraw.password")
		second := merchanttest.Value[withdraw.Card](t, add("0011001932420", ""))
		want(t, "after the second", list(), "2418 default, 2420")
		merchanttest.Value[withdraw.Card](t, add("0011001932430", `,"default":true`))
		want(t, "after a third as default", list(), "2430 default, 2418, 2420")
		for _, method := range []string{http.MethodPut, http.MethodDelete} {
			body := map[string]string{http.MethodPut: `{"default":true}`}[method]
			want(t, method+" of another member's card", call("stranger", method, path+"/"+second.ID, body).Status/100, 4)
		}
		want(t, "set the default", call("player", http.MethodPut, path+"/"+second.ID, `{"default":true}`).Status, 200)
		if got := list(); !strings.HasPrefix(got, "2420 default, ") || strings.Count(got, "default") != 1 {
			t.Errorf("after the change: got %s, want 2420 as the only default", got)
		}
		want(t, "remove", call("player", http.MethodDelete, path+"/"+second.ID, "").Status, 200)
		if got := list(); strings.Contains(got, "2420") || strings.Count(got, "default") != 1 {
			t.Errorf("after the removal: got %s, want two cards with one default", got)
		}
		wantReply(t, "a withdrawal to the removed card", call("player", http.MethodPost, "/wps/transaction/withdraw", `{"cardId":"`+second.ID+`","amount":50000,"paymentPassword":"123456"}`), 404, "withdraw.card")
	})
}
