package merchant

import "context"

// LotteryExposure returns the maximum payout of one line of a lottery draw, in units of the currency. 0 means the default.
func (s *Service) LotteryExposure(ctx context.Context, merchantID int64) (int64, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.LotteryExposure), nil
}

// LotteryReturn returns the maximum return of lottery odds, in per mille.
func (s *Service) LotteryReturn(ctx context.Context, merchantID int64) (int64, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.LotteryReturn), nil
}
