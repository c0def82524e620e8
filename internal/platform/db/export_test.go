package db

import "time"

// Drift makes the cached clock old and wrong by d.
func (s *Store) Drift(d time.Duration) {
	last := s.clock.last.Load()
	s.clock.last.Store(&clockReading{last.time.Add(d), last.at.Add(-2 * clockRefreshInterval)})
}
