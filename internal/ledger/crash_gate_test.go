//go:build !soak

package ledger_test

import "time"

const (
	crashes     = 3
	readyWithin = time.Minute // ends what hangs; the soak holds it to five seconds
)
