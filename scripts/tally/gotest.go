package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// event is one line of `go test -json`.
type event struct {
	Action      string
	Package     string
	Test        string
	Output      string
	Elapsed     float64
	FailedBuild string
}

var errTestsFailed = errors.New("go tests failed")

const (
	// tries is how often a test that failed is run again by itself.
	tries = 2
	// retryLimit is how many failed tests are run again: more of them are no accident.
	retryLimit = 10
)

// fatal marks failures that are never run again: a second run that passes proves nothing about them.
var fatal = regexp.MustCompile(`(?m)^panic: |^fatal error: |WARNING: DATA RACE|race detected during execution|panic: test timed out`)

// goTests runs `go test` with args: flags as -name=value, and packages. Without strict it runs again what failed.
func goTests(out string, strict bool, args []string, w io.Writer) error {
	report, err := runGo(args, w)
	if err != nil {
		return err
	}
	if !strict {
		retry(report, args, w)
	}
	if report.passed+report.skipped+len(report.failures) == 0 {
		report.fail(failure{pkg: "go test", output: "no test ran: " + strings.Join(args, " "), fatal: true})
	}
	c := report.counts()
	fmt.Fprintln(w, c)
	if err := writeCounts(out, c); err != nil {
		return err
	}
	if c.Failed > 0 {
		return errTestsFailed
	}
	return nil
}

func runGo(args []string, w io.Writer) (*goReport, error) {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start go test: %w", err)
	}
	report := newGoReport(w)
	readErr := report.read(stdout)
	runErr := cmd.Wait()
	if readErr != nil {
		return nil, readErr
	}
	if runErr != nil && len(report.failures) == 0 {
		report.fail(failure{pkg: "go test", output: runErr.Error(), fatal: true})
	}
	return report, nil
}

// retry runs each failed test by itself and marks as flaky what then passes.
func retry(report *goReport, args []string, w io.Writer) {
	again := report.retriable()
	if len(again) > retryLimit {
		fmt.Fprintf(w, "%d tests failed: none is run again\n", len(again))
		return
	}
	flags := slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	for _, each := range again {
		for range tries {
			fmt.Fprintf(w, "again %s %s\n", each.pkg, each.test)
			second, err := runGo(append(slices.Clone(flags), "-count=1", "-run=^"+each.test+"$", each.pkg), w)
			if err != nil {
				return
			}
			if len(second.failures) == 0 && second.passed > 0 {
				report.forgive(each)
				break
			}
			if slices.ContainsFunc(second.failures, func(f failure) bool { return f.fatal }) {
				break
			}
		}
	}
}

// testName is a package and one of its tests that has no parent.
type testName struct{ pkg, test string }

// failure is a test that failed, or with an empty test a whole package.
type failure struct {
	pkg, test, output string
	fatal             bool
}

func (f failure) name() testName {
	top, _, _ := strings.Cut(f.test, "/")
	return testName{f.pkg, top}
}

// goReport turns the stream of events into one line a package, with the output of a failed test in full.
type goReport struct {
	w               io.Writer
	passed, skipped int
	failures        []failure
	flaky           []string
	slow            []timing
	output          map[string][]string // by package and test, kept until the outcome is known
	parent          map[string]bool     // tests that have subtests: only the leaves are counted
	running         map[string][]string // by package: tests that began and have not ended
}

func newGoReport(w io.Writer) *goReport {
	return &goReport{w: w, output: map[string][]string{}, parent: map[string]bool{}, running: map[string][]string{}}
}

func (r *goReport) counts() counts {
	c := counts{Passed: r.passed, Failed: len(r.failures), Skipped: r.skipped, Flaky: r.flaky, Slow: slowest(r.slow)}
	for _, f := range r.failures {
		c.Why = append(c.Why, brief(strings.TrimSpace(f.pkg+" "+f.test), f.output))
	}
	return c
}

