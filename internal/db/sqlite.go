package db

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// pragmas are asked for in the address and then read back: a driver that ignores one must not go unnoticed.
var pragmas = map[string]string{
	"journal_mode": "wal",
	"synchronous":  "2", // FULL: an acknowledged commit survives a power cut
	"foreign_keys": "1",
	"busy_timeout": "5000",
}

func openSQLite(ctx context.Context, path string, readOnly bool) (*Store, error) {
	if readOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, fmt.Errorf("open database: %w", err)
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	s := &Store{Engine: SQLite, Path: path}
	var err error
	if !readOnly {
		if s.Writer, err = sql.Open("sqlite", address(path, "_txlock=immediate")); err != nil {
			return nil, err
		}
		s.Writer.SetMaxOpenConns(1)
		if err := assertPragmas(ctx, s.Writer); err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
	}
	if s.Reader, err = sql.Open("sqlite", address(path, "_pragma=query_only(1)")); err != nil {
		return nil, err
	}
	s.Reader.SetMaxOpenConns(max(4, 2*runtime.NumCPU()))
	s.Reader.SetMaxIdleConns(max(4, 2*runtime.NumCPU()))
	if readOnly {
		s.Writer = s.Reader
	}
	if err := s.Reader.PingContext(ctx); err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return s, nil
}

func address(path, extra string) string {
	var b strings.Builder
	b.WriteString("file:" + (&url.URL{Path: path}).EscapedPath() + "?" + extra)
	for name, value := range pragmas {
		fmt.Fprintf(&b, "&_pragma=%s(%s)", name, value)
	}
	return b.String()
}

func assertPragmas(ctx context.Context, d *sql.DB) error {
	for name, want := range pragmas {
		var got string
		if err := d.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil {
			return fmt.Errorf("read pragma %s: %w", name, err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("pragma %s is %s, not %s", name, got, want)
		}
	}
	return nil
}
