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

// errReported is the error of a command that has already printed its errors.
var errReported = errors.New("already reported")

// oneLine formats an error as a single line without secrets and repeated lines.
func oneLine(err error) string {
	var parts []string
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(parts, line) {
			parts = append(parts, line)
		}
	}
	return rest.Scrub(strings.Join(parts, "; "))
}

// explain describes an error in one line, with advice if possible.
func explain(err error) string {
	line := oneLine(err)
	var listen *net.OpError
	var fromServer *control.CommandError
	switch {
	case errors.As(err, &fromServer):
		return fromServer.Error() // the server has already called explain
	case errors.As(err, &listen) && listen.Op == "listen":
		return explainListen(listen)
	case errors.Is(err, control.ErrBusy):
		return line + ": stop that process, or choose another folder with --data"
	case db.Locked(err):
		return "the database is locked by another program: stop it, then try again: " + line
	case errors.Is(err, db.ErrWriteTimeout):
		return "nothing was changed: the database cannot be written now and may be locked by another program: try again: " + line
	case db.FileReplaced(err):
		return "nothing was changed: the database file was removed or replaced while in use: stop the server and restore the file"
	case db.DiskFull(err):
		return "the disk is full: free some space: " + line
	case db.Damaged(err):
		return "the database file is damaged or is not a Fairground database: restore a backup: " + line
	case errors.Is(err, fs.ErrPermission):
		return "permission denied: " + line
	}
	if text, ok := explainFault(err); ok {
		return text
	}
	return line
}

// findDatabase returns an error if the folder has no database or cannot be read.
func findDatabase(folder, advice string) error {
	_, err := os.Stat(filepath.Join(folder, "fairground.db"))
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read the data folder %s: %w", folder, fs.ErrPermission)
	}
	if err != nil {
		return fmt.Errorf("no database in %s: %s", folder, advice)
	}
	return nil
}

func explainListen(e *net.OpError) string {
	address := "the address"
	if e.Addr != nil {
		address = e.Addr.String()
	}
	switch {
	case errors.Is(e.Err, syscall.EADDRINUSE):
		return "cannot listen on " + address + ": another program uses that port: stop it, or choose another port with --addr"
	case errors.Is(e.Err, syscall.EADDRNOTAVAIL):
		return "cannot listen on " + address + ": this machine does not have that address: choose another with --addr"
	case errors.Is(e.Err, syscall.EACCES):
		return "cannot listen on " + address + ": permission denied: ports below 1024 require privileges; choose another port with --addr"
	default:
		return "cannot listen: " + oneLine(e)
	}
}
