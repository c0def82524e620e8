package schedule

import (
	"sync"
	"time"
)

// A Clock is a clock that never goes back, so that a closed numero stays closed after the source of time was set back.
// It stops until the source has caught up. A Clock is safe for concurrent use.
type Clock struct {
	mu     sync.Mutex
	latest time.Time
}

// NewClock returns a clock that starts at the latest time that is known to have passed, such as the last stored close.
func NewClock(latest time.Time) *Clock { return &Clock{latest: latest} }

// At returns the reading of the source, or the latest reading before it if that is later.
func (c *Clock) At(reading time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if reading.After(c.latest) {
		c.latest = reading
	}
	return c.latest
}
