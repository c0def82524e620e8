//go:build !soak

package main

const (
	kills       = 3           // of the server on each engine
	walletKills = 2           // amid vendors' calls on each engine
	readyWithin = testTimeout // ends what hangs; the soak holds it to five seconds
)

// killSeed is what the moments of kills and the orders of calls are drawn from.
func killSeed() uint64 { return 31 }

// spinKills are the steps of a spin in which the server is killed: the two between which money has moved one way only.
func spinKills() []spinKill { return spinSteps[2:4] }
