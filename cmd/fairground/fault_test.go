package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestStartIsRefusedInOneLine(t *testing.T) {
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
		{"a second server on the folder", "stop that one first", []string{"--data", data, "--addr", "127.0.0.1:0"}},
		{"port taken", "another program has that port", []string{"--data", t.TempDir(), "--addr", port}},
		{"no address of this machine", "cannot listen", []string{"--data", t.TempDir(), "--addr", "192.0.2.1:8080"}},
		{"no such host", "cannot listen", []string{"--data", t.TempDir(), "--addr", "no-such-host.invalid:8080"}},
		{"no address at all", "want HOST:PORT", []string{"--data", t.TempDir(), "--addr", "8080"}},
		{"no such port", "cannot listen", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:99999"}},
		{"data folder is a file", "not a directory", []string{"--data", filepath.Join(file, "x"), "--addr", "127.0.0.1:0"}},
		{"damaged database", "damaged or none of ours", []string{"--data", damaged, "--addr", "127.0.0.1:0"}},
		{"no PostgreSQL there", "reach database postgres://", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:0", "--db", "postgres://app:hunter2@127.0.0.1:1/app"}},
		{"an address with a slash in its password", "--db: not a well-formed address", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:0", "--db", "postgres://app:17/hunter2@127.0.0.1/app"}},
		{"no NATS there", "reach events server", []string{"--data", t.TempDir(), "--addr", "127.0.0.1:0", "--nats", "nats://127.0.0.1:1"}},
		{"demo for everyone", "--demo-anywhere", []string{"--data", t.TempDir(), "--demo", "--addr", "0.0.0.0:0"}},
		{"demo of another merchant", "leave --merchant out", []string{"--data", t.TempDir(), "--demo", "--merchant", "other", "--addr", "127.0.0.1:0"}},
		{"bad merchant", "merchant.bad_code", []string{"--data", t.TempDir(), "--merchant", "Not A Code", "--addr", "127.0.0.1:0"}},
		{"bad currency", "money.unknown_currency", []string{"--data", t.TempDir(), "--currency", "XXX", "--addr", "127.0.0.1:0"}},
		{"play money", "cannot count in play money", []string{"--data", t.TempDir(), "--currency", "FUN", "--addr", "127.0.0.1:0"}},
		{"a merchant's currency changed", "counts in CNY, not in USD", []string{"--data", stopped, "--currency", "USD", "--addr", "127.0.0.1:0"}},
		{"another merchant", "--new-merchant", []string{"--data", stopped, "--merchant", "fairgruond", "--addr", "127.0.0.1:0"}},
		{"unknown setting", "unknown flag", []string{"--colour", "red"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"serve"}, tt.args...)
			wantError(t, tt.want, args...)
			if _, _, errs := command(t, "", args...); strings.Contains(errs, "hunter2") {
				t.Errorf("the line tells the password: %s", errs)
			}
		})
	}
}

// Once the first operator is in the database, its password is shown, also by a start that then fails.
func TestFailedFirstStartShowsThePassword(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	blocked := filepath.Join(data, "fairground.sock", "in the way")
	if err := os.MkdirAll(blocked, 0o700); err != nil {
		t.Fatal(err)
	}
	args := []string{"serve", "--addr", "127.0.0.1:0", "--data", data}
	code, out, errs := command(t, "", args...)
	if code != 1 || !strings.Contains(errs, "socket") || !strings.Contains(out, "First operator: admin, password in ") {
		t.Errorf("%d %s%s", code, out, errs)
	}
	if _, out, _ := command(t, "", args...); strings.Contains(out, "First operator") {
		t.Errorf("shown again: %s", out)
	}
}

// Another program that holds the database for writing: no start, a clear line; and while running, writing
// calls fail with 503 and work again afterwards, reading goes on.
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
	started := make(chan struct{})
	go func() {
		defer close(started)
		wantError(t, "locked by another program", "operator", "create", "bob", "--data", filepath.Dir(w.services.Store.Path))
	}()
	if a := w.call(http.MethodPost, "/wps/session/login", "", body); a.status != 503 || a.ErrorCode != "system.unavailable" || a.RequestID == "" {
		t.Errorf("login while locked: %+v", a)
	}
	if a := w.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 200 {
		t.Errorf("reading while locked: %+v", a)
	}
	<-started
	if reason, err := w.services.Healthy(t.Context()); reason != "database takes no writes" || err == nil {
		t.Errorf("health while locked: %q %v", reason, err)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	w.login("demo88", demo.Password)
}

