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

// ErrNewer reports a database with migrations that this program does not have.
var ErrNewer = errors.New("the database is newer than this program")

// Migrate applies all pending migrations. Each runs in its own transaction or can be repeated, so after a crash the next start
// continues.
// On PostgreSQL, replicas that start at the same time wait for each other.
func (s *Store) Migrate(ctx context.Context) error {
	p, err := s.Migrations()
	if err != nil {
		return err
	}
	// If the database is newer than this program, Up changes nothing.
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return checkNotNewer(ctx, p)
}

// Current reports whether the database has all migrations. It returns ErrNewer if the database has more.
func (s *Store) Current(ctx context.Context) (bool, error) {
	p, err := s.Migrations()
	if err != nil {
		return false, err
	}
	if err := checkNotNewer(ctx, p); err != nil {
		return false, err
	}
	pending, err := p.HasPending(ctx)
	if err != nil {
		return false, fmt.Errorf("read database version: %w", err)
	}
	return !pending, nil
}

func checkNotNewer(ctx context.Context, p *goose.Provider) error {
	current, target, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read database version: %w", err)
	}
	if current > target {
		return fmt.Errorf("%w: it has version %d, this program supports %d", ErrNewer, current, target)
	}
	return nil
}

// SchemaVersion returns the version of the schema and the version that this program needs. It only reads, so it works while
// the database accepts no writes.
func (s *Store) SchemaVersion(ctx context.Context) (got, want int64, err error) {
	files, err := migrations.ReadDir("migrations/" + string(s.Engine))
	if err != nil {
		return 0, 0, err
	}
	for _, file := range files { // sorted by name, so the last one has the highest version
		if want, err = goose.NumericComponent(file.Name()); err != nil {
			return 0, 0, err
		}
	}
	if err := s.Reader.QueryRowContext(ctx, "SELECT MAX(version_id) FROM goose_db_version").Scan(&got); err != nil {
		return 0, 0, fmt.Errorf("read database version: %w", err)
	}
	return got, want, nil
}

// Migrations returns the goose provider for the migrations.
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

// MigrationsDigest returns a digest of all migrations of an engine.
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

// Millis returns t in Unix milliseconds, the form in which the database stores times.
func Millis(t time.Time) int64 { return t.UnixMilli() }
