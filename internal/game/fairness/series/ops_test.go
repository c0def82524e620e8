package series_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/fairness/series"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

const opsFairness = "/ops/v1/fairness"

type fields = map[string]any

func wantCode(t testing.TB, what string, r merchanttest.Reply, status int, code string) {
	t.Helper()
	if r.Status != status || !strings.Contains(string(r.Body), `"errorCode":"`+code+`"`) {
		t.Errorf("%s: got %d %s, want %d %s", what, r.Status, r.Body, status, code)
	}
}

func TestSE12AnnouncedResultNeedsTwoPeoplePart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := servertest.New(t, store)
		first, err := site.Server.Series.Ensure(t.Context(), series.Table, "sicbo-1")
		if err != nil {
			t.Fatal(err)
		}
		lan := site.Operator(t, "lan", "games")
		support := site.Operator(t, "sam", "support")
		seriesOf := func(what string, r merchanttest.Reply) series.OpsSeries {
			t.Helper()
			if r.Status != http.StatusOK {
				t.Fatalf("%s: got %d %s, want 200", what, r.Status, r.Body)
			}
			return merchanttest.Value[series.OpsSeries](t, r)
		}
		wantLogged := func(action, mode string, want int64) {
			t.Helper()
			if got := site.Number(t, "SELECT COUNT(*) FROM audit WHERE action = $1 AND mode = $2 AND operator IN ('lan', 'minh')", action, mode); got != want {
				t.Errorf("%s, %s in the audit log: got %d, want %d", action, mode, got, want)
			}
		}

		list := merchanttest.Value[struct{ List []series.OpsSeries }](t, lan("GET", opsFairness+"?state=running&q=sicbo-1", nil)).List
		if len(list) != 1 || list[0].End != first.End || list[0].Version != 1 || fmt.Sprint(list[0].Actions) != "[announce]" {
			t.Errorf("running series: got %+v, want the table's, which can be announced", list)
		}
		if file := lan("GET", opsFairness+"?format=csv&q=sicbo-1", nil); !strings.Contains(string(file.Body), first.End) {
			t.Errorf("series as CSV: got %s, want the end %s", file.Body, first.End)
		}

		due := site.Clock.Now().Add(25 * time.Hour)
		announcement := func(dueAt time.Time) fields {
			return fields{"kind": "table", "name": "sicbo-1", "detail": "Special prize of 20 November", "dueAt": dueAt.UnixMilli()}
		}
		other := announcement(due)
		other["detail"], other["digits"] = "Special prize (6 digits)", 5
		wantCode(t, "two numbers of digits", lan("POST", opsFairness, other), 400, "request_param_err")
		wantCode(t, "too soon", lan("POST", opsFairness, announcement(site.Clock.Now().Add(23*time.Hour))), 400, "fairness.too_soon")
		waiting := seriesOf("announce", lan("POST", opsFairness, announcement(due)))
		if waiting.State != series.Waiting || waiting.Source != series.Announced || waiting.Generation != 2 || waiting.DueAt != due.UnixMilli() || waiting.Salt != "" || fmt.Sprint(waiting.Actions) != "[end]" {
			t.Errorf("announced series: got %+v, want generation 2 that waits", waiting)
		}
		wantLogged("fairness.series_publish", "", 1)
		wantCode(t, "a second announcement", lan("POST", opsFairness, announcement(due)), 409, "fairness.already_waiting")
		path := opsFairness + "/" + waiting.ID
		value := func(version int64, text string) fields { return fields{"version": version, "value": text} }
		wantCode(t, "before it is due", lan("POST", path+"/value", value(waiting.Version, "40213")), 422, "fairness.not_due")

		for _, call := range []struct {
			method, path string
			body         any
		}{
			{"GET", opsFairness, nil},
			{"GET", path, nil},
			{"POST", opsFairness, announcement(due)},
			{"POST", path + "/value", value(waiting.Version, "40213")},
			{"POST", path + "/end", fields{"version": waiting.Version}},
		} {
			wantCode(t, call.method+" "+call.path+" without the permission", support(call.method, call.path, call.body), 403, "ops.forbidden")
		}

		site.Exec(t, "UPDATE fair_series SET due_at = $1 WHERE state = 'waiting'", site.Clock.Now().UnixMilli()) // the result is public now
		if now := seriesOf("series", lan("GET", path, nil)); fmt.Sprint(now.Actions) != "[value end]" {
			t.Errorf("actions when the result is due: got %v, want value and end", now.Actions)
		}
		wantCode(t, "another version", lan("POST", path+"/value", value(waiting.Version+1, "40213")), 409, "ops.stale")
		if !strings.HasSuffix(waiting.Detail, " (5 digits)") {
			t.Errorf("detail: got %q, want it to state the number of digits", waiting.Detail)
		}
		for _, text := range []string{"4021", "040213", "4021a", "+4021", "４0213"} {
			wantCode(t, "another spelling: "+text, lan("POST", path+"/value", value(waiting.Version, text)), 400, "fairness.value_format")
		}
		wantCode(t, "other characters", lan("POST", path+"/value", value(waiting.Version, "4 02 13")), 400, "fairness.value_format")

		// Only one operator has the permission, so the result waits until a second one has it.
		entered := merchanttest.Value[series.OpsEntered](t, lan("POST", path+"/value", value(waiting.Version, "40213"))).Approval
		if entered == nil || entered.State != "waiting" {
			t.Fatalf("a result by one person: got %+v, want an approval that waits", entered)
		}
		wantLogged(series.ActionValue, "proposed", 1)
		approval := "/ops/v1/approvals/" + entered.ID
		wantCode(t, "the same person", lan("POST", approval, fields{"decision": "approve"}), 403, "ops.same_person")
		if still := seriesOf("series", lan("GET", path, nil)); still.State != series.Waiting {
			t.Errorf("series before the second person: got %s, want waiting", still.State)
		}
		minh := site.Operator(t, "minh", "games")
		if r := minh("POST", approval, fields{"decision": "approve"}); r.Status != http.StatusOK {
			t.Fatalf("approve: got %d %s, want 200", r.Status, r.Body)
		}
		wantLogged(series.ActionValue, "approved", 1)
		started := seriesOf("series", minh("GET", path, nil))
		if want := series.Salt("table", "sicbo-1", 2, waiting.End, "40213"); started.State != series.Running || started.Value != "40213" || started.Salt != want || started.Version != waiting.Version+1 {
			t.Errorf("series after the second person: got %+v, want it running with the salt %s", started, want)
		}
		wantCode(t, "a second result", lan("POST", path+"/value", value(started.Version, "40213")), 409, "fairness.not_waiting")

		// A waiting series can be ended. The present series stays in use.
		abandoned := seriesOf("announce again", minh("POST", opsFairness, announcement(due)))
		end := opsFairness + "/" + abandoned.ID + "/end"
		wantCode(t, "end with another version", lan("POST", end, fields{"version": abandoned.Version + 1}), 409, "ops.stale")
		if ended := seriesOf("end", lan("POST", end, fields{"version": abandoned.Version, "reason": "the draw was cancelled"})); ended.State != series.Ended || ended.Salt != "" {
			t.Errorf("an abandoned series: got %+v, want it ended without a salt", ended)
		}
		wantCode(t, "end again", lan("POST", end, fields{"version": abandoned.Version + 1}), 409, "fairness.not_waiting")
		wantLogged("fairness.series_end", "", 1)
		if got := site.Number(t, "SELECT COUNT(*) FROM audit WHERE action = 'fairness.series_end' AND after LIKE '%the draw was cancelled%'"); got != 1 {
			t.Errorf("reasons in the audit log: got %d, want 1", got)
		}
		if present, err := site.Server.Series.Ensure(t.Context(), series.Table, "sicbo-1"); err != nil || fmt.Sprint(present.ID) != started.ID {
			t.Errorf("the present series: got %+v, %v, want %s", present, err, started.ID)
		}
	})
}

