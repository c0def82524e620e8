// Command testdb runs one PostgreSQL cluster for all test binaries of a test run:
//
//	testdb FOLDER
//
// It prints "ready" and keeps the cluster running until its standard input closes or it receives SIGTERM.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"fairground/internal/platform/db/dbtest"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "testdb:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	ctx := context.Background()
	switch {
	case len(args) == 2 && args[0] == "keep":
		return dbtest.RunCluster(ctx, args[1])
	case len(args) == 1:
		return holdCluster(ctx, args[0])
	}
	return fmt.Errorf("got arguments %q, want one folder", args)
}

func holdCluster(ctx context.Context, dir string) error {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	release, err := dbtest.AcquireCluster(ctx, dir, exec.Command(self, "keep", dir))
	if err != nil {
		return err
	}
	fmt.Println("ready")
	stdinClosed := make(chan struct{})
	go func() {
		defer close(stdinClosed)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-stdinClosed:
	case <-ctx.Done():
	}
	return release()
}
