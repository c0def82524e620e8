package merchant

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"fairground/internal/platform/rest"
)

// A Reading defines the meaning of system status numbers, which differs between gateways.
type Reading string

// The two readings.
const (
	ReadingA Reading = "a" // 0 normal, 1 IP block, 2 maintenance
	ReadingB Reading = "b" // 0 normal, 1 maintenance (also with a restriction), 2 region restriction
)

// A Condition is the state of a site for a visitor.
type Condition string

// The conditions of a merchant's site.
const (
	ConditionNormal      Condition = "normal"
	ConditionRestricted  Condition = "restricted" // closed to this address or region
	ConditionMaintenance Condition = "maintenance"
)

var statusMeanings = map[Reading][3]Condition{
	ReadingA: {ConditionNormal, ConditionRestricted, ConditionMaintenance},
	ReadingB: {ConditionNormal, ConditionMaintenance, ConditionRestricted},
}

// ReadStatus decodes a status number under its reading.
func ReadStatus(reading Reading, status int) (Condition, error) {
	conditions, known := statusMeanings[reading]
	if !known || status < 0 || status >= len(conditions) {
		return "", fmt.Errorf("status %d of reading %q has no meaning", status, reading)
	}
	return conditions[status], nil
}

func (r Reading) number(c Condition) int {
	for n, condition := range statusMeanings[r] {
		if condition == c {
			return n
		}
	}
	return 0 // unreachable: every reading has all conditions
}

// Open returns an error while the site is closed to everyone or to this address. An unknown address is passed as an invalid one.
func (s *Service) Open(ctx context.Context, merchantID int64, address netip.Addr) error {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return err
	}
	switch condition, err := s.condition(ctx, m, address); {
	case err != nil:
		return err
	case condition == ConditionMaintenance:
		if remaining := m.settings.Maintenance.remaining(s.o.Now()); remaining > 0 {
			return rest.ErrMaintenance.With("seconds", int64((remaining+time.Second-1)/time.Second))
		}
		return rest.ErrMaintenance
	case condition == ConditionRestricted:
		return rest.ErrRestricted
	default:
		return nil
	}
}

// Closed reports whether the site is closed for maintenance. It ignores addresses, because a vendor's
// requests come from the vendor's address, not the player's.
func (s *Service) Closed(ctx context.Context, merchantID int64) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	status, err := ReadStatus(m.settings.StatusReading, m.settings.Status)
	return status == ConditionMaintenance || m.settings.Maintenance.On, err
}

// condition returns the condition of the site for an address. Maintenance takes precedence over a restriction, as
// reading b requires. The site is always open to AllowedNetworks, so that operators can inspect it during maintenance.
func (s *Service) condition(ctx context.Context, m *merchant, address netip.Addr) (Condition, error) {
	settings := &m.settings
	status, err := ReadStatus(settings.StatusReading, settings.Status)
	if err != nil {
		return "", err
	}
	switch {
	case contains(settings.AllowedNetworks, address):
		return ConditionNormal, nil
	case status == ConditionMaintenance || settings.Maintenance.On:
		return ConditionMaintenance, nil
	case status == ConditionRestricted || s.blocked(ctx, m, address):
		return ConditionRestricted, nil
	default:
		return ConditionNormal, nil
	}
}

// blocked reports whether the operator blocks an address. If anything is blocked, unknown addresses are blocked too.
func (s *Service) blocked(ctx context.Context, m *merchant, address netip.Addr) bool {
	settings := &m.settings
	if len(settings.BlockedNetworks) == 0 && len(settings.BlockedCountries) == 0 {
		return false
	}
	if !address.IsValid() || contains(settings.BlockedNetworks, address) {
		return true
	}
	if len(settings.BlockedCountries) == 0 || s.o.Countries == nil {
		return false
	}
	country, err := s.o.Countries.Country(address)
	if err != nil {
		s.logSkipped(ctx, m.id, "country", "of an address", err)
		return true
	}
	return slices.Contains(settings.BlockedCountries, country)
}

func contains(networks []netip.Prefix, address netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(address) {
			return true
		}
	}
	return false
}
