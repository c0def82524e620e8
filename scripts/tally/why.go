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

// vitestFile is what vitest tells of one file of tests.
type vitestFile struct {
	Name, Message, Status string
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
	Specs  []struct {
		Title, File string
		Line        int
		OK          bool
		Tests       []struct {
			Results []struct{ Errors []struct{ Message string } }
		}
	}
}

func (s suite) why() []string {
	var all []string
	for _, spec := range s.Specs {
		if spec.OK {
			continue
		}
		var said []string
		for _, test := range spec.Tests {
			for _, result := range test.Results {
				for _, each := range result.Errors {
					said = append(said, each.Message)
				}
			}
		}
		all = append(all, brief(fmt.Sprintf("%s:%d %s", spec.File, spec.Line, spec.Title), strings.Join(said, "\n")))
	}
	for _, inner := range s.Suites {
		all = append(all, inner.why()...)
	}
	return all
}
