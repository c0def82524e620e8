package merchant

import (
	"context"
	"fmt"
	"regexp"
	"slices"
)

var vendorCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// checkVendorCodes checks only the format, because a stored vendor may be removed later.
func checkVendorCodes(v []string) error {
	for i, code := range v {
		if !vendorCode.MatchString(code) || slices.Contains(v[:i], code) {
			return fmt.Errorf("%q is repeated or not a vendor code", code)
		}
	}
	return nil
}

func (s *Service) checkVendorsExist(ctx context.Context, merchantID int64, settings Settings) error {
	if s.o.Vendors == nil {
		return nil
	}
	existing, err := s.o.Vendors(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("read vendors: %w", err)
	}
	for _, code := range settings.JackpotVendors {
		if !slices.Contains(existing, code) {
			return ErrBadSetting.On(string(JackpotVendors)).Because(fmt.Errorf("there is no vendor %s: create it first", code))
		}
	}
	return nil
}

// JackpotShare returns the share of stakes that goes to the merchant's jackpots. 0 means that there are no jackpots.
func (s *Service) JackpotShare(ctx context.Context, merchantID int64) (perMille int64, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.JackpotShare), nil
}

// JackpotVendors returns the codes of the external vendors whose jackpot games contribute to the jackpots.
func (s *Service) JackpotVendors(ctx context.Context, merchantID int64) ([]string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return m.settings.JackpotVendors, nil
}

// JackpotSeries returns the number of wins within 24 hours after which a jackpot pauses.
func (s *Service) JackpotSeries(ctx context.Context, merchantID int64) (perDay int64, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.JackpotSeries), nil
}
