package db

import (
	"log/slog"
	"sync"
	"time"
)

// maxClockDrift is the largest tolerated difference between a localClock and the system clock.
const maxClockDrift = 2 * time.Second

// A localClock is SQLite's time. It runs on the process's monotonic clock and never goes back, because rows are ordered by it.
// The monotonic clock stops while the machine sleeps, and the system clock may be set after the start. So if the system clock is
// ahead by more than maxClockDrift, the localClock jumps to it. If the system clock is behind, the localClock runs at half
// speed until the two agree. The zero value starts at the first use.
type localClock struct {
	system    func() time.Time     // the system clock; may jump
	monotonic func() time.Duration // since any fixed moment
	log       *slog.Logger

	mu   sync.Mutex
	time time.Time     // at the last change of speed
	at   time.Duration // monotonic, at the same moment
	slow bool          // at half speed
}

// start sets the machine's clocks, unless a test has set others.
func (c *localClock) start() {
	if c.system == nil {
		start := time.Now()
		c.system = func() time.Time { return time.Now().Round(0) } // without the monotonic reading
		c.monotonic = func() time.Duration { return time.Since(start) }
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.time, c.at = c.system(), c.monotonic()
}

func (c *localClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.time.IsZero() {
		c.start()
	}
	at, system := c.monotonic(), c.system()
	passed := at - c.at
	if c.slow {
		passed /= 2
	}
	now := c.time.Add(passed)
	ahead := now.Sub(system)
	switch {
	case ahead < -maxClockDrift:
		c.log.Warn("the system clock is ahead: the machine slept or its clock was set; the database's clock jumps forward", "seconds", -ahead.Seconds())
		now = system
		c.time, c.at, c.slow = now, at, false
	case ahead > maxClockDrift && !c.slow:
		c.log.Warn("the system clock was set back: the database's clock runs at half speed until both agree", "seconds", ahead.Seconds())
		c.time, c.at, c.slow = now, at, true
	case ahead <= 0 && c.slow:
		c.log.Info("the database's clock agrees with the system clock again")
		c.time, c.at, c.slow = now, at, false
	}
	return now
}
