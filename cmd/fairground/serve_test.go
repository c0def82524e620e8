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

// The thin slice over HTTP: a visitor looks around, logs in, sees money move, logs out.
func TestSlice(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		for _, want := range []string{"demo88, password Demo1234", "agent88, password Demo1234", "First operator: admin", "Ctrl+C"} {
			if !strings.Contains(s.out.String(), want) {
				t.Errorf("the greeting lacks %q: %s", want, s.out)
			}
		}
		hot := value[struct {
			List []struct{ GameID, IconURL string }
		}](s, http.MethodGet, "/wps/relay/GCSGAME_hotGamesV2?language=EN", "", "")
		if len(hot.List) < 21 || hot.List[0].IconURL != "/m/art/tiles/"+hot.List[0].GameID+".webp" {
			t.Errorf("%d hot games", len(hot.List))
		}
		if a := s.call(http.MethodPost, "/wps/session/login", "", `{"username":"nobody1","password":"wrong"}`); a.status != 401 || a.ErrorCode != "login.incorrect" {
			t.Errorf("a wrong password: %+v", a)
		}
		token := s.login("demo88", demo.Password)
		news := s.events(token)
		before := s.balance(token)
		code, out, errs := command(t, "", append([]string{"ledger", "adjust", "--member", "demo88", "--amount", "1500", "--reason", "test", "--key", "k1"}, args...)...)
		if code != 0 || !strings.Contains(out, "Posted") {
			t.Fatalf("adjust: %d %s%s", code, out, errs)
		}
		// Word of the demo's own deposit may still be under way when the stream opens.
		for told := false; !told; {
			select {
			case item := <-news:
				var data struct {
					Balance json.Number
					Version int
				}
				name, raw, _ := strings.Cut(item, " ")
				if err := json.Unmarshal([]byte(raw), &data); err != nil || name != "balance" {
					t.Fatalf("the stream said %q, %v", item, err)
				}
				if told = data.Version >= 2; told && data.Balance.String() != s.balance(token) {
					t.Errorf("the stream said %q", item)
				}
			case <-time.After(testTimeout):
				t.Fatal("the stream said nothing")
			}
		}
		if after := s.balance(token); after == before {
			t.Errorf("the balance is still %s", after)
		}
		if a := s.call(http.MethodDelete, "/wps/session/logout", token, ""); a.status != 200 {
			t.Errorf("logout: %+v", a)
		}
		if item := <-news; item != `session {"state":"ended"}` {
			t.Errorf("the stream said %q", item)
		}
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != 401 || a.ErrorCode != "user.or.token.invalid" {
			t.Errorf("after the logout: %+v", a)
		}
		s.end()
		t.Run("SE-15 log of a whole visit", func(t *testing.T) {
			for _, secret := range []string{token, demo.Password, `"wrong"`} {
				if strings.Contains(s.log.String(), secret) {
					t.Errorf("the log holds %q", secret)
				}
			}
		})
	})
}

