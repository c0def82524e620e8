package server

import (
	"context"

	"fairground/internal/money"
	"fairground/internal/site/chat"
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
