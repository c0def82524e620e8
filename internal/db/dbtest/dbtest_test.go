package dbtest_test

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestEachGivesAnEmptyMigratedDatabase(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, s *db.Store) {
		var n int
		if err := s.Reader.QueryRow("SELECT count(*) FROM merchant").Scan(&n); err != nil || n != 0 {
			t.Fatalf("merchants %d, %v", n, err)
		}
		if _, err := s.Writer.Exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'm', 'VND', 0)"); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDatabasesAreApart(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		a, b := dbtest.Open(t, dbtest.Migrated(t, e)), dbtest.Open(t, dbtest.Migrated(t, e))
		if _, err := a.Writer.Exec("INSERT INTO merchant (id, code, name, currency, created_at) VALUES (1, 'm', 'm', 'VND', 0)"); err != nil {
			t.Fatal(err)
		}
		var n int
		if err := b.Reader.QueryRow("SELECT count(*) FROM merchant").Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: the other database has %d merchants, %v", e, n, err)
		}
	}
}

// A test binary that is killed must not leave a server behind. This test runs itself as that binary.
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
		t.Fatalf("child said %q, %v", dir, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s is still there", dir)
		}
	}
}
