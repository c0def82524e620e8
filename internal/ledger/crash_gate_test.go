//go:build !soak

package ledger_test

import "time"

const (
	crashes     = 3
	readyWithin = time.Minute // only ends a test that hangs; the soak allows five seconds
)
