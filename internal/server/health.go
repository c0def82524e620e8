package server

import (
	"context"
	"errors"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// Healthy checks that the database can be read and written. If not, it returns a short reason and the error.
func (s *Server) Healthy(ctx context.Context) (reason string, err error) {
	var n int
	readErr := s.Store.Reader.QueryRowContext(ctx, "SELECT COUNT(*) FROM merchant").Scan(&n)
	if readErr == nil {
		err = s.probe.Check(ctx)
	}
	switch {
	case db.FileReplaced(readErr), db.FileReplaced(err):
		return "database gone", errors.Join(readErr, err)
	case readErr != nil:
		return "database unavailable", readErr
	case err == nil:
		return "", nil
	case db.DiskFull(err):
		return "disk full", err
	default:
		return "database takes no writes", err
	}
}

// Ready checks everything that a request needs. It reports a lost connection to the bus, but as a success, because bets
// work without the bus and all replicas would fail together.
func (s *Server) Ready(ctx context.Context) []rest.Check {
	database := rest.Check{Name: "database", State: "ok"}
	if reason, err := s.Healthy(ctx); err != nil {
		database.State, database.Err = reason, err
	}
	bus := rest.Check{Name: "bus", State: "connected"}
	if !s.Bus.Connected() {
		bus.State = "disconnected"
	}
	checks := []rest.Check{database, s.schemaCheck(ctx), bus}
	// Games that wait for a salt are reported but do not fail the check, because all other games work.
	if blocked, err := s.Series.Blocked(ctx); err == nil && blocked != "" {
		checks = append(checks, rest.Check{Name: "salts", State: blocked})
	}
	return checks
}

// schemaCheck accepts a newer schema, because replicas of the old release still run during an upgrade.
func (s *Server) schemaCheck(ctx context.Context) rest.Check {
	check := rest.Check{Name: "schema", State: "ok"}
	got, want, err := s.Store.SchemaVersion(ctx)
	switch {
	case err != nil:
		check.State, check.Err = "unknown", err
	case got < want:
		check.State, check.Err = "older than this program", fmt.Errorf("the schema has version %d, want %d", got, want)
	}
	return check
}
