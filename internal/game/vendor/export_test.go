package vendor

// The statements that the winner board is read by, for the test of their plans.
var (
	LatestWins  = latestWins
	LatestPools = latestPools
)
