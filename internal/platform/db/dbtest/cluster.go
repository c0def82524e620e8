package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// supervisor runs the server until stdin closes, which happens when the process that started it exits. The data is
// discarded, so the server needs no clean shutdown.
const supervisor = `"$1" -D "$2/data" >"$2/log" 2>&1 & server=$!
cat >/dev/null
kill -QUIT $server; wait $server
rm -rf "$2"`

const durableSettings = "fsync = on\nsynchronous_commit = on\nfull_page_writes = on\n"

// testSettings do not sync to disk. Autovacuum is off because its workers connect to databases, and a database in use
// cannot be copied.
const testSettings = "fsync = off\nsynchronous_commit = off\nfull_page_writes = off\nautovacuum = off\n" +
	"wal_level = minimal\nmax_wal_senders = 0\nmax_wal_size = 512MB\n"

// A Cluster is a PostgreSQL server for tests, on a unix socket in its own folder.
type Cluster struct {
	dir        string
	bin        string
	supervisor *exec.Cmd      // nil if another process started the server
	stdin      io.WriteCloser // closing it stops the server
	prefix     string         // start of the names of this process's databases
	names      atomic.Int64
}

// StartCluster starts a cluster for tests. It runs until Stop is called or this process exits.
func StartCluster(ctx context.Context) (*Cluster, error) { return startCluster(ctx, testSettings) }

// StartDurableCluster starts a cluster for benchmarks, which syncs to disk.
func StartDurableCluster(ctx context.Context) (*Cluster, error) {
	return startCluster(ctx, durableSettings)
}

func startCluster(ctx context.Context, settings string) (*Cluster, error) {
	bin, err := findBinaries()
	if err != nil {
		return nil, err
	}
	who, err := credential()
	if err != nil {
		return nil, err
	}
	dir, err := socketDir(who)
	if err != nil {
		return nil, err
	}
	return startIn(ctx, dir, bin, who, settings)
}

func startIn(ctx context.Context, dir, bin string, who *syscall.Credential, settings string) (*Cluster, error) {
	c := &Cluster{dir: dir, bin: bin, prefix: namePrefix()}
	if err := c.start(ctx, who, settings); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	return c, nil
}

func (c *Cluster) start(ctx context.Context, who *syscall.Credential, settings string) error {
	data := filepath.Join(c.dir, "data")
	initdb := exec.CommandContext(ctx, filepath.Join(c.bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust",
		"-E", "UTF8", "--locale=C", "--no-sync")
	initdb.Dir = c.dir
	initdb.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, bytes.TrimSpace(out))
	}
	config := fmt.Sprintf("listen_addresses = ''\nunix_socket_directories = '%s'\nmax_connections = 600\n"+
		"shared_buffers = 64MB\nlog_min_messages = warning\n", c.dir) + settings
	if err := os.WriteFile(filepath.Join(data, "postgresql.auto.conf"), []byte(config), 0o600); err != nil {
		return err
	}
	if who != nil {
		if err := os.Chown(filepath.Join(data, "postgresql.auto.conf"), int(who.Uid), int(who.Gid)); err != nil {
			return err
		}
	}
	return c.launch(ctx, who)
}

// launch starts the server on the cluster's data.
func (c *Cluster) launch(ctx context.Context, who *syscall.Credential) error {
	// The command has no ctx, because the supervisor exits when stdin closes. It has its own process group, so that an
	// interrupt at the terminal does not stop it before it has cleaned up.
	supervisorCmd := exec.Command("sh", "-c", supervisor, "supervisor", filepath.Join(c.bin, "postgres"), c.dir)
	supervisorCmd.Dir = "/"
	supervisorCmd.SysProcAttr = &syscall.SysProcAttr{Credential: who, Setpgid: true}
	stdin, err := supervisorCmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := supervisorCmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	c.supervisor, c.stdin = supervisorCmd, stdin
	if err := c.waitUntilReady(ctx); err != nil {
		log, _ := os.ReadFile(filepath.Join(c.dir, "log"))
		return errors.Join(fmt.Errorf("PostgreSQL did not start: %w: %s", err, bytes.TrimSpace(log)), c.Stop())
	}
	return nil
}

