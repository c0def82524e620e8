package db

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations
var migrations embed.FS

// ErrNewer keeps a program off a database whose tables it does not know.
var ErrNewer = errors.New("the database is newer than this program")

// Migrate brings the schema up to date. Each migration runs in its own transaction, so a crash leaves a
// whole version behind and the next start goes on from there. Replicas that start together wait for each
// other on PostgreSQL.
func (s *Store) Migrate(ctx context.Context) error {
	p, err := s.Migrations()
	if err != nil {
		return err
	}
	// A newer database has all of these migrations already: nothing is changed before it is found out.
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return notNewer(ctx, p)
}

// Current tells whether the schema is this program's own. An older one can be migrated, a newer one gives ErrNewer.
func (s *Store) Current(ctx context.Context) (bool, error) {
	p, err := s.Migrations()
	if err != nil {
		return false, err
	}
	if err := notNewer(ctx, p); err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("read the database's version: %w", err)
	}
	return !pending, nil
}

func notNewer(ctx context.Context, p *goose.Provider) error {
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read the database's version: %w", err)
	}
	if current > target {
		return fmt.Errorf("%w: it has version %d, this program knows %d", ErrNewer, current, target)
	}
	return nil
}

// Migrations gives goose's own view of the schema's versions, for commands and tests.
func (s *Store) Migrations() (*goose.Provider, error) {
	sub, err := fs.Sub(migrations, "migrations/"+string(s.Engine))
	if err != nil {
		return nil, err
	}
	dialect, options := goose.DialectSQLite3, []goose.ProviderOption{}
	if s.Engine == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return nil, fmt.Errorf("make migration lock: %w", err)
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(dialect, s.Writer, sub, options...)
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

// MigrationsDigest is the same for two programs only if their migrations for the engine are.
func MigrationsDigest(e Engine) (string, error) {
	digest := sha256.New()
	err := fs.WalkDir(migrations, "migrations/"+string(e), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations, path)
		fmt.Fprintf(digest, "%s %d\n%s", path, len(text), text)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("read migrations: %w", err)
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// Millis is how times are stored: unix milliseconds.
func Millis(t time.Time) int64 { return t.UnixMilli() }
