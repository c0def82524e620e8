// Command tally runs the Go tests with a short report and counts what all test runners found. It never
// decides what is run: the arguments after the output file go to `go test` as they are.
//
//	tally go OUT.json ARGS…   run `go test -json ARGS…`, print failures in full, write the counts
//	tally sum DIR             read the counts of every runner in DIR and print one line, with a line for each failure
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
		return goTests(args[1], args[2:], os.Stdout)
	case len(args) == 2 && args[0] == "sum":
		return sum(args[1], os.Stdout)
	}
	return fmt.Errorf("usage: tally go OUT.json ARGS… | tally sum DIR")
}
