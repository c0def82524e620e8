package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
)

// An attempt is one request. Its fields describe the differences from the call's valid request.
type attempt struct {
	name    string
	actor   string               // default: the owner, or a visitor for a public call
	before  func(p *actorServer) // runs before the request
	with    map[string]any       // replaced fields; nil removes a field
	body    func(p *actorServer) string
	path    string // replaces the call's path
	headers []string
	want    string // expected outcome, see outcome.String
}

// A callTest tests a call with all requests for which it can be rejected.
type callTest struct {
	id       string // operation id in the document
	path     string // replaces a path with parameters, or adds a query
	valid    func(p *actorServer) (fields map[string]any, headers []string)
	attempts []attempt
	untested map[string]string // error codes of the document without an attempt, with the reason
}

// A documented is a call in the OpenAPI document.
type documented struct {
	method, path, module string
	session, takesJSON   bool
	codes                []string
}

var (
	codeInText   = regexp.MustCompile("`([a-z_.]+)`")
	moduleInText = regexp.MustCompile(`Belongs to the module (\w+)\.`)
)

// documentedCalls reads the calls of the OpenAPI document, by id.
func documentedCalls(t *testing.T) map[string]documented {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Description string
			Security    []any
			RequestBody struct{ Content map[string]any }
		}
	}
	raw, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	all := map[string]documented{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			o := documented{method: strings.ToUpper(method), path: path, session: len(op.Security) > 0}
			_, o.takesJSON = op.RequestBody.Content["application/json"]
			if found := moduleInText.FindStringSubmatch(op.Description); found != nil {
				o.module = found[1]
			}
			for _, found := range codeInText.FindAllStringSubmatch(op.Description, -1) {
				o.codes = append(o.codes, found[1])
			}
			all[op.OperationID] = o
		}
	}
	return all
}

// An outcome is the response to an attempt.
type outcome struct {
	Case      string            `json:"case"`
	Status    int               `json:"status"`
	ErrorCode string            `json:"errorCode,omitempty"`
	Field     string            `json:"field,omitempty"`
	Args      map[string]string `json:"args,omitempty"`
}

// String returns the outcome in the format of attempt.want: STATUS CODE on FIELD NAME=ARGUMENT.
func (o outcome) String() string {
	text := strconv.Itoa(o.Status)
	if o.ErrorCode != "" {
		text += " " + o.ErrorCode
	}
	if o.Field != "" {
		text += " on " + o.Field
	}
	for _, name := range slices.Sorted(maps.Keys(o.Args)) {
		text += " " + name + "=" + o.Args[name]
	}
	return text
}

// commonAttempts returns requests that package rest rejects. They come from another network because of the rate limits.
func (o documented) commonAttempts() []attempt {
	attempts := []attempt{{name: "for a module that does not exist", headers: []string{"ModuleId", "NOSUCH3"}, want: "403 module.off module=NOSUCH3"}}
	if o.session {
		attempts = append(attempts, attempt{name: "without a session", actor: "visitor", want: "401 login.not.session"},
			attempt{name: "with an invalid token", actor: "visitor", headers: []string{"Authorization", "nonsense"}, want: "401 user.or.token.invalid"})
	}
	if o.takesJSON {
		attempts = append(attempts, attempt{name: "truncated body", body: func(*actorServer) string { return `{"` }, want: "400 request_param_err"},
			attempt{name: "unknown field", with: map[string]any{"memberType": 2}, want: "400 request_param_err on memberType"})
	}
	for i := range attempts {
		attempts[i].headers = append(attempts[i].headers, "X-Forwarded-For", "203.0.113.7")
	}
	return attempts
}

func (o documented) moduleOffAttempts() []attempt {
	if o.module == "" {
		return nil
	}
	return []attempt{{
		name: "module is off", want: "403 module.off module=" + o.module,
		before: func(p *actorServer) { p.setSwitch(merchant.SwitchOf(spec.Module(o.module), false)) },
	}}
}

func (v callTest) all(o documented) []attempt {
	return slices.Concat(o.commonAttempts(), v.attempts, o.moduleOffAttempts())
}

