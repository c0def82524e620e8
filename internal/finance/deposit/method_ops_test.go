package deposit_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

type fields = map[string]any

// outcome returns the status of a reply, and the code and the field of a refusal.
func outcome(t *testing.T, r merchanttest.Reply) string {
	t.Helper()
	var reply struct{ ErrorCode, Field string }
	if err := json.Unmarshal(r.Body, &reply); err != nil {
		t.Fatalf("%d %s: %v", r.Status, r.Body, err)
	}
	return strings.Join(strings.Fields(fmt.Sprint(r.Status, " ", reply.ErrorCode, " ", reply.Field)), " ")
}

// methodForm returns the form of a valid bank transfer method with changed fields. A field that is nil is left out.
func methodForm(changed fields) fields {
	form := fields{
		"code": "NEW", "kind": "mt", "currency": "VND", "scheme": "vietqr", "name": "New bank", "min": 20_000, "max": 90_000, "fee": 500, "feeRate": json.Number("0.0125"),
		"opensAt": "08:00", "closesAt": "17:30", "minutes": 45, "sorting": 7, "enabled": true,
		"accounts": []fields{{"code": "VCB", "name": "Vietcombank", "bin": "970436", "number": "0011001932418", "holder": "FAIRGROUND"}},
	}
	for name, value := range changed {
		if form[name] = value; value == nil {
			delete(form, name)
		}
	}
	return form
}

// editForm returns methodForm without the fields that cannot change, and with a version.
func editForm(version int64, changed fields) fields {
	form := methodForm(changed)
	for _, fixed := range []string{"code", "kind", "currency"} {
		delete(form, fixed)
	}
	form["version"] = version
	return form
}

type methodRow struct {
	ID, Code, Kind, Currency, Scheme, Name, OpensAt, ClosesAt, Status string
	Min, Max, Fee, FeeRate                                            json.Number
	Minutes, Sorting, Version                                         int64
	Enabled                                                           bool
	Accounts                                                          []struct{ Code, BIN, Number string }
}

// text returns the fields that the tests compare.
func (m methodRow) text() string {
	banks := ""
	for _, a := range m.Accounts {
		banks += " " + a.Code + "/" + a.BIN + "/" + a.Number
	}
	return fmt.Sprintf("%s %s %s %s %q %s-%s fee %s+%s %s-%s %d min #%d %s v%d%s",
		m.Code, m.Kind, m.Currency, m.Scheme, m.Name, m.Min, m.Max, m.Fee, m.FeeRate, m.OpensAt, m.ClosesAt, m.Minutes, m.Sorting, m.Status, m.Version, banks)
}

// findMethod reads a method by its code.
func findMethod(t *testing.T, operator servertest.Operator, code string) methodRow {
	t.Helper()
	for _, m := range merchanttest.Value[struct{ List []methodRow }](t, operator(http.MethodGet, "/ops/v1/methods?pageSize=100", nil)).List {
		if m.Code == code {
			return m
		}
	}
	t.Fatalf("the list has no method %s", code)
	return methodRow{}
}

// offered reports whether a member sees a method, and whether it is open.
func (d *fixture) offered(t *testing.T, code string) string {
	t.Helper()
	type offer struct {
		Code string
		Open bool
	}
	for _, m := range merchanttest.Value[[]offer](t, d.Call(t, "GET", "/wps/transaction/deposit/methods", nil, "Authorization", "payer")) {
		if m.Code == code {
			return map[bool]string{true: "open", false: "closed"}[m.Open]
		}
	}
	return "hidden"
}

func (d *fixture) wantAudited(t *testing.T, operator, action, object string, rows int64) {
	t.Helper()
	got := d.Number(t, "SELECT COUNT(*) FROM audit WHERE operator = $1 AND permission = 'setting.edit' AND action = $2 AND object = $3 AND merchant_id = $4", operator, action, object, d.ID)
	if got != rows {
		t.Errorf("rows of the audit log for %s of %s by %s: got %d, want %d", action, object, operator, got, rows)
	}
}

