package main

import (
	"errors"
	"fmt"
	"os"

	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type migrateCommand struct {
	config.Storage
}

// Run migrates the database. PostgreSQL replicas may keep running. It fails for a data folder in use, whose server has
// already migrated the database.
func (m *migrateCommand) Run(c *console) (err error) {
	// With --db, no data folder is needed.
	if _, statErr := os.Stat(m.Data); m.DB == "" || statErr == nil {
		lock, waitErr := control.Wait(c.ctx, m.Data, c.lockTimeout)
		if waitErr != nil {
			return waitErr
		}
		defer func() { err = errors.Join(err, lock.Release()) }()
	}
	store, err := db.Open(c.ctx, m.DBOptions(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.Migrate(c.ctx, store); err != nil {
		return err
	}
	_, err = fmt.Fprintln(c.out, "The database is up to date.")
	return err
}