// retriable are the failed tests, each once, unless something fatal happened in their package.
func (r *goReport) retriable() []testName {
	dead := map[string]bool{}
	for _, f := range r.failures {
		dead[f.pkg] = dead[f.pkg] || f.fatal || f.test == ""
	}
	var names []testName
	for _, f := range r.failures {
		if name := f.name(); !dead[f.pkg] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// forgive counts a test's failures as passed and names it as flaky.
func (r *goReport) forgive(name testName) {
	before := len(r.failures)
	r.failures = slices.DeleteFunc(r.failures, func(f failure) bool { return f.name() == name })
	r.passed += before - len(r.failures)
	r.flaky = append(r.flaky, name.pkg+" "+name.test)
}

func (r *goReport) read(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			fmt.Fprintln(r.w, lines.Text()) // not an event: a message of the go command
			continue
		}
		r.take(e)
	}
	return lines.Err()
}

func (r *goReport) take(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "build-output":
		fmt.Fprint(r.w, e.Output)
	case "run":
		r.running[e.Package] = append(r.running[e.Package], e.Test)
		if i := strings.LastIndex(e.Test, "/"); i > 0 {
			r.parent[e.Package+"\x00"+e.Test[:i]] = true
		}
	case "output":
		r.output[key] = append(r.output[key], e.Output)
	case "pass", "fail", "skip":
		r.end(e, key)
	}
}

func (r *goReport) end(e event, key string) {
	output := strings.Join(r.output[key], "")
	if e.Action == "fail" {
		fmt.Fprint(r.w, output)
	}
	delete(r.output, key)
	if e.Test == "" {
		r.endPackage(e, output)
		return
	}
	r.running[e.Package] = slices.DeleteFunc(r.running[e.Package], func(test string) bool { return test == e.Test })
	if !strings.Contains(e.Test, "/") && e.Elapsed >= 1 {
		r.slow = append(r.slow, timing{e.Package + " " + e.Test, e.Elapsed})
	}
	if r.parent[key] {
		if e.Action == "fail" && !r.failedBelow(e) {
			r.fail(failure{pkg: e.Package, test: e.Test, output: output})
		}
		return
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "fail":
		r.fail(failure{pkg: e.Package, test: e.Test, output: output})
	case "skip":
		r.skipped++
	}
}

// failedBelow tells whether a subtest of a failed test is counted already.
func (r *goReport) failedBelow(e event) bool {
	return slices.ContainsFunc(r.failures, func(f failure) bool {
		return f.pkg == e.Package && strings.HasPrefix(f.test, e.Test+"/")
	})
}

func (r *goReport) fail(f failure) {
	f.fatal = f.fatal || fatal.MatchString(f.output)
	r.failures = append(r.failures, f)
}

func (r *goReport) endPackage(e event, output string) {
	switch {
	case e.Action == "pass":
		fmt.Fprintf(r.w, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
	case e.Action == "fail" && e.FailedBuild != "":
		fmt.Fprintf(r.w, "FAIL  %s  does not build\n", e.Package)
		r.fail(failure{pkg: e.Package, output: "does not build", fatal: true})
	case e.Action == "fail":
		fmt.Fprintf(r.w, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
		if cut := r.cutOff(e.Package); cut != "" {
			fmt.Fprint(r.w, cut)
			r.fail(failure{pkg: e.Package, output: cut, fatal: true})
			return
		}
		counted := slices.ContainsFunc(r.failures, func(f failure) bool { return f.pkg == e.Package })
		if !counted || fatal.MatchString(output) {
			r.fail(failure{pkg: e.Package, output: output}) // TestMain, a panic or a time-out
		}
	}
}

// cutOff gives the names and the output of the tests that began and never ended: what stopped their package, such as a time-out
// or a panic elsewhere, stands in the output of one of them.
func (r *goReport) cutOff(pkg string) string {
	var said strings.Builder
	for _, test := range r.running[pkg] {
		key := pkg + "\x00" + test
		fmt.Fprintf(&said, "%s did not end\n%s", test, strings.Join(r.output[key], ""))
		delete(r.output, key)
	}
	delete(r.running, pkg)
	return said.String()
}