// An operator creates a method and edits it. Members see the change at once. An outdated edit changes nothing.
func TestOperatorsEditMethods(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newFixture(t, store)
		lan, support := d.Operator(t, "lan", "owner"), d.Operator(t, "mai", "support")
		created := merchanttest.Value[methodRow](t, lan(http.MethodPost, "/ops/v1/methods", methodForm(nil)))
		want(t, "created", created.text(), `NEW mt VND vietqr "New bank" 20000-90000 fee 500+0.0125 08:00-17:30 45 min #7 active v1 VCB/970436/0011001932418`)
		want(t, "listed", findMethod(t, lan, "NEW").text(), created.text())
		want(t, "the same code again", outcome(t, lan(http.MethodPost, "/ops/v1/methods", methodForm(nil))), "409 deposit.method_exists")
		want(t, "offered at 16:29 in Vietnam", d.offered(t, "NEW"), "open")
		want(t, "below the minimum", outcome(t, d.create(t, "mt", "NEW", "19999")), "400 deposit.amount amount")
		want(t, "above the maximum", outcome(t, d.create(t, "mt", "NEW", "90001")), "400 deposit.amount amount")
		first := d.create(t, "mt", "NEW", "20000")
		want(t, "the minimum", outcome(t, first), "200")
		want(t, "fee of the minimum", string(merchanttest.Value[struct{ Fee json.Number }](t, first).Fee), "750")
		want(t, "the maximum", outcome(t, d.create(t, "mt", "NEW", "90000")), "200")

		path := "/ops/v1/methods/" + created.ID
		edited := merchanttest.Value[methodRow](t, lan(http.MethodPut, path, editForm(1, fields{"name": "Other bank", "min": 30_000, "opensAt": "17:00", "closesAt": "02:00", "fee": 0})))
		want(t, "edited", edited.text(), `NEW mt VND vietqr "Other bank" 30000-90000 fee 0+0.0125 17:00-02:00 45 min #7 active v2 VCB/970436/0011001932418`)
		want(t, "listed after the edit", findMethod(t, lan, "NEW").text(), edited.text())
		want(t, "offered before its hours", d.offered(t, "NEW"), "closed")
		want(t, "deposit before its hours", outcome(t, d.create(t, "mt", "NEW", "50000")), "422 deposit.method method")
		want(t, "an outdated edit", outcome(t, lan(http.MethodPut, path, editForm(1, fields{"name": "Late"}))), "409 ops.stale")
		want(t, "a version of the future", outcome(t, lan(http.MethodPut, path, editForm(3, fields{"name": "Late"}))), "409 ops.stale")
		withCode := editForm(2, nil)
		withCode["code"] = "OTHER"
		want(t, "an edit of the code", outcome(t, lan(http.MethodPut, path, withCode)), "400 request_param_err code")
		want(t, "after the outdated edits", findMethod(t, lan, "NEW").text(), edited.text())

		want(t, "disable", outcome(t, lan(http.MethodPut, path, editForm(2, fields{"enabled": false}))), "200")
		want(t, "a disabled method", findMethod(t, lan, "NEW").Status+" "+d.offered(t, "NEW"), "disabled hidden")
		want(t, "deposit with a disabled method", outcome(t, d.create(t, "mt", "NEW", "50000")), "422 deposit.method method")
		want(t, "an unknown method", outcome(t, lan(http.MethodPut, "/ops/v1/methods/1", editForm(1, nil))), "404 deposit.method_unknown")
		for call, body := range map[string]fields{"POST /ops/v1/methods": methodForm(fields{"code": "MORE"}), "PUT " + path: editForm(3, nil)} {
			method, to, _ := strings.Cut(call, " ")
			want(t, call+" without the permission", outcome(t, support(method, to, body)), "403 ops.forbidden")
		}
		d.wantAudited(t, "lan", "method.create", "method/NEW", 1)
		d.wantAudited(t, "lan", "method.edit", "method/NEW", 2)
		want(t, "all rows of methods", fmt.Sprint(d.Count(t, "audit WHERE action LIKE 'method.%'")), "3")
		d.VerifyLedger(t)
	})
}

