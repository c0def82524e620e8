package db

import "time"

// Drift makes the cached reading of the clock too old to use, and wrong by d.
func (s *Store) Drift(d time.Duration) {
	last := s.postgresClock.last.Load()
	s.postgresClock.last.Store(&clockReading{last.dbTime.Add(d), last.readAt.Add(-2 * clockRefreshInterval)})
}
