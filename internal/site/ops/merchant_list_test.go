package ops_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
)

// An operator of the whole installation sees the rows of the chosen merchant and those without a merchant.
func TestSE03ListsShowTheChosenMerchantPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	one, two := d.create("anh", permission.Owner).logIn().confirm(), d.create("binh", permission.Owner).logIn().confirm()
	own := d.createForMerchant("chi", second, permission.Owner).logIn().confirm()
	for _, body := range []object{{"name": "nga", "roles": []string{"finance"}}, {"name": "hue", "roles": []string{"finance"}, "merchant": "second"}} {
		one.wantBody(one.call(http.MethodPost, "/ops/v1/operators", body), `"waiting"`)
	}
	read := func(p *person, path, merchant string) string {
		t.Helper()
		d.Refill()
		headers := []string{"Cookie", "fairground_operator=" + p.cookie}
		if merchant != "" {
			headers = append(headers, "Merchant", merchant)
		}
		r := d.Call(t, http.MethodGet, path, nil, headers...)
		if r.Status != http.StatusOK {
			t.Fatalf("%s: %d %s, want 200", path, r.Status, r.Body)
		}
		return string(r.Body)
	}
	for _, try := range []struct {
		name     string
		by       *person
		merchant string
		nga, hue bool
	}{
		{"the default merchant", two, "", true, false},
		{"the second merchant", two, "second", true, true},
		{"an operator of the second merchant", own, "second", false, true},
	} {
		for _, path := range []string{"/ops/v1/approvals", "/ops/v1/audit?action=operator.create"} {
			body := read(try.by, path, try.merchant)
			if nga, hue := strings.Contains(body, "operator/nga"), strings.Contains(body, "operator/hue"); nga != try.nga || hue != try.hue {
				t.Errorf("%s of %s: row of the installation %v, of the second merchant %v, want %v and %v", path, try.name, nga, hue, try.nga, try.hue)
			}
		}
		n := 0
		for _, shown := range []bool{try.nga, try.hue} {
			if shown {
				n++
			}
		}
		if got := strings.Count(read(try.by, "/ops/v1/tasks", try.merchant), `"kind":"approval"`); got != n {
			t.Errorf("tasks of %s: %d, want %d", try.name, got, n)
		}
		if body, want := read(try.by, "/ops/v1/figures", try.merchant), fmt.Sprintf(`"tasks":[{"kind":"approval","number":%d}]`, n); !strings.Contains(body, want) {
			t.Errorf("figures of %s = %s, want %s", try.name, body, want)
		}
	}
}
