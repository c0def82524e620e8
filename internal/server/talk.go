package server

import (
	"context"

	"fairground/internal/game/catalogue"
	"fairground/internal/money"
	"fairground/internal/site/chat"
	"fairground/internal/site/stream"
)

// chatRule returns the merchant's settings for the live chat.
func (s *Server) chatRule(ctx context.Context, merchantID int64) (chat.Rule, error) {
	hours, service, err := s.Merchants.Chat(ctx, merchantID)
	if err != nil {
		return chat.Rule{}, err
	}
	currency, err := s.Merchants.Currency(ctx, merchantID)
	if err != nil {
		return chat.Rule{}, err
	}
	return chat.Rule{Opens: hours.Opens, Closes: hours.Closes, Zone: money.Zone(currency.Code), Service: service}, nil
}

// streamGames finds the games of streams in the catalogue.
type streamGames struct{ catalogue *catalogue.Service }

// GamesByCode implements stream.Games.
func (g streamGames) GamesByCode(ctx context.Context, merchantID int64, codes []string, language string) ([]stream.Game, error) {
	found, err := g.catalogue.ShownGames(ctx, merchantID, codes, language)
	out := make([]stream.Game, 0, len(found))
	for _, game := range found {
		out = append(out, stream.Game{
			GameID: game.Code, NodeID: game.Node, NodeName: game.Name, DisplayName: game.VendorName, Vassalage: game.Vendor, GameCategory: game.Category,
			IconURL: game.Icon, SupportPlay: game.SupportPlay, GameCode: game.LaunchCode, GameGroupID: game.Group, LottoMode: game.LottoMode,
			FreePlay: game.FreePlay, Maintenance: game.Maintenance, NotOpen: game.NotOpen,
		})
	}
	return out, err
}
