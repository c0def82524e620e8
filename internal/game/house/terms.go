package house

import (
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/money"
)

// Terms are the properties of a game that a catalogue lists.
type Terms struct {
	MinStake money.Minor
	Lines    int64    // or ways; 0 where symbols pay anywhere, and at tables
	Classes  []string // the catalogue's codes
}

// TermsOf returns a game's terms in a currency. It reports false for a game that the House does not serve in that currency.
func TermsOf(category, game, currency string) (Terms, bool) {
	if table.Serves(category) {
		minStake, class, ok := table.TermsOf(game, currency)
		return Terms{MinStake: minStake, Classes: []string{class}}, ok
	}
	t, ok := round.TermsOf(category, game, currency)
	return Terms{MinStake: t.MinStake, Lines: t.Lines, Classes: t.Classes}, ok
}

// Serves reports whether the House serves a category's games.
func Serves(category string) bool { return table.Serves(category) || round.Serves(category) }

// Return returns a game's published return in per cent, rounded down. It is empty for a game that the House does not serve.
func Return(category, game string) string {
	if table.Serves(category) {
		return table.Return(game)
	}
	return round.Return(category, game)
}
