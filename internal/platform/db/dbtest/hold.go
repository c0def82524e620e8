package dbtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Hold gives a running cluster in dir for as long as the returned function is not called: one that another process holds,
// or a new one. A process of its own keeps the server and stops it when nobody holds it any more, so that the first of
// several runs may end before the others. Command is what starts that process; it must call Keep.
func Hold(ctx context.Context, dir string, command *exec.Cmd) (release func() error, err error) {
	start, err := lock(dir+".start", syscall.LOCK_EX) // one process at a time looks for a server and starts it
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, start.Close()) }()
	users, err := lock(dir+".users", syscall.LOCK_SH) // waits for a server that is being stopped
	if err != nil {
		return nil, err
	}
	if (&Cluster{dir: dir}).ping(ctx) == nil {
		return users.Close, nil
	}
	if err := startKeeper(command); err != nil {
		return nil, errors.Join(err, users.Close())
	}
	return users.Close, nil
}

// startKeeper waits for the one line that Keep writes.
func startKeeper(command *exec.Cmd) error {
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // an interrupt at the terminal is for the run, not for others' server
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start the keeper of PostgreSQL: %w", err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return errors.Join(errors.New("the keeper of PostgreSQL ended"), command.Wait())
	}
	return command.Process.Release()
}

// Keep starts a cluster in dir, writes a line, and stops the cluster when nobody holds it.
func Keep(ctx context.Context, dir string) error {
	bin, err := findBinaries()
	if err != nil {
		return err
	}
	who, err := credential()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil { // of a keeper that was killed
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if who != nil {
		if err := os.Chown(dir, int(who.Uid), int(who.Gid)); err != nil {
			return err
		}
	}
	c, err := startIn(ctx, dir, bin, who, quick)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	users, err := lock(dir+".users", syscall.LOCK_EX)
	if err != nil {
		return errors.Join(err, c.Stop())
	}
	return errors.Join(c.Stop(), users.Close()) // in this order, so that the next server starts when this one has ended
}

// lock opens a file that is never removed and locks it. The lock ends when the file is closed or the process ends.
func lock(path string, how int) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), how)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
	}
}
