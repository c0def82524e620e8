package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
)

// A visitor lists games, logs in, receives a balance change and logs out.
func TestVisit(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		for _, want := range []string{"demo88, password Demo1234", "agent88, password Demo1234", "Demo operator: owner1, password Demo1234, TOTP ", "Demo operator: owner2, ", "Console: http://127.0.0.1:", "Ctrl+C"} {
			if !strings.Contains(s.out.String(), want) {
				t.Errorf("the output lacks %q: %s", want, s.out)
			}
		}
		hot := value[struct {
			List []struct{ GameID, IconURL string }
		}](s, http.MethodGet, "/wps/relay/GCSGAME_hotGamesV2?language=EN", "", "")
		if len(hot.List) < 21 || hot.List[0].IconURL != "/m/art/tiles/"+hot.List[0].GameID+".webp" {
			t.Errorf("%d hot games, want at least 21 with icons", len(hot.List))
		}
		if a := s.call(http.MethodPost, "/wps/session/login", "", `{"username":"nobody1","password":"wrong"}`); a.status != 401 || a.ErrorCode != "login.incorrect" {
			t.Errorf("wrong password: %+v, want 401 and login.incorrect", a)
		}
		token := s.login("demo88", demo.Password)
		news := s.events(token)
		before := s.balance(token)
		leaveOneOwner(t, args)
		code, out, stderr := command(t, "", append([]string{"ledger", "adjust", "--member", "demo88", "--amount", "1500", "--reason", "test", "--key", "k1"}, args...)...)
		if code != 0 || !strings.Contains(out, "Posted") {
			t.Fatalf("adjust: %d %s%s, want exit code 0 and \"Posted\"", code, out, stderr)
		}
		// The event of the demo's deposit may arrive first.
		for received := false; !received; {
			select {
			case item := <-news:
				var data struct {
					Balance json.Number
					Version int
				}
				name, raw, _ := strings.Cut(item, " ")
				if err := json.Unmarshal([]byte(raw), &data); err != nil || name != "balance" {
					t.Fatalf("event = %q, %v, want balance", item, err)
				}
				if received = data.Version >= 2; received && data.Balance.String() != s.balance(token) {
					t.Errorf("event = %q, want the current balance", item)
				}
			case <-time.After(testTimeout):
				t.Fatal("the stream sent no balance")
			}
		}
		if after := s.balance(token); after == before {
			t.Errorf("balance = %s, want a change", after)
		}
		if a := s.call(http.MethodDelete, "/wps/session/logout", token, ""); a.status != 200 {
			t.Errorf("logout: %+v, want 200", a)
		}
		if item := <-news; item != `session {"state":"ended"}` {
			t.Errorf("event = %q, want session ended", item)
		}
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != 401 || a.ErrorCode != "user.or.token.invalid" {
			t.Errorf("call after the logout: %+v, want 401 and user.or.token.invalid", a)
		}
		s.end()
		t.Run("SE-15 log of a visit", func(t *testing.T) {
			for _, secret := range []string{token, demo.Password, `"wrong"`} {
				if strings.Contains(s.log.String(), secret) {
					t.Errorf("the log contains %q", secret)
				}
			}
		})
	})
}

func TestFirstPasswordOnTerminal(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{true, false} {
		var out safeBuffer
		command := &serveCommand{config.Serve{Storage: config.Storage{Data: t.TempDir()}}}
		path := filepath.Join(command.Data, firstOperatorFile)
		if err := os.WriteFile(path, []byte("password of an earlier installation"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := command.showFirstPassword(&console{out: &out, isTerminal: terminal}, "hunter2-hunter2"); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		inFile, onScreen := string(text) == "hunter2-hunter2\n", strings.Contains(out.String(), "password hunter2-hunter2 (shown only once)")
		if inFile == terminal || onScreen != terminal {
			t.Errorf("terminal %v: output = %q, file = %q, want the password on the terminal or else in the file", terminal, out.String(), text)
		}
		if info, err := os.Stat(path); !terminal && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("mode of the file = %v, want 0600: %v", info.Mode(), err)
		}
	}
}

func TestProductionStart(t *testing.T) {
	t.Parallel()
	t.Run("SE-16 no demo account, and the first operator's password is generated and shown once", func(t *testing.T) {
		t.Parallel()
		eachStorage(t, func(t *testing.T, args []string) {
			s := start(t, args...)
			// The output is not a terminal, so the password is in a file. TestFirstPasswordOnTerminal tests a terminal.
			shown := regexp.MustCompile(`First operator: admin, password in (\S+) `)
			found := shown.FindStringSubmatch(s.out.String())
			if found == nil {
				t.Fatalf("the output does not name the password file: %s", s.out)
			}
			raw, err := os.ReadFile(found[1])
			info, statErr := os.Stat(found[1])
			password := strings.TrimSpace(string(raw))
			if err != nil || statErr != nil || info.Mode().Perm() != 0o600 || len(password) < 20 {
				t.Fatalf("%s has %d characters: %v %v, want at least 20, and mode 0600", found[1], len(password), info, err)
			}
			for _, a := range demo.Accounts {
				body := `{"username":"` + a.Username + `","password":"` + demo.Password + `"}`
				if got := s.call(http.MethodPost, "/wps/session/login", "", body); got.status != 401 {
					t.Errorf("%s can log in: %+v", a.Username, got)
				}
			}
			settings := value[struct {
				Demo     bool
				Currency struct{ Code string }
			}](s, http.MethodGet, "/wps/system/settings/consolidated", "", "")
			if settings.Demo || settings.Currency.Code != "CNY" {
				t.Errorf("settings = %+v, want no demo and CNY", settings)
			}
			if strings.Contains(s.log.String()+s.out.String(), password) {
				t.Error("the log or the output contains the password")
			}
			s.end()
			again := start(t, args...)
			if shown.MatchString(again.out.String()) {
				t.Errorf("the second start shows the first operator again: %s", again.out)
			}
		})
	})
}

// Demo accounts have public passwords. They must not be added to a real site, and a demo must not run as a real site.
func TestDemoAndRealSiteAreSeparate(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		site := start(t, args...)
		site.end()
		wantError(t, "holds a real site: --demo would add", append([]string{"serve", "--demo", "--addr", "127.0.0.1:0"}, args...)...)
		again := start(t, args...)
		body := `{"username":"demo88","password":"` + demo.Password + `"}`
		if got := again.call(http.MethodPost, "/wps/session/login", "", body); got.status != 401 {
			t.Errorf("demo88 can log in: %+v", got)
		}
	})
	eachStorage(t, func(t *testing.T, args []string) {
		start(t, append(args, "--demo")...).end()
		wantError(t, "was created with --demo", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
		start(t, append(args, "--demo")...)
	})
}

