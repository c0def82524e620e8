package dbtest

import (
	"context"
	"errors"
	"testing"

	"fairground/internal/platform/db"
)

// Template creates a PostgreSQL database that tests can copy with Copied, and calls fill once to fill it. No connection to
// the database may be open while it is copied.
func Template(name string, fill func(db.Options) error) error {
	c, err := sharedCluster()
	if err != nil {
		return err
	}
	ctx := context.Background()
	name = c.prefix + name
	if err := c.Create(ctx, name, shared.template); err != nil {
		return err
	}
	shared.mu.Lock()
	shared.templates = append(shared.templates, name)
	shared.mu.Unlock()
	if err := fill(db.Options{URL: c.URL(name)}); err != nil {
		return errors.Join(err, c.Drop(ctx, name))
	}
	return nil
}

// Copied creates a copy of a template for one test.
func Copied(t testing.TB, template string) db.Options {
	t.Helper()
	return postgresDatabase(t, func(c *Cluster) string { return c.prefix + template })
}
