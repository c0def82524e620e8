package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEveryPackageHasADocComment(t *testing.T) {
	t.Parallel()
	docs := map[string]string{}
	for _, f := range goFiles(t) {
		if f.isGenerated() {
			continue
		}
		key := f.folder()
		if strings.HasSuffix(f.ast.Name.Name, "_test") {
			continue
		}
		if _, found := docs[key]; !found {
			docs[key] = ""
		}
		if f.ast.Doc != nil && !f.isTest() {
			docs[key] += f.ast.Doc.Text()
		}
	}
	for folder, doc := range docs {
		switch {
		case doc == "":
			warn(t, "%s: the package has no doc comment", folder)
		case !strings.HasPrefix(doc, "Package ") && !strings.HasPrefix(doc, "Command "):
			warn(t, "%s: the doc comment must start with 'Package' or 'Command'", folder)
		}
	}
}

func TestNoVagueNames(t *testing.T) {
	t.Parallel()
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "shared", "base", "lib"}
	for _, f := range goFiles(t) {
		if slices.Contains(vague, strings.TrimSuffix(f.ast.Name.Name, "_test")) {
			warn(t, "%s: package %s: name it after its content", f.path, f.ast.Name.Name)
		}
	}
	for _, f := range files(t, under("web/src/", ".ts", ".tsx")) {
		name, _, _ := strings.Cut(f.base(), ".")
		if slices.Contains(vague, name) {
			warn(t, "%s: name the file after its content", f.path)
		}
	}
}

func TestFileLengths(t *testing.T) {
	t.Parallel()
	const limit = 450
	for _, f := range files(t, under("", ".go", ".ts", ".tsx", ".css", ".sh", ".sql")) {
		if f.isGenerated() {
			continue
		}
		if n := strings.Count(f.text, "\n"); n > limit {
			warn(t, "%s has %d lines, at most %d are allowed: split it by use", f.path, n, limit)
		}
	}
}

// Unfinished work belongs in an issue.
func TestNoUnfinishedWork(t *testing.T) {
	t.Parallel()
	mark := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME)\b|(?i:not imple` + `mented|lorem ip` + `sum)`)
	eachLine(t, mark, func(f file) bool {
		return !f.isGenerated() && !strings.HasPrefix(f.path, "docs/specification") && f.path != "LICENSE"
	}, "marks unfinished work")
}

func TestNoMachineSpecificPaths(t *testing.T) {
	t.Parallel()
	home := regexp.MustCompile(`(^|[\s"'=(:` + "`" + `])/(home/[a-z]|Users/[A-Za-z]|root/|work/|farm/)`)
	eachLine(t, home, func(f file) bool { return f.path != "internal/rules/naming_test.go" }, "contains a path of a particular machine")
	resolved := regexp.MustCompile(`"resolved": "https?://`)
	eachLine(t, resolved, func(f file) bool { return f.base() == "package-lock.json" }, "contains the URL of a registry: remove it")
}

func TestNoTestIsSkipped(t *testing.T) {
	t.Parallel()
	skipped := regexp.MustCompile(`\b(test|it|describe)\.(skip|only|fixme|fails)\(|\bt\.Skip(f|Now)?\(`)
	eachLine(t, skipped, func(f file) bool {
		return f.isTest() && f.path != "internal/rules/naming_test.go"
	}, "skips tests")
}

func eachLine(t *testing.T, pattern *regexp.Regexp, keep func(file) bool, complaint string) {
	t.Helper()
	for _, f := range files(t, keep) {
		n := 0
		for line := range strings.Lines(f.text) {
			n++
			if found := pattern.FindString(line); found != "" {
				t.Errorf("%s:%d %s: %q", f.path, n, complaint, strings.TrimSpace(found))
			}
		}
	}
}
