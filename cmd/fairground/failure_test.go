package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/server"
)

func TestFailedStartsPrintOneLine(t *testing.T) {
	t.Parallel()
	data, stopped := t.TempDir(), t.TempDir()
	start(t, "--data", stopped).end()
	s := start(t, "--data", data)
	port := strings.TrimPrefix(s.url, "http://")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	damaged := t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, "fairground.db"), []byte(strings.Repeat("not a database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, want string
		args       []string
	}{
		{"second server on the folder", "stop that process", []string{"--data", data, "--addr", "127.0.0.1:0"}},
		{"port in use", "another program uses that port", []string{"--data", t.TempDir(), "--addr", port}},
		{"address of another machine", "cannot listen", []string{"--data", t.TempDir(), "--addr", "192.0.2.1:8080"}},
		{"unknown host", "cannot listen", []string{"--data", t.TempDir(), "--addr", "no-such-host.invalid:8080"}},
		{"invalid address", "want HOST:PORT", []string{"--data", t.TempDir(), "--addr", "8080"}},
		{"invalid port", "cannot listen", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:99999"}},
		{"data folder is a file", "not a directory", []string{"--data", filepath.Join(file, "x"), "--addr", "127.0.0.1:0"}},
		{"damaged database", "is damaged or is not a Fairground database", []string{"--data", damaged, "--addr", "127.0.0.1:0"}},
		{"address with a slash in its password", "--db: not a well-formed address", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:0", "--db", "postgres://app:17/hunter2@127.0.0.1/app"}},
		{"malformed NATS address", "reach events server", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:0", "--nats", "nats://[::1"}},
		{"demo on all addresses", "--demo-anywhere", []string{"--data", t.TempDir(), "--demo", "--addr", "0.0.0.0:0"}},
		{"demo of another merchant", "remove --merchant", []string{"--data", t.TempDir(), "--demo", "--merchant", "other", "--addr", "127.0.0.1:0"}},
		{"invalid merchant code", "merchant.bad_code", []string{"--data", t.TempDir(), "--merchant", "Not A Code", "--addr", "127.0.0.1:0"}},
		{"unknown currency", "money.unknown_currency", []string{"--data", t.TempDir(), "--currency", "XXX", "--addr", "127.0.0.1:0"}},
		{"play money", "play money cannot be the currency of a merchant", []string{"--data", t.TempDir(), "--currency", "FUN", "--addr", "127.0.0.1:0"}},
		{"changed currency of a merchant", "uses CNY, not USD", []string{"--data", stopped, "--currency", "USD", "--addr", "127.0.0.1:0"}},
		{"unknown merchant", "--new-merchant", []string{"--data", stopped, "--merchant", "fairgruond", "--addr", "127.0.0.1:0"}},
		{"unknown flag", "unknown flag", []string{"--colour", "red"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve"}, tt.args...)
			wantError(t, tt.want, args...)
			if _, _, stderr := command(t, "", args...); strings.Contains(stderr, "hunter2") {
				t.Errorf("the message contains the password: %s", stderr)
			}
		})
	}
}

func TestFailedFirstStartShowsPassword(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	blocked := filepath.Join(data, "fairground.sock", "file")
	if err := os.MkdirAll(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--data", data}
	code, out, stderr := command(t, "", args...)
	if code != 1 || !strings.Contains(stderr, "socket") || !strings.Contains(out, "First operator: admin, password in ") {
		t.Errorf("serve = %d, %s%s, want exit code 1, the first operator and a complaint about the socket", code, out, stderr)
	}
	if _, out, _ := command(t, "", args...); strings.Contains(out, "First operator") {
		t.Errorf("the second start shows the first operator again: %s", out)
	}
}

// While another program locks the database, writing calls fail with 503 and reading calls succeed.
func TestLockedDatabase(t *testing.T) {
	t.Parallel()
	w := newTestServer(t, true)
	token := w.login("demo88", demo.Password)
	other, err := sql.Open("sqlite", "file:"+w.services.Store.Path+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	body := `{"username":"demo88","password":"` + demo.Password + `"}`
	done := make(chan struct{})
	go func() {
		defer close(done)
		wantError(t, "locked by another program", "operator", "create", "bob", "--data", filepath.Dir(w.services.Store.Path))
	}()
	if a := w.call(http.MethodPost, "/wps/session/login", "", body); a.status != 503 || a.ErrorCode != "system.unavailable" || a.RequestID == "" {
		t.Errorf("login while locked: %+v, want 503, system.unavailable and a request id", a)
	}
	if a := w.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 200 {
		t.Errorf("read while locked: %+v, want 200", a)
	}
	<-done
	if reason, err := w.services.Healthy(t.Context()); reason != "database takes no writes" || err == nil {
		t.Errorf("health while locked: %q %v, want \"database takes no writes\" and an error", reason, err)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	w.login("demo88", demo.Password)
}

// A command reports an error from the running server in the same way as its own errors.
func TestServerErrorsAreExplained(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start(t, "--data", data)
	other, err := sql.Open("sqlite", "file:"+filepath.Join(data, "fairground.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	wantError(t, "locked by another program", "operator", "create", "bob", "--data", data)
}

func TestFullDatabase(t *testing.T) {
	t.Parallel()
	t.Run("FT-04 calls over HTTP", func(t *testing.T) {
		t.Parallel()
		w := newTestServer(t, true)
		token := w.login("agent88", demo.Password) // not demo88: its many logins below end its older sessions
		var pages, limit int64
		if err := w.services.Store.Writer.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
			t.Fatal(err)
		}
		// The pragma applies to one connection. There is only one write connection.
		if err := w.services.Store.Writer.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&limit); err != nil || limit != pages {
			t.Fatalf("max_page_count = %d, want %d: %v", limit, pages, err)
		}
		body := `{"username":"demo88","password":"` + demo.Password + `"}`
		full := false
		for range 200 {
			a := w.call(http.MethodPost, "/wps/session/login", "", body)
			if a.status == 503 && a.ErrorCode == "system.unavailable" {
				full = true
				break
			}
			if a.status != 200 {
				t.Fatalf("login: %+v, want 200", a)
			}
		}
		if !full {
			t.Fatal("the database did not become full")
		}
		if a := w.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 200 {
			t.Errorf("read while full: %+v, want 200", a)
		}
		w.clockOffset.Add(int64(time.Minute)) // so that the next health check writes again
		w.wantPage("/livez", 200, `"status":"ok"`)
		w.wantPage("/healthz", 503, `"reason":"disk full"`)
		w.wantPage("/readyz", 503, `"checks":{"bus":"connected","database":"disk full","schema":"ok"}`)
		w.wantPage("/metrics", 200, "fairground_database_writable 0\n", `fairground_refused_requests_total{code="system.unavailable"} 1`)
		if err := w.services.Store.Writer.QueryRow("PRAGMA max_page_count = 1000000").Scan(&limit); err != nil {
			t.Fatal(err)
		}
		w.login("demo88", demo.Password)
		w.clockOffset.Add(int64(time.Minute))
		w.wantPage("/healthz", 200, `"status":"ok"`)
		w.wantPage("/readyz", 200, `"status":"ok"`)
	})
}

func TestMetricsShowTheState(t *testing.T) {
	t.Parallel()
	w := newTestServer(t, true)
	w.wantPage("/metrics", 200,
		"fairground_database_writable 1\n", "fairground_bus_connected 1\n", "fairground_disk_free_bytes ", "fairground_outbox_rows ",
		"fairground_outbox_lag_seconds ", "fairground_open_rounds 0\n", `go_sql_open_connections{db_name="writer"}`, `go_sql_open_connections{db_name="reader"}`)
	exec := func(query string) {
		t.Helper()
		if _, err := w.services.Store.Writer.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	exec("INSERT INTO house_table (id, owner, until, fence, number) VALUES ('led', 'h', 9000000000000, 1, 1), ('idle', 'h', 0, 1, 1)")
	exec("INSERT INTO river_job (args, kind, max_attempts, queue, state) VALUES ('{}', 'task', 3, 'default', 'available')")
	api, err := w.services.API(server.HTTP{}) // a new API, which has not cached the state yet
	if err != nil {
		t.Fatal(err)
	}
	second := httptest.NewServer(api.Handler())
	t.Cleanup(second.Close)
	(&testServer{program: &program{t: t, url: second.URL}}).wantPage("/metrics", 200,
		`fairground_table_led{table="led"} 1`, `fairground_table_led{table="idle"} 0`, `fairground_jobs{state="available"} 1`)
}

// wantPage checks the status of a page and that the response contains each text.
func (w *testServer) wantPage(path string, status int, texts ...string) {
	w.t.Helper()
	res, err := http.Get(w.url + path)
	if err != nil {
		w.t.Fatal(err)
	}
	got := readAll(w.t, res)
	if res.StatusCode != status {
		w.t.Errorf("%s = %d %s, want %d", path, res.StatusCode, got, status)
	}
	for _, text := range texts {
		if !strings.Contains(got, text) {
			w.t.Errorf("%s lacks %s: %s", path, text, got)
		}
	}
}

func TestDatabaseRemoved(t *testing.T) {
	t.Parallel()
	t.Run("file removed", func(t *testing.T) {
		t.Parallel()
		data := t.TempDir()
		s := start(t, "--data", data)
		s.awaitHealth(200, "")
		if err := os.Rename(filepath.Join(data, "fairground.db"), filepath.Join(data, "elsewhere.db")); err != nil {
			t.Fatal(err)
		}
		wantError(t, "no database in", "operator", "create", "bob", "--data", data)
		s.awaitHealth(503, "database gone")
		if err := os.WriteFile(filepath.Join(data, "fairground.db"), nil, 0o600); err != nil { // another file with the same name
			t.Fatal(err)
		}
		wantError(t, "removed or replaced", "operator", "create", "bob", "--data", data)
		if err := os.Rename(filepath.Join(data, "elsewhere.db"), filepath.Join(data, "fairground.db")); err != nil {
			t.Fatal(err)
		}
		s.awaitHealth(200, "")
	})
	t.Run("PostgreSQL stopped", func(t *testing.T) {
		t.Parallel()
		ctx := context.Background()
		cluster, err := dbtest.StartCluster(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := cluster.Create(ctx, "gone", "template0"); err != nil {
			t.Fatal(errors.Join(err, cluster.Stop()))
		}
		s := start(t, "--data", t.TempDir(), "--db", cluster.URL("gone"), "--demo")
		token := s.login("demo88", demo.Password)
		s.awaitHealth(200, "")
		if err := cluster.Stop(); err != nil {
			t.Fatal(err)
		}
		s.awaitHealth(503, "database unavailable")
		if a := s.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 503 || a.ErrorCode != "system.unavailable" {
			t.Errorf("call without a database: %+v, want 503", a)
		}
		if !strings.Contains(s.log.String(), `"status":503`) {
			t.Error("the log lacks the failed call")
		}
	})
}

// awaitHealth waits until the health check returns a status and reason.
func (s *program) awaitHealth(status int, reason string) {
	s.t.Helper()
	var got int
	var text string
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		res, err := http.Get(s.url + "/healthz")
		if err != nil {
			s.t.Fatal(err)
		}
		got, text = res.StatusCode, readAll(s.t, res)
		if got == status && strings.Contains(text, reason) {
			return
		}
	}
	s.t.Errorf("health = %d %s, want %d %s", got, text, status, reason)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("put blob: %w", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), "the disk is full: free some space: put blob: write x: no space left on device"},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "permission denied: open x: permission denied"},
		{&net.OpError{Op: "listen", Err: syscall.EACCES}, "cannot listen on the address: permission denied: ports below 1024 require privileges; choose another port with --addr"},
		{fmt.Errorf("create operator: begin: %w", db.ErrWriteTimeout), "nothing was changed: the database cannot be written now and may be locked by another program: try again: create operator: begin: timed out waiting for other writers"},
		{errors.Join(errors.New("first"), errors.New("second")), "first; second"},
		{errors.New("dial postgres://a:b@c"), "dial postgres://[redacted]@c"},
	} {
		if got := explain(tt.err); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
