package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/server"
)

// Most tests use a copy of an installation after its first start, which is faster than a first start. Tests of the first
// start use eachStorage.
var (
	firstDemo = sync.OnceValues(func() ([]byte, error) { return firstFile(true) })
	firstSite = sync.OnceValues(func() ([]byte, error) { return firstFile(false) })

	firstDemoTemplate = sync.OnceValue(func() error { return firstTemplate("first_demo", true) })
	firstSiteTemplate = sync.OnceValue(func() error { return firstTemplate("first_site", false) })
)

func firstStartOn(storage config.Storage, demo bool) error {
	command := &serveCommand{config.Serve{Storage: storage, Addr: "127.0.0.1:0", Merchant: "fairground", Currency: "CNY", Demo: demo}}
	ctx := context.Background()
	p, err := server.Open(ctx, server.Options{
		Storage: command.Storage, Key: secrettest.Source, Merchant: command.Merchant, Demo: demo, Log: slog.New(slog.DiscardHandler), Now: time.Now, Hashes: cheapHashes, SeriesLength: testLinks,
	}, server.Migrate)
	if err != nil {
		return err
	}
	defer p.Close()
	return command.firstStart(&console{ctx: ctx, out: io.Discard, now: time.Now}, p)
}

func firstFile(demo bool) ([]byte, error) {
	folder, err := os.MkdirTemp("", "fairground-first-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	if err := firstStartOn(config.Storage{Data: folder}, demo); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, "fairground.db"))
}

func firstTemplate(name string, demo bool) error {
	folder, err := os.MkdirTemp("", "fairground-first-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // contains only the operator's password
	return dbtest.Template(name, func(o db.Options) error {
		return firstStartOn(config.Storage{Data: folder, DB: o.URL}, demo)
	})
}

func copyInstallation(t *testing.T, folder string, demo bool) {
	t.Helper()
	database, err := firstSite()
	if demo {
		database, err = firstDemo()
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "fairground.db"), database, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

const (
	withDemo    = true
	withoutDemo = false
)

// forEachDatabase runs a test on a demo installation with each engine. fn gets the arguments that select the installation.
func forEachDatabase(t *testing.T, fn func(t *testing.T, args []string)) {
	t.Helper()
	eachInstallation(t, withDemo, fn)
}

// forEachDatabaseWithoutDemo is forEachDatabase for an installation without demo data.
func forEachDatabaseWithoutDemo(t *testing.T, fn func(t *testing.T, args []string)) {
	t.Helper()
	eachInstallation(t, withoutDemo, fn)
}

func eachInstallation(t *testing.T, demo bool, fn func(t *testing.T, args []string)) {
	t.Helper()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			args := []string{"--data", t.TempDir()}
			if e == db.SQLite {
				copyInstallation(t, args[1], demo)
			} else {
				args = append(args, "--db", copyPostgres(t, demo))
			}
			fn(t, args)
		})
	}
}

// copyPostgres copies the PostgreSQL database of an installation and returns its URL.
func copyPostgres(t *testing.T, demo bool) string {
	t.Helper()
	template, create := "first_site", firstSiteTemplate
	if demo {
		template, create = "first_demo", firstDemoTemplate
	}
	if err := create(); err != nil {
		t.Fatal(err)
	}
	return dbtest.Copied(t, template).URL
}
