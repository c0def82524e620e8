package main

import (
	"encoding/json"
	"flag"
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

var update = flag.Bool("update", false, "write the golden answers instead of comparing with them")

// try is one request: what differs from the call's good one.
type try struct {
	name    string
	actor   string          // the owner unless said; a visitor where the call is open to all
	before  func(p *people) // what happens before
	with    map[string]any  // fields in place of the good ones; nil takes one away
	body    func(p *people) string
	path    string // in place of the call's own
	headers []string
	want    string // the answer, see line.String
}

// visited is a call with everything that it can be refused with.
type visited struct {
	id     string // its operation in the document
	path   string // where the document's has a parameter, or where it is asked with a query
	good   func(p *people) (fields map[string]any, headers []string)
	tries  []try
	unseen map[string]string // codes of the document that nothing here gives, and why
}

// operation is a call as the document has it.
type operation struct {
	method, path, module string
	session, takesJSON   bool
	codes                []string
}

var (
	codeInText   = regexp.MustCompile("`([a-z_.]+)`")
	moduleInText = regexp.MustCompile(`Belongs to the module (\w+)\.`)
)

// operations reads the document, by id.
func operations(t *testing.T) map[string]operation {
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
	all := map[string]operation{}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			o := operation{method: strings.ToUpper(method), path: path, session: len(op.Security) > 0}
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

// line is one answer.
type line struct {
	Case      string            `json:"case"`
	Status    int               `json:"status"`
	ErrorCode string            `json:"errorCode,omitempty"`
	Field     string            `json:"field,omitempty"`
	Args      map[string]string `json:"args,omitempty"`
}

// String is how a try states what it wants: the status, the code, the field and what the message names.
func (l line) String() string {
	text := strconv.Itoa(l.Status)
	if l.ErrorCode != "" {
		text += " " + l.ErrorCode
	}
	if l.Field != "" {
		text += " on " + l.Field
	}
	for _, name := range slices.Sorted(maps.Keys(l.Args)) {
		text += " " + name + "=" + l.Args[name]
	}
	return text
}

// border is what every call of a kind is refused with before its own code runs. It is tried from another network, for
// each may call only so often.
func (o operation) border() []try {
	tries := []try{{name: "for a module that does not exist", headers: []string{"ModuleId", "NOSUCH3"}, want: "403 module.off module=NOSUCH3"}}
	if o.session {
		tries = append(tries, try{name: "without a session", actor: "visitor", want: "401 login.not.session"},
			try{name: "with a token that is none", actor: "visitor", headers: []string{"Authorization", "nonsense"}, want: "401 user.or.token.invalid"})
	}
	if o.takesJSON {
		tries = append(tries, try{name: "half a body", body: func(*people) string { return `{"` }, want: "400 request_param_err"},
			try{name: "an unknown field", with: map[string]any{"memberType": 2}, want: "400 request_param_err on memberType"})
	}
	for i := range tries {
		tries[i].headers = append(tries[i].headers, "X-Forwarded-For", "203.0.113.7")
	}
	return tries
}

// closed is the call where its module is off.
func (o operation) closed() []try {
	if o.module == "" {
		return nil
	}
	return []try{{
		name: "its module is off", want: "403 module.off module=" + o.module,
		before: func(p *people) { p.flip(merchant.SwitchOf(spec.Module(o.module), false)) },
	}}
}

// all is what is tried: what every call of its kind is refused with, and the call's own.
func (v visited) all(o operation) []try { return slices.Concat(o.border(), v.tries, o.closed()) }

func (v visited) run(p *people, o operation) (lines []line) {
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
		if v.good != nil {
			fields, more := v.good(p)
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
		lines = append(lines, line{try.name, a.status, a.ErrorCode, a.Field, a.Args})
	}
	return lines
}

// Each call of accounts, with its success and all that it can be refused with. Whatever the document says that a call may
// refuse with is shown here, or the reason stands here why it is not.
func TestEveryRefusalOfAccounts(t *testing.T) {
	t.Parallel()
	operations := operations(t)
	seen := map[string]bool{}
	for _, group := range everyCall() {
		for _, v := range group {
			seen[v.id] = true
		}
		t.Run(group[0].id, func(t *testing.T) {
			t.Parallel()
			p := newPeople(t)
			for _, v := range group {
				o, known := operations[v.id]
				if !known {
					t.Fatalf("%s is not in the document", v.id)
				}
				lines := v.run(p, o)
				for _, code := range o.codes {
					given := slices.ContainsFunc(lines, func(l line) bool { return l.ErrorCode == code })
					if excused := v.unseen[code] != ""; given == excused {
						t.Errorf("%s refuses with %s: given %v, excused %v", v.id, code, given, excused)
					}
				}
				compare(t, v, o, lines)
				if o.module != "" {
					p.flip(merchant.SwitchOf(spec.Module(o.module), true))
				}
			}
		})
	}
	for id, o := range operations {
		account := regexp.MustCompile(`^/wps/(member|session|captcha|verification|check|agent/affiliate)`).MatchString(o.path)
		if account && !seen[id] && !strings.Contains(o.path, "/outside/") { // those lead browsers elsewhere
			t.Errorf("nobody tries %s", id)
		}
	}
}

// compare holds the answers against what the tries want. Calls that share their tries with
// others, and those whose answers the app's tests read, have a golden file instead.
func compare(t *testing.T, v visited, o operation, lines []line) {
	t.Helper()
	shared := slices.ContainsFunc(v.tries, func(t try) bool { return t.want == "" })
	for i, try := range v.all(o) {
		if got := lines[i].String(); try.want != "" && got != try.want {
			t.Errorf("%s, %s: %s, want %s", v.id, try.name, got, try.want)
		}
	}
	if shared {
		compareGolden(t, v.id, lines)
	}
}

func compareGolden(t *testing.T, id string, lines []line) {
	t.Helper()
	got, err := json.MarshalIndent(lines, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	path := filepath.Join("testdata", "calls", id+".golden.json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: write it with -update and read it", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", id, diff)
	}
}

// wait moves the clock on, and lets nobody's session lie idle over it.
func wait(d time.Duration) func(*people) {
	return func(p *people) {
		for left := d; left > 0; left -= 20 * time.Minute {
			p.ahead.Add(int64(min(left, 20*time.Minute)))
			for _, actor := range actors[1:] {
				p.as(actor, http.MethodGet, "/wps/session/touch", "")
			}
		}
	}
}

// both does one thing and then another.
func both(first, second func(*people)) func(*people) {
	return func(p *people) {
		first(p)
		second(p)
	}
}
