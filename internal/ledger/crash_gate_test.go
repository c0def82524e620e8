//go:build !soak

package ledger_test

import "time"

const (
	crashes     = 3
	readyWithin = time.Minute // only ends a testTimeout test; the soak allows five seconds
)
