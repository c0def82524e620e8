package merchant

import "context"

// LotteryExposure returns the most that one line of a lottery draw may be paid, in units of the currency. 0 means the
// default.
func (s *Service) LotteryExposure(ctx context.Context, merchantID int64) (int64, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.LotteryExposure), nil
}

// LotteryReturn returns the highest return that lottery odds may have, in per mille.
func (s *Service) LotteryReturn(ctx context.Context, merchantID int64) (int64, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.LotteryReturn), nil
}
