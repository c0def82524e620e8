package dbtest

import (
	"flag"
	"os"
	"strings"
)

// setProperties sets the seed and the number of checks of property tests, unless RAPID_SEED, RAPID_CHECKS or the command
// line sets them. The flags exist only in packages with property tests.
func setProperties() {
	for name, value := range properties {
		if os.Getenv(strings.ToUpper(strings.ReplaceAll(name, ".", "_"))) == "" && flag.Lookup(name) != nil {
			_ = flag.Set(name, value) // the command line is parsed later
		}
	}
}
