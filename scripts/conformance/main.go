// Command conformance lists the statements of docs/conformance.md and docs/safety.md that no test title contains. Missing statements do not make it fail.
package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	rowPattern  = regexp.MustCompile(`^\| ([A-Z]{2}-[0-9]{2}) \| (.*?) \|`)
	idPattern   = regexp.MustCompile(`\b[A-Z]{2}-[0-9]{2}\b`)
	testPattern = regexp.MustCompile(`(_test\.go|\.(test|spec)\.tsx?)$`)
	// Comments and failure messages are not titles.
	untitledPattern = regexp.MustCompile(`(^|\s)//.*|^\s*\*.*|\b(t|b|f|tb)\.(Error|Errorf|Fatal|Fatalf|Log|Logf)\(.*`)
	// A function name contains an id without its dash.
	functionPattern = regexp.MustCompile(`^func Test(?:[A-Z]{2}[0-9]{2})+`)
	namePattern     = regexp.MustCompile(`([A-Z]{2})([0-9]{2})`)
)

// skippedFolders contain no tests of the project.
var skippedFolders = map[string]bool{"node_modules": true, ".git": true, ".tools": true, "dist": true, "results": true, "data": true, "bin": true}

type statement struct{ id, text string }

func main() {
	if err := run(".", os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(root string, w io.Writer) error {
	var text strings.Builder
	for _, name := range []string{"conformance.md", "safety.md"} {
		data, err := os.ReadFile(filepath.Join(root, "docs", name))
		if err != nil {
			return err
		}
		text.Write(data)
		text.WriteByte('\n')
	}
	statements, err := readStatements(strings.NewReader(text.String()))
	if err != nil {
		return err
	}
	testedIDs, err := namedInTests(root)
	if err != nil {
		return err
	}
	missing := 0
	for _, s := range statements {
		if !testedIDs[s.id] {
			missing++
			fmt.Fprintf(w, "%s  %s\n", s.id, shorten(s.text, 110))
		}
	}
	fmt.Fprintf(w, "%d of %d statements have a test, %d do not\n", len(statements)-missing, len(statements), missing)
	return nil
}

func readStatements(r io.Reader) ([]statement, error) {
	var all []statement
	seen := map[string]bool{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		m := rowPattern.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		if seen[m[1]] {
			return nil, fmt.Errorf("%s is in the list twice", m[1])
		}
		seen[m[1]] = true
		all = append(all, statement{m[1], m[2]})
	}
	return all, lines.Err()
}

// namedInTests returns the ids in the test files, in function names and in all text except comments and failure messages.
// The titles of table tests can be far from the t.Run call, so it does not look for that call.
func namedInTests(root string) (map[string]bool, error) {
	testedIDs := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skippedFolders[d.Name()] {
				return filepath.SkipDir
			}
			return nil
		}
		if !testPattern.MatchString(path) {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(data)) {
			for _, m := range namePattern.FindAllStringSubmatch(functionPattern.FindString(line), -1) {
				testedIDs[m[1]+"-"+m[2]] = true
			}
			for _, id := range idPattern.FindAllString(untitledPattern.ReplaceAllString(line, ""), -1) {
				testedIDs[id] = true
			}
		}
		return nil
	})
	return testedIDs, err
}

func shorten(s string, limit int) string {
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return strings.TrimSpace(string(r[:limit])) + " …"
}
