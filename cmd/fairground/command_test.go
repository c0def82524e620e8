package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

func TestOpenAPIFileIsCurrent(t *testing.T) {
	t.Parallel()
	code, out, stderr := command(t, "", "openapi")
	if code != 0 {
		t.Fatal(stderr)
	}
	file, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if out != string(file) {
		t.Error("docs/openapi.json is out of date: run make generate")
	}
}

func TestVersionAndHelp(t *testing.T) {
	t.Parallel()
	if code, out, _ := command(t, "", "version"); code != 0 || !strings.HasPrefix(out, "fairground "+version) {
		t.Errorf("version: %d %q, want 0 and %q", code, out, "fairground "+version)
	}
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"ledger", "adjust", "--help"}} {
		if code, out, _ := command(t, "", args...); code != 0 || !strings.Contains(out, "Usage: fairground") {
			t.Errorf("%v = %d %q, want exit code 0 and the usage", args, code, out)
		}
	}
	wantError(t, "unexpected argument dance", "dance")
}

// The command works with and without a running server.
func TestMemberCreate(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		create := func(stdin string, more ...string) (int, string, string) {
			return command(t, stdin, append(append([]string{"member", "create"}, more...), args...)...)
		}
		code, out, stderr := create("Harbour77x\n", "Minhanh1", "--password-stdin", "--type", "1")
		if code != 0 || !strings.Contains(out, "Member minhanh1 created") || strings.Contains(out, "Harbour77x") {
			t.Fatalf("member create = %d, %s%s, want exit code 0 and no password", code, out, stderr)
		}
		token := s.login("minhanh1", "Harbour77x")
		if got := s.balance(token); got != "0.00" {
			t.Errorf("balance of a new member = %s, want 0.00", got)
		}
		if code, _, stderr := create("Harbour77x\n", "MINHANH1", "--password-stdin"); code != 1 || !strings.Contains(stderr, "member.username_taken") {
			t.Errorf("existing name: %d %s, want exit code 1 and member.username_taken", code, stderr)
		}
		if code, _, stderr := create("short\n", "another1", "--password-stdin"); code != 1 || !strings.Contains(stderr, "member.password_format") {
			t.Errorf("short password: %d %s, want exit code 1 and member.password_format", code, stderr)
		}
		if code, _, stderr := create("Harbour77x\n", "another1", "--password-stdin", "--merchant", "nobody"); code != 1 || !strings.Contains(stderr, "merchant.unknown") {
			t.Errorf("unknown merchant: %d %s, want exit code 1 and merchant.unknown", code, stderr)
		}
		if strings.Contains(s.log.String(), "Harbour77x") {
			t.Error("the log contains the password")
		}
		s.end()
		code, out, stderr = create("", "solo1234")
		if code != 0 {
			t.Fatalf("member create: exit code = %d, want 0: %s%s", code, out, stderr)
		}
		password := regexp.MustCompile(`first login: (\S+)`).FindStringSubmatch(out)
		if password == nil {
			t.Fatalf("the output has no password: %s", out)
		}
		again := start(t, args...)
		grant := value[struct{ FirstTimeLogin bool }](again, http.MethodPost, "/wps/session/login", "", `{"username":"solo1234","password":"`+password[1]+`"}`)
		if !grant.FirstTimeLogin {
			t.Error("the login does not require a new password")
		}
	})
}

func TestOperatorCreate(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	wantError(t, "no database in "+data, "operator", "create", "bob", "--data", data)
	s := start(t, "--data", data)
	code, out, stderr := command(t, "", "operator", "create", "Bob", "--data", data)
	if code != 0 || !regexp.MustCompile(`^{"name":"bob","password":"\S{20,}"}\n$`).MatchString(out) {
		t.Errorf("operator create = %d, %s%s, want exit code 0 and a name with a password", code, out, stderr)
	}
	wantError(t, "operator.name_taken", "operator", "create", "bob", "--data", data)
	s.end()
	wantError(t, "operator.name_taken", "operator", "create", "bob", "--data", data)
}

