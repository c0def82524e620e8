package deposit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const member, other = 501, 502

// A fixture is a site with a bank transfer method, a VietQR method, and a gateway that gatewayHandler simulates.
type fixture struct {
	*servertest.Site
	key            gateway.Key
	cash           ledger.Account
	mu             sync.Mutex
	gatewayHandler http.HandlerFunc
}

func newFixture(t *testing.T, store *db.Store) *fixture {
	t.Helper()
	d := &fixture{Site: servertest.New(t, store)}
	d.AddMember(t, member, "payer")
	d.AddMember(t, other, "stranger")
	d.cash = d.Fund(t, member, "VND", 0)
	d.gatewayHandler = func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		handler := d.gatewayHandler
		d.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(web.Close)
	var err error
	if d.key, err = d.Server.Gateways.Create(t.Context(), d.ID, gateway.Draft{Code: "G1", Name: "Gate", URL: web.URL + "/base", Currencies: []string{"VND"}}); err != nil {
		t.Fatal(err)
	}
	bank := []deposit.Account{{Code: "VCB", Name: "Vietcombank", BIN: "970436", Number: "0011001932418", Holder: "FAIRGROUND"}}
	err = d.Server.Ledger.Write(t.Context(), func(tx *db.Tx) error {
		for _, kind := range []string{"mt", "qr"} {
			_, err := d.Server.Deposits.CreateMethodIn(t.Context(), tx, deposit.Method{
				MerchantID: d.ID, Code: "BANK-" + kind, Kind: kind, Scheme: "vietqr", Name: "Bank", Currency: "VND", Min: 10_000, Max: 50_000_000, FeeRate: 10_000,
				Opens: "00:00", Closes: "00:00", Minutes: 30, Accounts: bank, Enabled: true,
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Serve(t, merchanttest.Tokens{"payer": d.Caller(member, "payer"), "stranger": d.Caller(other, "stranger"), "trial": {MemberID: 503, MerchantID: d.ID, Type: rest.Trial, Currency: "VND"}},
		func(a *rest.API) { d.Server.Routes(a, nil) })
	return d
}

func (d *fixture) create(t *testing.T, kind, method, amount string, headers ...string) merchanttest.Reply {
	t.Helper()
	return d.Call(t, "POST", "/wps/transaction/deposit/"+kind, fmt.Sprintf(`{"method":%q,"amount":%s}`, method, amount), append([]string{"Authorization", "payer"}, headers...)...)
}

func (d *fixture) pay(t *testing.T, amount string) deposit.View {
	t.Helper()
	return merchanttest.Value[deposit.View](t, d.create(t, "pg", "G1", amount))
}

func (d *fixture) status(t *testing.T, id string) string {
	t.Helper()
	return merchanttest.Value[deposit.View](t, d.Call(t, "GET", "/wps/transaction/deposit/"+id, nil, "Authorization", "payer")).Status
}

// notice sends a signed notice. It returns the status and the code, and " again" for a replay.
func (d *fixture) notice(t *testing.T, reference, paymentID, status, amount, currency string) string {
	t.Helper()
	body := fmt.Sprintf(`{"reference":%q,"gatewayId":%q,"status":%q,"amount":%q,"currency":%q,"at":1}`, reference, paymentID, status, amount, currency)
	return d.send(t, "/pay/v1/G1/payment", body, d.key.Key)
}

func (d *fixture) send(t *testing.T, path, body, key string) string {
	t.Helper()
	timestamp := strconv.FormatInt(d.Clock.Now().UnixMilli(), 10)
	r := d.Call(t, "POST", path, body, "X-Gateway", "G1", "X-Key", d.key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key, timestamp, path, []byte(body)))
	var reply struct {
		Code     string
		Replayed bool
		Field    string
	}
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	out := strconv.Itoa(r.Status) + " " + reply.Code + reply.Field
	if reply.Replayed {
		out += " again"
	}
	return out
}

func want(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

func TestNotices(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		first := d.pay(t, "100000")
		if first.Status != "WAITING" || first.PayURL != "https://pay.example/1" || len(first.Reference) != 12 {
			t.Fatalf("created %+v", first)
		}
		want(t, "pending", d.notice(t, first.Reference, "P1", "pending", "100000", "VND"), "200 OK")
		want(t, "other amount", d.notice(t, first.Reference, "P1", "paid", "200000", "VND"), "200 AMOUNT_MISMATCH")
		want(t, "other currency", d.notice(t, first.Reference, "P1", "paid", "100000", "USD"), "200 AMOUNT_MISMATCH")
		want(t, "2^63", d.notice(t, first.Reference, "P1", "paid", "9223372036854775808", "VND"), "200 AMOUNT_MISMATCH")
		want(t, "status after mismatch", d.status(t, first.ID), "WAITING")
		want(t, "decimals", d.notice(t, first.Reference, "P1", "paid", "100000.0", "VND"), "400 INVALID_REQUESTamount")
		want(t, "negative", d.notice(t, first.Reference, "P1", "paid", "-1", "VND"), "400 INVALID_REQUESTamount")
		want(t, "forged", d.send(t, "/pay/v1/G1/payment", `{}`, "wrong"), "401 INVALID_SIGNATURE")
		want(t, "other path", d.send(t, "/pay/v1/G2/payment", `{}`, d.key.Key), "401 INVALID_SIGNATURE")
		want(t, "paid", d.notice(t, first.Reference, "P1", "paid", "100000", "VND"), "200 OK")
		want(t, "paid again", d.notice(t, first.Reference, "P1", "paid", "0100000", "VND"), "200 OK again")
		want(t, "mismatch again", d.notice(t, first.Reference, "P1", "paid", "200000", "VND"), "200 AMOUNT_MISMATCH again")
		want(t, "second id", d.notice(t, first.Reference, "P2", "paid", "100000", "VND"), "200 CONFLICT")
		want(t, "failed after paid", d.notice(t, first.Reference, "P1", "failed", "100000", "VND"), "200 CONFLICT")
		want(t, "status", d.status(t, first.ID), "CREDITED")
		if got := d.Balance(t, d.cash.ID); got != 100_000 {
			t.Errorf("balance %d, want 100000", got)
		}
		second := d.pay(t, "50000")
		want(t, "failed", d.notice(t, second.Reference, "P3", "failed", "50000", "VND"), "200 OK")
		want(t, "expired after failed", d.notice(t, second.Reference, "P3", "expired", "50000", "VND"), "200 OK")
		want(t, "paid after failed", d.notice(t, second.Reference, "P3", "paid", "1", "VND"), "200 LATE")
		want(t, "status of the second", d.status(t, second.ID), "REFUSED")
		bank := merchanttest.Value[deposit.View](t, d.create(t, "mt", "BANK-mt", "20000"))
		want(t, "mt deposit", d.notice(t, bank.Reference, "P4", "paid", "20000", "VND"), "200 UNKNOWN")
		want(t, "unknown", d.notice(t, "NOSUCH", "P4", "paid", "20000", "VND"), "200 UNKNOWN")
		want(t, "payout", d.send(t, "/pay/v1/G1/payout", `{"reference":"W1","gatewayId":"P","status":"paid","amount":"1","currency":"VND","at":1}`, d.key.Key), "200 UNKNOWN")
		if got := d.Balance(t, d.cash.ID); got != 100_000 {
			t.Errorf("balance %d, want 100000", got)
		}
		d.VerifyLedger(t)
	})
}

func TestRT07PartConcurrentNoticesCreditOnce(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		created := d.pay(t, "100000")
		codes := make([]string, 8)
		var wg sync.WaitGroup
		for i := range codes {
			wg.Go(func() { codes[i] = d.notice(t, created.Reference, "P1", "paid", "100000", "VND") })
		}
		wg.Wait()
		credited := 0
		for _, code := range codes {
			switch code {
			case "200 OK":
				credited++
			case "200 OK again":
			default:
				t.Errorf("got %s, want OK", code)
			}
		}
		if got := d.Balance(t, d.cash.ID); credited != 1 || got != 100_000 {
			t.Errorf("%d responses without replay, balance %d; want 1 and 100000", credited, got)
		}
		d.VerifyLedger(t)
	})
}

// Notices that wait for the database share a transaction. Each gets the code that it would get alone.
func TestRT07PartNoticesThatShareATransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		const count = 6
		created := make([]deposit.View, count)
		for i := range created {
			created[i] = d.pay(t, "100000")
		}
		id, err := strconv.ParseInt(created[0].ID, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		got := map[string]int{}
		var wg sync.WaitGroup
		send := func(what, reference, paymentID, amount string) {
			wg.Go(func() {
				code := d.notice(t, reference, paymentID, "paid", amount, "VND")
				mu.Lock()
				defer mu.Unlock()
				got[what+": "+code]++
			})
		}
		locked := make(chan struct{})
		release := make(chan struct{})
		wg.Go(func() {
			err := store.Write(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Q.LockDeposit(t.Context(), id)
				close(locked)
				<-release
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-locked
		for i, c := range created {
			payment := fmt.Sprint("P", i)
			send("paid", c.Reference, payment, "100000")
			send("paid", c.Reference, payment, "100000")
			send("other amount", c.Reference, payment, "1")
		}
		send("other payment", created[1].Reference, "P1", "100000") // the same as another
		send("unknown", "NOSUCH", "P9", "100000")
		time.Sleep(100 * time.Millisecond) // the notices wait, which the result does not depend on
		close(release)
		wg.Wait()
		mismatches := got["other amount: 200 AMOUNT_MISMATCH"] + got["other amount: 200 CONFLICT"] // before or after the credit
		again := got["paid: 200 OK again"] + got["other payment: 200 OK again"]
		fresh := got["paid: 200 OK"] + got["other payment: 200 OK"]
		if fresh != count || again != count+1 || mismatches != count || got["unknown: 200 UNKNOWN"] != 1 {
			t.Errorf("got %v, want %d OK, %d replays, %d mismatches and one unknown", got, count, count+1, count)
		}
		if balance := d.Balance(t, d.cash.ID); balance != count*100_000 {
			t.Errorf("the balance is %d, want %d", balance, count*100_000)
		}
		var messages int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM inbox WHERE kind = 'deposit.credited'").Scan(&messages); err != nil || messages != count {
			t.Errorf("%d messages about credits, error %v; want %d", messages, err, count)
		}
		d.VerifyLedger(t)
	})
}

func TestOS12CA30PartDepositRequests(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	for _, amount := range []string{"9999", "50000001"} {
		if r := d.create(t, "mt", "BANK-mt", amount); r.Status != 400 || !strings.Contains(string(r.Body), `"deposit.amount"`) {
			t.Errorf("amount %s: %d %s, want deposit.amount", amount, r.Status, r.Body)
		}
	}
	if r := d.create(t, "qr", "BANK-mt", "20000"); !strings.Contains(string(r.Body), `"deposit.method"`) {
		t.Errorf("other kind: %s, want deposit.method", r.Body)
	}
	if r := d.Call(t, "POST", "/wps/transaction/deposit/mt", `{"method":"BANK-mt","amount":20000}`, "Authorization", "trial"); r.Status/100 != 4 {
		t.Errorf("trial: %d, want a refusal", r.Status)
	}
	first := d.create(t, "qr", "BANK-qr", "20000", "Idempotency-Key", "k1")
	if again := d.create(t, "qr", "BANK-qr", "20000", "Idempotency-Key", "k1"); string(again.Body) != string(first.Body) {
		t.Errorf("again: %s, want %s", again.Body, first.Body)
	}
	if r := d.create(t, "qr", "BANK-qr", "30000", "Idempotency-Key", "k1"); r.Status != 409 {
		t.Errorf("other body: %d, want 409", r.Status)
	}
	v := merchanttest.Value[deposit.View](t, first)
	if !strings.Contains(v.QR, v.Reference) || v.Fee != "200" || v.Bank == nil {
		t.Errorf("deposit %+v, want a code with the reference and a fee of 200", v)
	}
	for _, method := range []string{"GET", "DELETE"} {
		if r := d.Call(t, method, "/wps/transaction/deposit/"+v.ID, nil, "Authorization", "stranger"); r.Status != 404 {
			t.Errorf("%s of another member's deposit: %d, want 404", method, r.Status)
		}
	}
	if r := d.Call(t, "DELETE", "/wps/transaction/deposit/"+v.ID, nil, "Authorization", "payer"); r.Status != 200 {
		t.Errorf("cancel: %d %s, want 200", r.Status, r.Body)
	}
	if r := d.Call(t, "DELETE", "/wps/transaction/deposit/"+v.ID, nil, "Authorization", "payer"); r.Status != 409 {
		t.Errorf("cancel again: %d, want 409", r.Status)
	}
	d.VerifyLedger(t)
}

// Each kind of deposit refuses amounts that are not written as the API writes them.
func TestOS12CA30PartAmountsOfDeposits(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	for kind, method := range map[string]string{"mt": "BANK-mt", "qr": "BANK-qr", "pg": "G1"} {
		for refusal, amounts := range map[string]map[string]string{
			"400 deposit.amount amount": servertest.WrongNumbers, "400 request_param_err amount": servertest.NotNumbers, "400 request_param_err": servertest.NotJSON,
		} {
			for what, amount := range amounts {
				d.Refill()
				want(t, kind+" with "+what+": "+amount, outcome(t, d.create(t, kind, method, amount)), refusal)
			}
		}
	}
	want(t, "deposits", fmt.Sprint(d.Count(t, "deposit")), "0")
	d.VerifyLedger(t)
}
