package main

import (
	"fmt"
	"regexp"
	"strings"
)

// most is how many failures are told again at the end: what is read last, or alone, should say what was wrong.
const most = 20

// longest is how much is told of one.
const longest = 300

// painted are the colours that a runner puts into its messages.
var painted = regexp.MustCompile("\x1b\\[[0-9;]*m")

// brief says in one line what failed and how, as far as there is room.
func brief(what, message string) string {
	var said []string
	for line := range strings.Lines(painted.ReplaceAllString(message, "")) {
		if line = strings.TrimSpace(line); line != "" {
			said = append(said, line)
		}
	}
	text := []rune(what + ": " + strings.Join(said, " | "))
	if len(text) > longest {
		text = append(text[:longest-1], '…')
	}
	return string(text)
}

// vitestFile is what vitest tells of one file of tests; its times are in milliseconds.
type vitestFile struct {
	Name, Message, Status string
	StartTime, EndTime    float64
	AssertionResults      []struct {
		FullName, Status string
		FailureMessages  []string
	}
}

func (f vitestFile) why() []string {
	var all []string
	for _, test := range f.AssertionResults {
		if test.Status == "failed" {
			all = append(all, brief(test.FullName, strings.Join(test.FailureMessages, "\n")))
		}
	}
	if len(all) == 0 && f.Status == "failed" {
		all = append(all, brief(f.Name, f.Message))
	}
	return all
}

// suite is what Playwright tells of a file of tests, or of a group in one.
type suite struct {
	Suites []suite
	Specs  []spec
}

// spec is one browser test; a result is one try, and its time is in milliseconds.
type spec struct {
	Title, File string
	Line        int
	OK          bool
	Tests       []struct {
		Status  string
		Results []struct {
			Duration float64
			Errors   []struct{ Message string }
		}
	}
}

// collect adds what a suite tells of its tests: why some failed, which were flaky, how long each took.
func (s suite) collect(c *counts) {
	for _, each := range s.Specs {
		each.collect(c)
	}
	for _, inner := range s.Suites {
		inner.collect(c)
	}
}

func (s spec) collect(c *counts) {
	name := fmt.Sprintf("%s:%d %s", s.File, s.Line, s.Title)
	var said []string
	took, flaky := 0.0, false
	for _, test := range s.Tests {
		flaky = flaky || test.Status == "flaky"
		for _, result := range test.Results {
			took += result.Duration / 1000
			for _, each := range result.Errors {
				said = append(said, each.Message)
			}
		}
	}
	c.Slow = append(c.Slow, timing{name, took})
	switch {
	case !s.OK:
		c.Why = append(c.Why, brief(name, strings.Join(said, "\n")))
	case flaky:
		c.Flaky = append(c.Flaky, name)
	}
}
