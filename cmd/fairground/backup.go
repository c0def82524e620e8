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
	"strings"

	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
)

type backupCommand struct {
	config.Storage

	Blob string `help:"Where uploaded files are, as the server has it." env:"FAIRGROUND_BLOB" placeholder:"URL" secret:""`
	To   string `arg:"" help:"A new folder for the copy. Of SQLite it can be used as --data at once; of PostgreSQL it holds a dump for pg_restore." type:"path"`
}

// Run copies the database as of one moment, then the uploaded files: a file is written before the row that
// names it, never replaced, and deleted only long after that row, so every row of the copy finds its file.
func (b *backupCommand) Run(c *console) error {
	if _, err := os.Lstat(b.To); err == nil {
		return fmt.Errorf("%s exists already: name a new folder", b.To)
	}
	inside, err := b.insideBlobs()
	if err != nil {
		return err
	}
	if inside {
		return fmt.Errorf("%s is among the uploaded files and would be one of them: name a folder elsewhere", b.To)
	}
	if err := os.MkdirAll(filepath.Dir(b.To), 0o700); err != nil {
		return fmt.Errorf("make backup folder: %w", err)
	}
	// Seen under its name only when it is whole. A name of its own, made with mode 0700: nothing that is
	// there is touched.
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
	_, err = fmt.Fprintf(c.out, "Copied to %s.\n", b.To)
	return err
}

// insideBlobs tells whether the copy would be made where uploaded files are: it would copy itself, and the
// server would find it among them.
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
	way, err := filepath.Rel(blobs, to)
	return err == nil && filepath.IsLocal(way), err
}

// realPath follows the links of as much of a path as exists.
func realPath(path string) (string, error) {
	followed, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, os.ErrNotExist) || path == filepath.Dir(path) {
		return followed, err
	}
	above, err := realPath(filepath.Dir(path))
	return filepath.Join(above, filepath.Base(path)), err
}

func (b *backupCommand) copyTo(ctx context.Context, folder string) error {
	copyDatabase := b.copySQLite
	if b.DB != "" {
		copyDatabase = b.dumpPostgres
	}
	if err := copyDatabase(ctx, folder); err != nil {
		return err
	}
	return b.copyBlobs(ctx, filepath.Join(folder, "blobs"))
}

// copySQLite lets SQLite itself write a compact copy of one consistent moment; writers are not held up.
func (b *backupCommand) copySQLite(ctx context.Context, folder string) (err error) {
	if err := findDatabase(b.Data, "name its folder with --data"); err != nil {
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
		return fmt.Errorf("guard the copy: %w", err)
	}
	return syncFile(to)
}

// dumpPostgres runs PostgreSQL's own tool, which reads one consistent moment as well. The password goes
// through the environment: the command line is for everyone on the machine to see.
func (b *backupCommand) dumpPostgres(ctx context.Context, folder string) error {
	tool, err := exec.LookPath("pg_dump")
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_dump") // the pattern is well formed
		if len(found) == 0 {
			return errors.New("pg_dump is not installed: install PostgreSQL's client programs")
		}
		tool = found[len(found)-1]
	}
	address, err := db.ParseAddress(b.DB)
	if err != nil {
		return fmt.Errorf("read database address: %w", err)
	}
	to := filepath.Join(folder, "fairground.dump")
	made, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // pg_dump keeps the mode it finds
	if err == nil {
		err = made.Close()
	}
	if err != nil {
		return fmt.Errorf("make the dump's file: %w", err)
	}
	run := exec.CommandContext(ctx, tool, "--format=custom", "--no-owner", "--no-privileges", "--file="+to, "--dbname="+dumpAddress(address))
	run.Env = os.Environ()
	if password := cmp.Or(address.Password, address.Query.Get("password")); password != "" {
		run.Env = append(run.Env, "PGPASSWORD="+password)
	}
	var said bytes.Buffer
	run.Stderr = &said
	if err := run.Run(); err != nil {
		return fmt.Errorf("pg_dump: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return syncFile(to)
}

// understood are the settings that PostgreSQL's own programs take in an address; they refuse one with any other.
// Secrets are not among them.
var understood = []string{
	"host", "hostaddr", "port", "dbname", "user", "passfile", "require_auth", "channel_binding", "connect_timeout",
	"client_encoding", "options", "application_name", "fallback_application_name", "keepalives", "keepalives_idle",
	"keepalives_interval", "keepalives_count", "tcp_user_timeout", "sslmode", "sslnegotiation", "sslcompression",
	"sslcert", "sslkey", "sslrootcert", "sslcrl", "sslcrldir", "sslsni", "requirepeer", "ssl_min_protocol_version",
	"ssl_max_protocol_version", "krbsrvname", "gsslib", "gssencmode", "gssdelegation", "service",
	"target_session_attrs", "load_balance_hosts",
}

// dumpAddress is the address for PostgreSQL's own programs: without the password, and without what only the
// driver here knows, such as the size of a pool.
func dumpAddress(a db.Address) string {
	for name := range a.Query {
		if !slices.Contains(understood, name) {
			a.Query.Del(name)
		}
	}
	// Only %20 is a space there: a plus is a plus.
	settings := strings.ReplaceAll(a.Query.Encode(), "+", "%20")
	if settings == "" {
		return a.String()
	}
	return a.String() + "?" + settings
}

func (b *backupCommand) copyBlobs(ctx context.Context, folder string) error {
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
