package house

import (
	"fairground/internal/game/house/round"
	"fairground/internal/game/house/table"
	"fairground/internal/money"
)

// Terms are the properties of a game that the catalogue lists.
type Terms struct {
	MinStake money.Minor
	Lines    int64    // or ways; 0 for tables and for slots whose symbols pay anywhere
	Classes  []string // class codes in the catalogue
}

// TermsOf returns a game's terms in a currency. It returns false if the House does not offer the game in that currency.
func TermsOf(category, game, currency string) (Terms, bool) {
	if table.Serves(category) {
		minStake, class, ok := table.TermsOf(game, currency)
		return Terms{MinStake: minStake, Classes: []string{class}}, ok
	}
	t, ok := round.TermsOf(category, game, currency)
	return Terms{MinStake: t.MinStake, Lines: t.Lines, Classes: t.Classes}, ok
}

// Serves reports whether the House runs the games of a category.
func Serves(category string) bool { return table.Serves(category) || round.Serves(category) }

// Return returns a game's published return to player (RTP) in per cent, rounded down. It is empty for a game that the House does
// not run.
func Return(category, game string) string {
	if table.Serves(category) {
		return table.Return(game)
	}
	return round.Return(category, game)
}