// SE-09 allows one exception: seen_at of the session changes, at most once a minute.
func TestGetChangesNothing(t *testing.T) {
	t.Parallel()
	t.Run("SE-09 state never changes on GET", func(t *testing.T) {
		t.Parallel()
		w := newTestServer(t, true)
		token := w.login("demo88", demo.Password)
		before, seenAt := w.dump(), w.seenAt()
		gets := 0
		for _, op := range w.api.Routes() {
			if op.Method != http.MethodGet || op.ID == "events" {
				continue
			}
			gets++
			w.clockOffset.Add(int64(61 * time.Second)) // so that each call updates seen_at
			if a := w.call(op.Method, op.Path, token, ""); a.status >= 500 {
				t.Errorf("%s = %+v, want no server error", op.Path, a)
			}
		}
		if gets < 10 {
			t.Errorf("tested %d calls, want at least 10", gets)
		}
		if moved := w.seenAt() - seenAt; moved < 60_000 {
			t.Errorf("seen_at moved by %d ms, want at least 60000: the test has no effect", moved)
		}
		if after := w.dump(); after != before {
			t.Errorf("a GET changed data:\n%s\n%s", before, after)
		}
	})
}

// seenAt returns the last use of the only session, in Unix milliseconds.
func (w *testServer) seenAt() (at int64) {
	w.t.Helper()
	if err := w.services.Store.Reader.QueryRow("SELECT seen_at FROM session").Scan(&at); err != nil {
		w.t.Fatal(err)
	}
	return at
}

func TestStopWithOpenStreams(t *testing.T) {
	t.Parallel()
	s := start(t, "--data", t.TempDir(), "--demo")
	news := s.events(s.login("demo88", demo.Password))
	if code := s.end(); code != 0 {
		t.Errorf("exit code = %d, want 0: %s", code, s.log)
	}
	if log := s.log.String(); strings.Contains(log, "shutdown timed out") || strings.Contains(log, "error during shutdown") {
		t.Errorf("the shutdown waited for a stream: %s", log)
	}
	if item, more := <-news; more {
		t.Errorf("event = %q, want the end of the stream", item)
	}
	if !strings.Contains(s.out.String(), "Stopped.") {
		t.Errorf("output = %q, want Stopped.", s.out)
	}
}

// onStopped is an output that calls a function when the program prints "Stopped."
type onStopped struct {
	safeBuffer
	do func()
}

func (o *onStopped) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "Stopped.") {
		o.do()
	}
	return o.safeBuffer.Write(p)
}

// The lock is released before "Stopped." is printed.
func TestStoppedIsPrintedLast(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	printed := false
	out := &onStopped{do: func() {
		printed = true
		lock, err := control.Acquire(data)
		if err != nil {
			t.Errorf("the folder is locked: %v", err)
			return
		}
		_ = lock.Release()
	}}
	ended := make(chan int)
	var log safeBuffer
	go func() {
		ended <- runTest(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--data", data}, strings.NewReader(""), out, &log)
	}()
	for end := time.Now().Add(testTimeout); !listeningLine.MatchString(out.String()) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	if code := <-ended; code != 0 || !printed {
		t.Errorf("exit code = %d, output %s%s, want 0 after the address is printed", code, out, &log)
	}
}
