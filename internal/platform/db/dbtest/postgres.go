package dbtest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"fairground/internal/platform/db"
)

// clusterVariable names the folder of a running cluster that all test binaries of a run share.
const clusterVariable = "FAIRGROUND_TEST_POSTGRES"

// templateLock is the advisory lock under which one process makes the template and the others wait for it.
const templateLock = 727_001

// shared is this test binary's one cluster, with a migrated database to copy from.
var shared struct {
	once     sync.Once
	cluster  *Cluster
	template string
	err      error

	mu   sync.Mutex
	made []string // templates of this binary alone
}

// Main runs a package's tests and stops the cluster before the process ends. A package without it leaves
// nothing behind either, only a moment later: the cluster ends when its test binary does.
func Main(m *testing.M) {
	setProperties()
	code := m.Run()
	if shared.cluster != nil {
		if err := leave(shared.cluster); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// leave stops a cluster of this binary's own, and takes from another only what this binary put there.
func leave(c *Cluster) error {
	if c.keeper != nil {
		return c.Stop()
	}
	for _, name := range shared.made {
		if err := c.Drop(context.Background(), name); err != nil {
			return err
		}
	}
	return nil
}

func sharedCluster() (*Cluster, error) {
	shared.once.Do(func() {
		ctx := context.Background()
		c, err := findOrStart(ctx)
		if err != nil {
			shared.err = err
			return
		}
		shared.cluster = c
		shared.template, shared.err = migratedTemplate(ctx, c)
	})
	return shared.cluster, shared.err
}

func findOrStart(ctx context.Context) (*Cluster, error) {
	dir := os.Getenv(clusterVariable)
	if dir == "" {
		return StartCluster(ctx)
	}
	c := &Cluster{dir: dir, prefix: namePrefix()}
	if err := c.ping(ctx); err != nil {
		return nil, fmt.Errorf("%s names %s, where no cluster answers: %w", clusterVariable, dir, err)
	}
	return c, nil
}

// migratedTemplate gives the name of a database with the whole schema. It is made once for each set of migrations, under
// a name that it has only when it is whole.
func migratedTemplate(ctx context.Context, c *Cluster) (name string, err error) {
	digest, err := db.MigrationsDigest(db.Postgres)
	if err != nil {
		return "", err
	}
	name = "migrated_" + digest[:16]
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return "", fmt.Errorf("reach the test cluster: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // which gives back the lock
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return "", fmt.Errorf("wait for the template: %w", err)
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil {
		return "", fmt.Errorf("look for the template: %w", err)
	}
	if exists {
		return name, nil
	}
	unfinished := "unfinished_" + digest[:16]
	if err := c.Drop(ctx, unfinished); err != nil {
		return "", err
	}
	if err := c.Create(ctx, unfinished, "template0"); err != nil {
		return "", err
	}
	if err := migrate(ctx, c.URL(unfinished)); err != nil {
		return "", err
	}
	return name, c.admin(ctx, "ALTER DATABASE "+unfinished+" RENAME TO "+name)
}

func migrate(ctx context.Context, url string) error {
	s, err := db.Open(ctx, db.Options{URL: url})
	if err != nil {
		return err
	}
	if err := s.Migrate(ctx); err != nil {
		_ = s.Close()
		return err
	}
	return s.Close() // a database in use can be neither renamed nor copied
}

func postgresDatabase(t testing.TB, template func(*Cluster) string) db.Options {
	t.Helper()
	ctx := context.Background()
	c, err := sharedCluster()
	if err != nil {
		t.Fatalf("PostgreSQL for tests: %v", err)
	}
	name := c.nextName()
	if err := c.Create(ctx, name, template(c)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Drop(ctx, name); err != nil {
			t.Error(err)
		}
	})
	return db.Options{URL: c.URL(name)}
}
