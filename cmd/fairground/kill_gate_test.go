//go:build !soak

package main

const (
	killTitle = "FT-01 in part: kill -9 of the server under load, three times"

	kills           = 3           // per database engine
	vendorCallKills = 2           // during vendors' calls, per database engine
	readyWithin     = testTimeout // the soak requires five seconds
)

// killSeed returns the seed for the times of kills and the orders of calls.
func killSeed() uint64 { return 31 }

// spinKills returns the steps at which the server is killed: those after the stake and before the payout.
func spinKills() []spinKill { return spinSteps[2:4] }

// payoutKills and depositKills return the moments at which the server is killed.
func payoutKills() []cashierKill  { return []cashierKill{payoutMoments[0], payoutMoments[2]} }
func depositKills() []cashierKill { return depositMoments[5:] }

// lotteryKills returns the moments at which the server is killed.
func lotteryKills() []lotteryKill { return []lotteryKill{lotteryMoments[1], lotteryMoments[4]} }
