package main

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"fairground/internal/platform/db/dbtest"
)

// The server retries while the database is unreachable. It exits immediately if the database rejects the connection.
func TestStartWithoutDatabase(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, stderr safeBuffer
	exitCode := make(chan int, 1)
	go func() {
		exitCode <- run(newTestConsole(ctx, strings.NewReader(""), &out, &stderr), []string{
			"serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", "postgres://app:hunter2@127.0.0.1:1/app",
		})
	}()
	for deadline := time.Now().Add(testTimeout); strings.Count(stderr.String(), "will retry") < 2; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("log %q, want two retries", stderr.String())
		}
	}
	stop()
	if code := <-exitCode; code != 1 || !strings.Contains(stderr.String(), "fairground: reach database postgres://") {
		t.Errorf("exit %d, %q, want 1 and the reason", code, stderr.String())
	}
	if strings.Contains(stderr.String(), "hunter2") {
		t.Errorf("the log contains the password: %s", stderr.String())
	}
	address := dbtest.Blank(t, "postgres").URL
	unknown := strings.Replace(address, "?", "_missing?", 1)
	if unknown == address {
		unknown += "_missing"
	}
	wantError(t, "does not exist", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", unknown)
	wantError(t, "password authentication failed", "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--db", startRejectingDatabase(t))
}

// startRejectingDatabase starts a fake PostgreSQL server that rejects every password, and returns its URL.
func startRejectingDatabase(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			server := pgproto3.NewBackend(conn, conn)
			if _, err := server.ReceiveStartupMessage(); err == nil {
				server.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: `password authentication failed for user "app"`})
				_ = server.Flush()
			}
			_ = conn.Close()
		}
	}()
	return "postgres://app:wrong@" + listener.Addr().String() + "/app?sslmode=disable"
}

// Read-only commands work with a database URL that contains target_session_attrs=read-write.
func TestReadOnlyCommandsAcceptReadWriteURL(t *testing.T) {
	t.Parallel()
	address := copyPostgres(t, withoutDemo)
	separator := "?"
	if strings.Contains(address, "?") {
		separator = "&"
	}
	address += separator + "target_session_attrs=read-write"
	for _, args := range [][]string{{"ledger", "verify"}, {"house", "stuck"}} {
		if code, out, stderr := command(t, "", append(args, "--db", address)...); code != 0 {
			t.Errorf("%v: exit %d, want 0: %s%s", args, code, out, stderr)
		}
	}
}
