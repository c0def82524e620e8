package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/finance/deposit"
	"fairground/internal/finance/gateway"
	"fairground/internal/platform/audit"
)

// A cashierDesk runs the commands of the cashier in the name of owner1, next to a running server.
type cashierDesk struct {
	*program
	storage []string
	args    []string // storage and operator
	token   string   // of demo88
}

func newCashierDesk(t *testing.T, args []string) *cashierDesk {
	t.Helper()
	s := start(t, append(args, "--demo")...)
	return &cashierDesk{s, args, append(args, "--operator", "owner1"), s.login("demo88", demo.Password)}
}

// create creates a deposit of 500,000.
func (c *cashierDesk) create(kind, method string) deposit.View {
	c.t.Helper()
	return value[deposit.View](c.program, http.MethodPost, "/wps/transaction/deposit/"+kind, c.token, body(map[string]any{"method": method, "amount": 500_000}))
}

func (c *cashierDesk) find(id string) deposit.View {
	c.t.Helper()
	return value[deposit.View](c.program, http.MethodGet, "/wps/transaction/deposit/"+id, c.token, "")
}

func (c *cashierDesk) wantBalance(want string) {
	c.t.Helper()
	if got := c.balance(c.token); got != want {
		c.t.Errorf("balance of demo88 = %s, want %s", got, want)
	}
}

// awaitBalanceEvent waits until an open page receives a balance.
func (c *cashierDesk) awaitBalanceEvent(stream <-chan string, text string) {
	c.t.Helper()
	for end := time.After(testTimeout); ; {
		select {
		case item := <-stream:
			if strings.HasPrefix(item, "balance ") && strings.Contains(item, text) {
				return
			}
		case <-end:
			c.t.Fatalf("no event of the balance with %s", text)
		}
	}
}

// wantAudited checks that one row of the audit log has this operator, action and object.
func (c *cashierDesk) wantAudited(permission, action, object string, rows int) {
	c.t.Helper()
	got := count(optionsOf(c.storage), fmt.Sprintf("SELECT COUNT(*) FROM audit WHERE operator = 'owner1' AND permission = '%s' AND action = '%s' AND object = '%s' AND merchant_id > 0", permission, action, object))
	if got != rows {
		c.t.Errorf("%d rows of the audit log for %s of %s, want %d", got, action, object, rows)
	}
}

// wantUnbroken runs audit verify and ledger verify.
func (c *cashierDesk) wantUnbroken() {
	c.t.Helper()
	if out := runCommand(c.t, "", c.storage, "audit", "verify"); !strings.Contains(out, " rows, unbroken.") {
		c.t.Errorf("audit verify: %s, want \" rows, unbroken.\"", out)
	}
	runCommand(c.t, "", c.storage, "ledger", "verify")
}

func TestCashierListConfirmAndRefuse(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		c := newCashierDesk(t, args)
		first, second := c.create("mt", "BANK"), c.create("mt", "BANK")
		list := func(want string, words ...string) {
			t.Helper()
			var got []string
			for _, row := range printedJSON(t, c.args, append([]string{"cashier", "list"}, words...)...) {
				if row["amount"] != "500000" || row["currency"] != "VND" || row["member"] != "demo88" || row["method"] != "BANK" {
					t.Errorf("cashier list: %v, want amount 500000, currency VND, member demo88 and method BANK", row)
				}
				got = append(got, fmt.Sprint(row["id"], " ", row["reference"], " ", row["status"]))
			}
			if strings.Join(got, ", ") != want {
				t.Errorf("cashier list %v = %v, want %s", words, got, want)
			}
		}
		list(second.ID+" "+second.Reference+" WAITING, "+first.ID+" "+first.Reference+" WAITING", "--state", "WAITING")
		list("", "--state", "CREDITED")

		stream := c.events(c.token)
		if out := runCommand(t, "", c.args, "cashier", "confirm", first.ID); out != "Deposit "+first.ID+": CREDITED\n" {
			t.Errorf("cashier confirm: %s, want %s CREDITED", out, first.ID)
		}
		c.wantBalance("12980500")
		c.awaitBalanceEvent(stream, `"balance":12980500,`)
		wantError(t, "deposit.state", append([]string{"cashier", "confirm", first.ID}, c.args...)...)
		wantError(t, "--reason", append([]string{"cashier", "refuse", second.ID}, c.args...)...)
		if out := runCommand(t, "", c.args, "cashier", "refuse", second.ID, "--reason", "No money arrived"); out != "Deposit "+second.ID+": REFUSED\n" {
			t.Errorf("cashier refuse: %s, want %s REFUSED", out, second.ID)
		}
		if got := c.find(second.ID); got.Status != deposit.Refused || got.Reason != "No money arrived" {
			t.Errorf("refused deposit: %+v, want %v and reason \"No money arrived\"", got, deposit.Refused)
		}
		wantError(t, "deposit.state", append([]string{"cashier", "refuse", second.ID, "--reason", "again"}, c.args...)...)
		wantError(t, "deposit.unknown", append([]string{"cashier", "confirm", "1"}, c.args...)...)
		list(first.ID+" "+first.Reference+" CREDITED", "--state", "CREDITED")
		c.wantBalance("12980500")
		c.wantAudited("deposit.confirm", "cashier.confirm", "cashier/"+first.ID, 1)
		c.wantAudited("deposit.confirm", "cashier.refuse", "cashier/"+second.ID, 1)
		c.wantUnbroken()
	})
}

