package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListsStatementsWithoutTest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeFile := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// The ids are concatenated so that this file contains none.
	id := func(n string) string { return "ZZ" + "-" + n }
	writeFile("docs/conformance.md", "| id | statement |\n|---|---|\n| "+id("01")+" | one |\n| "+id("02")+" | two |\n| "+id("03")+" | three |\n| "+id("04")+" | four |\n")
	writeFile("docs/safety.md", "| "+id("05")+" | five |\n| "+id("06")+" | six |\n")
	writeFile("a/a_test.go", "t.Run(\""+id("01")+" does one\", f)\n// "+id("02")+" only in a comment\n"+
		"f() // "+id("02")+"\nt.Errorf(\""+id("04")+" only in a failure message\")\nfunc TestZZ01ZZ05IsShown(t *testing.T) {\n")
	writeFile("web/node_modules/x/x.test.ts", "test('"+id("03")+"')")

	var out bytes.Buffer
	if err := run(root, &out); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	if strings.Contains(got, id("01")) || !strings.Contains(got, id("02")+"  two") || !strings.Contains(got, id("03")+"  three") ||
		!strings.Contains(got, id("04")+"  four") || strings.Contains(got, id("05")) || !strings.Contains(got, id("06")+"  six") {
		t.Errorf("listed statements:\n%s", got)
	}
	if !strings.HasSuffix(got, "2 of 6 statements have a test, 4 do not\n") {
		t.Errorf("last line, got:\n%s, want %q", got, "2 of 6 statements have a test, 4 do not\n")
	}
}

func TestRejectsDuplicateID(t *testing.T) {
	t.Parallel()
	if _, err := readStatements(strings.NewReader("| ZZ-01 | a |\n| ZZ-01 | b |\n")); err == nil {
		t.Error("readStatements accepted a duplicate id")
	}
}
