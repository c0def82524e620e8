package dbtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"fairground/internal/db"
)

const migratedDatabase = "migrated"

// shared is this test binary's one cluster, with a migrated database to copy from.
var shared struct {
	once    sync.Once
	cluster *Cluster
	err     error
}

// Main runs a package's tests and stops the cluster before the process ends. A package without it leaves
// nothing behind either, only a moment later: the cluster ends when its test binary does.
func Main(m *testing.M) {
	code := m.Run()
	if shared.cluster != nil {
		if err := shared.cluster.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

func sharedCluster() (*Cluster, error) {
	shared.once.Do(func() {
		ctx := context.Background()
		c, err := StartCluster(ctx)
		if err != nil {
			shared.err = err
			return
		}
		shared.cluster = c
		shared.err = migrateTemplate(ctx, c)
	})
	return shared.cluster, shared.err
}

func migrateTemplate(ctx context.Context, c *Cluster) error {
	if err := c.Create(ctx, migratedDatabase, "template0"); err != nil {
		return err
	}
	s, err := db.Open(ctx, db.Options{URL: c.URL(migratedDatabase)})
	if err != nil {
		return err
	}
	if err := s.Migrate(ctx); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close() // a database in use cannot be copied
}

func postgresDatabase(t testing.TB, template string) db.Options {
	t.Helper()
	ctx := context.Background()
	c, err := sharedCluster()
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
	name := c.nextName()
	if err := c.Create(ctx, name, template); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Drop(ctx, name); err != nil {
			t.Error(err)
		}
	})
	return db.Options{URL: c.URL(name)}
}
