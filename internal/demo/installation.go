package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
)

// Kinds of installations.
const (
	kindSite = "site"
	kindDemo = "demo"
)

// ErrRealSite rejects --demo on a real site. ErrIsDemo rejects a start of a demo as a real site.
var (
	ErrRealSite = errors.New("holds a real site: --demo would add accounts with well-known passwords")
	ErrIsDemo   = errors.New("was created with --demo and has accounts with well-known passwords: add --demo, or choose another")
)

// Claim stores the kind of the installation at the first start and checks it at later starts. Call it before anything
// else is written, so that interrupted and concurrent first starts agree on the kind.
func Claim(ctx context.Context, store *db.Store, asDemo bool, now time.Time) error {
	want := kindSite
	if asDemo {
		want = kindDemo
	}
	var kind string
	err := store.Write(ctx, func(tx *db.Tx) (err error) {
		if err = tx.Q.ClaimInstallation(ctx, want, db.Millis(now)); err == nil {
			kind, err = tx.Q.InstallationKind(ctx)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("claim installation: %w", err)
	}
	if kind == want {
		return nil
	}
	where := "this data folder"
	if store.Engine == db.Postgres {
		where = "this database"
	}
	if asDemo {
		return fmt.Errorf("%s %w", where, ErrRealSite)
	}
	return fmt.Errorf("%s %w", where, ErrIsDemo)
}
