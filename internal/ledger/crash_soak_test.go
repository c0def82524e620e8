//go:build soak

package ledger_test

import "time"

const (
	crashes     = 20
	readyWithin = 5 * time.Second
)
