package catalogue

import (
	"slices"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// categories that a game or a vendor may belong to.
var categories = []string{
	spec.Lottery, spec.FastLottery, spec.Live, spec.Slots, spec.Fishing, spec.Sports, spec.Esports, spec.Cards, spec.JadeLantern,
}

var playTypes = []string{spec.PlayTradition, spec.PlayEntertained}

// languages in which every game has a name.
var languages = rest.Languages()

// tongue is the place of a language among them.
func tongue(language string) int { return max(0, slices.Index(languages, language)) }
