package schedule

import (
	"sync"
	"time"
)

// A Clock never goes back, so that a closed numero stays closed after the system clock was set back. It stops until the
// system clock has caught up. A Clock is safe for concurrent use.
type Clock struct {
	mu     sync.Mutex
	latest time.Time
}

// NewClock returns a clock that starts at the latest time that is known to have passed, such as the last stored close.
func NewClock(latest time.Time) *Clock { return &Clock{latest: latest} }

// At returns the later of the given reading of the system clock and all earlier readings.
func (c *Clock) At(reading time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reading.After(c.latest) {
		c.latest = reading
	}
	return c.latest
}
