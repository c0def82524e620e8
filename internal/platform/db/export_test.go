package db

import "time"

// Drift makes what the store knows of the database's time old, and wrong by as much.
func (s *Store) Drift(d time.Duration) {
	last := s.known.last.Load()
	s.known.last.Store(&reading{last.said.Add(d), last.at.Add(-2 * askEvery)})
}
