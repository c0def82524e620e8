package vendor

// Statements of the winner board, for tests of their query plans.
var (
	LatestWins     = latestWins(maxScannedWins)
	LatestJackpots = latestJackpots
)

// SetScanLimit changes how many wins the board scans.
func (w *Winners) SetScanLimit(limit int) { w.scanLimit = limit }
