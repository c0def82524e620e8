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

// prepare creates a gateway and a waiting deposit of the demo member. It copies the deposit for the same member and for other members.
func (s *server) prepare(ctx context.Context, deposits int) (hot, spread *storm, err error) {
	// Nothing listens at the gateway's address, so the deposit waits.
	output, err := exec.CommandContext(ctx, s.binary, "gateway", "create", "--data", s.data, "--db", s.database, "--code", gatewayCode, "--name", "Bench",
		"--url", "http://127.0.0.1:1", "--currency", "VND").Output()
	if err != nil {
		return nil, nil, fmt.Errorf("create gateway: %w", err)
	}
	hot = &storm{address: s.address, prefix: "H", deposits: int64(deposits)}
	if err := json.Unmarshal(output, &hot.key); err != nil {
		return nil, nil, err
	}
	var login struct{ Value struct{ Token string } }
	if err := s.post("/wps/session/login", "", map[string]any{"username": "demo88", "password": demo.Password, "type": "username"}, &login); err != nil {
		return nil, nil, err
	}
	var created struct{ Value struct{ Reference string } }
	if err := s.post("/wps/transaction/deposit/pg", login.Value.Token, map[string]any{"method": gatewayCode, "amount": amount}, &created); err != nil {
		return nil, nil, err
	}
	store, err := db.Open(ctx, db.Options{URL: s.database})
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = store.Close() }()
	for _, statement := range []string{copyMembers, copyAccounts} {
		if _, err := store.Writer.ExecContext(ctx, statement, members); err != nil {
			return nil, nil, err
		}
	}
	for _, statement := range []string{copyDeposits, spreadDeposits} {
		if _, err := store.Writer.ExecContext(ctx, statement, created.Value.Reference, deposits); err != nil {
			return nil, nil, err
		}
	}
	return hot, &storm{address: s.address, prefix: "S", deposits: int64(deposits), key: hot.key}, nil
}

// members is the number of members among whom deposits are spread.
const members = 64

const (
	copyMembers = `INSERT INTO member (id, merchant_id, account, type, currency, password_hash, created_at, age_confirmed_at, age_confirmed)
SELECT n, merchant_id, 'bench' || n, 0, 'VND', '', 0, 0, 18 FROM member, generate_series(1, CAST($1 AS BIGINT)) AS n WHERE account = 'demo88'`
	copyAccounts = `INSERT INTO account (id, member_id, merchant_id, kind, currency)
SELECT n, n, a.merchant_id, a.kind, a.currency FROM account AS a JOIN member AS m ON m.id = a.member_id, generate_series(1, CAST($1 AS BIGINT)) AS n
WHERE m.account = 'demo88' AND a.kind = 'cash' AND a.currency = 'VND'`
	copyDeposits = `INSERT INTO deposit (id, merchant_id, member_id, method_id, gateway_id, kind, reference, status, currency, amount, fee,
  source_id, cash_id, reserve_id, created_at, expires_at)
SELECT n, merchant_id, member_id, method_id, gateway_id, kind, 'H' || n, 'WAITING', currency, amount, fee,
  source_id, cash_id, reserve_id, created_at, expires_at + 86400000
FROM deposit, generate_series(1, CAST($2 AS BIGINT)) AS n WHERE reference = $1`
	spreadDeposits = `INSERT INTO deposit (id, merchant_id, member_id, method_id, gateway_id, kind, reference, status, currency, amount, fee,
  source_id, cash_id, reserve_id, created_at, expires_at)
SELECT $2 + n, d.merchant_id, a.member_id, d.method_id, d.gateway_id, d.kind, 'S' || n, 'WAITING', d.currency, d.amount, d.fee,
  d.source_id, a.id, d.reserve_id, d.created_at, d.expires_at + 86400000
FROM deposit AS d, generate_series(1, CAST($2 AS BIGINT)) AS n JOIN account AS a ON a.id = n % 64 + 1 WHERE d.reference = $1`
)

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
