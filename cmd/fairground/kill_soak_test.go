//go:build soak

package main

import "time"

const (
	kills       = 20 // of the server on each engine
	walletKills = 8  // amid vendors' calls on each engine
	readyWithin = 5 * time.Second
)
