package merchant

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// Every setting stands in the handbook once, and nothing else does.
func TestSettingsAreDescribed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	var described []string
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z]+\\.[a-z_]+)` \\|").FindAllSubmatch(text, -1) {
		described = append(described, string(row[1]))
	}
	for _, name := range described {
		if _, known := definitions[name]; !known {
			t.Errorf("%s is described and does not exist", name)
		}
	}
	for name := range definitions {
		if n := len(slices.DeleteFunc(slices.Clone(described), func(d string) bool { return d != name })); n != 1 {
			t.Errorf("%s is described %d times", name, n)
		}
	}
}
