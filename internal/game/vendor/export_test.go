package vendor

// The statements that the winner board is read by, for the test of their plans.
var (
	LatestWins  = latestWins(winsWalked)
	LatestPools = latestPools
)

// Walk lets a test bound the wins that the board is made of.
func (w *Winners) Walk(most int) { w.walked = most }
