package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// counts is what one runner found.
type counts struct {
	Passed, Failed, Skipped int
	// Why has a line for each failure.
	Why []string `json:",omitempty"`
}

func (c counts) String() string {
	if c.Skipped > 0 {
		return fmt.Sprintf("%d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
	}
	return fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
}

// runners are the files in the results folder and how each is read. All must be there: a runner that
// never ended counts as a failure.
var runners = []struct {
	name string
	read func([]byte) (counts, error)
}{
	{"go", readOwn},
	{"race", readOwn},
	{"web", readVitest},
	{"e2e", readPlaywright},
}

func sum(dir string, w io.Writer) error {
	var all counts
	for _, r := range runners {
		c, err := readCounts(filepath.Join(dir, r.name+".json"), r.read)
		if err != nil {
			fmt.Fprintf(w, "%-4s did not end: %v\n", r.name, err)
			all.Failed++
			continue
		}
		fmt.Fprintf(w, "%-4s %s\n", r.name, c)
		for i, why := range c.Why {
			if i == most {
				fmt.Fprintf(w, "     and %d more\n", len(c.Why)-most)
				break
			}
			fmt.Fprintf(w, "     %s\n", why)
		}
		all.Passed += c.Passed
		all.Failed += c.Failed
		all.Skipped += c.Skipped
	}
	fmt.Fprintln(w, all)
	if all.Failed > 0 {
		return fmt.Errorf("%d failed", all.Failed)
	}
	return nil
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
	}
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
	// A test that passed only when tried again is not a test that passed.
	c := counts{Passed: report.Stats.Expected, Failed: report.Stats.Unexpected + report.Stats.Flaky, Skipped: report.Stats.Skipped, Why: report.why()}
	for _, each := range report.Errors {
		c.Why = append(c.Why, brief("outside of tests", each.Message))
	}
	if c.Failed == 0 && len(report.Errors) > 0 {
		c.Failed = len(report.Errors)
	}
	return c, nil
}
