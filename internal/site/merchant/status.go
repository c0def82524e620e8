package merchant

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairground/internal/platform/rest"
)

// Reading says what the numbers of the system status mean. Gateways of this family differ.
type Reading string

// The two readings.
const (
	ReadingA Reading = "a" // 0 normal, 1 IP block, 2 maintenance
	ReadingB Reading = "b" // 0 normal, 1 maintenance (also with a restriction), 2 region restriction
)

// Condition is what a system status means to a visitor.
type Condition string

// The conditions of a merchant's site.
const (
	ConditionNormal      Condition = "normal"
	ConditionRestricted  Condition = "restricted" // this address or region may not come in
	ConditionMaintenance Condition = "maintenance"
)

var meaning = map[Reading][3]Condition{
	ReadingA: {ConditionNormal, ConditionRestricted, ConditionMaintenance},
	ReadingB: {ConditionNormal, ConditionMaintenance, ConditionRestricted},
}

// ReadStatus decodes a status number under its reading.
func ReadStatus(reading Reading, status int) (Condition, error) {
	conditions, known := meaning[reading]
	if !known || status < 0 || status >= len(conditions) {
		return "", fmt.Errorf("status %d of reading %q has no meaning", status, reading)
	}
	return conditions[status], nil
}

// number encodes a condition for a reading.
func (r Reading) number(c Condition) int {
	for n, means := range meaning[r] {
		if means == c {
			return n
		}
	}
	return 0 // never: every reading has all conditions
}

// Open refuses while the merchant's site is closed: to everybody, or to this address, which is not valid where it is unknown.
func (s *Service) Open(ctx context.Context, merchantID int64, address netip.Addr) error {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return err
	}
	switch condition, err := s.condition(ctx, m, address); {
	case err != nil:
		return err
	case condition == ConditionMaintenance:
		if left := m.settings.Maintenance.left(s.o.Now()); left > 0 {
			return rest.ErrMaintenance.With("seconds", int64((left+time.Second-1)/time.Second))
		}
		return rest.ErrMaintenance
	case condition == ConditionRestricted:
		return rest.ErrRestricted
	default:
		return nil
	}
}

// Closed tells whether the merchant's site is closed for maintenance, whoever asks: a vendor calls from an address of its own,
// which says nothing about the player's.
func (s *Service) Closed(ctx context.Context, merchantID int64) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	said, err := ReadStatus(m.settings.StatusReading, m.settings.Status)
	return said == ConditionMaintenance || m.settings.Maintenance.On, err
}

// condition is that of the site for an address. Maintenance comes before a restriction: that is how
// reading b has it, and the other leaves it open. Whom the operator lets in always finds the site open, so that it can
// be looked at before it is opened to others.
func (s *Service) condition(ctx context.Context, m *merchant, address netip.Addr) (Condition, error) {
	set := &m.settings
	said, err := ReadStatus(set.StatusReading, set.Status)
	if err != nil {
		return "", err
	}
	switch {
	case contains(set.AllowedNetworks, address):
		return ConditionNormal, nil
	case said == ConditionMaintenance || set.Maintenance.On:
		return ConditionMaintenance, nil
	case said == ConditionRestricted || s.blocked(ctx, m, address):
		return ConditionRestricted, nil
	default:
		return ConditionNormal, nil
	}
}

// blocked tells whether an address is one that the operator keeps out. One that cannot be known might be: it is kept out
// wherever anybody is.
func (s *Service) blocked(ctx context.Context, m *merchant, address netip.Addr) bool {
	set := &m.settings
	if len(set.BlockedNetworks) == 0 && len(set.BlockedCountries) == 0 {
		return false
	}
	if !address.IsValid() || contains(set.BlockedNetworks, address) {
		return true
	}
	if len(set.BlockedCountries) == 0 || s.o.Countries == nil {
		return false
	}
	country, err := s.o.Countries.Country(address)
	if err != nil {
		s.skip(ctx, m.id, "country", "of an address", err)
		return true
	}
	return slices.Contains(set.BlockedCountries, country)
}

func contains(networks []netip.Prefix, address netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(address) {
			return true
		}
	}
	return false
}
