package merchant

import (
	"context"
	"fmt"
	"regexp"
	"slices"
)

var vendorCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// vendorCodes accepts what may be codes of vendors. Whether there are such is looked at when it is set: one may be gone later.
func vendorCodes(v []string) error {
	for i, code := range v {
		if !vendorCode.MatchString(code) || slices.Contains(v[:i], code) {
			return fmt.Errorf("%q is no code or repeated", code)
		}
	}
	return nil
}

// known refuses codes of vendors whom the merchant does not have.
func (s *Service) known(ctx context.Context, merchantID int64, next Settings) error {
	if s.o.Vendors == nil {
		return nil
	}
	there, err := s.o.Vendors(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("read vendors: %w", err)
	}
	for _, code := range next.JackpotVendors {
		if !slices.Contains(there, code) {
			return ErrBadSetting.On(string(JackpotVendors)).Because(fmt.Errorf("there is no vendor %s: make it first", code))
		}
	}
	return nil
}

// JackpotShare is what of every thousand staked goes to the merchant's jackpots; 0: there are none.
func (s *Service) JackpotShare(ctx context.Context, merchantID int64) (perMille int64, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.JackpotShare), nil
}

// JackpotVendors are the codes of those outside the House whose jackpot games have a part in the merchant's jackpots.
func (s *Service) JackpotVendors(ctx context.Context, merchantID int64) ([]string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return m.settings.JackpotVendors, nil
}

// JackpotSeries is how often a jackpot may be won within a day before the next series waits.
func (s *Service) JackpotSeries(ctx context.Context, merchantID int64) (perDay int64, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return int64(m.settings.JackpotSeries), nil
}
