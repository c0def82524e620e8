package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
	"fairground/internal/server"
)

type backupCommand struct {
	config.Storage

	Blob    string `help:"S3 bucket of uploaded files. Use the same value as for the server." env:"FAIRGROUND_BLOB" placeholder:"URL" secret:""`
	WithKey bool   `name:"with-key" help:"Include the installation's key. Whoever has such a backup can read everything sealed in it."`
	To      string `arg:"" help:"New folder for the backup. A SQLite backup can be used as --data; a PostgreSQL backup contains a dump for pg_restore." type:"path"`
}

// Run copies a snapshot of the database, and then the uploaded files. Each row of the snapshot has its file in the copy,
// because a file is written before its row, never replaced, and deleted long after its row.
func (b *backupCommand) Run(c *console) error {
	if _, err := os.Lstat(b.To); err == nil {
		return fmt.Errorf("%s already exists: choose a new folder", b.To)
	}
	inside, err := b.insideBlobs()
	if err != nil {
		return err
	}
	if inside {
		return fmt.Errorf("%s is inside the folder of uploaded files: choose a folder outside it", b.To)
	}
	if err := os.MkdirAll(filepath.Dir(b.To), 0o700); err != nil {
		return fmt.Errorf("make backup folder: %w", err)
	}
	// Rename the folder to its final name only when the backup is complete.
	part, err := os.MkdirTemp(filepath.Dir(b.To), "."+filepath.Base(b.To)+"-*.part")
	if err != nil {
		return fmt.Errorf("make backup folder: %w", err)
	}
	err = b.copyTo(c.ctx, part)
	if err == nil {
		err = os.Rename(part, b.To)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("backup: %w", err), os.RemoveAll(part))
	}
	fmt.Fprintf(c.out, "Backup written to %s.\n", b.To)
	if err := b.record(c); err != nil { // the backup itself is complete
		fmt.Fprintf(c.out, "The console will not show this backup: %s.\n", oneLine(err))
	}
	if b.WithKey {
		fmt.Fprintln(c.out, "It contains the key: anyone with this backup can read everything in it.")
	} else {
		fmt.Fprintf(c.out, "The key is not in it: keep a copy of %s in another place. Without the key the backup cannot be used.\n", b.Key())
	}
	if b.DB != "" && b.Blob == "" {
		fmt.Fprintln(c.out, "It contains the uploaded files in the database. If the servers use --blob, run it with --blob to copy that bucket as well.")
	}
	return nil
}

