package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/spec"
)

// A server is the real binary, run by this benchmark.
type server struct {
	cmd                   *exec.Cmd
	binary, address, data string
	database              string
}

func startServer(ctx context.Context, binary, data, database string) (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	s := &server{binary: binary, address: address, data: data, database: database}
	s.cmd = exec.CommandContext(ctx, binary, "serve", "--demo", "--addr", address, "--data", data, "--db", database,
		"--rate", "100000000") // the rate limiter runs, with a limit that is never reached
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	for start := time.Now(); time.Since(start) < time.Minute; time.Sleep(10 * time.Millisecond) {
		reply, err := http.Get("http://" + address + "/healthz")
		if err != nil {
			continue
		}
		_ = reply.Body.Close()
		if reply.StatusCode == http.StatusOK {
			return s, nil
		}
	}
	s.stop()
	return nil, fmt.Errorf("the server was not ready within a minute")
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	_ = s.cmd.Wait()
}

// open creates a vendor and opens its game as the demo member.
func (s *server) open(ctx context.Context) (*play, error) {
	output, err := exec.CommandContext(ctx, s.binary, "vendor", "create", "--data", s.data, "--db", s.database, "--code", "BENCH", "--name", "Bench",
		"--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "B1:RNG").Output()
	if err != nil {
		return nil, fmt.Errorf("create vendor: %w", err)
	}
	p := &play{address: s.address}
	if err := json.Unmarshal(output, &p.key); err != nil {
		return nil, err
	}
	var login struct{ Value struct{ Token string } }
	if err := s.post("/wps/session/login", "", map[string]any{"username": "demo88", "password": demo.Password, "type": "username"}, &login); err != nil {
		return nil, err
	}
	var opened struct{ Value struct{ GameURL string } }
	err = s.post("/wps/game/launchGame", login.Value.Token, map[string]any{"gameCategory": spec.Slots, "vendor": "BENCH", "gameId": "B1"}, &opened)
	if err != nil {
		return nil, err
	}
	_, ticket, _ := strings.Cut(opened.Value.GameURL, "t=")
	return p, p.authenticate(ticket)
}

func (s *server) post(path, token string, body, into any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, "http://"+s.address+path, bytes.NewReader(raw))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if token != "" {
		r.Header.Set("Authorization", token)
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer reply.Body.Close()
	responseBody, err := io.ReadAll(reply.Body)
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d %s", path, reply.StatusCode, responseBody)
	}
	return json.Unmarshal(responseBody, into)
}
