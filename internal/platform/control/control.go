// Package control keeps order in a data folder: one server at a time (a lock file), and a unix socket through
// which commands beside a running server ask it to change data. It knows no command: they come in as
// functions, and go out as JSON.
package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	lockName   = "fairground.lock"
	socketName = "fairground.sock"
)

// ErrBusy says that another process serves, or changes, this data folder.
var ErrBusy = errors.New("data folder in use")

// Lock is the right to change a data folder, held by one process.
type Lock struct{ file *os.File }

// Acquire takes the lock or fails at once with ErrBusy. The system frees it when the process ends, however
// that happens.
func Acquire(folder string) (*Lock, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			holder, _ := io.ReadAll(io.LimitReader(f, 32)) // only to name it
			return nil, fmt.Errorf("%w: process %s holds %s", ErrBusy, orUnknown(strings.TrimSpace(string(holder))), folder)
		}
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		_ = f.Close() // the first failure is the one to tell
		return nil, fmt.Errorf("write lock: %w", err)
	}
	return &Lock{f}, nil
}

// Wait takes the lock, or waits up to patience for the process that has it: a command, or a server that is just
// starting or stopping. A server that answers will go on, so nobody waits for that one.
func Wait(ctx context.Context, folder string, patience time.Duration) (*Lock, error) {
	giveUp := time.After(patience)
	for {
		lock, err := Acquire(folder)
		if !errors.Is(err, ErrBusy) || served(ctx, folder) {
			return lock, err
		}
		select {
		case <-giveUp:
			return nil, err
		case <-ctx.Done():
			return nil, err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// Release gives the lock back: by name, for a child process that is just being started may still hold a copy
// of the file.
func (l *Lock) Release() error {
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}