func (c *Cluster) waitUntilReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	for {
		err := c.ping(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(25 * time.Millisecond):
		}
	}
}

func (c *Cluster) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	return conn.Close(ctx)
}

// URL returns the URL of a database of the cluster.
func (c *Cluster) URL(database string) string {
	return "postgres://postgres@/" + database + "?host=" + c.dir + "&sslmode=disable"
}

// Dir returns the cluster's folder, which also contains its socket.
func (c *Cluster) Dir() string { return c.dir }

// Binary returns the path of a PostgreSQL program, such as pgbench.
func (c *Cluster) Binary(name string) string { return filepath.Join(c.bin, name) }

// Create creates a database as a copy of another.
func (c *Cluster) Create(ctx context.Context, name, template string) error {
	return c.admin(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()+" TEMPLATE "+pgx.Identifier{template}.Sanitize())
}

// Drop removes a database and disconnects its users.
func (c *Cluster) Drop(ctx context.Context, name string) error {
	return c.admin(ctx, "DROP DATABASE IF EXISTS "+pgx.Identifier{name}.Sanitize()+" WITH (FORCE)")
}

func (c *Cluster) admin(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return fmt.Errorf("connect to test cluster: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func (c *Cluster) nextName() string { return c.prefix + strconv.FormatInt(c.names.Add(1), 10) }

// namePrefix returns a prefix that is unique among processes that share a cluster, even after a pid is reused.
func namePrefix() string { return fmt.Sprintf("test_%d_%08x_", os.Getpid(), rand.Uint32()) }

// Stop stops the server and removes its folder.
func (c *Cluster) Stop() error {
	_ = c.stdin.Close()
	if err := c.supervisor.Wait(); err != nil {
		return fmt.Errorf("stop PostgreSQL: %w", err)
	}
	return nil
}

// findBinaries returns the folder of PostgreSQL's programs. Like scripts/setup.sh, it searches PATH and then the usual
// folders.
func findBinaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	best, version := "", -1
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin/initdb", "/usr/pgsql-*/bin/initdb", "/usr/local/pgsql/bin/initdb", "/opt/homebrew/opt/postgresql*/bin/initdb",
	} {
		found, _ := filepath.Glob(pattern)
		for _, path := range found {
			folder := filepath.Base(filepath.Dir(filepath.Dir(path)))
			v, _ := strconv.Atoi(strings.TrimLeft(folder, "abcdefghijklmnopqrstuvwxyz-@")) // 0 without a version
			if v > version {
				best, version = filepath.Dir(path), v
			}
		}
	}
	if best == "" {
		return "", errors.New("initdb not found on PATH or in the usual folders: install PostgreSQL 15 or newer (Debian: apt install postgresql)")
	}
	return best, nil
}

// credential returns the user that runs the server: nil for the current user, or an unprivileged user if the current user
// is root, which PostgreSQL rejects.
func credential() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read id of user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, fmt.Errorf("read group of user %s: %w", name, err)
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("running as root, and PostgreSQL needs an unprivileged user: create a user named postgres")
}

// socketDir creates the cluster's folder. A socket path must be shorter than about 100 bytes, so a long temporary folder
// is replaced by /tmp.
func socketDir(who *syscall.Credential) (string, error) {
	base := os.TempDir()
	if len(base) > 60 || strings.ContainsAny(base, " '?&%") {
		base = "/tmp"
	}
	dir, err := os.MkdirTemp(base, "fairground-pg-")
	if err != nil {
		return "", err
	}
	if who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			_ = os.RemoveAll(dir)
			return "", err
		}
	}
	return dir, nil
}
