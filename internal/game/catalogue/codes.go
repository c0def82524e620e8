package catalogue

import (
	"context"
	"fmt"
)

// VendorCodes returns the codes of all vendors of the merchant, enabled or not.
func (s *Service) VendorCodes(ctx context.Context, merchantID int64) ([]string, error) {
	codes, err := s.o.Store.Q().VendorCodes(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read vendor codes: %w", err)
	}
	return codes, nil
}

// GameCodes returns the codes of all games of the merchant, enabled or not.
func (s *Service) GameCodes(ctx context.Context, merchantID int64) ([]string, error) {
	codes, err := s.o.Store.Q().GameCodes(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read game codes: %w", err)
	}
	return codes, nil
}
