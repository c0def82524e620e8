// Command tally runs the Go tests with a short report and counts what all test runners found. It never
// decides what is run: the arguments after the output file go to `go test` as they are.
//
//	tally go OUT.json ARGS…      run `go test -json ARGS…`, run again what failed, print failures in full, write the counts
//	tally strict OUT.json ARGS…  the same, and nothing is run again
//	tally sum DIR RUNNER…        read the counts of these runners in DIR; print what failed, what was flaky and slow, and one line of counts
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) > 2 && args[0] == "go":
		return goTests(args[1], false, args[2:], os.Stdout)
	case len(args) > 2 && args[0] == "strict":
		return goTests(args[1], true, args[2:], os.Stdout)
	case len(args) > 2 && args[0] == "sum":
		return sum(args[1], args[2:], os.Stdout)
	}
	return fmt.Errorf("usage: tally go|strict OUT.json ARGS… | tally sum DIR RUNNER…")
}
