//go:build !soak

package main

const (
	kills       = 3       // of the server on each engine
	walletKills = 2       // amid vendors' calls on each engine
	readyWithin = ceiling // ends what hangs; the soak holds it to five seconds
)
