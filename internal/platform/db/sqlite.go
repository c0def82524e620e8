package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// pragmas are set in the connection URL and then read back, to detect a driver that ignores one.
var pragmas = map[string]string{
	"journal_mode": "wal",
	"synchronous":  "2", // FULL: a commit survives a power failure
	"foreign_keys": "1",
	"busy_timeout": "5000",
}

func openSQLite(ctx context.Context, path string, readOnly bool) (_ *Store, err error) {
	s := &Store{Engine: SQLite, Path: path}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("open %s: %w", path, err), s.Close())
		}
	}()
	if readOnly {
		if _, err := os.Stat(path); err != nil {
			return nil, err
		}
		s.Reader, err = sql.Open("sqlite", readOnlyURL(path))
		s.Writer = s.Reader
	} else {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := makePrivate(path); err != nil {
			return nil, err
		}
		if s.Writer, err = openGuarded(path, connectionURL(path, "mode=rw&_txlock=immediate")); err != nil {
			return nil, err
		}
		s.Writer.SetMaxOpenConns(1)
		if err := checkPragmas(ctx, s.Writer); err != nil {
			return nil, err
		}
		s.Reader, err = openGuarded(path, connectionURL(path, "mode=rw&_pragma=query_only(1)"))
	}
	if err != nil {
		return nil, err
	}
	s.Reader.SetMaxOpenConns(max(4, 2*runtime.NumCPU()))
	s.Reader.SetMaxIdleConns(max(4, 2*runtime.NumCPU()))
	if err := s.Reader.PingContext(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// makePrivate creates the database file with mode 0600, and corrects the mode of existing files. The folder may be open to
// other users. SQLite copies the mode to the files that it creates next to the database. makePrivate does not open an
// existing file, because closing it would release the locks that this process holds on it.
func makePrivate(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		info, err := os.Stat(path + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(path+suffix, 0o600)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func connectionURL(path, options string) string {
	var b strings.Builder
	b.WriteString(fileURL(path) + "?" + options)
	for name, value := range pragmas {
		fmt.Fprintf(&b, "&_pragma=%s(%s)", name, value)
	}
	return b.String()
}

// readOnlyURL returns a URL that opens the file read-only. Opening it changes neither the journal mode nor the write-ahead
// log. Readers need SQLite's -wal and -shm files and create them if they are missing. In a folder without write
// permission that is impossible, so a file without a write-ahead log is opened as immutable.
func readOnlyURL(path string) string {
	const writePermission = 2 // W_OK of access(2)
	wal, err := os.Stat(path + "-wal")
	if noLog := err != nil || wal.Size() == 0; noLog && syscall.Access(filepath.Dir(path), writePermission) != nil {
		return fileURL(path) + "?mode=ro&immutable=1"
	}
	return fileURL(path) + "?mode=ro&_pragma=busy_timeout(" + pragmas["busy_timeout"] + ")"
}

func fileURL(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func checkPragmas(ctx context.Context, d *sql.DB) error {
	for name, want := range pragmas {
		var got string
		if err := d.QueryRowContext(ctx, "PRAGMA "+name).Scan(&got); err != nil {
			return fmt.Errorf("read pragma %s: %w", name, err)
		}
		if !strings.EqualFold(got, want) {
			return fmt.Errorf("pragma %s is %s, want %s", name, got, want)
		}
	}
	return nil
}