func TestFirstPasswordOnATerminal(t *testing.T) {
	t.Parallel()
	for _, terminal := range []bool{true, false} {
		var out safeBuffer
		command := &serveCommand{config.Serve{Storage: config.Storage{Data: t.TempDir()}}}
		left := filepath.Join(command.Data, firstOperatorFile)
		if err := os.WriteFile(left, []byte("of another installation"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := command.showFirstPassword(&console{out: &out, isTerminal: terminal}, "hunter2-hunter2"); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(left)
		if err != nil {
			t.Fatal(err)
		}
		inFile, onScreen := string(kept) == "hunter2-hunter2\n", strings.Contains(out.String(), "password hunter2-hunter2 (shown this once)")
		if inFile == terminal || onScreen != terminal {
			t.Errorf("terminal %v: said %q, the file holds %q", terminal, out.String(), kept)
		}
		if info, err := os.Stat(left); !terminal && (err != nil || info.Mode().Perm() != 0o600) {
			t.Errorf("the file is %v, %v", info.Mode(), err)
		}
	}
}

func TestProductionStart(t *testing.T) {
	t.Parallel()
	t.Run("SE-16 no demo account, and the first operator's password is generated and shown once", func(t *testing.T) {
		t.Parallel()
		eachStorage(t, func(t *testing.T, args []string) {
			s := start(t, args...)
			// Nobody sits before this output, so the password lies in a file; TestFirstPasswordOnATerminal has the other way.
			shown := regexp.MustCompile(`First operator: admin, password in (\S+) `)
			found := shown.FindStringSubmatch(s.out.String())
			if found == nil {
				t.Fatalf("nobody says where the password is: %s", s.out)
			}
			raw, err := os.ReadFile(found[1])
			info, gone := os.Stat(found[1])
			password := strings.TrimSpace(string(raw))
			if err != nil || gone != nil || info.Mode().Perm() != 0o600 || len(password) < 20 {
				t.Fatalf("%s holds %d characters: %v %v", found[1], len(password), info, err)
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
				t.Errorf("settings %+v", settings)
			}
			if strings.Contains(s.log.String()+s.out.String(), password) {
				t.Error("the password stands in the log")
			}
			s.end()
			again := start(t, args...)
			if shown.MatchString(again.out.String()) {
				t.Errorf("shown again: %s", again.out)
			}
		})
	})
}

// A demo's accounts have passwords that everyone knows: they never come into a real site, and a site that has
// them is never served as a real one.
func TestDemoAndSiteStayApart(t *testing.T) {
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
		show := start(t, append(args, "--demo")...)
		show.end()
		wantError(t, "was made with --demo", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
		start(t, append(args, "--demo")...)
	})
}

// Reading never writes: every declared GET is called with a session, and the data stays as it was. SE-09 exempts
// the touch of a session, which every call of it is: its seen_at moves, at most once a minute, and nothing else.
func TestGetChangesNothing(t *testing.T) {
	t.Parallel()
	t.Run("SE-09 state never changes on GET", func(t *testing.T) {
		t.Parallel()
		w := newTestServer(t, true)
		token := w.login("demo88", demo.Password)
		before, seen := w.dump(), w.seen()
		gets := 0
		for _, op := range w.api.Routes() {
			if op.Method != http.MethodGet || op.ID == "events" {
				continue
			}
			gets++
			w.clockOffset.Add(int64(61 * time.Second)) // so that each call is due to be written down
			if a := w.call(op.Method, op.Path, token, ""); a.status >= 500 {
				t.Errorf("%s: %+v", op.Path, a)
			}
		}
		if gets < 10 {
			t.Errorf("only %d calls were looked at", gets)
		}
		if moved := w.seen() - seen; moved < 60_000 {
			t.Errorf("the session's use was not written down, so this shows nothing: seen %d ms later", moved)
		}
		if after := w.dump(); after != before {
			t.Errorf("a GET changed data:\n%s\n%s", before, after)
		}
	})
}

// seen is when the only session was last used, in unix ms.
func (w *testServer) seen() (at int64) {
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
		t.Errorf("exit %d: %s", code, s.log)
	}
	// What says so is not the time it took, which is the machine's: nothing was waited for until it had to be cut off.
	if log := s.log.String(); strings.Contains(log, "cut off") || strings.Contains(log, "trouble while stopping") {
		t.Errorf("stopping waited for a stream: %s", log)
	}
	if item, more := <-news; more {
		t.Errorf("the stream said %q", item)
	}
	if !strings.Contains(s.out.String(), "Stopped.") {
		t.Errorf("said %q", s.out)
	}
}

// onStopped is an output that does something as soon as the program says that it has stopped.
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

// Who reads that it has stopped can start the next one on the folder.
func TestStoppedIsSaidLast(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	said := false
	out := &onStopped{do: func() {
		said = true
		lock, err := control.Acquire(data)
		if err != nil {
			t.Errorf("the folder is not free: %v", err)
			return
		}
		_ = lock.Release()
	}}
	ended := make(chan int)
	var log safeBuffer
	go func() {
		ended <- runTest(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--data", data}, strings.NewReader(""), out, &log)
	}()
	for end := time.Now().Add(testTimeout); !servesLine.MatchString(out.String()) && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	if code := <-ended; code != 0 || !said {
		t.Errorf("exit %d, said %s%s", code, out, &log)
	}
}
