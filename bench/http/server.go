package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"fairground/internal/platform/db"
)

type server struct {
	cmd     *exec.Cmd
	address string
	ready   time.Duration // from process start to the first successful response
}

// startServer runs the binary on a free port and waits until it is ready. Its log goes to the null device.
func startServer(ctx context.Context, o db.Options) (*server, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, binary, append([]string{"serve", "--demo", "--addr", address,
		"--rate", "100000000"}, storage(o)...)...) // the rate limiter runs, with a limit that is never reached
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd, address: address}
	for time.Since(start) < time.Minute {
		reply, err := http.Get("http://" + address + "/healthz")
		if err == nil {
			reply.Body.Close()
			if reply.StatusCode == http.StatusOK {
				s.ready = time.Since(start)
				return s, nil
			}
		}
		time.Sleep(2 * time.Millisecond)
	}
	return nil, fmt.Errorf("the server was not ready within a minute: %w", s.stop())
}

// startBare runs this program as the minimal server.
func startBare(ctx context.Context, path, file string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "bare", path, file)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the bare server did not start: %w", err)
	}
	return &server{cmd: cmd, address: strings.TrimSpace(line)}, nil
}

// cpuTicks returns the process's CPU time in clock ticks.
func (s *server) cpuTicks() float64 {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0 // not supported on this system
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(after)
	var total float64
	for _, ticks := range fields[11:13] { // user and system time
		n, _ := strconv.ParseFloat(ticks, 64)
		total += n
	}
	return total
}

func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	// The signal itself ends the minimal server.
	if err := s.cmd.Wait(); err != nil && s.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGTERM {
		return fmt.Errorf("stop %s: %w", s.cmd.Path, err)
	}
	return nil
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