// Concurrent commands wait for the lock. A timeout names the process that holds it.
func TestConcurrentCommands(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, "--data", data)
	s.end()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			if code, out, stderr := command(t, "", "operator", "create", fmt.Sprintf("bob%d", n), "--data", data); code != 0 {
				t.Errorf("operator create: exit code = %d, want 0: %s%s", code, out, stderr)
			}
		})
	}
	all.Wait()
	lock, err := control.Acquire(data)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Release() }()
	wantError(t, fmt.Sprintf("process %d holds %s", os.Getpid(), data), "operator", "create", "bob9", "--data", data)
}

// The command works with and without a running server.
func TestOperatorPassword(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	s := start(t, "--data", data)
	shown := regexp.MustCompile(`Operator admin has the new password (\S{20,}) \(shown only once\)`)
	seen := map[string]bool{}
	for range 2 {
		code, out, stderr := command(t, "", "operator", "password", "Admin", "--data", data)
		found := shown.FindStringSubmatch(out)
		if code != 0 || found == nil {
			t.Fatalf("operator password = %d, %s%s, want exit code 0 and a password", code, out, stderr)
		}
		seen[found[1]] = true
		wantError(t, "operator.unknown", "operator", "password", "nobody", "--data", data)
		s.end()
	}
	if len(seen) != 2 {
		t.Errorf("passwords = %v, want two different ones", seen)
	}
}

func TestLedgerAdjust(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		adjust := func(amount, key string) (int, string, string) {
			return command(t, "", append([]string{"ledger", "adjust", "--member", "demo88", "--amount", amount, "--key", key, "--reason", "test"}, args...)...)
		}
		for range 2 { // the demo has two owners
			if code, out, stderr := adjust("500", "k0"); code != 0 || !strings.Contains(out, "Waits for a second person") {
				t.Errorf("with two owners: %d %s%s, want an approval", code, out, stderr)
			}
		}
		leaveOneOwner(t, args)
		for _, tt := range []struct {
			amount, key string
			code        int
			want        string
		}{
			{"500", "k1", 0, "Posted as transfer"},
			{"500", "k1", 0, "Already posted"},
			{"600", "k1", 1, "ledger.key_conflict"},
			{"-100", "k2", 0, "Posted as transfer"},
			{"-99999999999", "k3", 1, "ledger.insufficient_funds"},
			{"0", "k4", 1, "ledger.adjust_amount"},
			{"1.5", "k5", 1, "money.malformed"},
			{"1e3", "k6", 1, "money.malformed"},
			{"--5", "k7", 2, "--amount"},
			{"--key", "k8", 2, "--amount"},
			{"5", "", 2, "--key: must not be empty"},
			{"5", " ", 2, "--key: must not be empty"},
			{"5", "k\n9", 2, "--key: must be one line"},
			{"5", strings.Repeat("k", 200), 2, "--key: 200 bytes"},
			{"9223372036854775807", "k10", 1, "money.overflow): amount: a correction is at most 1000000000000000 VND"},
			{"9223372036854775808", "k11", 1, "money.overflow"},
			{"5", "k\xff", 2, "argument 8 is not valid UTF-8"},
		} {
			code, out, stderr := adjust(tt.amount, tt.key)
			if code != tt.code || !strings.Contains(out+stderr, tt.want) {
				t.Errorf("%s %s: %d %s%s, want %d %s", tt.amount, tt.key, code, out, stderr, tt.code, tt.want)
			}
		}
		s.end()
		if code, out, stderr := adjust("-100", "k2"); code != 0 || !strings.Contains(out, "Already posted") {
			t.Errorf("without the server: %d %s%s, want exit code 0 and \"Already posted\"", code, out, stderr)
		}
	})
}

