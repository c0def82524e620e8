package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

// What the app, the journeys and the handbook say of switches and settings is what the lists say.
func TestCodesAreCurrent(t *testing.T) {
	t.Parallel()
	written, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range written {
		got, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s: run `make generate` (-generated +committed):\n%s", name, diff)
		}
	}
}

// Every setting and switch stands in the handbook once, and nothing else does.
func TestDescribe(t *testing.T) {
	t.Parallel()
	rows := map[string]string{"a.b": "| `a.b` | new | `1` |"}
	for name, c := range map[string]struct{ text, want string }{
		"written again": {"# T\n| `a.b` | old | `0` |\nend\n", "# T\n| `a.b` | new | `1` |\nend\n"},
		"missing":       {"# T\n", ""},
		"twice":         {"| `a.b` | |\n| `a.b` | |\n", ""},
		"unknown":       {"| `a.b` | |\n| `a.c` | |\n", ""},
	} {
		if got, err := describe(c.text, rows); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
