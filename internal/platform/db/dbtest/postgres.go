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

// clusterVariable is the environment variable with the folder of a running cluster, which all test binaries of a run share.
const clusterVariable = "FAIRGROUND_TEST_POSTGRES"

const templateLock = 727_001

// shared is the cluster that this test binary uses, with a migrated database to copy.
var shared struct {
	once     sync.Once
	cluster  *Cluster
	template string // name of the migrated database
	err      error

	mu        sync.Mutex
	templates []string // created by Template, to drop at the end
}

// Main runs a package's tests and then stops the cluster. Without Main the cluster stops shortly after the test binary
// exits.
func Main(m *testing.M) {
	setProperties()
	code := m.Run()
	if shared.cluster != nil {
		if err := stopOrClean(shared.cluster); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// stopOrClean stops the cluster if this binary started it. Otherwise it drops only this binary's databases.
func stopOrClean(c *Cluster) error {
	if c.supervisor != nil {
		return c.Stop()
	}
	for _, name := range shared.templates {
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
		return nil, fmt.Errorf("%s names %s, but no cluster answers there: %w", clusterVariable, dir, err)
	}
	return c, nil
}

// migratedTemplate returns the name of a migrated database. It creates the database once per set of migrations, and sets
// that name only when it is complete.
func migratedTemplate(ctx context.Context, c *Cluster) (name string, err error) {
	digest, err := db.MigrationsDigest(db.Postgres)
	if err != nil {
		return "", err
	}
	name = "migrated_" + digest[:16]
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return "", fmt.Errorf("connect to test cluster: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }() // releases the lock
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return "", fmt.Errorf("lock template: %w", err)
	}
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&exists); err != nil {
		return "", fmt.Errorf("find template: %w", err)
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
	return s.Close() // a database in use cannot be renamed or copied
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
