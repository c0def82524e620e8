package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/dbtest"
	"fairground/internal/demo"
)

// child starts the program in a process of its own, to be killed.
func child(t *testing.T, args ...string) (kill func(), out *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), childMark+"=1")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed: that is the point
	})
	t.Cleanup(kill)
	return kill, bufio.NewReader(pipe)
}

// Killed anywhere in it, the next start completes it; nothing is there twice.
func TestFirstStartKilled(t *testing.T) {
	t.Parallel()
	t.Run("FT-10 crash in the middle of first start", func(t *testing.T) {
		t.Parallel()
		storages(t, func(t *testing.T, args []string) {
			args = append(args, "--demo")
			for n := range 8 {
				kill, _ := child(t, args...)
				time.Sleep(time.Duration(n+1) * 150 * time.Millisecond)
				kill()
			}
			s := start(t, args...)
			for username, want := range map[string]string{"demo88": "12480500", "agent88": "5000000"} {
				if got := s.balance(s.login(username, demo.Password)); got != want {
					t.Errorf("%s has %s, not %s", username, got, want)
				}
			}
			o := db.Options{Data: args[1]}
			if len(args) > 3 {
				o.URL = args[3]
			}
			store := dbtest.Open(t, o)
			for table, want := range map[string]int{"merchant": 1, "operator": 1, "member": 2, "game": gameCount(t), "transfer": 2} {
				var n int
				if err := store.Reader.QueryRow("SELECT COUNT(*) FROM " + table).Scan(&n); err != nil || n != want {
					t.Errorf("%d rows in %s, want %d (%v)", n, table, want, err)
				}
			}
			s.end()
			if code, out, errs := command(t, "", append([]string{"ledger", "verify"}, args[:len(args)-1]...)...); code != 0 {
				t.Errorf("%d %s%s", code, out, errs)
			}
		})
	})
}

func gameCount(t *testing.T) int {
	t.Helper()
	raw, err := os.ReadFile("../../internal/demo/data/games.json")
	if err != nil {
		t.Fatal(err)
	}
	var games []json.RawMessage
	if err := json.Unmarshal(raw, &games); err != nil {
		t.Fatal(err)
	}
	return len(games)
}

// The whole server killed under load: what was acknowledged is there, the books are right, and it is ready
// again within five seconds. The ledger's own tests do this twenty times on each engine.
func TestKilledServerComesBack(t *testing.T) {
	t.Parallel()
	storages(t, func(t *testing.T, args []string) {
		kill, out := child(t, append(args, "--demo")...)
		line, err := out.ReadString('\n')
		if err != nil || !served.MatchString(line) {
			t.Fatalf("%q %v", line, err)
		}
		running := postWhileRunning(t, args[1], true)
		for running.count() < 30 {
			time.Sleep(10 * time.Millisecond)
		}
		kill()
		running.stop()
		begin := time.Now()
		s := start(t, append(args, "--demo")...)
		if took := time.Since(begin); took > 5*time.Second {
			t.Errorf("ready again after %v", took)
		}
		keys := running.keys()
		o := db.Options{Data: args[1]}
		if len(args) > 2 {
			o.URL = args[3]
		}
		store := dbtest.Open(t, o)
		for _, key := range keys {
			var n int
			err := db.Bind(store.Engine, store.Reader).QueryRowContext(context.Background(),
				"SELECT COUNT(*) FROM transfer WHERE idem_key = $1 AND refusal IS NULL", "adjust/"+key).Scan(&n)
			if err != nil || n != 1 {
				t.Errorf("%s was acknowledged and is there %d times (%v)", key, n, err)
			}
		}
		res, err := http.Get(s.url + "/healthz")
		if err != nil || res.StatusCode != http.StatusOK {
			t.Errorf("health: %v %v", res, err)
		}
		_ = res.Body.Close()
		code, report, errs := command(t, "", append([]string{"ledger", "verify"}, args...)...)
		if code != 0 || !strings.Contains(report, "transfers") {
			t.Errorf("verify: %d %s%s", code, report, errs)
		}
		t.Logf("%d posts survived", len(keys))
	})
}
