package house

import (
	"slices"

	"fairground/internal/money"
)

// offer is what may be staked in a currency, in minor units: each can be parted evenly on twenty lines. The game opens
// with usual.
type offer struct {
	stakes []money.Minor
	usual  money.Minor
}

var (
	inDong = offer{[]money.Minor{1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000}, 10_000}
	// Of currencies with hundredths: 0.20 to 100.00.
	inHundredths = offer{[]money.Minor{20, 40, 1_00, 2_00, 5_00, 10_00, 20_00, 50_00, 100_00}, 1_00}
	offers       = map[string]offer{
		"VND": inDong, "CNY": inHundredths, "USD": inHundredths, "BRL": inHundredths,
		"PKR": {[]money.Minor{10_00, 20_00, 50_00, 100_00, 200_00, 500_00, 1_000_00, 2_000_00, 5_000_00}, 100_00},
		"FUN": {[]money.Minor{20, 100, 200, 500, 1_000, 2_000, 5_000, 10_000}, 100},
	}
)

func (o offer) has(stake money.Minor) bool { return slices.Contains(o.stakes, stake) }
