package rules

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The last line of scripts/summary.mjs is the total that CI reads.
func TestSummaryOfTestRun(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		reports map[string]string
		runners string
		want    string
	}{
		"all pass": {
			map[string]string{
				"go.json":  `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p"}`,
				"web.json": `{"testResults":[{"name":"a.test.ts","status":"passed","assertionResults":[{"fullName":"adds","status":"passed","failureMessages":[]}]}]}`,
				"e2e.json": `{"suites":[{"specs":[{"title":"home","file":"x.spec.ts","line":1,"tests":[{"status":"expected","results":[{"duration":1500}]}]}]}]}`,
			},
			"go web e2e", "slow: x.spec.ts:1 home 2\n3 passed, 0 failed\n",
		},
		"a subtest counts instead of its test and package": {
			map[string]string{"go.json": `{"Action":"output","Package":"p","Test":"TestA/one","Output":"x = 1, want 2\n"}
				{"Action":"fail","Package":"p","Test":"TestA/one"}
				{"Action":"fail","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestB"}
				{"Action":"fail","Package":"p"}`},
			"go", "FAIL p TestA/one: x = 1, want 2\n1 passed, 1 failed\n",
		},
		"a test that did not finish": {
			map[string]string{"go.json": `{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"panic: test timed out after 1s\n"}
				{"Action":"fail","Package":"p"}`},
			"go", "FAIL p TestA: panic: test timed out after 1s\n0 passed, 1 failed\n",
		},
		"a package that does not build": {
			map[string]string{"go.json": `{"Action":"output","Package":"p","Output":"FAIL p [build failed]\n"}` + "\n" + `{"Action":"fail","Package":"p"}`},
			"go", "FAIL p: FAIL p [build failed]\n0 passed, 1 failed\n",
		},
		"flaky tests": {
			map[string]string{
				"go.json": `{"Action":"fail","Package":"p","Test":"TestA"}
					{"Action":"fail","Package":"p"}
					{"Action":"pass","Package":"p","Test":"TestA"}
					{"Action":"pass","Package":"p"}`,
				"web.json": `{"testResults":[{"name":"a.test.ts","status":"passed","assertionResults":[{"fullName":"adds","status":"passed","failureMessages":["once"]}]}]}`,
				"e2e.json": `{"suites":[{"suites":[{"specs":[{"title":"home","file":"x.spec.ts","line":1,"tests":[{"status":"flaky","results":[]}]}]}]}]}`,
			},
			"go web e2e", "flaky: p TestA\nflaky: a.test.ts adds\nflaky: x.spec.ts:1 home\n3 passed, 0 failed\n",
		},
		"a failed web test and a file that does not load": {
			map[string]string{"web.json": `{"testResults":[
				{"name":"a.test.ts","status":"failed","assertionResults":[{"fullName":"adds","status":"failed","failureMessages":["\u001b[31m2 is not 1\u001b[39m\n  at a.test.ts:3"]}]},
				{"name":"b.test.ts","status":"failed","message":"no such module","assertionResults":[]}]}`},
			"web", "FAIL a.test.ts adds: 2 is not 1 | at a.test.ts:3\nFAIL b.test.ts: no such module\n0 passed, 2 failed\n",
		},
		"a skipped test": {
			map[string]string{"go.json": `{"Action":"skip","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"p","Test":"TestB"}`},
			"go", "FAIL summary: 1 tests did not run\n1 passed, 1 failed\n",
		},
		"a runner that failed without a failed test": {
			map[string]string{"go.json": `{"Action":"pass","Package":"p","Test":"TestA"}`, "go.exit": "137\n"},
			"go", "FAIL go: failed without a failed test\n1 passed, 1 failed\n",
		},
		"no test ran": {map[string]string{"go.json": `{"Action":"skip","Package":"p"}`}, "go", "FAIL go: no test ran\n0 passed, 1 failed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for file, text := range tt.reports {
				if err := os.WriteFile(filepath.Join(folder, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := exec.Command("node", append([]string{filepath.Join(root, "scripts", "summary.mjs"), folder}, strings.Fields(tt.runners)...)...).Output()
			if string(got) != tt.want {
				t.Errorf("summary = %q, want %q", got, tt.want)
			}
			if wantFailure := !strings.HasSuffix(tt.want, " 0 failed\n"); (err != nil) != wantFailure {
				t.Errorf("exit error = %v, want failure %t", err, wantFailure)
			}
		})
	}
}