// A correction of a trial member moves only play money.
func TestLedgerAdjustOfTrialMember(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--currency", "USD")...)
		if code, out, stderr := command(t, "Harbour77x\n", append([]string{"member", "create", "trial001", "--type", "4", "--password-stdin"}, args...)...); code != 0 {
			t.Fatalf("member create: exit code = %d, want 0: %s%s", code, out, stderr)
		}
		adjust := func(amount, key, want string) {
			t.Helper()
			_, out, stderr := command(t, "", append([]string{"ledger", "adjust", "--member", "trial001", "--amount=" + amount, "--key", key, "--reason", "test"}, args...)...)
			if !strings.Contains(out+stderr, want) {
				t.Errorf("%s: %s%s, want %s", amount, out, stderr, want)
			}
		}
		adjust("500", "t1", "balance of trial001 after it: 500 FUN")
		adjust("-20", "t2", "balance of trial001 after it: 480 FUN")
		adjust("1.50", "t3", "money.malformed") // play money has no decimals
		if got := value[balance](s, http.MethodGet, "/wps/v2/wallets/balance", s.login("trial001", "Harbour77x"), ""); got.Currency != "FUN" || got.SumBalance != "480" {
			t.Errorf("wallet = %+v, want 480 FUN", got)
		}
		s.end()
		o := db.Options{Data: args[1]}
		if len(args) > 2 {
			o.URL = args[3]
		}
		var others int
		if err := dbtest.Open(t, o).Reader.QueryRow("SELECT COUNT(*) FROM account WHERE currency <> 'FUN'").Scan(&others); err != nil || others != 0 {
			t.Errorf("%d accounts in real money, want 0: %v", others, err)
		}
	})
}

func TestLedgerVerify(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		verify := append([]string{"ledger", "verify"}, args...)
		if code, out, stderr := command(t, "", verify...); code != 0 || strings.Contains(out, "BROKEN") || !strings.Contains(out, "ok ") {
			t.Errorf("with a running server: %d %s%s, want exit code 0 and no broken invariant", code, out, stderr)
		}
		s.end()
		o := db.Options{Data: args[1]}
		if len(args) > 2 {
			o.URL = args[3]
		}
		store := dbtest.Open(t, o)
		if _, err := store.Writer.Exec("UPDATE account SET balance = balance + 1 WHERE member_id IS NOT NULL AND kind = 'cash'"); err != nil {
			t.Fatal(err)
		}
		code, out, stderr := command(t, "", verify...)
		if code != 1 || !strings.Contains(out, "BROKEN  balance equals the sum of entries: 2 violations") || stderr != "" {
			t.Errorf("with a changed balance: %d %s%s", code, out, stderr)
		}
	})
}

func TestReadOnlyCommandsDoNotWrite(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	start(t, "--data", data, "--demo").end()
	path := filepath.Join(data, "fairground.db")
	copied := filepath.Join(t.TempDir(), "copy")
	for _, c := range []struct {
		path string
		args []string
	}{
		{path, []string{"ledger", "verify", "--data", data}},
		{path, []string{"backup", copied, "--data", data}},
		{filepath.Join(copied, "fairground.db"), []string{"ledger", "verify", "--data", copied}},
	} {
		old := time.Now().Add(-time.Hour).Truncate(time.Second)
		if err := os.Chtimes(c.path, old, old); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(c.path)
		if err != nil {
			t.Fatal(err)
		}
		if code, out, stderr := command(t, "", c.args...); code != 0 {
			t.Errorf("%v: exit code = %d, want 0: %s%s", c.args, code, out, stderr)
		}
		after, err := os.ReadFile(c.path)
		if err != nil || !bytes.Equal(after, before) {
			t.Errorf("%v changed the file (%v)", c.args, err)
		}
		if info, err := os.Stat(c.path); err != nil || !info.ModTime().Equal(old) {
			t.Errorf("%v changed the file's modification time to %v, %v", c.args, info.ModTime(), err)
		}
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		if len(args) == 2 {
			wantError(t, "no database in", append([]string{"member", "create", "someone1"}, args...)...)
		} else {
			wantError(t, "run fairground migrate", append([]string{"member", "create", "someone1"}, args...)...)
		}
		for range 2 {
			if code, out, stderr := command(t, "", append([]string{"migrate"}, args...)...); code != 0 || !strings.Contains(out, "up to date") {
				t.Errorf("migrate = %d, %s%s, want exit code 0 and \"up to date\"", code, out, stderr)
			}
		}
		s := start(t, args...)
		wantError(t, "data folder in use", append([]string{"migrate"}, args...)...)
		s.end()
	})
}
