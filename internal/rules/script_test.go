package rules

import (
	"regexp"
	"strings"
	"testing"
)

// scripts/test.sh selects tests of the ledger's queue by name for the race detector. A name that no test has would select nothing.
func TestSelectedTestsExist(t *testing.T) {
	t.Parallel()
	script := files(t, func(f file) bool { return f.path == "scripts/test.sh" })[0]
	selected := regexp.MustCompile(`-run=\^\(([\w|]+)\)' -- fairground/(\S+)`).FindStringSubmatch(script.text)
	if selected == nil {
		t.Fatal("scripts/test.sh selects no tests by name: this test looks in the wrong place")
	}
	var tests strings.Builder
	for _, f := range files(t, under(selected[2]+"/", "_test.go")) {
		tests.WriteString(f.text)
	}
	for name := range strings.SplitSeq(selected[1], "|") {
		if !strings.Contains(tests.String(), "\nfunc "+name) {
			t.Errorf("scripts/test.sh selects %s, want the beginning of the name of a test in %s", name, selected[2])
		}
	}
}
