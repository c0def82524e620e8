package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
)

// readDatabase calls fn with the database, opened for reading. The server may be running.
func readDatabase(c *console, storage config.Storage, fn func(*db.Store) error) (err error) {
	if storage.DB == "" {
		if err := findDatabase(storage.Data, "set the data folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, storage.DBOptions(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return err
	}
	return fn(store)
}

// readMerchant is readDatabase for a merchant that must exist.
func readMerchant(c *console, flags merchantFlags, fn func(*db.Store) error) error {
	return readDatabase(c, flags.Storage, func(store *db.Store) error {
		_, err := store.Q().MerchantByCode(c.ctx, flags.Merchant)
		if errors.Is(err, sql.ErrNoRows) {
			return rest.ErrMerchantUnknown
		}
		if err != nil {
			return err
		}
		return fn(store)
	})
}

// printRows prints rows as a table, or as one JSON object per line.
func printRows[T any](c *console, asJSON bool, rows []T, line func(T) []string) error {
	if asJSON {
		out := json.NewEncoder(c.out)
		out.SetEscapeHTML(false)
		for _, row := range rows {
			if err := out.Encode(row); err != nil {
				return err
			}
		}
		return nil
	}
	out := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(out, strings.Join(line(row), "\t"))
	}
	return out.Flush()
}

// timeOf returns a stored time for output.
func timeOf(millis int64) time.Time { return time.UnixMilli(millis).UTC() }
