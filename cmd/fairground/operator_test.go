package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"fairground/internal/platform/db"
)

// newInstallation returns the data folder of an installation with the owner admin. Its server is stopped.
func newInstallation(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	s := start(t, "--data", data)
	s.end()
	return data
}

// wantOutput runs a command that must succeed and print a text.
func wantOutput(t *testing.T, pattern string, args ...string) {
	t.Helper()
	if code, out, stderr := command(t, "", args...); code != 0 || !regexp.MustCompile(pattern).MatchString(out) {
		t.Errorf("%v: exit code = %d, %s%s, want 0 and %s", args, code, out, stderr, pattern)
	}
}

// One owner changes operators at once. With two owners, a command only requests a change, except disabling.
func TestSE12OperatorCommandsPart(t *testing.T) {
	t.Parallel()
	data := newInstallation(t)
	run := func(pattern string, args ...string) {
		t.Helper()
		wantOutput(t, pattern, append(append([]string{"operator"}, args...), "--data", data)...)
	}
	run(`^{"name":"bob","password":"\S{20,}"}\n$`, "create", "bob")
	run(`^Operator bob has the roles finance, risk\.\n$`, "roles", "Bob", "--role", "finance", "--role", "risk")
	run(`^Operator bob disabled\.\n$`, "disable", "bob")
	run(`(?m)^bob\s+finance,risk\s+disabled`, "list")
	run(`^Operator bob enabled\.\n$`, "enable", "bob")
	run(`^Operator bob enrols again at the next login\.\n$`, "reset-totp", "bob")
	run(`(?m)^bob\s+finance,risk\s+active`, "list")
	wantError(t, "operator.last_owner", "operator", "disable", "admin", "--data", data)
	wantError(t, "operator.role_unknown", "operator", "roles", "bob", "--role", "king", "--data", data)

	run(`^{"name":"anna","password":"\S{20,}"}\n$`, "create", "anna", "--role", "owner")
	run(`^{"name":"carl","password":"\S{20,}","approval":{"id":"\d+","state":"waiting"}}\n$`, "create", "carl")
	const requested = `^Requested: another owner must approve change \d+ in the console\.\n$`
	run(requested, "roles", "bob", "--role", "support")
	run(requested, "reset-totp", "bob")
	run(`^Operator bob disabled\.\n$`, "disable", "bob")
	run(requested, "enable", "bob")
	_, list, _ := command(t, "", "operator", "list", "--data", data)
	if strings.Contains(list, "carl") || !regexp.MustCompile(`(?m)^bob\s+finance,risk\s+disabled`).MatchString(list) {
		t.Errorf("operators = %s, want no requested change in effect", list)
	}
}

func TestSE12AuditVerifyCommandPart(t *testing.T) {
	t.Parallel()
	data := newInstallation(t)
	for n := range 3 {
		wantOutput(t, "password", "operator", "create", fmt.Sprintf("bob%d", n), "--data", data)
	}
	wantOutput(t, `^\d+ rows, unbroken\. Digest of the last row: [0-9a-f]{64}\n$`, "audit", "verify", "--data", data)
	var last int64
	func() {
		store, err := db.Open(context.Background(), db.Options{Data: data})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT MAX(seq) FROM audit").Scan(&last); err != nil {
			t.Fatal(err)
		}
		for _, statement := range []string{"DROP TRIGGER audit_no_update", fmt.Sprintf("UPDATE audit SET operator = 'minh' WHERE seq = %d", last-1)} {
			if _, err := store.Writer.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}()
	code, out, stderr := command(t, "", "audit", "verify", "--data", data)
	if want := fmt.Sprintf("Row %d is broken: ", last-1); code != 1 || !strings.HasPrefix(out, want) || stderr != "" {
		t.Errorf("audit verify = %d %s%s, want 1 and %q", code, out, stderr, want)
	}
	if code, out, _ := command(t, "", "audit", "verify", "--json", "--data", data); code != 1 || !strings.Contains(out, fmt.Sprintf(`"broken":%d,`, last-1)) {
		t.Errorf("audit verify --json = %d %s, want 1 and the row %d", code, out, last-1)
	}
}
