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

// Versions must be exact and match the lock file, so that every installation is the same.
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
		var required manifest
		if err := json.Unmarshal([]byte(text), &required); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, set := range []map[string]string{required.Dependencies, required.DevDependencies} {
			for name, version := range set {
				if !exact.MatchString(version) {
					t.Errorf("%s: version of %s = %q, want an exact version", path, name, version)
				}
			}
		}
		lockPath := strings.TrimSuffix(path, "package.json") + "package-lock.json"
		var lock struct{ Packages map[string]manifest }
		if err := json.Unmarshal([]byte(texts[lockPath]), &lock); err != nil {
			t.Errorf("%s: %v", lockPath, err)
			continue
		}
		if diff := cmp.Diff(required, lock.Packages[""]); diff != "" {
			t.Errorf("%s differs from its lock file: run npm install (-required +locked):\n%s", path, diff)
		}
	}
}
