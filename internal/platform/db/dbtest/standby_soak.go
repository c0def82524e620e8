//go:build soak

package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

const replicatedSettings = "fsync = off\nfull_page_writes = off\nautovacuum = off\nwal_level = replica\nmax_wal_senders = 4\n"

// StartReplicated starts a primary and its synchronous standby. A commit on the primary returns after the standby has it.
func StartReplicated(ctx context.Context) (primary, standby *Cluster, err error) {
	if primary, err = startCluster(ctx, replicatedSettings); err != nil {
		return nil, nil, err
	}
	if standby, err = startStandby(ctx, primary); err != nil {
		return nil, nil, errors.Join(err, primary.Stop())
	}
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		if err := primary.admin(ctx, statement); err != nil {
			return nil, nil, errors.Join(err, standby.Stop(), primary.Stop())
		}
	}
	return primary, standby, nil
}

func startStandby(ctx context.Context, primary *Cluster) (*Cluster, error) {
	who, err := credential()
	if err != nil {
		return nil, err
	}
	dir, err := socketDir(who)
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, bin: primary.bin, prefix: namePrefix()}
	data := filepath.Join(dir, "data")
	backup := exec.CommandContext(ctx, c.Binary("pg_basebackup"), "-h", primary.dir, "-U", "postgres", "-D", data, "-R", "-X", "stream", "-c", "fast", "--no-sync")
	backup.Dir = dir
	backup.SysProcAttr = &syscall.SysProcAttr{Credential: who}
	if out, err := backup.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("pg_basebackup: %w: %s", err, bytes.TrimSpace(out)), os.RemoveAll(dir))
	}
	config, err := os.OpenFile(filepath.Join(data, "postgresql.auto.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(config, "unix_socket_directories = '%s'\n", dir) // the last value counts
		err = errors.Join(err, config.Close())
	}
	if err == nil {
		err = c.launch(ctx, who)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return c, nil
}

// Kill kills the server with SIGKILL.
func (c *Cluster) Kill() error {
	text, err := os.ReadFile(filepath.Join(c.dir, "data", "postmaster.pid"))
	if err != nil {
		return err
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	pid, err := strconv.Atoi(string(line))
	if err != nil {
		return err
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// Promote makes a standby the primary.
func (c *Cluster) Promote(ctx context.Context) error { return c.admin(ctx, "SELECT pg_promote()") }
