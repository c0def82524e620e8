package servertest

import (
	"strings"

	"fairground/internal/game/catalogue"
	"fairground/internal/money"
	"fairground/internal/platform/spec"
	"fairground/internal/server"
)

// An Option changes the site that New returns.
type Option func(*build)

// build collects the options of New.
type build struct {
	server  server.Options
	members []newMember
	vendors []catalogue.Vendor
	games   []catalogue.Game
}

type newMember struct {
	id       int64
	username string
	cash     money.Minor
}

// Options changes the options of the server.
func Options(change func(*server.Options)) Option {
	return func(b *build) { change(&b.server) }
}

// Member adds a player without a password who has an amount of VND.
func Member(id int64, username string, cash money.Minor) Option {
	return func(b *build) { b.members = append(b.members, newMember{id, username, cash}) }
}

// Vendor adds an enabled vendor of slots with its games. The server serves the games of the vendor HOUSE.
func Vendor(code string, games ...string) Option {
	return func(b *build) {
		b.vendors = append(b.vendors, catalogue.Vendor{
			Code: code, DisplayName: code[:1] + strings.ToLower(code[1:]), AccountType: spec.Slots, Categories: []string{spec.Slots}, Sorting: int64(len(b.vendors) + 1), Enabled: true, House: code == "HOUSE",
		})
		for _, game := range games {
			b.games = append(b.games, Game(code, game))
		}
	}
}

// Game returns an enabled slot with free play, for catalogue.PutGames.
func Game(vendor, code string) catalogue.Game {
	return catalogue.Game{
		Code: code, Vendor: vendor, Category: spec.Slots, LaunchCode: "x-" + code, Icon: "/m/" + code, FreePlay: true, SupportPlay: true, Enabled: true,
		Names: map[string]string{"vi": "Trò " + code, "en": "Game " + code, "ur": "گیم " + code, "pt": "Jogo " + code},
	}
}
