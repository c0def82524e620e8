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

// documentedCodes holds the error codes that docs/openapi.json lists.
type documentedCodes struct {
	general map[string]bool // of all endpoints
	calls   []documentedCall
}

type documentedCall struct {
	method string
	path   *regexp.Regexp
	codes  map[string]bool
}

var (
	codePattern      = regexp.MustCompile("`([a-z_]+(?:\\.[a-z_]+)*)`")
	parameterPattern = regexp.MustCompile(`\\\{[a-zA-Z]+\\\}`)
)

var document = sync.OnceValues(func() (*documentedCodes, error) {
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
	d := &documentedCodes{general: codesOf(doc.Info.Description)}
	for path, methods := range doc.Paths {
		pattern := regexp.MustCompile("^" + parameterPattern.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		for method, op := range methods {
			d.calls = append(d.calls, documentedCall{strings.ToUpper(method), pattern, codesOf(op.Description)})
		}
	}
	return d, nil
})

func codesOf(description string) map[string]bool {
	set := map[string]bool{}
	for _, found := range codePattern.FindAllStringSubmatch(description, -1) {
		set[found[1]] = true
	}
	return set
}

// checkDocumented fails the test if an endpoint returns an error code that docs/openapi.json does not list for it.
// It ignores endpoints that only a test declares.
func checkDocumented(t testing.TB, method, path string, r Reply) {
	t.Helper()
	var f struct{ ErrorCode string }
	if err := json.Unmarshal(r.Body, &f); err != nil || f.ErrorCode == "" {
		return
	}
	doc, err := document()
	if err != nil {
		t.Errorf("read docs/openapi.json: %v", err)
		return
	}
	path, _, _ = strings.Cut(path, "?")
	found := false
	for _, call := range doc.calls {
		if call.method != method || !call.path.MatchString(path) {
			continue
		}
		if found = true; call.codes[f.ErrorCode] || doc.general[f.ErrorCode] {
			return
		}
	}
	if found {
		t.Errorf("%s %s returns %s, which docs/openapi.json does not name: add it to the call's Faults, then run make generate", method, path, f.ErrorCode)
	}
}
