package dbtest

import (
	"flag"
	"os"
	"strings"
)

// setProperties gives this package's properties their seed and number, unless RAPID_SEED, RAPID_CHECKS or the command line
// does. Without properties there are no such flags.
func setProperties() {
	for name, value := range properties {
		if os.Getenv(strings.ToUpper(strings.ReplaceAll(name, ".", "_"))) == "" && flag.Lookup(name) != nil {
			_ = flag.Set(name, value) // a number, which these flags take; the command line is read later
		}
	}
}
