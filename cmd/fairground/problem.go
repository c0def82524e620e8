package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// errTold is returned by a command that has already said what is wrong.
var errTold = errors.New("told")

// oneLine makes any error fit for a single line, without secrets and without saying a thing twice.
func oneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return rest.Scrub(strings.Join(parts, "; "))
}

// explain says in one line what went wrong and, where it can, what to do.
func explain(err error) string {
	line := oneLine(err)
	var listen *net.OpError
	var told *control.CommandError
	switch {
	case errors.As(err, &told):
		return told.Error() // the server has explained it
	case errors.As(err, &listen) && listen.Op == "listen":
		return explainListen(listen)
	case errors.Is(err, control.ErrBusy):
		return line + ": stop that one first, or choose another folder with --data"
	case db.Locked(err):
		return "the database is locked by another program: " + line
	case errors.Is(err, db.ErrWriteTimeout):
		return "nothing was changed: the database takes no writes just now, and may be locked by another program: " + line
	case db.FileReplaced(err):
		return "the database's file was removed or replaced while it was in use, and nothing was changed: stop the server and put the file back"
	case db.DiskFull(err):
		return "the disk is full: " + line
	case db.Damaged(err):
		return "the database file is damaged or none of ours: restore a backup: " + line
	case errors.Is(err, fs.ErrPermission):
		return "not allowed: " + line
	}
	if said, ok := explainFault(err); ok {
		return said
	}
	return line
}

// findDatabase tells a folder without a database from one that this user may not look into.
func findDatabase(folder, advice string) error {
	_, err := os.Stat(filepath.Join(folder, "fairground.db"))
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("look into the data folder %s: %w", folder, fs.ErrPermission)
	}
	if err != nil {
		return fmt.Errorf("no database in %s: %s", folder, advice)
	}
	return nil
}

func explainListen(e *net.OpError) string {
	at := "an address"
	if e.Addr != nil {
		at = e.Addr.String()
	}
	switch {
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return "cannot listen on " + at + ": another program has that port: stop it, or choose another with --addr"
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL):
		return "cannot listen on " + at + ": that is no address of this machine"
	case errors.Is(e.Err, syscall.EACCES):
		return "cannot listen on " + at + ": not allowed; ports below 1024 belong to the system"
	default:
		return "cannot listen: " + oneLine(e)
	}
}
