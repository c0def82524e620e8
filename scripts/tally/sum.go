package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// counts is what one runner found.
type counts struct {
	Passed, Failed, Skipped int
	// Why has a line for each failure.
	Why []string `json:",omitempty"`
	// Flaky names what passed only when it was run again.
	Flaky []string `json:",omitempty"`
	Slow  []timing `json:",omitempty"`
}

// timing is how long a test took.
type timing struct {
	Name    string
	Seconds float64
}

const (
	// flakyLimit is how many flaky tests a run may have: more are a fault of the product or of the suite.
	flakyLimit = 5
	// slowShown is how many of the slowest tests are named.
	slowShown = 20
)

func (c counts) String() string {
	if c.Skipped > 0 {
		return fmt.Sprintf("%d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
	}
	return fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
}

// readers tell how each runner's file is read.
var readers = map[string]func([]byte) (counts, error){
	"checks": readChecks,
	"go":     readOwn,
	"race":   readOwn,
	"queue":  readOwn,
	"web":    readVitest,
	"e2e":    readPlaywright,
}

// sum adds the runners up. All must be there: a runner that never ended counts as a failure.
func sum(dir string, names []string, w io.Writer) error {
	var all counts
	for _, name := range names {
		read, known := readers[name]
		if !known {
			return fmt.Errorf("no such runner: %s", name)
		}
		c, err := readCounts(filepath.Join(dir, name+".json"), read)
		if err != nil {
			c = counts{Failed: 1, Why: []string{fmt.Sprintf("%s did not end: %v", name, err)}}
		}
		if code := exitOf(dir, name); code != "" && c.Failed == 0 {
			c.Failed, c.Why = 1, append(c.Why, fmt.Sprintf("%s named no failure and exited with %s", name, code))
		}
		fmt.Fprintf(w, "%-6s %s\n", name, c)
		all.Passed += c.Passed
		all.Failed += c.Failed
		all.Skipped += c.Skipped
		all.Why = append(all.Why, c.Why...)
		all.Flaky = append(all.Flaky, c.Flaky...)
		all.Slow = append(all.Slow, c.Slow...)
	}
	if all.Skipped > 0 {
		all.Failed++
		all.Why = append(all.Why, fmt.Sprintf("%d tests were skipped, none may be", all.Skipped))
	}
	if len(all.Flaky) > flakyLimit {
		all.Failed++
		all.Why = append(all.Why, fmt.Sprintf("%d tests are flaky, %d at most may be", len(all.Flaky), flakyLimit))
	}
	tell(w, all)
	if all.Failed > 0 {
		return fmt.Errorf("%d failed", all.Failed)
	}
	return nil
}

// exitOf gives the status of a runner that did not end well.
func exitOf(dir, name string) string {
	text, err := os.ReadFile(filepath.Join(dir, name+".exit"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func tell(w io.Writer, all counts) {
	for _, each := range slowest(all.Slow) {
		fmt.Fprintf(w, "slow: %s %.0f\n", each.Name, each.Seconds)
	}
	for _, name := range all.Flaky {
		fmt.Fprintf(w, "flaky: %s\n", name)
	}
	for i, why := range all.Why {
		if i == most {
			fmt.Fprintf(w, "FAIL and %d more\n", len(all.Why)-most)
			break
		}
		fmt.Fprintf(w, "FAIL %s\n", why)
	}
	fmt.Fprintln(w, all)
}

// slowest keeps those that took longest, in that order.
func slowest(all []timing) []timing {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b timing) int { return cmp.Compare(b.Seconds, a.Seconds) })
	return sorted[:min(len(sorted), slowShown)]
}

func readCounts(path string, read func([]byte) (counts, error)) (counts, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return counts{}, err
	}
	return read(data)
}

func writeCounts(path string, c counts) error {
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

func readOwn(data []byte) (c counts, err error) {
	err = json.Unmarshal(data, &c)
	return c, err
}

// readChecks reads one line a check: ok and its name, or FAIL, its name and what was found.
func readChecks(data []byte) (c counts, err error) {
	for line := range strings.Lines(string(data)) {
		how, said, _ := strings.Cut(strings.TrimSpace(line), "\t")
		switch how {
		case "ok":
			c.Passed++
		case "FAIL":
			c.Failed++
			name, found, _ := strings.Cut(said, "\t")
			c.Why = append(c.Why, brief(name, found))
		default:
			return counts{}, fmt.Errorf("%q is neither ok nor FAIL", line)
		}
	}
	return c, nil
}

func readVitest(data []byte) (counts, error) {
	var report struct {
		NumPassedTests, NumFailedTests, NumPendingTests, NumFailedTestSuites int
		TestResults                                                          []vitestFile
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return counts{}, err
	}
	c := counts{Passed: report.NumPassedTests, Failed: report.NumFailedTests, Skipped: report.NumPendingTests}
	for _, file := range report.TestResults {
		c.Why = append(c.Why, file.why()...)
		c.Slow = append(c.Slow, timing{filepath.Base(file.Name), (file.EndTime - file.StartTime) / 1000})
	}
	c.Slow = slowest(c.Slow)
	if c.Failed == 0 && report.NumFailedTestSuites > 0 {
		c.Failed = report.NumFailedTestSuites // a file that could not even be loaded
	}
	return c, nil
}

func readPlaywright(data []byte) (counts, error) {
	var report struct {
		Stats  struct{ Expected, Unexpected, Flaky, Skipped int }
		Errors []struct{ Message string }
		suite
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return counts{}, err
	}
	c := counts{Passed: report.Stats.Expected + report.Stats.Flaky, Failed: report.Stats.Unexpected, Skipped: report.Stats.Skipped}
	report.collect(&c)
	c.Slow = slowest(c.Slow)
	for _, each := range report.Errors {
		c.Why = append(c.Why, brief("outside of tests", each.Message))
	}
	if c.Failed == 0 && len(report.Errors) > 0 {
		c.Failed = len(report.Errors)
	}
	return c, nil
}
