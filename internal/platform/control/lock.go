// Package control coordinates the processes that use a data folder. A lock file allows only one process at once to change
// the folder. A Unix socket lets command-line tools run commands in the running server.
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

// ErrBusy reports that another process serves or changes the data folder.
var ErrBusy = errors.New("data folder in use")

// A Lock is the exclusive right to change a data folder.
type Lock struct{ file *os.File }

// Acquire takes the lock or returns ErrBusy. The operating system releases the lock when the process exits.
func Acquire(folder string) (*Lock, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("create data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(folder, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open lock: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			holder, _ := io.ReadAll(io.LimitReader(f, 32)) // the process id, for the message
			return nil, fmt.Errorf("%w: process %s holds %s", ErrBusy, orUnknown(strings.TrimSpace(string(holder))), folder)
		}
		return nil, fmt.Errorf("lock data folder: %w", err)
	}
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil {
		_ = f.Close() // the first error is returned
		return nil, fmt.Errorf("write lock: %w", err)
	}
	return &Lock{f}, nil
}

// Wait takes the lock. If another command, or a server that is starting or stopping, holds it, Wait waits up to timeout. It
// does not wait for a running server. It calls onWait, if given, once before it waits.
func Wait(ctx context.Context, folder string, timeout time.Duration, onWait ...func(error)) (*Lock, error) {
	deadline := time.After(timeout)
	for {
		lock, err := Acquire(folder)
		if !errors.Is(err, ErrBusy) || hasServer(ctx, folder) {
			return lock, err
		}
		for _, fn := range onWait {
			fn(err)
		}
		onWait = nil
		select {
		case <-deadline:
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

// Release releases the lock. Closing the file is not enough, because a child process that is starting may still have a copy
// of it.
func (l *Lock) Release() error {
	return errors.Join(syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN), l.file.Close())
}
