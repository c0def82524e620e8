package dbtest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(runClusterIn); dir != "" {
		if err := dbtest.RunCluster(context.Background(), dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dbtest.Main(m)
}

func TestEachCreatesEmptyMigratedDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var n int
		if err := s.Reader.QueryRow("SELECT count(*) FROM merchant").Scan(&n); err != nil || n != 0 {
			t.Fatalf("merchants %d, %v, want 0", n, err)
		}
		if _, err := s.Writer.Exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'm', 'VND', 0)"); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDatabasesAreSeparate(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		a, b := dbtest.Open(t, dbtest.Migrated(t, e)), dbtest.Open(t, dbtest.Migrated(t, e))
		if _, err := a.Writer.Exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'm', 'VND', 0)"); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := b.Reader.QueryRow("SELECT count(*) FROM merchant").Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: the other database has %d merchants, %v, want 0", e, n, err)
		}
	}
}

// TestKilledBinaryLeavesNoCluster runs itself as the binary to kill.
func TestKilledBinaryLeavesNoCluster(t *testing.T) {
	if os.Getenv("DBTEST_CHILD") != "" {
		c, err := dbtest.StartCluster(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stdout.WriteString(c.Dir() + "\n"); err != nil {
			t.Fatal(err)
		}
		select {}
	}
	t.Parallel()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledBinaryLeavesNoCluster$")
	child.Env = append(os.Environ(), "DBTEST_CHILD=1")
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 256)
	n, err := out.Read(buf)
	dir := strings.TrimSpace(string(buf[:n]))
	if err != nil || !strings.Contains(dir, "fairground-pg-") {
		t.Fatalf("child printed %q, %v, want fairground-pg-", dir, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	awaitGone(t, dir)
}

const runClusterIn = "DBTEST_KEEP_IN"

func TestClusterStopsAfterLastRelease(t *testing.T) {
	t.Parallel()
	parent, err := os.MkdirTemp("", "fairground-hold-") //nolint:usetesting // only this user may enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	if err := os.Chmod(parent, 0o777); err != nil { // the server may run as another user
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "pg")
	hold := func() func() error {
		t.Helper()
		keep := exec.Command(os.Args[0])
		keep.Env = append(os.Environ(), runClusterIn+"="+dir)
		release, err := dbtest.AcquireCluster(t.Context(), dir, keep)
		if err != nil {
			t.Fatal(err)
		}
		return release
	}
	first, second := hold(), hold()
	if err := first(); err != nil {
		t.Fatal(err)
	}
	// Concurrent test binaries share only the cluster and its template.
	var binaries sync.WaitGroup
	for range 2 {
		binaries.Go(func() {
			other := exec.Command(os.Args[0], "-test.run=^(TestEachCreatesEmptyMigratedDatabase|TestDatabasesAreSeparate)$")
			other.Env = append(os.Environ(), "FAIRGROUND_TEST_POSTGRES="+dir)
			if out, err := other.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	binaries.Wait()
	if err := second(); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, dir)
	third := hold()
	if err := third(); err != nil {
		t.Fatal(err)
	}
	awaitGone(t, dir)
}

func TestMissingClusterIsReported(t *testing.T) {
	t.Parallel()
	child := exec.Command(os.Args[0], "-test.run=^TestDatabasesAreSeparate$")
	child.Env = append(os.Environ(), "FAIRGROUND_TEST_POSTGRES="+t.TempDir())
	out, err := child.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "but no cluster answers there") {
		t.Errorf("other process = %v, %s, want a failure because no cluster answers", err, out)
	}
}

func awaitGone(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s still exists", dir)
		}
	}
}
