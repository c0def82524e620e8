package ops_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/permission"
	"fairground/internal/site/merchant/merchanttest"
)

// An objectSite is a site with one object of each kind, and an operator with all permissions at each of two merchants.
type objectSite struct {
	*opsSite

	ids        map[string]string // of the first merchant's objects, by the first part of their path
	own, other *person           // operators of the first and of the second merchant
	actions    map[string][]string
}

func newObjectSite(t *testing.T, store *db.Store) *objectSite {
	t.Helper()
	d := newOpsSite(t, store)
	second, err := d.Merchants.Ensure(t.Context(), "second", "Second", "VND")
	if err != nil {
		t.Fatal(err)
	}
	s := &objectSite{opsSite: d, actions: documentedActions(t)}
	s.own = d.createForMerchant("lan", d.ID, permission.Owner).logIn()
	s.other = d.createForMerchant("minh", second, permission.Owner).logIn()
	s.own.confirm()
	s.other.confirm()
	s.ids = d.addObjects(t, s.own)
	return s
}

// documentedActions returns the values of {action} of each call, from the API document.
func documentedActions(t *testing.T) map[string][]string {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name   string
				Schema struct{ Enum []string }
			}
		}
	}
	raw, err := os.ReadFile("../../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			for _, parameter := range op.Parameters {
				if parameter.Name == "action" {
					out[strings.ToUpper(method)+" "+path] = parameter.Schema.Enum
				}
			}
		}
	}
	return out
}

// requests returns the requests of a call: one for each action.
func (s *objectSite) requests(call, name string) (method string, paths []string) {
	method, path, _ := strings.Cut(call, " ")
	kind := strings.Split(path, "/")[3]
	if kind == "catalogue" {
		kind = "vendors"
	}
	id := s.ids[kind]
	if name != "" {
		id = name
	}
	if name == "" && kind == "chats" {
		name = chatPicture
	}
	path = strings.NewReplacer("{id}", id, "{n}", "1", "{name}", name).Replace(path)
	actions := s.actions[call]
	if len(actions) == 0 {
		return method, []string{path}
	}
	for _, action := range actions {
		paths = append(paths, strings.ReplaceAll(path, "{action}", action))
	}
	return method, paths
}

// send sends a request as an operator.
func (s *objectSite) send(t *testing.T, by *person, method, path string, body object, headers ...string) merchanttest.Reply {
	t.Helper()
	s.Refill()
	headers = append(headers, "Cookie", "fairground_operator="+by.cookie)
	if method == http.MethodPost && strings.HasSuffix(path, "/images") {
		form, contentType := pictureForm(t)
		return s.Call(t, method, path, form, append(headers, "Content-Type", contentType)...)
	}
	if body == nil {
		return s.Call(t, method, path, nil, headers...)
	}
	return s.Call(t, method, path, body, headers...)
}

func codeOf(r merchanttest.Reply) string {
	var out struct{ ErrorCode string }
	_ = json.Unmarshal(r.Body, &out) // a file has no code
	return out.ErrorCode
}

// An operator with all permissions gets 404 for each object of another merchant, and changes nothing. The same call reaches the object
// for an operator of its merchant, so that a wrong path or body cannot hide a missing check.
func TestSE03OperatorsReachNoObjectOfAnotherMerchantPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newObjectSite(t, store)
		calls := objectCalls()
		before := s.snapshot(t, 0)
		for _, c := range calls {
			method, paths := s.requests(c.call, "")
			for _, path := range paths {
				if r := s.send(t, s.other, method, path, c.body); r.Status != http.StatusNotFound || codeOf(r) != c.refusal {
					t.Errorf("%s %s by an operator of another merchant: got %d %.200s, want 404 %s", method, path, r.Status, r.Body, c.refusal)
				}
				if r := s.send(t, s.other, method, path, c.body, "Merchant", merchanttest.Code); r.Status != http.StatusForbidden || codeOf(r) != "merchant.unknown" {
					t.Errorf("%s %s with the header Merchant: got %d %.200s, want 403 merchant.unknown", method, path, r.Status, r.Body)
				}
			}
		}
		wantSameRows(t, before, s.snapshot(t, 0))
		for _, c := range calls {
			method, paths := s.requests(c.call, "")
			for _, path := range paths {
				// With an outdated version, most changes are refused after the object was found. No wallet answers here, so repairs of
				// stuck rounds fail.
				r := s.send(t, s.own, method, path, withVersion(c.body, 99))
				reached := codeOf(r) != c.refusal && (r.Status < 500 || strings.HasPrefix(path, "/ops/v1/stuck/"))
				if !reached || method == http.MethodGet && r.Status != http.StatusOK {
					t.Errorf("%s %s by an operator of the merchant: got %d %.200s, want an answer about the object", method, path, r.Status, r.Body)
				}
			}
		}
	})
}

// A name that every merchant has, such as a setting's, leads an operator to the own merchant's value.
func TestSE03NamedObjectsAreOfTheOwnMerchantPart(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newObjectSite(t, store)
		s.addNamedObjects(t)
		before := s.snapshot(t, s.ID)
		for _, c := range namedCalls {
			method, paths := s.requests(c.call, c.name)
			if c.action != "" {
				paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasSuffix(path, "/"+c.action) })
			}
			for _, path := range paths {
				r := s.send(t, s.other, method, path, c.body)
				if codeOf(r) != c.want || (r.Status == http.StatusOK) != (c.want == "") {
					t.Errorf("%s %s: got %d %.200s, want %q", method, path, r.Status, r.Body, c.want)
				}
				if strings.Contains(string(r.Body), ownValue) {
					t.Errorf("%s %s: got %s, which contains a value of another merchant", method, path, r.Body)
				}
			}
		}
		wantSameRows(t, before, s.snapshot(t, s.ID))
	})
}

