package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// root is the path of the project, relative to this package.
const root = "../.."

// skippedFolders contain packages, build output and data.
var skippedFolders = map[string]bool{
	".git": true, ".tools": true, "node_modules": true, "dist": true, "dev-dist": true,
	"results": true, "test-results": true, "bin": true, "coverage": true, ".vite": true,
}

// A file is a file of the tree. Its path is relative to the project and has forward slashes.
type file struct {
	path string
	text string
}

func (f file) base() string   { return filepath.Base(f.path) }
func (f file) folder() string { return filepath.ToSlash(filepath.Dir(f.path)) }

func (f file) isTest() bool {
	return strings.HasSuffix(f.path, "_test.go") || strings.Contains(f.base(), ".test.") || strings.Contains(f.base(), ".spec.")
}

// isGenerated reports whether a tool writes the file. Style rules do not apply to it.
func (f file) isGenerated() bool {
	return strings.HasPrefix(f.path, "internal/platform/db/query/") || strings.HasSuffix(f.path, "schema.d.ts") ||
		strings.HasSuffix(f.path, "package-lock.json") || f.path == "go.sum" || f.path == "docs/openapi.json" ||
		strings.Contains(f.base(), ".gen.")
}

// tree returns all text files of the project. It reads them once.
var tree = sync.OnceValues(func() ([]file, error) {
	var files []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if skippedFolders[d.Name()] || rel == "data" || rel == "web/public" {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !isText(rel) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files = append(files, file{rel, string(data)})
		return nil
	})
	return files, err
})

func isText(path string) bool {
	switch filepath.Ext(path) {
	case ".go", ".ts", ".tsx", ".css", ".html", ".sql", ".md", ".sh", ".json", ".yaml", ".yml", ".po", ".svg", ".mod", ".sum", ".service", "":
		return true
	}
	return false
}

// files returns the files that keep accepts. It fails if there are none, because the test would check nothing.
func files(t *testing.T, keep func(file) bool) []file {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	var matching []file
	for _, f := range all {
		if keep(f) {
			matching = append(matching, f)
		}
	}
	if len(matching) == 0 {
		t.Fatal("no file found: this test looks in the wrong place")
	}
	return matching
}

// under returns a filter for files below a folder with one of the endings.
func under(folder string, endings ...string) func(file) bool {
	return func(f file) bool {
		if !strings.HasPrefix(f.path, folder) {
			return false
		}
		for _, e := range endings {
			if strings.HasSuffix(f.path, e) {
				return true
			}
		}
		return len(endings) == 0
	}
}

// lineOf returns the line number of an offset, starting at 1.
func lineOf(text string, offset int) int { return 1 + strings.Count(text[:offset], "\n") }

// strict turns warnings into failures. `make soak` sets it.
var strict = os.Getenv("FAIRGROUND_STRICT") != ""

// warn logs a violation that does not fail the test. The gate prints these warnings at the end.
func warn(t *testing.T, format string, args ...any) {
	t.Helper()
	if strict {
		t.Errorf(format, args...)
		return
	}
	t.Logf("warn: "+format, args...)
}

// checkBudget warns if a size exceeds its budget, and fails if it exceeds it by more than a quarter.
func checkBudget(t *testing.T, name string, size, budget int) {
	t.Helper()
	switch {
	case size > budget+budget/4:
		t.Errorf("%s: %d bytes, more than 25 %% over the budget of %d", name, size, budget)
	case size > budget:
		warn(t, "%s: %d bytes, the budget is %d", name, size, budget)
	}
}
