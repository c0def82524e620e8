package merchant

import (
	"context"
	"fmt"

	"fairground/internal/fault"
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
	Normal      Condition = "normal"
	Restricted  Condition = "restricted" // this address or region may not come in
	Maintenance Condition = "maintenance"
)

// Faults of a site that is not open.
var (
	ErrMaintenance = fault.New(fault.Unavailable, "system.maintenance")
	ErrRestricted  = fault.New(fault.Forbidden, "system.restricted")
)

// ReadStatus decodes a status number under its reading.
func ReadStatus(reading Reading, status int) (Condition, error) {
	meaning := map[Reading][3]Condition{
		ReadingA: {Normal, Restricted, Maintenance},
		ReadingB: {Normal, Maintenance, Restricted},
	}
	conditions, known := meaning[reading]
	if !known || status < 0 || status >= len(conditions) {
		return "", fmt.Errorf("status %d of reading %q has no meaning", status, reading)
	}
	return conditions[status], nil
}

// Open refuses while the merchant's site is closed to members.
func (s *Service) Open(ctx context.Context, merchantID int64) error {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return err
	}
	condition, err := ReadStatus(m.settings.StatusReading, m.settings.Status)
	if err != nil {
		return err
	}
	switch condition {
	case Maintenance:
		return ErrMaintenance
	case Restricted:
		return ErrRestricted
	default:
		return nil
	}
}
