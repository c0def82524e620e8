package round

import (
	"slices"

	"fairground/internal/money"
)

// An offer lists the stakes of a currency, in minor units. Each stake is divisible by twenty, the number of lines.
type offer struct {
	stakes   []money.Minor
	standard money.Minor // selected when a game opens for the first time
}

var (
	dongOffer = offer{[]money.Minor{1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000}, 10_000}
	centOffer = offer{[]money.Minor{20, 40, 1_00, 2_00, 5_00, 10_00, 20_00, 50_00, 100_00}, 1_00}
	offers    = map[string]offer{
		"VND": dongOffer, "CNY": centOffer, "USD": centOffer, "BRL": centOffer,
		"PKR": {[]money.Minor{10_00, 20_00, 50_00, 100_00, 200_00, 500_00, 1_000_00, 2_000_00, 5_000_00}, 100_00},
		"FUN": {[]money.Minor{20, 100, 200, 500, 1_000, 2_000, 5_000, 10_000}, 100},
	}
)

func (o offer) has(stake money.Minor) bool { return slices.Contains(o.stakes, stake) }
