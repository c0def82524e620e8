package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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
	why := []string{"p TestA/two: loud", "q: does not build", "r: panic"}
	if diff := cmp.Diff(counts{Passed: 1, Failed: 3, Skipped: 1, Why: why}, report.counts(), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	want := "loud\nFAIL  p  1.5s\nFAIL  q  does not build\npanic\nFAIL  r  0.2s\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

// A time-out or a crash ends no test: its text stands under the one that ran, and only the package is said to have failed.
func TestATestThatNeverEndedFailsItsPackageForGood(t *testing.T) {
	t.Parallel()
	stream := strings.Join([]string{
		`{"Action":"run","Package":"p","Test":"TestEarlier"}`,
		`{"Action":"output","Package":"p","Test":"TestEarlier","Output":"plain\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestEarlier"}`,
		`{"Action":"run","Package":"p","Test":"TestSleep"}`,
		`{"Action":"output","Package":"p","Test":"TestSleep","Output":"panic: test timed out after 1s\n"}`,
		`{"Action":"output","Package":"p","Output":"FAIL\tp\t1.1s\n"}`,
		`{"Action":"fail","Package":"p","Elapsed":1.1}`,
	}, "\n")
	var out bytes.Buffer
	report := newGoReport(&out)
	if err := report.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	if again := report.retriable(); len(again) != 0 {
		t.Errorf("run again: %v", again)
	}
	why := []string{"p TestEarlier: plain", "p: TestSleep did not end | panic: test timed out after 1s"}
	if diff := cmp.Diff(why, report.counts().Why); diff != "" {
		t.Errorf("why (-want +got):\n%s", diff)
	}
	if !strings.Contains(out.String(), "panic: test timed out after 1s") {
		t.Errorf("the reason is not told:\n%s", out.String())
	}
}

func TestSumFailsWithWhoeverFailedWithoutAName(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		last  string
	}{
		"a check by its name": {
			map[string]string{"checks.json": "ok\tweb types\nFAIL\ttranslations\tur lacks 'Log in'\n", "checks.exit": "1"},
			"FAIL translations: ur lacks 'Log in'\n1 passed, 1 failed",
		},
		"a runner that only exited": {
			map[string]string{"checks.json": "ok\tweb types\n", "checks.exit": "137\n"},
			"FAIL checks named no failure and exited with 137\n1 passed, 1 failed",
		},
		"a skipped test": {
			map[string]string{"checks.json": "ok\tweb types\n", "web.json": `{"numPassedTests":4,"numPendingTests":1}`},
			"FAIL 1 tests were skipped, none may be\n5 passed, 1 failed, 1 skipped",
		},
	} {
		dir := t.TempDir()
		names := []string{"checks"}
		for file, text := range tt.files {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			if file == "web.json" {
				names = append(names, "web")
			}
		}
		var out bytes.Buffer
		if err := sum(dir, names, &out); err == nil || !strings.HasSuffix(out.String(), tt.last+"\n") {
			t.Errorf("%s: %v\n%s", name, err, out.String())
		}
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
	put("go.json", `{"Passed":2,"Failed":0,"Skipped":0}`)
	put("race.json", `{"Passed":1,"Failed":0,"Skipped":0}`)
	put("web.json", `{"numPassedTests":4,"numFailedTests":0,"numPendingTests":0}`)

	var out bytes.Buffer
	all := []string{"go", "race", "web", "e2e"}
	if err := sum(dir, all, &out); err == nil {
		t.Error("a runner without a result must fail")
	}
	if err := sum(dir, all[:3], &out); err != nil {
		t.Errorf("only the named runners are asked for: %v", err)
	}

	put("e2e.json", `{"stats":{"expected":5,"unexpected":0,"flaky":0,"skipped":0}}`)
	out.Reset()
	if err := sum(dir, all, &out); err != nil {
		t.Errorf("all passed: %v", err)
	}
	if last := lastLine(out.String()); last != "12 passed, 0 failed" {
		t.Errorf("last line %q", last)
	}
}

func TestSumNamesFlakyTestsAndFailsWhenTheyAreMany(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		flaky int
		last  string
	}{{flakyLimit, "7 passed, 0 failed"}, {flakyLimit + 1, "7 passed, 1 failed"}} {
		c := counts{Passed: 7}
		for range tt.flaky {
			c.Flaky = append(c.Flaky, "p TestSometimes")
		}
		if err := writeCounts(filepath.Join(dir, "go.json"), c); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := sum(dir, []string{"go"}, &out)
		if (err == nil) != (tt.flaky <= flakyLimit) || lastLine(out.String()) != tt.last {
			t.Errorf("%d flaky: %v\n%s", tt.flaky, err, out.String())
		}
		if n := strings.Count(out.String(), "flaky: p TestSometimes\n"); n != tt.flaky {
			t.Errorf("%d flaky tests are named, want %d", n, tt.flaky)
		}
	}
}

