package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"syscall"
	"time"

	"fairground/internal/platform/db"
)

// A table of the demo catalogue, and a vendor created by this benchmark.
const (
	tableVendor, tableGame = "NOX", "live-007"
	tableSpot, tableStake  = "dragon", 200
	plainVendor, plainGame = "BENCH", "B1"
)

// A server is the real binary, run by this benchmark.
type server struct {
	cmd            *exec.Cmd
	url            string
	data, database string
	key            struct{ KeyID, Key string }
}

// prepare loads the demo data, creates the vendor and enables play money at the table, so that players need no
// account.
func (s *server) prepare(ctx context.Context) error {
	if err := s.start(ctx); err != nil {
		return err
	}
	s.stop()
	output, err := exec.CommandContext(ctx, binary, "vendor", "create", "--data", s.data, "--db", s.database, "--code", plainVendor, "--name", "Bench",
		"--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", plainGame+":RNG").Output()
	if err != nil {
		return fmt.Errorf("create vendor: %w", err)
	}
	if err := json.Unmarshal(output, &s.key); err != nil {
		return err
	}
	store, err := db.Open(ctx, db.Options{Data: s.data, URL: s.database})
	if err != nil {
		return err
	}
	_, err = store.Writer.ExecContext(ctx, "UPDATE game SET free_play = TRUE WHERE code = '"+tableGame+"'")
	return errors.Join(err, store.Close())
}

func (s *server) start(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return err
	}
	s.url = "http://" + address
	s.cmd = exec.CommandContext(ctx, binary, "serve", "--demo", "--addr", address, "--data", s.data, "--db", s.database,
		"--proxies", "127.0.0.0/8", "--rate", "100000000") // the rate limiter runs, with a limit that is never reached
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
		if _, err := read(http.Get(s.url + "/healthz")); err == nil {
			return nil
		}
	}
	s.stop()
	return errors.New("the server was not ready within a minute")
}

func (s *server) stop() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	_ = s.cmd.Wait()
	s.cmd = nil
}
