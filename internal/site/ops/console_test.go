package ops_test

import (
	"net/http"
	"strings"
	"testing"

	"fairground/internal/identity/member"
	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

// wantBody checks that a request succeeded and that the response contains a text.
func (p *person) wantBody(r merchanttest.Reply, text string) {
	p.d.t.Helper()
	if r.Status != http.StatusOK || !strings.Contains(string(r.Body), text) {
		p.d.t.Errorf("reply = %d %s, want 200 with %s", r.Status, r.Body, text)
	}
}

type listOf[T any] struct {
	List []T
	Next string
}

type taskRow struct {
	ID, Kind, Reference, Object, State, ClaimedBy string
	Version                                       int64
}

// A waiting approval is a task. When one operator has claimed it, another can only release it. The decision closes it.
func TestApprovalTasks(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		anh, binh := d.create("anh", permission.Owner).logIn().confirm(), d.create("binh", permission.Owner).logIn().confirm()
		support := d.create("chi", "support").logIn()
		anh.wantBody(anh.call(http.MethodPost, "/ops/v1/operators", map[string]any{"name": "dung", "roles": []string{"finance"}}), `"waiting"`)
		list := merchanttest.Value[listOf[taskRow]](t, binh.call(http.MethodGet, "/ops/v1/tasks?state=open", nil)).List
		if len(list) != 1 || list[0].Kind != "approval" || list[0].Object != "approvals/"+list[0].Reference {
			t.Fatalf("tasks = %+v, want the approval", list)
		}
		if hidden := merchanttest.Value[listOf[taskRow]](t, support.call(http.MethodGet, "/ops/v1/tasks", nil)).List; len(hidden) != 0 {
			t.Errorf("tasks without the permission = %+v, want none", hidden)
		}
		path := "/ops/v1/tasks/" + list[0].ID
		support.wantStatus(support.call(http.MethodGet, path, nil), 404, "task.unknown")
		binh.wantBody(binh.call(http.MethodPost, path+"/claim", map[string]any{"version": 1}), `"claimed"`)
		anh.wantStatus(anh.call(http.MethodPost, path+"/claim", map[string]any{"version": 1}), 409, "ops.stale")
		anh.wantStatus(anh.call(http.MethodPost, path+"/done", map[string]any{"version": 2}), 409, "task.claimed")
		anh.wantBody(anh.call(http.MethodPost, path+"/release", map[string]any{"version": 2}), `"open"`)
		approval := "/ops/v1/approvals/" + list[0].Reference
		anh.wantBody(anh.call(http.MethodGet, approval, nil), `"digest":"`)
		anh.wantStatus(anh.call(http.MethodPost, approval, map[string]any{"decision": "approve"}), 403, "ops.same_person")
		binh.wantBody(binh.call(http.MethodPost, approval, map[string]any{"decision": "approve"}), `"approved"`)
		binh.wantBody(binh.call(http.MethodGet, path, nil), `"done"`)
		binh.wantStatus(binh.call(http.MethodPost, path+"/claim", map[string]any{"version": 4}), 409, "task.done")
		if csv := anh.call(http.MethodGet, "/ops/v1/audit?format=csv&action=task.claim", nil); !strings.Contains(string(csv.Body), "task.claim") {
			t.Errorf("audit log as CSV = %d %s, want the claim", csv.Status, csv.Body)
		}
	})
}

// A setting that leads members to other sites, or changes withdrawals, needs a code.
func TestSettingsThatNeedACode(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	anh := d.create("anh", permission.Owner).logIn()
	for name, value := range map[string]any{"chat.service": "https://chat.example/", "withdraw.turnover_percent": 50} {
		set := "/ops/v1/settings/" + name + "/set"
		anh.wantStatus(anh.call(http.MethodPost, set, map[string]any{"version": 0, "value": value}), 403, "ops.confirm")
	}
	anh.confirm()
	anh.wantBody(anh.call(http.MethodPost, "/ops/v1/settings/withdraw.turnover_percent/set", map[string]any{"version": 0, "value": 50}), `"value":50`)
}

