package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile(filepath.Join(root, SumFile))
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(string(committed), "\n")
	now, err := Sums(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(now, "\n") {
		if i >= len(want) || want[i] != line {
			t.Errorf("generated code or its inputs changed by hand: run `make generate` (%s)", line[strings.LastIndex(line, " ")+1:])
		}
	}
}

func TestSumsFollowInputsAndOutputs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, g := range generated {
		for _, pattern := range append(g.inputs, g.outputs...) {
			put(strings.Replace(pattern, "*", "a", 1), "1")
		}
	}
	before, err := Sums(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []string{"internal/platform/db/queries/a.sql", "internal/platform/db/queries/new.sql", "internal/platform/db/query/a.go", "docs/openapi.json"} {
		put(change, "2")
		after, err := Sums(dir)
		if err != nil {
			t.Fatal(err)
		}
		if after == before {
			t.Errorf("a change of %s goes unseen", change)
		}
		before = after
	}
}
