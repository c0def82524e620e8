//go:build soak && linux

package db_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// These tests fill a small file system. They need root to mount it.

func mountSmallDisk(t *testing.T, options string) string {
	t.Helper()
	folder := t.TempDir()
	for _, parent := range []string{folder, filepath.Dir(folder)} { // for PostgreSQL's user
		if err := os.Chmod(parent, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, options); err != nil {
		t.Fatalf("mount a small file system, as root: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(folder, syscall.MNT_DETACH) })
	return folder
}

// fillDisk writes until no space is left.
func fillDisk(t *testing.T, folder string) (file string) {
	t.Helper()
	file = filepath.Join(folder, "filler")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, size := range []int{1 << 20, 4 << 10, 1} {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		err = nil
	}
	return file
}

// checkFullDisk checks that the probe fails when bets fail.
func checkFullDisk(t *testing.T, s *db.Store, folder string) {
	t.Helper()
	var ahead atomic.Int64
	probe := db.NewProbe(s, func() time.Time { return time.Unix(0, ahead.Add(int64(time.Minute))) })
	for range 30 { // enough for free space in the table and in the write-ahead log
		if err := probe.Check(t.Context()); err != nil {
			t.Fatalf("with space: %v", err)
		}
	}
	file := fillDisk(t, folder)
	// Free pages and the write-ahead log's space allow some more bets.
	for failures := 0; failures < 5; {
		err := s.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO bet (body) VALUES ('" + strings.Repeat("a bet with its entries ", 200) + "')")
			return err
		})
		if err != nil && !db.DiskFull(err) {
			t.Fatal(err)
		}
		if failures++; err == nil {
			failures = 0
		}
	}
	for range 3 {
		if err := probe.Check(t.Context()); !db.DiskFull(err) {
			t.Fatalf("on a full disk: %v, want a full disk", err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := probe.Check(t.Context()); err != nil {
		t.Errorf("after space was freed: %v", err)
	}
}

func TestProbeOnFullDiskSQLite(t *testing.T) {
	t.Parallel()
	folder := mountSmallDisk(t, "size=24m")
	from := dbtest.Migrated(t, db.SQLite)
	source, err := os.Open(filepath.Join(from.Data, "fairground.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	to, err := os.Create(filepath.Join(folder, "fairground.db"))
	if err == nil {
		_, err = io.Copy(to, source)
		err = errors.Join(err, to.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	s := dbtest.Open(t, db.Options{Data: folder})
	if _, err := s.Writer.Exec("CREATE TABLE bet (body TEXT)"); err != nil {
		t.Fatal(err)
	}
	checkFullDisk(t, s, folder)
}

func TestProbeOnFullDiskPostgres(t *testing.T) {
	t.Parallel()
	folder := mountSmallDisk(t, "size=8m,mode=0777")
	s := dbtest.Open(t, dbtest.Migrated(t, db.Postgres))
	space := filepath.Join(folder, "tables")
	if err := os.Mkdir(space, 0o700); err != nil {
		t.Fatal(err)
	}
	var data string
	if err := s.Reader.QueryRow("SHOW data_directory").Scan(&data); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(data)
	if err != nil {
		t.Fatal(err)
	}
	owner := info.Sys().(*syscall.Stat_t)
	if err := os.Chown(space, int(owner.Uid), int(owner.Gid)); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"CREATE TABLESPACE small LOCATION '" + space + "'", "ALTER TABLE write_probe SET TABLESPACE small", "CREATE TABLE bet (body TEXT) TABLESPACE small"} {
		if _, err := s.Writer.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, statement := range []string{"DROP TABLE write_probe, bet", "DROP TABLESPACE small"} {
			if _, err := s.Writer.Exec(statement); err != nil {
				t.Errorf("got %v, want no error", err)
			}
		}
	})
	checkFullDisk(t, s, folder)
}
