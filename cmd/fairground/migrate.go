package main

import (
	"errors"
	"fmt"

	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/server"
)

type migrateCommand struct {
	config.Storage
}

// Run brings the database up to date. Replicas on PostgreSQL may go on serving meanwhile; a data folder in
// use is left alone, because the server that uses it has migrated it.
func (m *migrateCommand) Run(c *console) (err error) {
	lock, err := control.Wait(c.ctx, m.Data, c.turn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	store, err := db.Open(c.ctx, m.Open(false))
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
