package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
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
	ImportPath  string
}

var errTestsFailed = errors.New("go tests failed")

func goTests(out string, args []string, w io.Writer) error {
	cmd := exec.Command("go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start go test: %w", err)
	}
	report := newGoReport(w)
	readErr := report.read(stdout)
	runErr := cmd.Wait()
	if readErr != nil {
		return readErr
	}
	fmt.Fprintf(w, "%s\n", report.counts)
	if err := writeCounts(out, report.counts); err != nil {
		return err
	}
	if runErr != nil || report.counts.Failed > 0 {
		return errTestsFailed
	}
	return nil
}

// goReport turns the stream of events into one line a package, with the output of a failed test in full.
type goReport struct {
	w      io.Writer
	counts counts
	output map[string][]string // by package and test, kept until the outcome is known
	parent map[string]bool     // tests that have subtests: only the leaves are counted
	failed map[string]bool     // packages with a counted failure
}

func newGoReport(w io.Writer) *goReport {
	return &goReport{w: w, output: map[string][]string{}, parent: map[string]bool{}, failed: map[string]bool{}}
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
	if r.parent[key] {
		return // its own failure outside its subtests is counted with the package
	}
	switch e.Action {
	case "pass":
		r.counts.Passed++
	case "fail":
		r.fail(e.Package+" "+e.Test, output)
		r.failed[e.Package] = true
	case "skip":
		r.counts.Skipped++
	}
}

func (r *goReport) fail(what, output string) {
	r.counts.Failed++
	r.counts.Why = append(r.counts.Why, brief(what, output))
}

func (r *goReport) endPackage(e event, output string) {
	switch {
	case e.Action == "pass":
		fmt.Fprintf(r.w, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
	case e.Action == "fail" && e.FailedBuild != "":
		fmt.Fprintf(r.w, "FAIL  %s  does not build\n", e.Package)
		r.fail(e.Package, "does not build")
	case e.Action == "fail":
		fmt.Fprintf(r.w, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
		if !r.failed[e.Package] {
			r.fail(e.Package, output) // TestMain, a panic, a time-out, or a test beside its subtests
		}
	}
}
