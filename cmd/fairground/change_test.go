package main

import (
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/config"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/server"
)

// openOther opens a second server on the storage of a running one. It has its own bus, like a command with --db.
func openOther(t *testing.T, args []string) *server.Server {
	t.Helper()
	storage := config.Storage{Data: args[1]}
	if len(args) > 2 {
		storage = config.Storage{Data: t.TempDir(), DB: args[3]}
	}
	p, err := server.Open(t.Context(), server.Options{
		Storage: storage, Key: secrettest.Source, Merchant: "fairground", Log: slog.New(slog.DiscardHandler), Now: time.Now, Hashes: cheapHashes, Timeout: testTimeout, SeriesLength: testLinks,
	}, server.RequireCurrent)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// Rules that protect money are checked in the database, not in caches. The test makes these changes without a message or a
// change row.
func TestBetRightAfterSilentChange(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		o := newVendorClient(t, s, args)
		other := openOther(t, args)
		exec := func(statement string) {
			t.Helper()
			if _, err := other.Store.Writer.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		n := 0
		bet := func(want string) {
			t.Helper()
			n++
			id := "silent" + strings.Repeat("x", n)
			if got := o.callVendor(t, "bet", o.Fields(id, id, map[string]any{"amount": "100"})); got.Code != want {
				t.Errorf("bet %d: code %s, want %s", n, got.Code, want)
			}
		}
		bet("OK")
		exec("UPDATE member SET status = 'disabled' WHERE account = 'demo88'")
		bet("ACCOUNT_DISABLED")
		exec("UPDATE member SET status = 'active' WHERE account = 'demo88'")
		bet("OK") // the refusal was not stored, and the cached play is still valid
		exec("UPDATE session SET ended_at = 1, ended_why = 'revoked' WHERE ended_at IS NULL")
		bet("SESSION_EXPIRED")
		exec("UPDATE session SET ended_at = NULL, ended_why = NULL WHERE ended_why = 'revoked'")
		exec("UPDATE play SET closed_at = 1, closed_why = 'member' WHERE closed_at IS NULL")
		bet("SESSION_EXPIRED")
		exec("UPDATE play SET closed_at = 1, closed_why = 'break'")
		bet("EXCLUDED")
		if got := o.callVendor(t, "win", o.Fields("late", "silentx", map[string]any{"amount": "50"})); got.Code != "OK" {
			t.Errorf("win after the end: code %s, want OK", got.Code)
		}
		exec("UPDATE vendor_key SET retired_at = 1")
		if got := o.callVendor(t, "balance", map[string]any{"sessionId": o.Session}); got.HTTP != http.StatusUnauthorized {
			t.Errorf("call with a retired key: status %d, want 401", got.HTTP)
		}
	})
}

// Another process changes the database. The server has no bus in common with it and its caches do not expire, so it
// can only read the change row.
func TestChangeByAnotherProcess(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		now := time.Now()
		s := startAt(t, func() time.Time { return now }, append(args, "--demo")...)
		token := s.login("demo88", demo.Password)
		news := s.events(token)
		other := openOther(t, args)
		m, err := other.Merchants.Find(t.Context(), "fairground")
		if err != nil {
			t.Fatal(err)
		}
		set := func(value string) {
			t.Helper()
			if err := other.Merchants.Set(t.Context(), m.ID, "system.maintenance", []byte(value)); err != nil {
				t.Fatal(err)
			}
		}
		wait := func(what string, done func() bool) {
			t.Helper()
			for end := time.Now().Add(testTimeout); !done(); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("%s: not seen in time", what)
				}
			}
		}
		status := func(want int) func() bool {
			return func() bool { got, _, _ := s.get(pagesPath); return got == want }
		}
		wait("open", status(200))
		set(`{"on":true}`)
		wait("maintenance", status(503))
		if item := <-news; item != `closed {"errorCode":"system.maintenance"}` {
			t.Errorf("event = %q, want closed", item)
		}
		set(`{"on":false}`)
		wait("end of maintenance", status(200))
		if err := other.Accounts.Disable(t.Context(), m.ID, "demo88"); err != nil {
			t.Fatal(err)
		}
		wait("disabled member", func() bool {
			return s.call(http.MethodGet, "/wps/member/info", token, "").status == http.StatusUnauthorized
		})
	})
}

// A command with --db needs no data folder, and never uses the server of an unrelated data folder.
func TestCommandWithDatabaseOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	address := copyPostgres(t, withDemo)
	s := start(t, "--data", t.TempDir(), "--db", address, "--demo")
	token := s.login("demo88", demo.Password)
	unrelated := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(unrelated, 0o700); err != nil {
		t.Fatal(err)
	}
	copyInstallation(t, unrelated, withDemo)
	start(t, "--data", unrelated, "--demo")
	for _, more := range [][]string{nil, {"--data", unrelated}} {
		code, out, stderr := command(t, "", append([]string{"merchant", "set", "session.idle", `"46m"`, "--db", address}, more...)...)
		if code != 0 || !strings.Contains(stderr, "Running servers use it within a second.") {
			t.Errorf("%v = %d, %s%s, want exit code 0 and that servers use it within a second", more, code, out, stderr)
		}
	}
	if code, out, stderr := command(t, "", "merchant", "show", "--db", address); code != 0 || !strings.Contains(out, "46m") || stderr != "" {
		t.Errorf("show: %d %s%s, want exit code 0, \"46m\" and no error output", code, out, stderr)
	}
	if code, out, stderr := command(t, "", "merchant", "show", "--data", unrelated); code != 0 || strings.Contains(out, "46m") {
		t.Errorf("the unrelated server was changed: %d %s%s", code, out, stderr)
	}
	if code, out, stderr := command(t, "", "member", "disable", "demo88", "--db", address); code != 0 {
		t.Errorf("disable: %d %s%s, want exit code 0", code, out, stderr)
	}
	for end := time.Now().Add(testTimeout); s.call(http.MethodGet, "/wps/member/info", token, "").status != http.StatusUnauthorized; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the session of the disabled member did not end")
		}
	}
	if code, out, stderr := command(t, "", "migrate", "--db", address); code != 0 {
		t.Errorf("migrate: %d %s%s, want exit code 0", code, out, stderr)
	}
	if _, err := os.Stat("data"); !os.IsNotExist(err) {
		t.Errorf("stat data: %v, want no such folder", err)
	}
}