func (v callTest) run(p *actorServer, o documented) (outcomes []outcome) {
	for _, try := range v.all(o) {
		actor, path, sent := "visitor", o.path, ""
		if o.session {
			actor = "owner"
		}
		if try.before != nil {
			try.before(p)
		}
		if v.path != "" {
			path = v.path
		}
		if try.path != "" {
			path = try.path
		}
		if try.actor != "" {
			actor = try.actor
		}
		headers := try.headers
		if v.valid != nil {
			fields, more := v.valid(p)
			fields, headers = maps.Clone(fields), append(slices.Clone(more), headers...)
			maps.Copy(fields, try.with)
			maps.DeleteFunc(fields, func(_ string, value any) bool { return value == nil })
			sent = body(fields)
		} else if len(try.with) > 0 {
			sent = body(try.with)
		}
		if try.body != nil {
			sent = try.body(p)
		}
		a := p.as(actor, o.method, path, sent, headers...)
		for _, name := range []string{"now", "seconds", "ticket"} {
			if a.Args[name] != "" {
				a.Args[name] = "(varies)"
			}
		}
		outcomes = append(outcomes, outcome{try.name, a.status, a.ErrorCode, a.Field, a.Args})
	}
	return outcomes
}

// Each call of accounts must have an attempt for every error code in the document, or a reason why it has none.
func TestEveryRejectionOfAccounts(t *testing.T) {
	t.Parallel()
	calls := documentedCalls(t)
	tested := map[string]bool{}
	for _, group := range accountCalls() {
		for _, v := range group {
			tested[v.id] = true
		}
		t.Run(group[0].id, func(t *testing.T) {
			t.Parallel()
			p := newServerWithActors(t)
			for _, v := range group {
				o, found := calls[v.id]
				if !found {
					t.Fatalf("%s is not in the document", v.id)
				}
				outcomes := v.run(p, o)
				for _, code := range o.codes {
					returned := slices.ContainsFunc(outcomes, func(o outcome) bool { return o.ErrorCode == code })
					if excused := v.untested[code] != ""; returned == excused {
						t.Errorf("%s: code %s returned = %v, listed as untested = %v, want one of them", v.id, code, returned, excused)
					}
				}
				for i, try := range v.all(o) {
					if got := outcomes[i].String(); got != try.want {
						t.Errorf("%s, %s: %s, want %s", v.id, try.name, got, try.want)
					}
				}
				if slices.Contains(usedByWebTests, v.id) {
					checkWebFixture(t, v.id, outcomes)
				}
				if o.module != "" {
					p.setSwitch(merchant.SwitchOf(spec.Module(o.module), true))
				}
			}
		})
	}
	for id, o := range calls {
		account := regexp.MustCompile(`^/wps/(member|session|captcha|verification|check|agent/affiliate)`).MatchString(o.path)
		if account && !tested[id] && !strings.Contains(o.path, "/outside/") { // those redirect to other sites
			t.Errorf("%s has no test", id)
		}
	}
}

// usedByWebTests lists the calls whose outcomes web/src/app/refusals.test.tsx reads from testdata/calls.
var usedByWebTests = []string{"changePassword", "login", "register", "resetSendSMS"}

func checkWebFixture(t *testing.T, id string, outcomes []outcome) {
	t.Helper()
	got, err := json.MarshalIndent(outcomes, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "calls", id+".golden.json")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("%s is out of date (-file +server):\n%s", path, diff)
	}
}

// advance moves the clock forward without letting sessions expire.
func advance(d time.Duration) func(*actorServer) {
	return func(p *actorServer) {
		for left := d; left > 0; left -= 20 * time.Minute {
			p.clockOffset.Add(int64(min(left, 20*time.Minute)))
			for _, actor := range actors[1:] {
				p.as(actor, http.MethodGet, "/wps/session/touch", "")
			}
		}
	}
}

func inOrder(first, second func(*actorServer)) func(*actorServer) {
	return func(p *actorServer) {
		first(p)
		second(p)
	}
}
