package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

// blockEnv holds a query. A child process blocks when the query returns a positive number.
const blockEnv = "FAIRGROUND_TEST_HELD"

// blockingClock returns a clock that blocks forever once the query returns a positive number. All writes use the clock, so
// the process stops there and can be killed.
func blockingClock(o db.Options, query string) func() time.Time {
	o.ReadOnly = true
	var mu sync.Mutex
	var store *db.Store
	reached := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if store == nil {
			opened, err := db.Open(context.Background(), o)
			if err != nil {
				return false // the database does not exist yet
			}
			store = opened
		}
		var n int
		return store.Reader.QueryRow(query).Scan(&n) == nil && n > 0
	}
	return func() time.Time {
		if reached() {
			select {}
		}
		return time.Now()
	}
}

// startChild starts a server in a separate process and returns a function that kills it.
func startChild(t *testing.T, args ...string) (kill func(), out *bufio.Reader) {
	t.Helper()
	return startBlockedChild(t, "", args...)
}

// startBlockedChild starts a child that blocks when the query returns a positive number.
func startBlockedChild(t *testing.T, query string, args ...string) (kill func(), out *bufio.Reader) {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(os.Environ(), childEnv+"=1", blockEnv+"="+query)
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
		_ = cmd.Wait() // fails because of the kill
	})
	t.Cleanup(kill)
	return kill, bufio.NewReader(pipe)
}

// The next start completes an interrupted first start.
func TestKillDuringFirstStart(t *testing.T) {
	t.Parallel()
	t.Run("FT-10 crash in the middle of first start", func(t *testing.T) {
		t.Parallel()
		eachStorage(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			// Each start is killed when its query returns a positive number. The next one continues.
			for _, query := range []string{
				"SELECT COUNT(*) FROM goose_db_version WHERE version_id > 1",
				"SELECT COUNT(*) FROM merchant",
				"SELECT COUNT(*) FROM vendor",
				"SELECT COUNT(*) FROM game",
				"SELECT COUNT(*) FROM announcement",
				"SELECT COUNT(*) FROM member",
				"SELECT COUNT(*) FROM transfer",
				"SELECT COUNT(*) - 1 FROM member",
			} {
				kill, _ := startBlockedChild(t, query, serve...)
				if !awaitRows(optionsOf(args), query) {
					t.Errorf("not reached: %s", query)
				}
				kill()
				if count(optionsOf(args), "SELECT COUNT(*) FROM operator") != 0 { // created last
					t.Errorf("the first start was complete before the kill: %s", query)
				}
			}
			s := start(t, serve...)
			for username, want := range map[string]string{"demo88": "12480500", "agent88": "5000000"} {
				if got := s.balance(s.login(username, demo.Password)); got != want {
					t.Errorf("balance of %s = %s, want %s", username, got, want)
				}
			}
			for table, want := range map[string]int{"merchant": 1, "operator": 2, "member": 2, "game": gameCount(t), "transfer": 4} {
				if n := count(optionsOf(args), "SELECT COUNT(*) FROM "+table); n != want {
					t.Errorf("%d rows in %s, want %d", n, table, want)
				}
			}
			s.end()
			if code, out, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 {
				t.Errorf("ledger verify: exit code = %d, want 0: %s%s", code, out, stderr)
			}
		})
	})
}

// awaitRows waits until a query returns a positive number.
func awaitRows(o db.Options, query string) bool {
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if count(o, query) > 0 {
			return true
		}
	}
	return false
}

// count returns the result of a query, or 0 if the table or the database does not exist.
func count(o db.Options, query string) (n int) {
	o.ReadOnly = true
	store, err := db.Open(context.Background(), o)
	if err != nil {
		return 0
	}
	defer store.Close()
	if store.Reader.QueryRow(query).Scan(&n) != nil {
		return 0
	}
	return n
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

// Acknowledged transfers survive when the server is killed. Others are repeated with the same key and posted once.
func TestKillUnderLoad(t *testing.T) {
	t.Parallel()
	t.Run(killTitle, func(t *testing.T) {
		t.Parallel()
		eachStorage(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			acknowledged := map[string]int64{}
			var open []string
			var startTimes []time.Duration
			repeatOpen := func() {
				l := &load{data: args[1], done: acknowledged}
				for _, key := range open {
					if err := l.post(t.Context(), key); err != nil {
						t.Errorf("repeat %s: %v", key, err)
					}
				}
			}
			for run := range kills {
				begin := time.Now()
				kill, out := startChild(t, serve...)
				serverURL(t, out)
				if run > 0 { // the first start creates all data
					startTimes = append(startTimes, time.Since(begin))
				}
				repeatOpen()
				posting := postWhileRunning(t, args, fmt.Sprintf("run%d", run), true)
				posting.await(t, 20)
				time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
				kill()
				posting.stop()
				maps.Copy(acknowledged, posting.acknowledged())
				open = posting.open
			}
			begin := time.Now()
			s := start(t, serve...)
			startTimes = append(startTimes, time.Since(begin))
			// Other tests use the CPU, too. The fastest start shows what the server needs; the median shows occasional
			// waits.
			slices.Sort(startTimes)
			if fastest, median := startTimes[0], startTimes[len(startTimes)/2]; fastest > readyWithin || median > max(readyWithin, 8*fastest) {
				t.Errorf("start times = %v, want at most %v", startTimes, readyWithin)
			}
			repeatOpen()
			checkAcknowledged(t, optionsOf(args), acknowledged)
			if got, want := s.balance(s.login("demo88", demo.Password)), 12_480_500+len(acknowledged); got != strconv.Itoa(want) {
				t.Errorf("balance of demo88 = %s, want %d", got, want)
			}
			if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
				t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
			}
			if code, report, stderr := command(t, "", append([]string{"audit", "verify"}, args...)...); code != 0 || !strings.Contains(report, " rows, unbroken.") {
				t.Errorf("audit verify: %d %s%s, want exit code 0 and \" rows, unbroken.\"", code, report, stderr)
			}
			t.Logf("%d transfers survived %d kills", len(acknowledged), kills)
		})
	})
}

// checkAcknowledged checks that the ledger has exactly the acknowledged corrections.
func checkAcknowledged(t *testing.T, o db.Options, acknowledged map[string]int64) {
	t.Helper()
	o.ReadOnly = true
	rows, err := dbtest.Open(t, o).Reader.QueryContext(t.Context(), "SELECT idem_key, id FROM transfer WHERE kind = 'adjustment' AND refusal IS NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	posted := map[string]int64{}
	for rows.Next() {
		var key string
		var id int64
		if err := rows.Scan(&key, &id); err != nil {
			t.Fatal(err)
		}
		posted[strings.TrimPrefix(key, "adjust/")] = id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(acknowledged, posted); diff != "" {
		t.Errorf("the ledger differs from the acknowledged corrections (-acknowledged +posted):\n%s", diff)
	}
}

// optionsOf returns the database options of command-line arguments.
func optionsOf(args []string) db.Options {
	o := db.Options{Data: args[1]}
	if len(args) > 3 {
		o.URL = args[3]
	}
	return o
}
