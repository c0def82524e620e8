package rules

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestGeneratedCodeIsCurrent(t *testing.T) {
	t.Parallel()
	committed, err := os.ReadFile(filepath.Join(root, SumFile))
	if err != nil {
		t.Fatal(err)
	}
	now, err := Sums(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range staleEntries(string(committed), now) {
		t.Errorf("generated code or its inputs changed by hand: run `make generate` (%s)", name)
	}
}

// sample is a tree of generated code: a file for each pattern, with two blocks where a file has blocks.
type sample struct {
	t    *testing.T
	root string
}

func newSample(t *testing.T) sample {
	t.Helper()
	s := sample{t, t.TempDir()}
	for _, g := range generated {
		s.put(strings.Replace(g.pattern, "*", "a", 1), "1\n")
	}
	s.put("internal/platform/db/query/models.go", "package query\n\ntype One struct{}\n\ntype Two struct{}\n")
	s.put("docs/openapi.json", "{\n  \"components\": {\n    \"schemas\": {\n      \"A\": {\n      },\n      \"B\": {\n      }\n    }\n  },\n  \"paths\": {\n    \"/a\": {\n    },\n    \"/b\": {\n    }\n  }\n}\n")
	s.put("web/src/api/schema.d.ts", "export interface paths {\n    \"/a\": {\n    };\n}\nexport interface components {\n    schemas: {\n        A: string;\n    };\n}\nexport interface operations {\n    getA: {\n    };\n}\n")
	return s
}

func (s sample) put(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s sample) edit(name, from, to string) {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.root, name))
	if err != nil || !strings.Contains(string(text), from) {
		s.t.Fatal(name, err)
	}
	s.put(name, strings.Replace(string(text), from, to, 1))
}

func (s sample) sums() string {
	s.t.Helper()
	sums, err := Sums(s.root)
	if err != nil {
		s.t.Fatal(err)
	}
	return sums
}

// Every change of an input or an output is seen, in the entry that it belongs to and in no other.
func TestSumsFollowInputsAndOutputs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, from, to, entry string }{
		{"internal/platform/db/queries/a.sql", "1", "2", "queries a"},
		{"internal/platform/db/query/a.sql.go", "1", "2", "queries a"},
		{"internal/platform/db/query/db.go", "1", "2", "queries: db.go"},
		{"internal/platform/db/sqlc.yaml", "1", "2", "queries: sqlc.yaml"},
		{"internal/platform/db/migrations/postgres/a.sql", "1", "2", "migration a"},
		{"internal/platform/db/query/models.go", "One struct{}", "One struct{ ID int }", "model One"},
		{"internal/platform/db/query/models.go", "package query", "package other", "model: models.go"},
		{"docs/openapi.json", "\"/b\": {\n", "\"/b\": {\"get\": 1\n", "client types paths /b"},
		{"docs/openapi.json", "\"B\": {\n", "\"B\": {\"type\": 1\n", "client types components B"},
		{"web/src/api/schema.d.ts", "\"/a\": {\n", "\"/a\": {get: string;\n", "client types paths /a"},
		{"web/src/api/schema.d.ts", "A: string", "A: number", "client types components A"},
		{"web/src/api/schema.d.ts", "getA: {\n", "getA: {path: string;\n", "client types operations getA"},
		{"web/openapi/package.json", "1", "2", "client types: package.json"},
	} {
		s := newSample(t)
		before := s.sums()
		s.edit(c.file, c.from, c.to)
		if stale := staleEntries(before, s.sums()); !slices.Equal(stale, []string{c.entry}) {
			t.Errorf("a change of %s is seen in %q, want %q", c.file, stale, c.entry)
		}
	}
	s := newSample(t)
	before := s.sums()
	s.put("internal/platform/db/queries/new.sql", "1\n")
	if stale := staleEntries(before, s.sums()); !slices.Equal(stale, []string{"queries new"}) {
		t.Errorf("a new file is seen in %q", stale)
	}
	if stale := staleEntries(s.sums(), before); !slices.Equal(stale, []string{"queries new"}) {
		t.Errorf("a file that is gone is seen in %q", stale)
	}
	if stale := staleEntries("queries a\n  1\nqueries a\n  2\n", "queries a\n  1\n"); !slices.Equal(stale, []string{"queries a"}) {
		t.Errorf("an entry with two digests is seen in %q", stale)
	}
}

// Two branches that each change a query, a table and a call are merged by git alone, and what it makes of the sums is current.
func TestSumsOfTwoBranchesMerge(t *testing.T) {
	t.Parallel()
	s := newSample(t)
	git := func(arguments ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), "git", append([]string{
			"--git-dir=" + filepath.Join(s.root, ".git"), "--work-tree=" + s.root, "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false",
		}, arguments...)...)
		command.Dir = s.root
		// Git tells what it runs, a hook or a step of a rebase, which repository it works on: this one must not be it.
		command.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, out)
		}
	}
	commit := func() {
		t.Helper()
		s.put(SumFile, s.sums())
		git("add", "-A")
		git("commit", "-qm", "x")
	}
	attributes, err := os.ReadFile(filepath.Join(root, ".gitattributes"))
	if err != nil {
		t.Fatal(err)
	}
	s.put(".gitattributes", string(attributes))
	s.put("internal/platform/db/queries/b.sql", "1\n")
	git("init", "-q", "-b", "main")
	commit()
	git("checkout", "-q", "-b", "one")
	s.edit("internal/platform/db/queries/a.sql", "1", "2")
	s.edit("internal/platform/db/query/models.go", "One struct{}", "One struct{ ID int }")
	s.edit("docs/openapi.json", "\"/a\": {\n", "\"/a\": {\"get\": 1\n")
	s.put("internal/platform/db/queries/c.sql", "1\n")
	commit()
	git("checkout", "-q", "main")
	git("checkout", "-q", "-b", "two")
	s.edit("internal/platform/db/queries/b.sql", "1", "2")
	s.edit("internal/platform/db/query/models.go", "Two struct{}", "Two struct{ ID int }")
	s.edit("docs/openapi.json", "\"/b\": {\n", "\"/b\": {\"get\": 1\n")
	s.put("internal/platform/db/queries/d.sql", "1\n")
	commit()
	git("merge", "-q", "--no-edit", "one")
	merged, err := os.ReadFile(filepath.Join(s.root, SumFile))
	if err != nil {
		t.Fatal(err)
	}
	if stale := staleEntries(string(merged), s.sums()); len(stale) > 0 {
		t.Errorf("stale after the merge: %q\n%s", stale, merged)
	}
}

// staleEntries names the entries that differ between two texts of the sum file, in whatever order they stand there.
func staleEntries(committed, now string) []string {
	was, is := entries(committed), entries(now)
	var stale []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if !slices.Equal(was[name], is[name]) {
			stale = append(stale, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] == nil {
			stale = append(stale, name)
		}
	}
	return stale
}

func entries(sums string) map[string][]string {
	all := map[string][]string{}
	name := ""
	for line := range strings.Lines(sums) {
		line = strings.TrimSuffix(line, "\n")
		if digest, ok := strings.CutPrefix(line, "  "); ok {
			all[name] = append(all[name], digest)
		} else if line != "" {
			name = line
		}
	}
	return all
}