// ownValue is in the first merchant's rows of addNamedObjects.
const ownValue = "4321987"

// addNamedObjects stores values of the first merchant for the names of namedCalls.
func (s *objectSite) addNamedObjects(t *testing.T) {
	t.Helper()
	s.own.wantStatus(s.send(t, s.own, http.MethodPost, "/ops/v1/settings/withdraw.fee/set", object{"version": 0, "value": 4321987}), 200, "")
	s.own.wantStatus(s.send(t, s.own, http.MethodPost, "/ops/v1/switches/module.REG3/off", object{"version": 0, "reason": ownValue}), 200, "")
	rule := object{"version": 0, "enabled": false, "checkIn": object{"amounts": []int{1, 1, 1, 1, 1, 1, 4321987}}}
	s.own.wantStatus(s.send(t, s.own, http.MethodPut, "/ops/v1/loyalty/check_in", rule), 200, "")
	now := s.Clock.Now().UnixMilli()
	s.insert(t, "lottery_numero", object{
		"id": 7051, "merchant_id": s.ID, "game_id": 1101, "numero": strings.TrimPrefix(lotteryDraw, "1101-"), "open_at": now - 300_000, "close_at": now - 200_000, "draw_at": now - 100_000,
		"status": "drawn", "win_no": ownValue, "version": 7,
	})
}

// Every operators' call with a parameter in its path is in a table, with each of its actions.
func TestSE03EveryObjectCallIsTestedPart(t *testing.T) {
	t.Parallel()
	d := newOpsSite(t, dbtest.SQLite(t))
	actions := documentedActions(t)
	tested := map[string]bool{}
	for _, c := range objectCalls() {
		tested[c.call] = true
	}
	sent := map[string][]string{}
	for _, c := range namedCalls {
		tested[c.call] = true
		sent[c.call] = append(sent[c.call], c.action)
	}
	for call, list := range sent {
		for _, action := range actions[call] {
			if !slices.Contains(list, action) {
				t.Errorf("%s: the action %s is not in namedCalls", call, action)
			}
		}
	}
	declared := map[string]bool{}
	for _, op := range d.Routes() {
		call := op.Method + " " + op.Path
		if !strings.HasPrefix(op.Path, "/ops/") || !strings.Contains(op.Path, "{") {
			continue
		}
		if declared[call] = true; !tested[call] {
			t.Errorf("%s has a parameter in its path: add it to objectCalls, or to namedCalls with the reason", call)
		}
		if strings.Contains(op.Path, "{action}") && len(actions[call]) == 0 {
			t.Errorf("%s: the API document lists no actions, want an enum", call)
		}
	}
	for _, call := range slices.Sorted(maps.Keys(tested)) {
		if !declared[call] {
			t.Errorf("%s is not an endpoint: remove it from the table", call)
		}
	}
	if len(declared) < 100 {
		t.Errorf("%d endpoints with a parameter, want at least 100", len(declared))
	}
}

// unstableTables change with every request: sessions, and counters of limits.
var unstableTables = []string{"operator_session", "tally"}

// snapshot returns the rows of all tables. With a merchant, it returns only this merchant's rows of tables that name a merchant.
func (s *objectSite) snapshot(t *testing.T, merchantID int64) map[string][]string {
	t.Helper()
	list := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if s.Store.Engine == db.Postgres {
		list = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'"
	}
	out := map[string][]string{}
	for _, table := range s.rowsOf(t, list) {
		columns := s.columns(t, table)
		where := ""
		if merchantID != 0 {
			if !slices.Contains(columns, "merchant_id") {
				continue
			}
			where = fmt.Sprintf(" WHERE merchant_id = %d", merchantID)
		}
		if !slices.Contains(unstableTables, table) {
			out[table] = s.rowsOf(t, "SELECT * FROM "+table+where)
			slices.Sort(out[table])
		}
	}
	return out
}

func (s *objectSite) columns(t *testing.T, table string) []string {
	t.Helper()
	rows, err := s.Store.Reader.QueryContext(t.Context(), "SELECT * FROM "+table+" LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err = firstError(err, rows.Err()); err != nil {
		t.Fatal(err)
	}
	return names
}

// rowsOf returns the rows of a query as text.
func (s *objectSite) rowsOf(t *testing.T, query string) (out []string) {
	t.Helper()
	rows, err := s.Store.Reader.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(names))
		targets := make([]any, len(names))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			t.Fatal(err)
		}
		parts := make([]string, len(values))
		for i, value := range values {
			parts[i] = fmt.Sprint(value)
		}
		out = append(out, strings.Join(parts, " | "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func wantSameRows(t *testing.T, before, after map[string][]string) {
	t.Helper()
	for table, rows := range before {
		if !slices.Equal(rows, after[table]) {
			t.Errorf("table %s: got %.500q, want it unchanged: %.500q", table, after[table], rows)
		}
	}
}