// A method whose data is not valid is not stored, and the refusal names the field.
func TestMalformedMethodsAreRefused(t *testing.T) {
	t.Parallel()
	d := newFixture(t, dbtest.SQLite(t))
	lan := d.Operator(t, "lan", "owner")
	account := func(changed fields) fields {
		one := fields{"code": "VCB", "name": "Vietcombank", "bin": "970436", "number": "0011001932418", "holder": "FAIRGROUND"}
		for name, value := range changed {
			one[name] = value
		}
		return one
	}
	const malformed, param = "400 deposit.method_malformed ", "400 request_param_err "
	for what, c := range map[string]struct {
		changed  fields
		refusal  string
		onCreate bool // the field cannot be edited
	}{
		"a code with a space":       {fields{"code": "A B"}, malformed + "code", true},
		"a code in another script":  {fields{"code": "ngânhàng"}, malformed + "code", true},
		"the code of a gateway":     {fields{"kind": "pg"}, param + "kind", true},
		"an unknown currency":       {fields{"currency": "XXX"}, malformed + "currency", true},
		"play money":                {fields{"currency": "FUN", "scheme": ""}, malformed + "currency", true},
		"a qr method without codes": {fields{"kind": "qr", "scheme": ""}, malformed + "scheme", true},
		"a code of another country": {fields{"scheme": "pix"}, malformed + "scheme", false},
		"an unknown scheme":         {fields{"scheme": "swift"}, param + "scheme", false},
		"no name":                   {fields{"name": ""}, param + "name", false},
		"a line break in the name":  {fields{"name": "Bank\nof"}, malformed + "name", false},
		"a long name in bytes":      {fields{"name": strings.Repeat("ộ", 40)}, malformed + "name", false},
		"a minimum of 0":            {fields{"min": 0, "fee": 0}, malformed + "max", false},
		"a negative minimum":        {fields{"min": -1}, malformed + "min", false},
		"decimals of the minimum":   {fields{"min": json.Number("20000.5")}, malformed + "min", false},
		"a maximum below":           {fields{"max": 19_999}, malformed + "max", false},
		"a maximum of 2^63":         {fields{"max": json.Number("9223372036854775808")}, malformed + "max", false},
		"a maximum above all":       {fields{"max": json.Number("1000000000000001")}, malformed + "max", false},
		"a grouped maximum":         {fields{"max": "90,000"}, param + "max", false},
		"a fee of the minimum":      {fields{"fee": 20_000, "feeRate": 0}, malformed + "fee", false},
		"fees of the minimum":       {fields{"fee": 19_750}, malformed + "fee", false},
		"a negative fee":            {fields{"fee": -1}, malformed + "fee", false},
		"a rate of 1":               {fields{"feeRate": 1}, malformed + "feeRate", false},
		"a negative rate":           {fields{"feeRate": json.Number("-0.01")}, malformed + "feeRate", false},
		"seven decimals":            {fields{"feeRate": json.Number("0.0000001")}, malformed + "feeRate", false},
		"a rate with an exponent":   {fields{"feeRate": json.Number("1e99")}, malformed + "feeRate", false},
		"a huge exponent":           {fields{"feeRate": json.Number("1e-9999999")}, malformed + "feeRate", false},
		"24:00":                     {fields{"opensAt": "24:00"}, malformed + "opensAt", false},
		"60 minutes":                {fields{"closesAt": "17:60"}, malformed + "opensAt", false},
		"one digit":                 {fields{"opensAt": "8:00"}, param + "opensAt", false},
		"0 minutes":                 {fields{"minutes": 0}, param + "minutes", false},
		"more than 7 days":          {fields{"minutes": 10_081}, param + "minutes", false},
		"no account":                {fields{"accounts": []fields{}}, malformed + "banks", false},
		"an account twice":          {fields{"accounts": []fields{account(nil), account(nil)}}, malformed + "banks", false},
		"an account without holder": {fields{"accounts": []fields{account(fields{"holder": ""})}}, malformed + "banks", false},
		"no bank number for VietQR": {fields{"accounts": []fields{account(fields{"bin": ""})}}, param + "accounts[0].bin", false},
		"an account number in words": {
			fields{"accounts": []fields{account(fields{"number": "số một"})}}, malformed + "banks", false,
		},
		"an unknown field": {fields{"gatewayId": 1}, param + "gatewayId", false},
		"no amounts":       {fields{"min": nil}, param + "min", false},
	} {
		want(t, "create: "+what, outcome(t, lan(http.MethodPost, "/ops/v1/methods", methodForm(c.changed))), c.refusal)
		if c.onCreate {
			continue
		}
		own := findMethod(t, lan, "BANK-mt")
		want(t, "edit: "+what, outcome(t, lan(http.MethodPut, "/ops/v1/methods/"+own.ID, editForm(own.Version, c.changed))), c.refusal)
	}
	want(t, "methods", fmt.Sprint(d.Count(t, "deposit_method")), "3")
	want(t, "version of the edited method", fmt.Sprint(findMethod(t, lan, "BANK-mt").Version), "1")
	want(t, "rows of the audit log", fmt.Sprint(d.Count(t, "audit WHERE action LIKE 'method.%'")), "0")
}