// What failed for good is not run again: a second run that passes proves nothing about a race or a panic.
func TestOnlyPlainFailuresAreRunAgain(t *testing.T) {
	t.Parallel()
	report := newGoReport(&bytes.Buffer{})
	report.fail(failure{pkg: "p", test: "TestA/one", output: "x"})
	report.fail(failure{pkg: "p", test: "TestA/two", output: "x"})
	report.fail(failure{pkg: "q", test: "TestB", output: "WARNING: DATA RACE"})
	report.fail(failure{pkg: "q", test: "TestC", output: "x"})
	report.fail(failure{pkg: "r", output: "panic: test timed out after 30m"})
	if diff := cmp.Diff([]testName{{"p", "TestA"}}, report.retriable(), cmp.AllowUnexported(testName{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	report.forgive(testName{"p", "TestA"})
	got := report.counts()
	if got.Passed != 2 || got.Failed != 3 || len(got.Flaky) != 1 {
		t.Errorf("after one was forgiven: %+v", got)
	}
}

func TestSumTellsAtTheEndWhatFailedAndWhy(t *testing.T) {
	t.Parallel()
	vitest := `{"numPassedTests":1,"numFailedTests":1,"testResults":[
		{"name":"a.test.ts","status":"failed","assertionResults":[
			{"fullName":"adds","status":"passed","failureMessages":[]},
			{"fullName":"takes away","status":"failed","failureMessages":["Error: \u001b[31m2 is not 1\u001b[39m\n    at a.test.ts:3"]}]},
		{"name":"b.test.ts","status":"failed","message":"cannot be read","assertionResults":[]}]}`
	web, err := readVitest([]byte(vitest))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"takes away: Error: 2 is not 1 | at a.test.ts:3", "b.test.ts: cannot be read"}, web.Why); diff != "" {
		t.Errorf("web (-want +got):\n%s", diff)
	}
	playwright := `{"stats":{"expected":1,"unexpected":1,"flaky":1},"errors":[{"message":"no server"}],"suites":[{"specs":[
		{"title":"fine","file":"x.spec.ts","line":1,"ok":true,"tests":[{"status":"expected","results":[{"duration":1500,"errors":[]}]}]},
		{"title":"late","file":"x.spec.ts","line":4,"ok":true,"tests":[{"status":"flaky","results":[{"errors":[{"message":"no"}]},{"errors":[]}]}]}],
		"suites":[{"specs":[{"title":"wrong","file":"x.spec.ts","line":7,"ok":false,"tests":[{"results":[
			{"errors":[{"message":"expected 15\n\nreceived 20"},{"message":"closed"}]}]}]}]}]}]}`
	e2e, err := readPlaywright([]byte(playwright))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x.spec.ts:7 wrong: expected 15 | received 20 | closed", "outside of tests: no server"}, e2e.Why); diff != "" {
		t.Errorf("e2e (-want +got):\n%s", diff)
	}
	if e2e.Passed != 2 || cmp.Diff([]string{"x.spec.ts:4 late"}, e2e.Flaky) != "" || e2e.Slow[0] != (timing{"x.spec.ts:1 fine", 1.5}) {
		t.Errorf("e2e: %+v", e2e)
	}
	if long := []rune(brief("a", strings.Repeat("ạ", 2*longest))); len(long) != longest || long[longest-1] != '…' {
		t.Errorf("%d letters are told of one", len(long))
	}
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
