package ops_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

func (d *opsSite) reported() (id int64) {
	d.t.Helper()
	if err := d.Store.Reader.QueryRowContext(d.t.Context(), "SELECT COALESCE(MAX(id), 0) FROM outbox").Scan(&id); err != nil {
		d.t.Fatal(err)
	}
	return id
}

// reportedSince reports whether operators' screens learned since a row of the outbox that a collection changed.
func (d *opsSite) reportedSince(id int64, collection string) bool {
	d.t.Helper()
	var n int
	err := db.Bind(d.Store.Engine, d.Store.Reader).QueryRowContext(d.t.Context(), "SELECT COUNT(*) FROM outbox WHERE id > $1 AND payload LIKE $2 AND payload LIKE '%\"operators\":true%'",
		id, `%"things":"`+collection+`"%`).Scan(&n)
	if err != nil {
		d.t.Fatal(err)
	}
	return n > 0
}

// Every change by an operator reaches the open screens of other operators, with its row in the audit log.
func TestChangesReachOpenScreens(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	p := d.create("anh", permission.Owner).logIn()
	lan := d.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"})
	path := fmt.Sprintf("/ops/v1/members/%d", lan)
	before := d.reported()
	addGames(t, p) // also confirms a code
	if !d.reportedSince(before, "vendors") {
		t.Error("a new vendor was not reported")
	}
	game := merchanttest.Value[struct{ List []struct{ ID string } }](t, p.call(http.MethodGet, "/ops/v1/games", nil)).List[0].ID
	for _, change := range []struct {
		collection, path string
		body             object
	}{
		{"members", path + "/disable", object{"version": 1}},
		{"members", path + "/notes", object{"text": "called"}},
		{"members", path + "/break", object{"version": 2, "period": "24h"}},
		{"games", "/ops/v1/games/" + game + "/disable", object{"version": 1}},
		{"announcements", "/ops/v1/announcements", object{"texts": object{"vi": text("Tin", "<p>Tin</p>")}}},
		{"help", "/ops/v1/help", object{"texts": object{"vi": text("Tin", "")}}},
		{"transfers", "/ops/v1/transfers", object{"memberId": fmt.Sprint(lan), "amount": 500, "reason": "goodwill", "key": "k1"}},
		{"ledger", "/ops/v1/ledger/verify", object{}},
		{"settings", "/ops/v1/settings/site.theme/set", object{"version": 0, "value": "light"}},
		{"switches", "/ops/v1/switches/module.CBS3/off", object{"version": 0}},
		{"operators", "/ops/v1/operators", object{"name": "binh", "roles": []string{"support"}}},
	} {
		last := d.reported()
		if r := p.call(http.MethodPost, change.path, change.body); r.Status != http.StatusOK {
			t.Errorf("%s: %d %s, want 200", change.path, r.Status, r.Body)
			continue
		}
		for _, collection := range []string{change.collection, "audit"} {
			if !d.reportedSince(last, collection) {
				t.Errorf("%s: no message that %s changed", strings.TrimPrefix(change.path, "/ops/v1/"), collection)
			}
		}
	}
}
