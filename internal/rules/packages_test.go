package rules

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type manifest struct {
	Dependencies    map[string]string `json:"dependencies"`
	DevDependencies map[string]string `json:"devDependencies"`
}

// Versions are exact and the lock file agrees with them: an install then means the same everywhere.
func TestWebPackagesArePinned(t *testing.T) {
	t.Parallel()
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+(-[\w.]+)?$`)
	texts := map[string]string{}
	for _, f := range files(t, func(f file) bool { return f.base() == "package.json" || f.base() == "package-lock.json" }) {
		texts[f.path] = f.text
	}
	for path, text := range texts {
		if !strings.HasSuffix(path, "package.json") {
			continue
		}
		var asked manifest
		if err := json.Unmarshal([]byte(text), &asked); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, set := range []map[string]string{asked.Dependencies, asked.DevDependencies} {
			for name, version := range set {
				if !exact.MatchString(version) {
					t.Errorf("%s: %s is %q, not one exact version", path, name, version)
				}
			}
		}
		lockPath := strings.TrimSuffix(path, "package.json") + "package-lock.json"
		var lock struct{ Packages map[string]manifest }
		if err := json.Unmarshal([]byte(texts[lockPath]), &lock); err != nil {
			t.Errorf("%s: %v", lockPath, err)
			continue
		}
		if diff := cmp.Diff(asked, lock.Packages[""]); diff != "" {
			t.Errorf("%s is not what was locked; run npm install (-asked +locked):\n%s", path, diff)
		}
	}
}
