//go:build soak

package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

const (
	kills       = 20 // of the server on each engine
	walletKills = 8  // amid vendors' calls on each engine
	readyWithin = 5 * time.Second
)

// killSeed is what the moments of kills and the orders of calls are drawn from.
func killSeed() uint64 { return rand.Uint64() }

// spinKills are the steps of a spin in which the server is killed.
func spinKills() []spinKill { return slices.Repeat(spinSteps, 3) }
