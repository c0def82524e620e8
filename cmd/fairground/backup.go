package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"fairground/internal/blob"
	"fairground/internal/config"
	"fairground/internal/db"
)

type backupCommand struct {
	config.Storage

	Blob string `help:"Where uploaded files are, as the server has it." env:"FAIRGROUND_BLOB" placeholder:"URL" secret:""`
	To   string `arg:"" help:"A new folder for the copy. Of SQLite it can be used as --data at once; of PostgreSQL it holds a dump for pg_restore." type:"path"`
}

// Run copies the database as of one moment, then the uploaded files: a file is written before the row that
// names it and never changed, so every row of the copy finds its file.
func (b *backupCommand) Run(c *console) error {
	if _, err := os.Stat(b.To); err == nil {
		return fmt.Errorf("%s exists already: name a new folder", b.To)
	}
	part := b.To + ".part" // seen under its name only when it is whole
	if err := os.RemoveAll(part); err != nil {
		return fmt.Errorf("make room for the backup: %w", err)
	}
	if err := os.MkdirAll(part, 0o700); err != nil {
		return fmt.Errorf("make backup folder: %w", err)
	}
	err := b.copyTo(c.ctx, part)
	if err == nil {
		err = os.Rename(part, b.To)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("backup: %w", err), os.RemoveAll(part))
	}
	_, err = fmt.Fprintf(c.out, "Copied to %s.\n", b.To)
	return err
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
	from := filepath.Join(b.Data, "fairground.db")
	if _, err := os.Stat(from); err != nil {
		return fmt.Errorf("no database in %s: name its folder with --data", b.Data)
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
	address, err := url.Parse(b.DB)
	if err != nil {
		return fmt.Errorf("read database address %s: not an address", db.Redact(b.DB))
	}
	run := exec.CommandContext(ctx, tool, "--format=custom", "--no-owner", "--no-privileges", "--file="+filepath.Join(folder, "fairground.dump"))
	run.Env = os.Environ()
	if password, given := address.User.Password(); given {
		run.Env = append(run.Env, "PGPASSWORD="+password)
		address.User = url.User(address.User.Username())
	}
	run.Args = append(run.Args, "--dbname="+address.String())
	var said bytes.Buffer
	run.Stderr = &said
	if err := run.Run(); err != nil {
		return fmt.Errorf("pg_dump: %w: %s", err, strings.TrimSpace(said.String()))
	}
	return syncFile(filepath.Join(folder, "fairground.dump"))
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
