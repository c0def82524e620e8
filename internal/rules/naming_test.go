package rules

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A reader meets a package by its doc: what it is for and what it never does.
func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
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
		if _, seen := docs[key]; !seen {
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
			warn(t, "%s: the doc comment must begin with 'Package' or 'Command'", folder)
		}
	}
}

// A package is a noun for what it holds. These names hold anything.
func TestNoPackageHoldsJustAnything(t *testing.T) {
	t.Parallel()
	vague := []string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "shared", "base", "lib"}
	for _, f := range goFiles(t) {
		if slices.Contains(vague, strings.TrimSuffix(f.ast.Name.Name, "_test")) {
			warn(t, "%s: package %s: name it after what it holds", f.path, f.ast.Name.Name)
		}
	}
	for _, f := range files(t, under("web/src/", ".ts", ".tsx")) {
		name, _, _ := strings.Cut(f.base(), ".")
		if slices.Contains(vague, name) {
			warn(t, "%s: name the file after what it holds", f.path)
		}
	}
}

// A file is read in one sitting. Past this it holds more than one use.
func TestNoFileIsLongerThanASitting(t *testing.T) {
	t.Parallel()
	const limit = 450
	for _, f := range files(t, under("", ".go", ".ts", ".tsx", ".css", ".sh", ".sql")) {
		if f.isGenerated() {
			continue
		}
		if n := strings.Count(f.text, "\n"); n > limit {
			warn(t, "%s has %d lines, more than %d: split it by use", f.path, n, limit)
		}
	}
}

// Unfinished work is an issue, not a comment.
func TestNothingIsMarkedUnfinished(t *testing.T) {
	t.Parallel()
	mark := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME)\b|(?i:not imple` + `mented|lorem ip` + `sum)`)
	eachLine(t, mark, func(f file) bool {
		return !f.isGenerated() && !strings.HasPrefix(f.path, "docs/specification") && f.path != "LICENSE"
	}, "marks unfinished work")
}

// The tree must mean the same on every machine.
func TestNothingNamesOneMachine(t *testing.T) {
	t.Parallel()
	home := regexp.MustCompile(`(^|[\s"'=(:` + "`" + `])/(home/[a-z]|Users/[A-Za-z]|root/|work/|farm/)`)
	eachLine(t, home, func(f file) bool { return f.path != "internal/rules/naming_test.go" }, "names a folder of one machine")
	resolved := regexp.MustCompile(`"resolved": "https?://`)
	eachLine(t, resolved, func(f file) bool { return f.base() == "package-lock.json" }, "pins where a package was fetched from: leave that to the machine's settings")
}

// A skipped test shows nothing.
func TestNoTestIsSwitchedOff(t *testing.T) {
	t.Parallel()
	off := regexp.MustCompile(`\b(test|it|describe)\.(skip|only|fixme|fails)\(|\bt\.Skip(f|Now)?\(`)
	eachLine(t, off, func(f file) bool {
		return f.isTest() && f.path != "internal/rules/naming_test.go"
	}, "switches a test off or all others")
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
