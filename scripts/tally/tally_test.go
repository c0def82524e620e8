package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestGoReportCountsLeavesAndShowsOnlyFailures(t *testing.T) {
	t.Parallel()
	stream := strings.Join([]string{
		`{"Action":"run","Package":"p","Test":"TestA"}`,
		`{"Action":"run","Package":"p","Test":"TestA/one"}`,
		`{"Action":"output","Package":"p","Test":"TestA/one","Output":"quiet\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA/one"}`,
		`{"Action":"run","Package":"p","Test":"TestA/two"}`,
		`{"Action":"output","Package":"p","Test":"TestA/two","Output":"loud\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestA/two"}`,
		`{"Action":"fail","Package":"p","Test":"TestA"}`,
		`{"Action":"skip","Package":"p","Test":"TestB"}`,
		`{"Action":"fail","Package":"p","Elapsed":1.5}`,
		`{"Action":"fail","Package":"q","FailedBuild":"q"}`,
		`{"Action":"output","Package":"r","Output":"panic\n"}`,
		`{"Action":"fail","Package":"r","Elapsed":0.2}`,
	}, "\n")
	var out bytes.Buffer
	report := newGoReport(&out)
	if err := report.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(counts{Passed: 1, Failed: 3, Skipped: 1}, report.counts); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	want := "loud\nFAIL  p  1.5s\nFAIL  q  does not build\npanic\nFAIL  r  0.2s\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestSumAddsRunnersAndRefusesAMissingOne(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.json", `{"Passed":3,"Failed":0,"Skipped":0}`)
	put("web.json", `{"numPassedTests":4,"numFailedTests":0,"numPendingTests":1}`)

	var out bytes.Buffer
	if err := sum(dir, &out); err == nil {
		t.Error("a runner without a result must fail")
	}

	put("e2e.json", `{"stats":{"expected":5,"unexpected":0,"flaky":0,"skipped":0}}`)
	out.Reset()
	if err := sum(dir, &out); err != nil {
		t.Errorf("all passed: %v", err)
	}
	if last := lastLine(out.String()); last != "12 passed, 0 failed, 1 skipped" {
		t.Errorf("last line %q", last)
	}

	put("e2e.json", `{"stats":{"expected":5,"unexpected":0,"flaky":1,"skipped":0}}`)
	out.Reset()
	if err := sum(dir, &out); err == nil || lastLine(out.String()) != "12 passed, 1 failed, 1 skipped" {
		t.Errorf("a test that needs a second try counts as failed: %v\n%s", err, out.String())
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
