// Package secrettest opens an installation's keys in tests.
package secrettest

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Source is the root key of every test.
var Source = secret.Source{Text: strings.Repeat("5a", 32), Create: true}

// Open returns the keys of a database.
func Open(ctx context.Context, store *db.Store, now func() time.Time) (*secret.Keys, error) {
	return secret.Open(ctx, secret.Options{Store: store, Source: Source, Now: now, Log: slog.New(slog.DiscardHandler)})
}