// record stores the time of the backup in a file in the data folder, or in the shared database. The operators' console
// shows it.
func (b *backupCommand) record(c *console) (err error) {
	if b.DB == "" {
		return os.WriteFile(filepath.Join(b.Data, server.BackupFile), strconv.AppendInt(nil, db.Millis(c.now()), 10), 0o600)
	}
	store, err := db.Open(c.ctx, b.DBOptions(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if err := server.RequireCurrent(c.ctx, store); err != nil {
		return err
	}
	return store.Write(c.ctx, func(tx *db.Tx) error { return tx.Q.AddBackupRun(c.ctx, db.Millis(c.now()), 0) })
}

// insideBlobs reports whether the target is inside the folder of uploaded files. The backup would then copy itself.
func (b *backupCommand) insideBlobs() (bool, error) {
	if b.Blob != "" {
		return false, nil
	}
	blobs, err := realPath(filepath.Join(b.Data, "blobs"))
	if err != nil {
		return false, err
	}
	to, err := realPath(b.To)
	if err != nil {
		return false, err
	}
	relative, err := filepath.Rel(blobs, to)
	return err == nil && filepath.IsLocal(relative), err
}

// realPath resolves the symbolic links in the existing part of a path.
func realPath(path string) (string, error) {
	resolved, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, os.ErrNotExist) || path == filepath.Dir(path) {
		return resolved, err
	}
	parent, err := realPath(filepath.Dir(path))
	return filepath.Join(parent, filepath.Base(path)), err
}

func (b *backupCommand) copyTo(ctx context.Context, folder string) error {
	copyDatabase := b.copySQLite
	if b.DB != "" {
		copyDatabase = b.dumpPostgres
	}
	if err := copyDatabase(ctx, folder); err != nil {
		return err
	}
	if b.WithKey {
		if err := b.Key().CopyTo(filepath.Join(folder, secret.FileName)); err != nil {
			return err
		}
	}
	return b.copyBlobs(ctx, filepath.Join(folder, "blobs"))
}

// copySQLite writes a compact, consistent copy without blocking writers.
func (b *backupCommand) copySQLite(ctx context.Context, folder string) (err error) {
	if err := findDatabase(b.Data, "set the data folder with --data"); err != nil {
		return err
	}
	source, err := db.Open(ctx, db.Options{Data: b.Data, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	to := filepath.Join(folder, "fairground.db")
	if _, err := source.Reader.ExecContext(ctx, "VACUUM INTO ?1", to); err != nil {
		return fmt.Errorf("copy database: %w", err)
	}
	if err := os.Chmod(to, 0o600); err != nil {
		return fmt.Errorf("restrict access to the copy: %w", err)
	}
	return syncFile(to)
}

// dumpPostgres runs pg_dump, which reads a consistent snapshot. It passes the password in the environment, because other
// users can see the command line.
func (b *backupCommand) dumpPostgres(ctx context.Context, folder string) error {
	tool, err := exec.LookPath("pg_dump")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump") // cannot fail: the pattern is valid
		if len(found) == 0 {
			return errors.New("pg_dump is not installed: install the PostgreSQL client programs")
		}
		tool = found[len(found)-1]
	}
	address, err := db.ParseAddress(b.DB)
	if err != nil {
		return fmt.Errorf("read database address: %w", err)
	}
	to := filepath.Join(folder, "fairground.dump")
	file, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // pg_dump keeps the mode of an existing file
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		return fmt.Errorf("create the dump file: %w", err)
	}
	cmd := exec.CommandContext(ctx, tool, "--format=custom", "--no-owner", "--no-privileges", "--file="+to, "--dbname="+dumpAddress(address))
	cmd.Env = os.Environ()
	if password := cmp.Or(address.Password, address.Query.Get("password")); password != "" {
		cmd.Env = append(cmd.Env, "PGPASSWORD="+password)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("pg_dump: %w: %s", err, strings.TrimSpace(stderr.String()))
	}
	return syncFile(to)
}

// libpqSettings lists the connection settings, except secrets, that pg_dump accepts in a URL. It rejects all others.
var libpqSettings = []string{
	"host", "hostaddr", "port", "dbname", "user", "passfile", "require_auth", "channel_binding", "connect_timeout",
	"client_encoding", "options", "application_name", "fallback_application_name", "keepalives", "keepalives_idle",
	"keepalives_interval", "keepalives_count", "tcp_user_timeout", "sslmode", "sslnegotiation", "sslcompression",
	"sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer", "ssl_min_protocol_version",
	"ssl_max_protocol_version", "krbsrvname", "gsslib", "gssencmode", "gssdelegation", "service",
	"target_session_attrs", "load_balance_hosts",
}

// dumpAddress returns the database URL for pg_dump, without the password and the settings of the Go driver.
func dumpAddress(a db.Address) string {
	for name := range a.Query {
		if !slices.Contains(libpqSettings, name) {
			a.Query.Del(name)
		}
	}
	// Unlike Go, libpq does not decode a plus sign as a space.
	settings := strings.ReplaceAll(a.Query.Encode(), "+", "%20")
	if settings == "" {
		return a.String()
	}
	return a.String() + "?" + settings
}

// copyBlobs copies the uploaded files that are not in the database.
func (b *backupCommand) copyBlobs(ctx context.Context, folder string) error {
	if _, err := os.Stat(filepath.Join(b.Data, "blobs")); b.DB != "" && b.Blob == "" && errors.Is(err, os.ErrNotExist) {
		return nil
	}
	from, closeFrom, err := openBlobs(ctx, b.Blob, filepath.Join(b.Data, "blobs"))
	if err != nil {
		return err
	}
	defer closeFrom()
	to, err := blob.OpenFiles(folder)
	if err != nil {
		return err
	}
	return errors.Join(blob.Copy(ctx, from, to), to.Close())
}

func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