// A setting is changed and the change is undone. Each step is in the history and in the audit log.
func TestConsoleSettings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		anh := d.create("anh", permission.Owner).logIn()
		const path = "/ops/v1/settings/site.theme"
		anh.wantBody(anh.call(http.MethodGet, path, nil), `"value":"dark"`)
		anh.wantBody(anh.call(http.MethodPost, path+"/set", map[string]any{"version": 0, "value": "light"}), `"value":"light"`)
		anh.wantStatus(anh.call(http.MethodPost, path+"/set", map[string]any{"version": 0, "value": "dark"}), 409, "ops.stale")
		anh.wantStatus(anh.call(http.MethodPost, path+"/set", map[string]any{"version": 1, "value": "<script>"}), 400, "setting.bad_value")
		anh.wantBody(anh.call(http.MethodPost, path+"/undo", map[string]any{"version": 1}), `"value":"dark"`)
		anh.wantStatus(anh.call(http.MethodPost, "/ops/v1/settings/site.template/undo", map[string]any{"version": 0}), 409, "setting.no_change")
		anh.wantStatus(anh.call(http.MethodGet, "/ops/v1/settings/none", nil), 400, "setting.unknown")
		anh.wantBody(anh.call(http.MethodGet, path+"/history", nil), `"operator":"anh"`)
		anh.wantBody(anh.call(http.MethodPost, "/ops/v1/switches/module.CBS3/off", map[string]any{"version": 0}), `"on":false`)
		anh.wantBody(anh.call(http.MethodPost, "/ops/v1/switches/module.CBS3/undo", map[string]any{"version": 1}), `"on":true`)
		anh.wantStatus(anh.call(http.MethodPost, "/ops/v1/switches/module.NONE/on", map[string]any{"version": 0}), 400, "flag.unknown")
		type row struct{ Action, Object string }
		rows := merchanttest.Value[listOf[row]](t, anh.call(http.MethodGet, "/ops/v1/audit?object=setting/site.theme", nil)).List
		if len(rows) != 2 || rows[0].Action != "setting.undo" || rows[1].Action != "setting.set" {
			t.Errorf("audit rows = %+v, want setting.undo and setting.set", rows)
		}
	})
}

func TestOverviewHealthAndFirstSteps(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		d := newOpsSite(t, store)
		d.Clock.Add(store.Time().Sub(d.Clock.Now())) // PostgreSQL uses its own time
		cash := d.Fund(t, d.Register(t, member.NewMember{Username: "minhanh92", Password: "qua-xanh7"}), "VND", 0)
		_, err := d.Server.Ledger.Post(t.Context(), ledger.Transfer{
			Key: "deposit/1", Debit: d.House(t, ledger.Deposits).ID, Credit: cash.ID, Amount: 50_000, Kind: "deposit",
		})
		if err != nil {
			t.Fatal(err)
		}
		anh := d.create("anh", permission.Owner).logIn()
		if err := d.Server.Figures.Sum(t.Context()); err != nil {
			t.Fatal(err)
		}
		type figures struct {
			Figures []struct {
				Name             string
				Today, Yesterday float64
			}
			Series []struct{ Deposits float64 }
			Alerts []struct{ Code, Text string }
		}
		f := merchanttest.Value[figures](t, anh.call(http.MethodGet, "/ops/v1/figures", nil))
		if len(f.Figures) < 4 || f.Figures[0].Name != "deposits" || f.Figures[0].Today+f.Figures[0].Yesterday != 50_000 {
			t.Errorf("figures = %+v, want a deposit of 50000", f.Figures)
		}
		if len(f.Series) != 30 || f.Series[28].Deposits+f.Series[29].Deposits != 50_000 {
			t.Errorf("series = %+v, want 30 days that end with 50000", f.Series)
		}
		warned := false
		for _, a := range f.Alerts {
			warned = warned || a.Code == "single" && a.Text == "operator.edit"
		}
		if !warned {
			t.Errorf("alerts = %+v, want a warning that one operator holds operator.edit alone", f.Alerts)
		}
		anh.wantBody(anh.call(http.MethodGet, "/ops/v1/health", nil), `"name":"database","state":"ok"`)
		anh.wantBody(anh.call(http.MethodGet, "/ops/v1/first-steps", nil), `"done":false`)
		anh.wantBody(anh.call(http.MethodGet, "/ops/v1/first-steps", nil), `{"name":"payments","state":"open"},{"name":"deposit","state":"open"}`)
		anh.wantBody(anh.call(http.MethodPost, "/ops/v1/first-steps/site", map[string]any{"name": "Lotus <b>", "version": 0}), `"siteName":"Lotus`)
		anh.wantStatus(anh.call(http.MethodPost, "/ops/v1/first-steps/site", map[string]any{"name": "Other", "version": 0}), 409, "ops.stale")
		anh.wantBody(anh.call(http.MethodGet, "/ops/v1/audit/verify", nil), `"head":"`)
	})
}