// A confirmation of another amount waits for a second person. A command of that person confirms only what the member requested, and
// no command decides about approvals.
func TestSE12PartCashierCommandsApproveNothing(t *testing.T) {
	t.Parallel()
	for name := range controlCommands(nil) {
		if strings.Contains(name, "appro") {
			t.Errorf("the command %s decides about approvals", name)
		}
	}
	forEachDatabase(t, func(t *testing.T, args []string) {
		c := newCashierDesk(t, args)
		created := c.create("mt", "BANK")
		other := openOther(t, args)
		m, err := other.Merchants.Find(t.Context(), demo.MerchantCode)
		if err != nil {
			t.Fatal(err)
		}
		id, err := strconv.ParseInt(created.ID, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		waiting, _, err := other.Deposits.Propose(audit.As(t.Context(), "owner2"), m.ID, id, 0, 600_000, "more arrived")
		if err != nil || waiting == nil || waiting.State != "waiting" {
			t.Fatalf("another amount: %+v %v, want a waiting approval", waiting, err)
		}
		runCommand(t, "", c.args, "cashier", "confirm", created.ID)
		c.wantBalance("12980500")
		if n := count(optionsOf(args), "SELECT COUNT(*) FROM approval WHERE state = 'waiting' AND id = "+waiting.ID); n != 1 {
			t.Error("the command decided about the approval")
		}
		c.wantUnbroken()
	})
}

// cashier reconcile prints one line per difference, moves nothing, and exits with 0.
func TestCashierReconcile(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		var state atomic.Value // of all payments
		state.Store("pending")
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				_, _ = fmt.Fprint(w, `{"gatewayId":"P1","payUrl":"https://pay.example/1"}`)
				return
			}
			_, _ = fmt.Fprintf(w, `{"reference":%q,"gatewayId":"P1","status":%q,"amount":"500000","currency":"VND"}`, path.Base(r.URL.Path), state.Load())
		}))
		t.Cleanup(web.Close)
		c := newCashierDesk(t, args)
		runCommand(t, "", c.args, "gateway", "create", "--code", "G1", "--name", "Gate", "--url", web.URL, "--currency", "VND")
		created := c.create("pg", "G1")
		reconcile := func(want string) {
			t.Helper()
			if out := runCommand(t, "", c.args, "cashier", "reconcile", "G1"); out != want {
				t.Errorf("cashier reconcile: %q, want %q", out, want)
			}
			if got := c.find(created.ID).Status; got != deposit.Waiting {
				t.Errorf("status after cashier reconcile = %s, want WAITING", got)
			}
			c.wantBalance("12480500")
		}
		reconcile("")
		state.Store("paid")
		reconcile(created.Reference + ": paid, but not credited (here WAITING, gateway paid 500000 VND)\n")
		state.Store("failed")
		reconcile(created.Reference + ": ended at the gateway, but not here (here WAITING, gateway failed 500000 VND)\n")
		wantError(t, "gateway.unknown", append([]string{"cashier", "reconcile", "NONE"}, c.args...)...)
		c.wantAudited("deposit.confirm", "cashier.reconcile", "cashier/G1", 3)
		c.wantUnbroken()
	})
}

