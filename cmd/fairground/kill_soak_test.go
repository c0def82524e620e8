//go:build soak

package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

const (
	killTitle = "FT-01 kill -9 of the server under load, 20 times"

	kills           = 20 // per database engine
	vendorCallKills = 8  // during vendors' calls, per database engine
	readyWithin     = 5 * time.Second
)

// killSeed returns the seed for the times of kills and the orders of calls.
func killSeed() uint64 { return rand.Uint64() }

// spinKills returns the steps at which the server is killed.
func spinKills() []spinKill { return slices.Repeat(spinSteps, 3) }

// payoutKills and depositKills return the moments at which the server is killed.
func payoutKills() []cashierKill  { return slices.Repeat(payoutMoments, 3) }
func depositKills() []cashierKill { return slices.Repeat(depositMoments, 3) }

// lotteryKills returns the moments at which the server is killed.
func lotteryKills() []lotteryKill { return slices.Repeat(lotteryMoments, 3) }
