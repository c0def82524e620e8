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
	"syscall"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
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

// prepare creates a gateway and a waiting deposit of the demo member, and copies the deposit.
func (s *server) prepare(ctx context.Context, deposits int) (*storm, error) {
	// Nothing listens at the gateway's address, so the deposit waits.
	output, err := exec.CommandContext(ctx, s.binary, "gateway", "create", "--data", s.data, "--db", s.database, "--code", gatewayCode, "--name", "Bench",
		"--url", "http://127.0.0.1:1", "--currency", "VND").Output()
	if err != nil {
		return nil, fmt.Errorf("create gateway: %w", err)
	}
	st := &storm{address: s.address, deposits: int64(deposits)}
	if err := json.Unmarshal(output, &st.key); err != nil {
		return nil, err
	}
	var login struct{ Value struct{ Token string } }
	if err := s.post("/wps/session/login", "", map[string]any{"username": "demo88", "password": demo.Password, "type": "username"}, &login); err != nil {
		return nil, err
	}
	var created struct{ Value struct{ Reference string } }
	if err := s.post("/wps/transaction/deposit/pg", login.Value.Token, map[string]any{"method": gatewayCode, "amount": amount}, &created); err != nil {
		return nil, err
	}
	store, err := db.Open(ctx, db.Options{URL: s.database})
	if err != nil {
		return nil, err
	}
	defer func() { _ = store.Close() }()
	_, err = store.Writer.ExecContext(ctx, copyDeposits, created.Value.Reference, deposits)
	return st, err
}

const copyDeposits = `INSERT INTO deposit (id, merchant_id, member_id, method_id, gateway_id, kind, reference, status, currency, amount, fee,
  source_id, cash_id, reserve_id, created_at, expires_at)
SELECT n, merchant_id, member_id, method_id, gateway_id, kind, 'B' || n, 'WAITING', currency, amount, fee,
  source_id, cash_id, reserve_id, created_at, expires_at + 86400000
FROM deposit, generate_series(1, CAST($2 AS BIGINT)) AS n WHERE reference = $1`

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
