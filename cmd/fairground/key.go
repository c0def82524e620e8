package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
	"fairground/internal/server"
)

type keyGroup struct {
	Status keyStatusCommand `cmd:"" help:"Show where the installation's key is, and which vendor keys to rotate."`
	Rotate keyRotateCommand `cmd:"" help:"Replace the installation's key. No server may run; all members must log in again."`
}

// keyOptions returns the options for opening the installation's key.
func keyOptions(c *console, storage config.Storage, store *db.Store) secret.Options {
	return secret.Options{Store: store, Source: storage.Key(), Now: c.now, Rekey: server.Rekey(c.now), Log: c.quietLog()}
}

type keyStatusCommand struct {
	config.Storage

	JSON bool `name:"json" help:"Print JSON."`
}

type keyStatus struct {
	Source     string       `json:"source"`
	Since      time.Time    `json:"since"`
	VendorKeys []exposedKey `json:"vendorKeysToRotate"`
}

type exposedKey struct {
	Merchant string    `json:"merchant"`
	Vendor   string    `json:"vendor"`
	KeyID    string    `json:"keyId"`
	Created  time.Time `json:"created"`
}

// Run checks the key and lists the vendor keys that are older than it. Anyone with the previous key may have read them.
func (k *keyStatusCommand) Run(c *console) (err error) {
	if k.DB == "" {
		if err := findDatabase(k.Data, "set the data folder with --data"); err != nil {
			return err
		}
	}
	store, err := db.Open(c.ctx, k.DBOptions(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	keys, err := secret.Open(c.ctx, keyOptions(c, k.Storage, store))
	if err != nil {
		return err
	}
	status := keyStatus{Source: k.Key().String(), VendorKeys: []exposedKey{}}
	if status.Since, err = keys.Since(c.ctx); err != nil {
		return err
	}
	rows, err := store.Q().VendorKeysBefore(c.ctx, db.Millis(status.Since))
	if err != nil {
		return fmt.Errorf("read vendors' keys: %w", err)
	}
	for _, row := range rows {
		status.VendorKeys = append(status.VendorKeys, exposedKey{row.Merchant, row.Vendor, row.KeyID, time.UnixMilli(row.CreatedAt).UTC()})
	}
	status.Since = status.Since.UTC()
	if k.JSON {
		return json.NewEncoder(c.out).Encode(status)
	}
	return status.print(c.out)
}

func (s keyStatus) print(out io.Writer) error {
	if _, err := fmt.Fprintf(out, "The key in %s opens this database. In use since %s.\n", s.Source, s.Since.Format(time.RFC3339)); err != nil {
		return err
	}
	if len(s.VendorKeys) == 0 {
		_, err := fmt.Fprintln(out, "No vendor key is older than it.")
		return err
	}
	if _, err := fmt.Fprintln(out, "Vendor keys that are older, to replace with fairground vendor rotate:"); err != nil {
		return err
	}
	for _, k := range s.VendorKeys {
		if _, err := fmt.Fprintf(out, "  %s %s, key %s of %s\n", k.Merchant, k.Vendor, k.KeyID, k.Created.Format(time.RFC3339)); err != nil {
			return err
		}
	}
	return nil
}

type keyRotateCommand struct {
	config.Storage
}

// Run replaces the key. No server may be running.
func (k *keyRotateCommand) Run(c *console) (err error) {
	if k.DB == "" {
		if err := findDatabase(k.Data, "set the data folder with --data"); err != nil {
			return err
		}
	}
	lock, err := control.Wait(c.ctx, k.Data, c.lockTimeout)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	store, err := db.Open(c.ctx, k.DBOptions(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return err
	}
	release, err := store.LockServer(c.ctx, false, c.lockTimeout, c.quietLog())
	if err != nil {
		return err
	}
	defer release()
	if err := secret.Rotate(c.ctx, keyOptions(c, k.Storage, store)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "The key in %s is new. Copy it to every replica and to your safe. All members must log in again.\nSee fairground key status for the vendor keys to rotate.\n", k.Key())
	return err
}
