package demo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
)

// What an installation is for.
const (
	kindSite = "site"
	kindDemo = "demo"
)

// ErrRealSite keeps the demo out of a site that people use; ErrIsDemo keeps a demo from being taken for one.
var (
	ErrRealSite = errors.New("holds a real site: --demo would add accounts with well-known passwords")
	ErrIsDemo   = errors.New("was made with --demo and has accounts with well-known passwords: add --demo, or choose another")
)

// Claim settles what the installation is for: the first start decides, for good. It comes before anything else
// is written, so a first start that is cut off goes on as what it began as, and of servers that start together
// all go the same way.
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
		return fmt.Errorf("settle what the installation is for: %w", err)
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
