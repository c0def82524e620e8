package dbtest

import (
	"flag"
	"os"
	"strings"
)

// setProperties sets the seed and number of property tests, unless RAPID_SEED, RAPID_CHECKS or the command line does.
// The flags exist only in packages with property tests.
func setProperties() {
	for name, value := range properties {
		if os.Getenv(strings.ToUpper(strings.ReplaceAll(name, ".", "_"))) == "" && flag.Lookup(name) != nil {
			_ = flag.Set(name, value) // the command line is parsed later
		}
	}
}
