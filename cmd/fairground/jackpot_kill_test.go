package main

import (
	"bufio"
	"database/sql/driver"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"modernc.org/sqlite"

	"fairground/internal/demo"
	"fairground/internal/game/fairness"
	"fairground/internal/game/jackpot"
	"fairground/internal/money"
	"fairground/internal/platform/db"
)

// stopFunction is the name of a trigger, and of its function, that stops a server during a transaction. On SQLite the
// function kills its process. On PostgreSQL it sleeps until the test kills the server.
const stopFunction = "stop_here"

// registerStopFunction registers the SQLite function. Only child processes call it.
func registerStopFunction() {
	sqlite.MustRegisterScalarFunction(stopFunction, 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		fmt.Println(stopFunction)
		self, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = self.Kill()
		}
		if err != nil {
			return nil, err
		}
		select {} // wait for the kill
	})
}

// A step is a write within a transaction.
type step struct{ name, event, table, when string }

var winSteps = []step{
	{"the stake is drawn for", "UPDATE", "jackpot_ticket", "NEW.state = 'drawn'"},
	{"the pool is paid", "INSERT", "transfer", "NEW.kind = 'jackpot.win'"},
	{"the win is stored and its seed revealed", "INSERT", "jackpot_win", "NEW.series = 1"},
	{"the next pool is started", "INSERT", "transfer", "NEW.kind = 'jackpot.seed'"},
	{"the pool is written", "UPDATE", "jackpot_pool", "NEW.series > OLD.series"},
	{"the winner's event is written", "INSERT", "outbox", "NEW.payload LIKE '%jackpot.won%'"},
}

// execSQL executes a statement on a database. On SQLite it waits for a running server's transaction.
func execSQL(t *testing.T, o db.Options, statement string, args ...any) {
	t.Helper()
	store, err := db.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := db.Bind(store.Engine, store.Writer).ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func (s step) install(t *testing.T, o db.Options) (remove func()) {
	t.Helper()
	if o.URL == "" {
		execSQL(t, o, fmt.Sprintf("CREATE TRIGGER %s AFTER %s ON %s WHEN %s BEGIN SELECT %s(); END", stopFunction, s.event, s.table, s.when, stopFunction))
		return func() { execSQL(t, o, "DROP TRIGGER "+stopFunction) }
	}
	execSQL(t, o, "CREATE FUNCTION "+stopFunction+"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NULL; END $$")
	execSQL(t, o, fmt.Sprintf("CREATE TRIGGER %s AFTER %s ON %s FOR EACH ROW WHEN (%s) EXECUTE FUNCTION %s()", stopFunction, s.event, s.table, s.when, stopFunction))
	return func() { execSQL(t, o, "DROP FUNCTION "+stopFunction+" CASCADE") }
}

// sleepers selects the PostgreSQL sessions that wait in the trigger.
const sleepers = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'"

// killAtStep waits until the child reaches the step and kills it.
func killAtStep(t *testing.T, o db.Options, kill func(), out *bufio.Reader) {
	t.Helper()
	if o.URL == "" {
		for output := ""; !strings.Contains(output, stopFunction); {
			line, err := out.ReadString('\n')
			if output += line; err != nil {
				t.Fatalf("the child ended before the step: %q %v", output, err)
			}
		}
		kill()
		return
	}
	if !awaitRows(o, "SELECT COUNT(*) "+sleepers) {
		t.Fatal("the child did not reach the step")
	}
	kill()
	// PostgreSQL notices the closed connection only after the sleep.
	for end := time.Now().Add(testTimeout); count(o, "SELECT COUNT(*) "+sleepers) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the transaction of the killed server is still active")
		}
		execSQL(t, o, "SELECT pg_terminate_backend(pid) "+sleepers)
	}
}

// serverURL reads the address of a server from its output.
func serverURL(t *testing.T, out *bufio.Reader) string {
	t.Helper()
	for output := ""; ; {
		line, err := out.ReadString('\n')
		if output += line; err != nil {
			t.Fatalf("output ended early: %q (%v)", output, err)
		}
		if found := listeningLine.FindStringSubmatch(output); found != nil {
			return found[1]
		}
	}
}

type poolInfo struct {
	Amount, Seed                    json.Number
	Series, Draws, Link             int64
	ClientSeed, Commitment, ChainID string
}

