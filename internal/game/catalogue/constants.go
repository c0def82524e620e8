package catalogue

import (
	"slices"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

var categories = []string{
	spec.Lottery, spec.FastLottery, spec.Live, spec.Slots, spec.Fishing, spec.Sports, spec.Esports, spec.Cards, spec.JadeLantern,
}

var playTypes = []string{spec.PlayTradition, spec.PlayEntertained}

// Every game has a name in each of these languages.
var languages = rest.Languages()

// languageIndex returns the position of a language in languages. Unknown languages map to the first one.
func languageIndex(language string) int { return max(0, slices.Index(languages, language)) }
