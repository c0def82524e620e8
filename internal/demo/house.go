package demo

import (
	"context"
	"slices"

	"fairground/internal/game/catalogue"
)

// HouseCode is the code of the House's vendor on a real site.
const HouseCode = "HOUSE"

// InstallHouse adds the House's vendor and those of its games that a real site can offer in its currency. It only adds
// what is missing and returns the number of added games. The caller has checked that no other vendor has HouseCode.
func InstallHouse(ctx context.Context, p Parts, merchantID int64, currency string) (added int, err error) {
	vendors, err := read[catalogue.VendorRow]("vendors.json")
	if err != nil {
		return 0, err
	}
	rows, err := read[catalogue.GameRow]("games.json")
	if err != nil {
		return 0, err
	}
	existing, err := p.Catalogue.GameCodes(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	var games []catalogue.Game
	var categories []string
	for _, r := range rows {
		if _, served := p.Terms(r.Category, r.GameID, currency); !served {
			continue
		}
		if !slices.Contains(categories, r.Category) {
			categories = append(categories, r.Category)
		}
		if !slices.Contains(existing, r.GameID) {
			r.Vendor = HouseCode
			games = append(games, p.game(r, currency))
		}
	}
	codes, err := p.Catalogue.VendorCodes(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	for _, r := range vendors {
		if r.Code == HouseCode && !slices.Contains(codes, HouseCode) {
			r.Categories = categories
			v := r.Vendor()
			v.House = true
			if err := p.Catalogue.PutVendors(ctx, merchantID, []catalogue.Vendor{v}); err != nil {
				return 0, err
			}
		}
	}
	return len(games), putGames(ctx, p, merchantID, games)
}