// winningSeed finds a seed with which the next draw of a pool wins.
func winningSeed(t *testing.T, p poolInfo, stake money.Minor) fairness.Seed {
	t.Helper()
	rules, _ := jackpot.RulesOf("VND")
	for n := range uint64(10_000_000) {
		var seed fairness.Seed
		binary.BigEndian.PutUint64(seed[:], n+1)
		if rules.Draw(seed, p.ClientSeed, p.Draws+1, stake).Won() {
			return seed
		}
	}
	t.Fatal("no winning seed found")
	return fairness.Seed{}
}

// The test kills the server in every step of a jackpot win. The win must be paid exactly once, after the last restart.
func TestKillDuringJackpotWin(t *testing.T) {
	t.Parallel()
	t.Run("FT-06 PP-13, FT-01 jackpot part: kill -9 in each step of a jackpot's win", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, testKillDuringJackpotWin)
	})
}

func testKillDuringJackpotWin(t *testing.T, args []string) {
	const stake = 500_000 // the maximum that counts for the jackpot
	serve, o := append(args, "--demo"), optionsOf(args)
	s := start(t, serve...)
	v := newVendorClient(t, s, args)
	runCommand(t, "", args, "merchant", "set", "jackpot.vendors", `["TEST"]`)
	before := value[poolInfo](s, http.MethodGet, "/wps/jackpot/pool", v.token, "")
	initial, _ := strconv.ParseInt(s.balance(v.token), 10, 64)
	if got := v.callVendor(t, "bet", v.Fields("b1", "r1", map[string]any{"amount": strconv.Itoa(stake)})); got.Code != "OK" {
		t.Fatalf("bet = %+v, want OK", got)
	}
	s.end()
	// Older versions stored the seed without sealing it.
	seed := winningSeed(t, before, stake)
	execSQL(t, o, "UPDATE jackpot_pool SET seed = $1 WHERE currency = 'VND'", seed[:])

	for i, step := range winSteps {
		remove := step.install(t, o)
		kill, out := startChild(t, serve...)
		if i == 0 {
			v.URL = serverURL(t, out)
			if !awaitRows(o, "SELECT COUNT(*) FROM jackpot_pool WHERE currency = 'VND' AND LENGTH(seed) > 32") {
				t.Fatal("PP-13 the seed was not sealed")
			}
			_, _ = v.Call(t.Context(), "win", v.Fields("w1", "r1", map[string]any{"amount": "0", "endRound": true})) // the server may be killed before the response
		}
		killAtStep(t, o, kill, out)
		remove()
		for query, want := range map[string]int{
			"SELECT COUNT(*) FROM jackpot_win":                                                0,
			"SELECT COUNT(*) FROM transfer WHERE kind = 'jackpot.win'":                        0,
			"SELECT COUNT(*) FROM outbox WHERE payload LIKE '%jackpot.won%'":                  0,
			"SELECT COUNT(*) FROM jackpot_ticket WHERE state = 'open'":                        1,
			"SELECT series FROM jackpot_pool WHERE currency = 'VND'":                          1,
			"SELECT COUNT(*) FROM jackpot_pool WHERE LENGTH(seed) = 32":                       0, // the first start sealed it
			"SELECT COUNT(*) FROM transfer WHERE kind = 'jackpot.share'":                      0,
			"SELECT COUNT(*) FROM transfer WHERE kind = 'jackpot.seed' AND ref_id LIKE '%-2'": 0,
		} {
			if got := count(o, query); got != want {
				t.Errorf("killed when %s: %s = %d, want %d", step.name, query, got, want)
			}
		}
	}

	kill, _ := startChild(t, serve...)
	if !awaitRows(o, "SELECT COUNT(*) FROM jackpot_win") {
		t.Fatal("the jackpot was not won")
	}
	kill()
	s = start(t, serve...)
	v.URL, v.s = s.url, s
	v.checkWin(t, before, seed, initial, stake)
	v.playNextPool(t, before)
	s.end()
	if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
		t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
	}
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM jackpot_win":                                                1,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'jackpot.win' AND refusal IS NULL":    1,
		"SELECT COUNT(*) FROM transfer WHERE kind = 'jackpot.seed' AND ref_id LIKE '%-2'": 1,
	} {
		if got := count(o, query); got != want {
			t.Errorf("%s = %d, want %d", query, got, want)
		}
	}
}

