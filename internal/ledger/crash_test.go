package ledger_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/ledger"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
)

const crashMembers = 8

// TestKilledUnderLoad covers FT-01 for the ledger. It repeatedly kills a process that posts from many callers. Every
// acknowledged post must exist exactly once, the books must be consistent, and a new process must be ready in time.
func TestKilledUnderLoad(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			setup := dbtest.Open(t, o)
			w := newTestLedger(t, setup, crashMembers, 1_000_000_000, ledger.Options{})
			w.Close()
			if e == db.SQLite { // only the child may open the file
				if err := setup.Close(); err != nil {
					t.Fatal(err)
				}
			}
			acknowledged := map[string]int64{}
			var ready []time.Duration
			for run := range crashes {
				ready = append(ready, runAndKill(t, o, run, acknowledged))
			}
			// Compare the median, and with the start of an empty process, because one start depends on the machine's load.
			if slices.Sort(ready); ready[crashes/2] > max(readyWithin, 20*emptyProcessTime(t)) {
				t.Errorf("ready after %v, want a median of at most %v or 20 empty processes", ready, readyWithin)
			}
			t.Logf("%d posts acknowledged in %d runs", len(acknowledged), crashes)
			s := dbtest.Open(t, o)
			checkAcknowledged(t, s, acknowledged)
			(&testLedger{store: s}).verify(t)
		})
	}
}

// runAndKill starts a process, kills it after some posts and adds its acknowledged posts to the map. It returns the
// time until the process was ready.
func runAndKill(t *testing.T, o db.Options, run int, acknowledged map[string]int64) (ready time.Duration) {
	t.Helper()
	options, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "LEDGER_CHILD="+strconv.Itoa(run), "LEDGER_OPTIONS="+string(options))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("run %d: child printed %q, want ready", run, lines.Text())
	}
	ready = time.Since(start)
	// Kill after a number of posts, because a busy machine may post nothing for a while.
	postsUntilKill := 1 + rand.IntN(60)
	for lines.Scan() {
		if postsUntilKill--; postsUntilKill == 0 {
			_ = cmd.Process.Kill() // the loop still reads the output so far
		}
		key, id, ok := strings.Cut(lines.Text(), " ")
		if !ok {
			break // incomplete line
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(id, "."), 10, 64)
		if err != nil || !strings.HasSuffix(id, ".") {
			break
		}
		acknowledged[key] = n
	}
	_ = cmd.Wait()
	return ready
}

// emptyProcessTime measures how long a process takes that does no work.
func emptyProcessTime(t *testing.T) time.Duration {
	t.Helper()
	start := time.Now()
	if err := exec.Command(os.Args[0], "-test.list", "^$").Run(); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}

func checkAcknowledged(t *testing.T, s *db.Store, acknowledged map[string]int64) {
	t.Helper()
	if len(acknowledged) < crashes {
		t.Errorf("%d posts were acknowledged, want at least %d", len(acknowledged), crashes)
	}
	rows, err := s.Reader.Query("SELECT idem_key, id FROM transfer WHERE refusal IS NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var key string
		var id int64
		if err := rows.Scan(&key, &id); err != nil {
			t.Fatal(err)
		}
		if want, ok := acknowledged[key]; ok && want != id {
			t.Errorf("%s has id %d, was acknowledged as %d", key, id, want)
		}
		delete(acknowledged, key)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for key, id := range acknowledged {
		t.Errorf("%s was acknowledged as %d but is missing", key, id)
	}
}

// child is the main function of the process to kill. It posts, and prints each acknowledged post.
func child(run string) {
	var o db.Options
	if err := json.Unmarshal([]byte(os.Getenv("LEDGER_OPTIONS")), &o); err != nil {
		panic(err)
	}
	ctx := context.Background()
	s := must(db.Open(ctx, o))
	w := &testLedger{Ledger: ledger.New(s, ledger.Options{}), store: s}
	if err := w.load(crashMembers); err != nil {
		panic(err)
	}
	fmt.Println("ready")
	var wg sync.WaitGroup
	for c := range 16 {
		wg.Go(func() {
			for {
				t := w.bet((c+rand.IntN(crashMembers))%crashMembers, 1)
				if c%4 == 0 {
					t.Debit, t.Credit = t.Credit, t.Debit
				}
				t.Key = run + "/" + t.Key
				p, err := w.Post(ctx, t)
				if err != nil {
					panic(err)
				}
				_, _ = fmt.Fprintf(os.Stdout, "%s %d.\n", t.Key, p.ID) // one write per line
			}
		})
	}
	wg.Wait()
}
