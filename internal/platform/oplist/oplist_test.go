package oplist_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fairground/internal/fault"
	"fairground/internal/platform/oplist"
	"fairground/internal/platform/page"
	"fairground/internal/platform/rest"
)

var errForbidden = fault.ForOperators(fault.Forbidden, "ops.forbidden")

type deposit struct {
	ID     int64  `json:"id"`
	At     int64  `json:"at"`
	Amount int64  `json:"amount"`
	State  string `json:"state"`
}

// depositsInput adds the filter minAmount to the shared parameters.
type depositsInput struct {
	oplist.Params
	MinAmount int64 `query:"minAmount"`
}

func position(d deposit, sort string) page.Key {
	if sort == "amount" {
		return page.Key{At: d.Amount, ID: d.ID}
	}
	return page.Key{At: d.At, ID: d.ID}
}

// selectFrom is the query of the list, on rows in memory.
func selectFrom(rows []deposit) func(context.Context, *depositsInput, page.Key, int) ([]deposit, error) {
	return func(_ context.Context, in *depositsInput, after page.Key, limit int) ([]deposit, error) {
		below := func(a, b page.Key) bool { return a.At < b.At || a.At == b.At && a.ID < b.ID }
		var found []deposit
		for _, d := range rows {
			if d.Amount >= in.MinAmount && (in.State == "" || d.State == in.State) && d.At >= in.From && (in.To == 0 || d.At < in.To) && below(position(d, in.Sort), after) {
				found = append(found, d)
			}
		}
		slices.SortFunc(found, func(a, b deposit) int {
			if below(position(b, in.Sort), position(a, in.Sort)) {
				return -1
			}
			return 1
		})
		return found[:min(limit, len(found))], nil
	}
}

func newAPI(t testing.TB, rows []deposit) http.Handler {
	t.Helper()
	api, err := rest.New(rest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	allow := func(ctx context.Context, permission string) error {
		if rest.TokenOf(ctx) != permission {
			return errForbidden.With("permission", permission)
		}
		return nil
	}
	oplist.Register(api, allow, oplist.List[depositsInput, deposit]{
		Op:         rest.Op{Path: "/ops/v1/deposits", ID: "opsDeposits", Tag: "ops", Summary: "List deposits", Faults: []*fault.Fault{errForbidden}},
		Permission: "deposit.confirm", Sorts: []string{"time", "amount"}, States: []string{"waiting", "paid"}, File: "deposits.csv",
		Columns: []oplist.Column[deposit]{
			{Name: "id", Text: func(d deposit) string { return strconv.FormatInt(d.ID, 10) }},
			{Name: "state", Text: func(d deposit) string { return d.State }},
		},
		Select: selectFrom(rows), Key: position,
	})
	return api.Handler()
}

func get(t testing.TB, h http.Handler, query string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/ops/v1/deposits?"+query, nil)
	r.Header.Set("Authorization", "deposit.confirm")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var rows = []deposit{{1, 10, 500, "paid"}, {2, 20, 100, "waiting"}, {3, 20, 300, "waiting"}, {4, 30, 300, "=paid"}, {5, 40, 200, "waiting"}}

// ids reads all pages of a list.
func ids(t testing.TB, h http.Handler, query string) (found []int64) {
	t.Helper()
	cursor := ""
	for {
		w := get(t, h, query+"&cursor="+cursor)
		var reply struct {
			Value oplist.Page[deposit]
		}
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || w.Code != http.StatusOK {
			t.Fatalf("%s: status %d, body %s, want 200", query, w.Code, w.Body)
		}
		for _, d := range reply.Value.List {
			found = append(found, d.ID)
		}
		if cursor = reply.Value.Next; cursor == "" {
			return found
		}
	}
}

func TestListsFilterSortAndPage(t *testing.T) {
	t.Parallel()
	h := newAPI(t, rows)
	for query, want := range map[string][]int64{
		"pageSize=2":                         {5, 4, 3, 2, 1},
		"pageSize=1&sort=amount":             {1, 4, 3, 5, 2},
		"state=waiting&pageSize=2":           {5, 3, 2},
		"from=20&to=40":                      {4, 3, 2},
		"minAmount=300&pageSize=2&sort=time": {4, 3, 1},
		"minAmount=1000":                     nil,
	} {
		if got := ids(t, h, query); !slices.Equal(got, want) {
			t.Errorf("%s: ids = %v, want %v", query, got, want)
		}
	}
	if got, want := strings.TrimSpace(get(t, h, "minAmount=1000").Body.String()), `{"success":true,"value":{"list":[],"next":""}}`; got != want {
		t.Errorf("empty list = %s, want %s", got, want)
	}
}

func TestListRefuses(t *testing.T) {
	t.Parallel()
	h := newAPI(t, rows)
	for query, field := range map[string]string{
		"sort=id;drop": "sort", "sort=state": "sort", "state=unknown": "state", "from=5&to=5": "to", "cursor=x": "cursor", "pageSize=101": "pageSize", "format=xml": "format",
		"unknown=1&minAmount=x": "minAmount",
	} {
		w := get(t, h, query)
		var reply struct{ ErrorCode, Field string }
		if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || w.Code != http.StatusBadRequest || reply.Field != field {
			t.Errorf("%s: status %d, body %s, want 400 for %s", query, w.Code, w.Body, field)
		}
	}
	for _, query := range []string{"", "format=csv"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/ops/v1/deposits?"+query, nil))
		if got := w.Body.String(); w.Code != http.StatusForbidden || !strings.Contains(got, `"args":{"permission":"deposit.confirm"}`) {
			t.Errorf("without permission: status %d, body %s, want 403 that names deposit.confirm", w.Code, got)
		}
	}
}

func TestCSVHasAllRowsOfTheFilters(t *testing.T) {
	t.Parallel()
	w := get(t, newAPI(t, rows), "format=csv&minAmount=300")
	if got, want := w.Body.String(), "\ufeffid,state\r\n4,'=paid\r\n3,waiting\r\n1,paid\r\n"; w.Code != http.StatusOK || got != want {
		t.Errorf("status %d, file = %q, want %q", w.Code, got, want)
	}
	if got, want := w.Header().Get("Content-Disposition"), `attachment; filename="deposits.csv"`; got != want {
		t.Errorf("Content-Disposition = %q, want %q", got, want)
	}
	var many []deposit
	for i := range int64(250) {
		many = append(many, deposit{ID: i, At: i / 7})
	}
	if got, want := strings.Count(get(t, newAPI(t, many), "format=csv").Body.String(), "\r\n"), 251; got != want {
		t.Errorf("lines = %d, want %d", got, want)
	}
}

func ExampleRegister() {
	var (
		api   *rest.API
		allow oplist.Allow
	)
	_ = func() {
		oplist.Register(api, allow, oplist.List[depositsInput, deposit]{
			Op:         rest.Op{Path: "/ops/v1/deposits", ID: "opsDeposits", Tag: "ops", Summary: "List deposits"},
			Permission: "deposit.confirm",
			Sorts:      []string{"time", "amount"},
			States:     []string{"waiting", "paid"},
			File:       "deposits.csv",
			Columns:    []oplist.Column[deposit]{{Name: "id", Text: func(d deposit) string { return fmt.Sprint(d.ID) }}},
			Select:     selectFrom(nil), // the query
			Key:        position,
		})
	}
}