// checkWin compares the winner's balance and record with the pool, and recomputes the draw.
func (o *vendorClient) checkWin(t *testing.T, before poolInfo, seed fairness.Seed, initial, stake int64) {
	t.Helper()
	token := o.s.login("demo88", demo.Password)
	amount, _ := before.Amount.Int64()
	amount += stake / 100
	if got := o.s.balance(token); got != strconv.FormatInt(initial-stake+amount, 10) {
		t.Errorf("PP-13 balance of the winner = %s, initial = %d, stake = %d, win = %d, want %v", got, initial, stake, amount, strconv.FormatInt(initial-stake+amount, 10))
	}
	record := value[struct {
		List []struct {
			RoundID, Status string
			Net             json.Number
			Jackpots        []struct {
				Series, Nonce int64
				Amount        json.Number
			}
		}
		Totals struct{ Jackpot, Net json.Number }
	}](o.s, http.MethodGet, "/wps/report/accountGameBetHistory?vendor=TEST", token, "")
	net := json.Number(strconv.FormatInt(amount-stake, 10))
	if len(record.List) != 1 || len(record.List[0].Jackpots) != 1 || record.List[0].Status != "won" || record.List[0].Net != net || record.Totals.Net != net {
		t.Fatalf("CA-31 PP-13 record = %+v, want net %s", record, net)
	}
	won := record.List[0].Jackpots[0]
	if won.Amount.String() != strconv.FormatInt(amount, 10) || record.Totals.Jackpot != won.Amount {
		t.Errorf("CA-31 PP-13 %+v, want amount %v and jackpot %v", record, strconv.FormatInt(amount, 10), won.Amount)
	}
	draw := value[struct {
		Seed, Won              *json.RawMessage
		ClientSeed, Commitment string
	}](o.s, http.MethodGet, fmt.Sprintf("/wps/jackpot/draw?currency=VND&series=%d&nonce=%d", won.Series, won.Nonce), "", "")
	if draw.Seed == nil || string(*draw.Seed) != strconv.Quote(seed.Hex()) || draw.Won == nil || string(*draw.Won) != won.Amount.String() {
		t.Fatalf("PP-13 draw = %+v, want the seed %s and the win %s", draw, seed.Hex(), won.Amount)
	}
	code, out, stderr := command(t, "", "fairness", "jackpot", "--seed", seed.Hex(), "--client", draw.ClientSeed, "--nonce", strconv.FormatInt(won.Nonce, 10),
		"--stake", strconv.FormatInt(stake, 10), "--currency", "VND", "--commitment", draw.Commitment)
	if code != 0 || !strings.Contains(out, ": wins") {
		t.Errorf("PP-13 fairness jackpot: %d %s%s, want exit code 0 and \": wins\"", code, out, stderr)
	}
}

// playNextPool checks the next pool and stakes for it.
func (o *vendorClient) playNextPool(t *testing.T, before poolInfo) {
	t.Helper()
	now := value[poolInfo](o.s, http.MethodGet, "/wps/jackpot/pool", "", "")
	if now.Series != 2 || now.Amount != now.Seed || now.Draws != 0 || now.ChainID != before.ChainID || now.Link != before.Link+1 {
		t.Errorf("PP-13 next pool = %+v, previous pool = %+v, want the next link of its chain", now, before)
	}
	for _, c := range []struct {
		call   string
		fields map[string]any
	}{{"bet", map[string]any{"amount": "100000"}}, {"win", map[string]any{"amount": "0", "endRound": true}}} {
		if got := o.callVendor(t, c.call, o.Fields(c.call+"2", "r2", c.fields)); got.Code != "OK" {
			t.Fatalf("%s = %+v, want OK", c.call, got)
		}
	}
	for end := time.Now().Add(testTimeout); ; time.Sleep(20 * time.Millisecond) {
		now = value[poolInfo](o.s, http.MethodGet, "/wps/jackpot/pool", "", "")
		if now.Draws == 1 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("PP-13 the next pool has no draw")
		}
	}
	if seed, _ := now.Seed.Int64(); now.Amount.String() != strconv.FormatInt(seed+1000, 10) {
		t.Errorf("PP-13 amount of the next pool = %s, want 1000 more than the start", now.Amount)
	}
}
