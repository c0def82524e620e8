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

// blockEnv makes a child stop where it is when the database shows what this query asks for.
const blockEnv = "FAIRGROUND_TEST_HELD"

// heldAt is a clock that never answers again once the query counts something, so that whoever asks for the time, as all do
// who write a row, waits there to be killed.
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
				return false // not made yet
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

// child starts the program in a process of its own, to be killed.
func startChild(t *testing.T, args ...string) (kill func(), out *bufio.Reader) {
	t.Helper()
	return startBlockedChild(t, "", args...)
}

// childHeld starts one that goes no further than the query says.
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
		eachStorage(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			// Each goes no further than where the database shows what the query asks for, and the next goes on from there.
			for _, seen := range []string{
				"SELECT COUNT(*) FROM goose_db_version WHERE version_id > 1",
				"SELECT COUNT(*) FROM merchant",
				"SELECT COUNT(*) FROM vendor",
				"SELECT COUNT(*) FROM game",
				"SELECT COUNT(*) FROM announcement",
				"SELECT COUNT(*) FROM member",
				"SELECT COUNT(*) FROM transfer",
				"SELECT COUNT(*) - 1 FROM member",
			} {
				kill, _ := startBlockedChild(t, seen, serve...)
				if !awaitRows(optionsOf(args), seen) {
					t.Errorf("never seen: %s", seen)
				}
				kill()
				if count(optionsOf(args), "SELECT COUNT(*) FROM operator") != 0 { // made last
					t.Errorf("not killed midway: %s", seen)
				}
			}
			s := start(t, serve...)
			for username, want := range map[string]string{"demo88": "12480500", "agent88": "5000000"} {
				if got := s.balance(s.login(username, demo.Password)); got != want {
					t.Errorf("%s has %s, not %s", username, got, want)
				}
			}
			for table, want := range map[string]int{"merchant": 1, "operator": 1, "member": 2, "game": gameCount(t), "transfer": 4} {
				if n := count(optionsOf(args), "SELECT COUNT(*) FROM "+table); n != want {
					t.Errorf("%d rows in %s, want %d", n, table, want)
				}
			}
			s.end()
			if code, out, errs := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 {
				t.Errorf("%d %s%s", code, out, errs)
			}
		})
	})
}

// awaitSome asks a database that another process is making until the count is above zero.
func awaitRows(o db.Options, query string) bool {
	for end := time.Now().Add(testTimeout); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if count(o, query) > 0 {
			return true
		}
	}
	return false
}

// count is 0 as long as the table, or the whole database, is not there.
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

// The server is killed under load again and again. It is ready again in time; what callers noted as
// acknowledged is there once, under the same number; what got no answer is asked again by its key and is there
// once as well; the books are right.
func TestKilledServerComesBack(t *testing.T) {
	t.Parallel()
	t.Run("FT-01 kill -9 of the server under load, three times in the gate and 20 times in the soak", func(t *testing.T) {
		t.Parallel()
		eachStorage(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			noted := map[string]int64{}
			var open []string
			var took []time.Duration
			again := func() { // as a caller does who was not answered
				l := &load{data: args[1], done: noted}
				for _, key := range open {
					if err := l.post(t.Context(), key); err != nil {
						t.Errorf("%s again: %v", key, err)
					}
				}
			}
			for run := range kills {
				begin := time.Now()
				kill, out := startChild(t, serve...)
				for said := ""; !servesLine.MatchString(said); { // the first operator's password may come before it
					line, err := out.ReadString('\n')
					if said += line; err != nil {
						t.Fatalf("start %d: %q %v", run, said, err)
					}
				}
				if run > 0 { // the first one makes everything
					took = append(took, time.Since(begin))
				}
				again()
				posting := postWhileRunning(t, args[1], fmt.Sprintf("run%d", run), true)
				posting.await(t, 20)
				time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond)
				kill()
				posting.stop()
				maps.Copy(noted, posting.acknowledged())
				open = posting.open
			}
			begin := time.Now()
			s := start(t, serve...)
			took = append(took, time.Since(begin))
			// Other tests have the processors as well. What the server itself needs shows in its quickest start, and that it
			// does not wait for something now and then in how far the middle one is from it.
			slices.Sort(took)
			if quick, middle := took[0], took[len(took)/2]; quick > readyWithin || middle > max(readyWithin, 8*quick) {
				t.Errorf("ready only after %v", took)
			}
			again()
			checkAcknowledged(t, optionsOf(args), noted)
			if got, want := s.balance(s.login("demo88", demo.Password)), 12_480_500+len(noted); got != strconv.Itoa(want) {
				t.Errorf("demo88 has %s, not %d", got, want)
			}
			if code, report, errs := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
				t.Errorf("verify: %d %s%s", code, report, errs)
			}
			t.Logf("%d posts survived %d kills", len(noted), kills)
		})
	})
}

// checkNoted compares the corrections in the books with those that were acknowledged: the same, and no others.
func checkAcknowledged(t *testing.T, o db.Options, noted map[string]int64) {
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
	if diff := cmp.Diff(noted, posted); diff != "" {
		t.Errorf("the books differ from what was acknowledged (-acknowledged +posted):\n%s", diff)
	}
}

// optionsOf opens the database that the arguments name.
func optionsOf(args []string) db.Options {
	o := db.Options{Data: args[1]}
	if len(args) > 3 {
		o.URL = args[3]
	}
	return o
}