func TestSE03SeriesOfAnotherMerchantPart(t *testing.T) {
	t.Parallel()
	site := servertest.New(t, dbtest.SQLite(t))
	ensure := func(kind, name string) series.Info {
		t.Helper()
		i, err := site.Server.Series.Ensure(t.Context(), kind, name)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	table := ensure(series.Table, "sicbo-1")
	own := ensure(series.Lottery, fmt.Sprintf("k3-1-%d", site.ID))
	other := ensure(series.Lottery, fmt.Sprintf("k3-1-%d", site.ID+1))
	due := site.Clock.Now().Add(25 * time.Hour).UnixMilli()
	announcement := func(i series.Info) fields {
		return fields{"kind": i.Kind, "name": i.Name, "detail": "Special prize", "dueAt": due}
	}
	lan := site.OperatorOf(t, site.ID, "lan", "games")

	for _, path := range []string{opsFairness, "/wps/fairness/series"} {
		list := string(lan("GET", path, nil).Body)
		if !strings.Contains(list, table.End) || !strings.Contains(list, own.End) || strings.Contains(list, other.End) {
			t.Errorf("%s: got %s, want the series of the table and of the own lottery only", path, list)
		}
	}
	path := fmt.Sprintf("%s/%d", opsFairness, other.ID)
	wantCode(t, "read", lan("GET", path, nil), 404, "fairness.unknown_series")
	wantCode(t, "announce", lan("POST", opsFairness, announcement(other)), 404, "fairness.unknown_series")
	wantCode(t, "announce for a table", lan("POST", opsFairness, announcement(table)), 404, "fairness.unknown_series")
	wantCode(t, "enter", lan("POST", path+"/value", fields{"version": 1, "value": "40213"}), 404, "fairness.unknown_series")
	wantCode(t, "end", lan("POST", path+"/end", fields{"version": 1}), 404, "fairness.unknown_series")
	if r := lan("POST", opsFairness, announcement(own)); r.Status != http.StatusOK {
		t.Errorf("announce for the own lottery: got %d %s, want 200", r.Status, r.Body)
	}
	if got := site.Number(t, "SELECT COUNT(*) FROM fair_series WHERE name = $1", other.Name); got != 1 {
		t.Errorf("series of the other merchant: got %d, want 1", got)
	}
}