// gateway create and gateway rotate print a key once. The previous key stays valid until the next rotation.
func TestGatewayCommands(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		c := newCashierDesk(t, args)
		keyOf := func(words ...string) (key gateway.Key) {
			t.Helper()
			out := runCommand(t, "", c.args, words...)
			var fields map[string]string
			if err := json.Unmarshal([]byte(out), &fields); err != nil || len(fields) != 3 || fields["code"] != "G1" || fields["keyId"] == "" || fields["key"] == "" || strings.Count(out, "\n") != 1 {
				t.Fatalf("%v: %s (%v), want one line with code, keyId and key", words, out, err)
			}
			return gateway.Key{Code: fields["code"], KeyID: fields["keyId"], Key: fields["key"]}
		}
		notices := 0
		accepts := func(what string, key gateway.Key, status int) {
			t.Helper()
			notices++
			const path = "/pay/v1/G1/payment"
			timestamp := strconv.FormatInt(time.Now().UnixMilli(), 10)
			content := body(map[string]any{"reference": fmt.Sprint("NONE", notices), "gatewayId": "P1", "status": "paid", "amount": "1000", "currency": "VND", "at": 1})
			a := c.send(http.MethodPost, path, content, "X-Gateway", key.Code, "X-Key", key.KeyID, "X-Timestamp", timestamp, "X-Signature", gateway.Sign(key.Key, timestamp, path, []byte(content)))
			if a.status != status {
				t.Errorf("notice with %s: %d, want %d", what, a.status, status)
			}
		}
		listed := func(keys float64, secrets ...gateway.Key) {
			t.Helper()
			out := runCommand(t, "", c.args, "gateway", "list", "--json")
			if all := printedJSON(t, c.args, "gateway", "list"); len(all) != 2 || all[0]["code"] != "G1" || all[0]["name"] != "Gate" || all[0]["url"] != "https://pay.example" || fmt.Sprint(all[0]["currencies"]) != "[VND]" || all[0]["enabled"] != true || all[0]["keys"] != keys {
				t.Errorf("gateway list: %v, want G1 with %v keys and the sandbox", all, keys)
			}
			for _, secret := range secrets {
				if strings.Contains(out, secret.Key) || strings.Contains(out, secret.KeyID) {
					t.Errorf("gateway list shows a key: %s", out)
				}
			}
		}
		create := []string{"gateway", "create", "--code", "G1", "--name", "Gate", "--url", "https://pay.example", "--currency", "VND"}
		first := keyOf(create...)
		listed(1, first)
		wantError(t, "gateway.exists", append(create, c.args...)...)
		accepts("the first key", first, http.StatusOK)
		second := keyOf("gateway", "rotate", "--code", "G1")
		listed(2, first, second)
		accepts("the previous key", first, http.StatusOK)
		accepts("the second key", second, http.StatusOK)
		third := keyOf("gateway", "rotate", "--code", "G1")
		listed(2, first, second, third)
		accepts("the first key after two rotations", first, http.StatusUnauthorized)
		accepts("the second key", second, http.StatusOK)
		accepts("the third key", third, http.StatusOK)
		wantError(t, "gateway.unknown", append([]string{"gateway", "rotate", "--code", "NONE"}, c.args...)...)

		if out := runCommand(t, "", c.args, "cashier", "list"); out != "" {
			t.Errorf("unknown payments became deposits: %s", out)
		}
		methods := value[[]struct{ Code, Kind string }](c.program, http.MethodGet, "/wps/transaction/deposit/methods", c.token, "")
		if !slices.Contains(methods, struct{ Code, Kind string }{"G1", "pg"}) {
			t.Errorf("deposit methods: %v, want one of G1", methods)
		}
		c.wantAudited("setting.edit", "gateway.create", "gateway/G1", 1)
		c.wantAudited("setting.edit", "gateway.rotate", "gateway/G1", 2)
		for _, key := range []gateway.Key{first, second, third} {
			if n := count(optionsOf(args), "SELECT COUNT(*) FROM audit WHERE after LIKE '%"+key.Key+"%'"); n != 0 {
				t.Error("the audit log has a key")
			}
		}
		c.wantUnbroken()
	})
}
