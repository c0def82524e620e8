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

// AcquireCluster waits until a cluster runs in dir. It uses a running one or starts a new one. A separate process runs the
// server and stops it after the last release, so that concurrent test runs may finish in any order. command starts that
// process, which must call RunCluster.
func AcquireCluster(ctx context.Context, dir string, command *exec.Cmd) (release func() error, err error) {
	start, err := lock(dir+".start", syscall.LOCK_EX) // only one process at once may look for a server and start one
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, start.Close()) }()
	users, err := lock(dir+".users", syscall.LOCK_SH) // waits for a server that is stopping
	if err != nil {
		return nil, err
	}
	if (&Cluster{dir: dir}).ping(ctx) == nil {
		return users.Close, nil
	}
	if err := startSupervisor(command); err != nil {
		return nil, errors.Join(err, users.Close())
	}
	return users.Close, nil
}

func startSupervisor(command *exec.Cmd) error {
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // an interrupt at the terminal must not stop a server that other runs use
	out, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL supervisor: %w", err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return errors.Join(errors.New("PostgreSQL supervisor exited"), command.Wait())
	}
	return command.Process.Release()
}

// RunCluster starts a cluster in dir, prints "ready", and stops the cluster after its last user has released it.
func RunCluster(ctx context.Context, dir string) error {
	bin, err := findBinaries()
	if err != nil {
		return err
	}
	who, err := credential()
	if err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil { // left by a killed supervisor
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
	c, err := startIn(ctx, dir, bin, who, testSettings)
	if err != nil {
		return err
	}
	fmt.Println("ready")
	users, err := lock(dir+".users", syscall.LOCK_EX)
	if err != nil {
		return errors.Join(err, c.Stop())
	}
	return errors.Join(c.Stop(), users.Close()) // in this order, so that the next server starts after this one has stopped
}

// lock opens a file and locks it until the file is closed or the process exits. The file is never removed.
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
