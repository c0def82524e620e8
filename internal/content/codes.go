package content

import (
	"context"
	"fmt"
)

// Codes are those of all announcements of the merchant, switched on or off.
func (s *Service) Codes(ctx context.Context, merchantID int64) ([]string, error) {
	codes, err := s.o.Store.Q().AnnouncementCodes(ctx, merchantID)
	if err != nil {
		return nil, fmt.Errorf("read announcements' codes: %w", err)
	}
	return codes, nil
}
