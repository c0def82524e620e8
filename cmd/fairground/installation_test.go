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
	"fairground/internal/server"
)

// Tests begin with a copy of an installation that has been started for the first time, rather than each with a first start
// of its own: those that are about it have storages.
var (
	firstDemo = sync.OnceValues(func() ([]byte, error) { return firstFile(true) })
	firstSite = sync.OnceValues(func() ([]byte, error) { return firstFile(false) })

	firstDemoTemplate = sync.OnceValue(func() error { return firstTemplate("first_demo", true) })
	firstSiteTemplate = sync.OnceValue(func() error { return firstTemplate("first_site", false) })
)

// firstStartOn does what the first start of a server does.
func firstStartOn(storage config.Storage, demo bool) error {
	command := &serveCommand{config.Serve{Storage: storage, Merchant: "fairground", Currency: "CNY", Demo: demo}}
	ctx := context.Background()
	p, err := server.Open(ctx, server.Options{
		Storage: command.Storage, Merchant: command.Merchant, Demo: demo, Log: slog.New(slog.DiscardHandler), Now: time.Now, Hashes: cheapHashes,
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
	defer os.RemoveAll(folder) // the operator's password, which nobody asks for
	return dbtest.Template(name, func(o db.Options) error {
		return firstStartOn(config.Storage{Data: folder, DB: o.URL}, demo)
	})
}

// begun puts the SQLite file of an installation that was started before into a folder.
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

// sites and demos give arguments for an installation that was started before, on each engine.
func eachSite(t *testing.T, fn func(t *testing.T, args []string)) {
	t.Helper()
	eachInstallation(t, false, fn)
}
func eachDemo(t *testing.T, fn func(t *testing.T, args []string)) {
	t.Helper()
	eachInstallation(t, true, fn)
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

// copied is the address of a PostgreSQL database of such an installation.
func copyPostgres(t *testing.T, demo bool) string {
	t.Helper()
	template, made := "first_site", firstSiteTemplate
	if demo {
		template, made = "first_demo", firstDemoTemplate
	}
	if err := made(); err != nil {
		t.Fatal(err)
	}
	return dbtest.Copied(t, template).URL
}
