package db

import (
	"log/slog"
	"sync"
	"time"
)

// maxClockDrift is the largest tolerated difference between a localClock and the system clock.
const maxClockDrift = 2 * time.Second

// A localClock provides the time when the database is SQLite. It never goes back, because rows are ordered by it.
//
// It runs on the process's monotonic clock, which stops while the machine sleeps. The system clock may also be adjusted
// while the process runs. If the system clock is ahead by more than maxClockDrift, the localClock jumps to the system
// time. If the system clock is behind, the localClock runs at half speed until the two agree. The zero value starts at
// the first use.
type localClock struct {
	system    func() time.Time     // the system clock, which may jump
	monotonic func() time.Duration // the time since any fixed moment
	log       *slog.Logger

	mu            sync.Mutex
	baseTime      time.Time     // the reference point, which moves when the speed changes
	baseMonotonic time.Duration // the monotonic time of the reference point
	slow          bool          // runs at half speed
}

// start uses the machine's clocks, unless a test has set others.
func (c *localClock) start() {
	if c.system == nil {
		start := time.Now()
		c.system = func() time.Time { return time.Now().Round(0) } // without the monotonic reading
		c.monotonic = func() time.Duration { return time.Since(start) }
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.baseTime, c.baseMonotonic = c.system(), c.monotonic()
}

func (c *localClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.baseTime.IsZero() {
		c.start()
	}
	monotonic, system := c.monotonic(), c.system()
	elapsed := monotonic - c.baseMonotonic
	if c.slow {
		elapsed /= 2
	}
	now := c.baseTime.Add(elapsed)
	drift := now.Sub(system) // positive if the system clock is behind
	switch {
	case drift < -maxClockDrift:
		c.log.Warn("the system clock is ahead: the machine slept or its clock was set; the database's clock jumps forward", "seconds", -drift.Seconds())
		now = system
		c.baseTime, c.baseMonotonic, c.slow = now, monotonic, false
	case drift > maxClockDrift && !c.slow:
		c.log.Warn("the system clock was set back: the database's clock runs at half speed until both agree", "seconds", drift.Seconds())
		c.baseTime, c.baseMonotonic, c.slow = now, monotonic, true
	case drift <= 0 && c.slow:
		c.log.Info("the database's clock agrees with the system clock again")
		c.baseTime, c.baseMonotonic, c.slow = now, monotonic, false
	}
	return now
}
