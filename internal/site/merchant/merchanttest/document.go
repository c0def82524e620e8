package merchanttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// refusals is what the API's document says that calls may refuse with: general of any of them, and each of its own.
type refusals struct {
	general map[string]bool
	calls   []documented
}

type documented struct {
	method string
	path   *regexp.Regexp
	codes  map[string]bool
}

var (
	code  = regexp.MustCompile("`([a-z_]+(?:\\.[a-z_]+)*)`")
	given = regexp.MustCompile(`\\\{[a-zA-Z]+\\\}`)
)

// document reads docs/openapi.json, which `make generate` writes.
var document = sync.OnceValues(func() (*refusals, error) {
	type operation struct{ Description string }
	var doc struct {
		Info  struct{ Description string }
		Paths map[string]map[string]operation
	}
	folder, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil || folder == filepath.Dir(folder) {
			break
		}
		folder = filepath.Dir(folder)
	}
	raw, err := os.ReadFile(filepath.Join(folder, "docs", "openapi.json"))
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return nil, err
	}
	r := &refusals{general: codesIn(doc.Info.Description)}
	for path, methods := range doc.Paths {
		pattern := regexp.MustCompile("^" + given.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method, op := range methods {
			r.calls = append(r.calls, documented{strings.ToUpper(method), pattern, codesIn(op.Description)})
		}
	}
	return r, nil
})

func codesIn(description string) map[string]bool {
	set := map[string]bool{}
	for _, found := range code.FindAllStringSubmatch(description, -1) {
		set[found[1]] = true
	}
	return set
}

// declared fails the test where a call refuses with a code that its document does not name: whoever writes a client
// reads there what can happen. Calls that are not in the document are tests' own.
func declared(t testing.TB, method, path string, r Reply) {
	t.Helper()
	var f struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &f); err != nil || f.ErrorCode == "" {
		return
	}
	doc, err := document()
	if err != nil {
		t.Errorf("read the API's document: %v", err)
		return
	}
	path, _, _ = strings.Cut(path, "?")
	known := false
	for _, call := range doc.calls {
		if call.method != method || !call.path.MatchString(path) {
			continue
		}
		if known = true; call.codes[f.ErrorCode] || doc.general[f.ErrorCode] {
			return
		}
	}
	if known {
		t.Errorf("%s %s refuses with %s, which docs/openapi.json does not say: name it in the call's Faults, then make generate", method, path, f.ErrorCode)
	}
}