// What a running server could not do is told as clearly as what a command could not do by itself.
func TestTroubleOfTheServerIsExplained(t *testing.T) {
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

// A full database refuses and recovers when there is space again.
func TestFullDatabase(t *testing.T) {
	t.Parallel()
	t.Run("FT-04 calls over HTTP", func(t *testing.T) {
		t.Parallel()
		w := newTestServer(t, true)
		token := w.login("agent88", demo.Password) // demo88 fills the database, and so many logins end its oldest sessions
		var pages, most int64
		if err := w.services.Store.Writer.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
			t.Fatal(err)
		}
		// The pragma is the connection's own, and there is only one for writing.
		if err := w.services.Store.Writer.QueryRow(fmt.Sprintf("PRAGMA max_page_count = %d", pages)).Scan(&most); err != nil || most != pages {
			t.Fatalf("%d %v", most, err)
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
				t.Fatalf("login: %+v", a)
			}
		}
		if !full {
			t.Fatal("the database never got full")
		}
		if a := w.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 200 {
			t.Errorf("reading while full: %+v", a)
		}
		if err := w.services.Store.Writer.QueryRow("PRAGMA max_page_count = 1000000").Scan(&most); err != nil {
			t.Fatal(err)
		}
		w.login("demo88", demo.Password)
	})
}

func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	t.Run("file removed", func(t *testing.T) {
		t.Parallel()
		data := t.TempDir()
		s := start(t, "--data", data)
		s.health(200, "")
		if err := os.Rename(filepath.Join(data, "fairground.db"), filepath.Join(data, "elsewhere.db")); err != nil {
			t.Fatal(err)
		}
		wantError(t, "no database in", "operator", "create", "bob", "--data", data)
		s.health(503, "database gone")
		if err := os.WriteFile(filepath.Join(data, "fairground.db"), nil, 0o600); err != nil { // another in its place
			t.Fatal(err)
		}
		wantError(t, "removed or replaced", "operator", "create", "bob", "--data", data)
		if err := os.Rename(filepath.Join(data, "elsewhere.db"), filepath.Join(data, "fairground.db")); err != nil {
			t.Fatal(err)
		}
		s.health(200, "")
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
		s.health(200, "")
		if err := cluster.Stop(); err != nil {
			t.Fatal(err)
		}
		s.health(503, "database unavailable")
		if a := s.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != 503 || a.ErrorCode != "system.unavailable" {
			t.Errorf("a call: %+v", a)
		}
		if !strings.Contains(s.log.String(), `"status":503`) {
			t.Error("the log says nothing")
		}
	})
}

// health asks until the answer is as wanted: a probe may come a moment before the change is felt.
func (s *program) health(status int, reason string) {
	s.t.Helper()
	var got int
	var said string
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		res, err := http.Get(s.url + "/healthz")
		if err != nil {
			s.t.Fatal(err)
		}
		got, said = res.StatusCode, readAll(s.t, res)
		if got == status && strings.Contains(said, reason) {
			return
		}
	}
	s.t.Errorf("health is %d %s, want %d %s", got, said, status, reason)
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("put blob: %w", &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}), "the disk is full: put blob: write x: no space left on device"},
		{&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}, "not allowed: open x: permission denied"},
		{&net.OpError{Op: "listen", Err: syscall.EACCES}, "cannot listen on an address: not allowed; ports below 1024 belong to the system"},
		{fmt.Errorf("create operator: begin: %w", db.ErrNoTurn), "nothing was changed: the database takes no writes just now, and may be locked by another program: create operator: begin: no turn to write"},
		{errors.Join(errors.New("first"), errors.New("second")), "first; second"},
		{errors.New("dial postgres://a:b@c"), "dial postgres://[redacted]@c"},
	} {
		if got := explain(tt.err); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
