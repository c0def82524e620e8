package catalogue

import (
	"context"
	"fmt"
)

// VendorCodes are the codes of all vendors of the merchant, switched on or off.
func (s *Service) VendorCodes(ctx context.Context, merchantID int64) ([]string, error) {
	codes, err := s.o.Store.Q().VendorCodes(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendors' codes: %w", err)
	}
	return codes, nil
}

// GameCodes are the codes of all games of the merchant, switched on or off.
func (s *Service) GameCodes(ctx context.Context, merchantID int64) ([]string, error) {
	codes, err := s.o.Store.Q().GameCodes(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read games' codes: %w", err)
	}
	return codes, nil
}
