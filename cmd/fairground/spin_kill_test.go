package main

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/db"
)

// A spinKill is a step of a spin at which the server is killed.
type spinKill struct {
	step
	late   bool   // restart so late that the stake is refunded
	status string // final status of the round
}

// spinSteps are the transactions of a spin. Each is interrupted before its commit.
var spinSteps = []spinKill{
	{step{"the round is stored", "INSERT", "house_round", "NEW.status = 'betting'"}, false, "settled"},
	{step{"the stake is taken", "INSERT", "transfer", "NEW.kind = 'vendor.bet'"}, false, "settled"},
	{step{"the outcome is drawn", "UPDATE", "house_round", "NEW.status = 'bet'"}, false, "settled"},
	{step{"the win is paid", "INSERT", "transfer", "NEW.kind = 'vendor.win'"}, false, "settled"},
	{step{"the round is settled", "UPDATE", "house_round", "NEW.status = 'settled'"}, false, "settled"},
	{step{"the stake is taken", "INSERT", "transfer", "NEW.kind = 'vendor.bet'"}, true, "refunded"},
	{step{"the outcome is drawn", "UPDATE", "house_round", "NEW.status = 'bet'"}, true, "refunded"},
	{step{"the win is paid", "INSERT", "transfer", "NEW.kind = 'vendor.win'"}, true, "settled"},
}

// After a restart, the server completes the round: it is settled with one stake and one win, or refunded. A repeated spin
// returns the same round.
func TestKillDuringSpin(t *testing.T) {
	t.Parallel()
	t.Run("PP-15, FT-01 spin part: kill -9 during POST /house/v1/spin: nothing is lost or doubled, and the round ends after the restart", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, testKillDuringSpin)
	})
}

func testKillDuringSpin(t *testing.T, args []string) {
	serve, o := append(args, "--demo"), optionsOf(args)
	settled := 0
	for n, k := range spinKills() {
		execSQL(t, o, "UPDATE house_round SET created_at = created_at - 10000") // avoids the minimum time between rounds
		remove := k.install(t, o)
		kill, out := startChild(t, serve...)
		s := &program{t: t, url: serverURL(t, out)}
		frame, stake := openSlot(s)
		spin := fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, n, stake)
		go sendSpin(t, s.url, frame, spin)
		killAtStep(t, o, kill, out)
		remove()
		age := 10 * time.Second // recovery skips younger rounds
		if k.late {
			age = 2 * time.Minute
		}
		execSQL(t, o, fmt.Sprintf("UPDATE house_round SET created_at = created_at - %d WHERE status NOT IN ('settled', 'refunded')", age.Milliseconds()))

		s = start(t, serve...)
		const unfinished = "SELECT COUNT(*) FROM house_round WHERE status NOT IN ('settled', 'refunded')"
		for end := time.Now().Add(testTimeout); count(o, unfinished) > 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("killed when %s: the round does not end", k.name)
			}
		}
		switch a := s.call(http.MethodPost, "/house/v1/spin", frame, spin); {
		case k.status == "settled" && a.status != http.StatusOK, k.status == "refunded" && a.ErrorCode != "house.refunded":
			t.Errorf("killed when %s: repeated spin: %+v", k.name, a)
		}
		if k.status == "settled" {
			settled++
		}
		checkSpins(t, s, o, k.name, n+1, settled)
		s.end()
	}
	last := strconv.Itoa(count(o, "SELECT MAX(id) FROM house_round WHERE status = 'settled'"))
	if code, out, stderr := command(t, "", append([]string{"fairness", "verify", "--round", last}, args...)...); code != 0 || !strings.Contains(out, "matches the stored outcome") {
		t.Errorf("fairness: %d %s%s, want exit code 0 and \"matches the stored outcome\"", code, out, stderr)
	}
	if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
		t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
	}
}

// checkSpins compares the rounds with the wallet's transfers, the player's balance and the record.
func checkSpins(t *testing.T, s *program, o db.Options, when string, rounds, settled int) {
	t.Helper()
	for query, want := range map[string]int{
		"SELECT COUNT(*) FROM house_round":                                  rounds,
		"SELECT COUNT(*) FROM house_round WHERE status = 'settled'":         settled,
		"SELECT COUNT(*) FROM vendor_move WHERE call = 'win'":               settled,
		"SELECT COUNT(*) FROM vendor_round WHERE status = 'open'":           0,
		"SELECT COUNT(*) FROM vendor_round WHERE status IN ('won', 'lost')": settled,
	} {
		if got := count(o, query); got != want {
			t.Errorf("killed when %s: %s = %d, want %d", when, query, got, want)
		}
	}
	want := 12_480_500 + count(o, "SELECT CAST(COALESCE(SUM(win - stake), 0) AS BIGINT) FROM house_round WHERE status = 'settled'")
	token := s.login("demo88", demo.Password)
	if got := s.balance(token); got != strconv.Itoa(want) {
		t.Errorf("killed when %s: balance of demo88 = %s, want %d", when, got, want)
	}
	page := value[struct {
		Totals struct{ Net float64 }
	}](s, http.MethodGet, "/wps/report/accountGameBetHistory", token, "")
	if int(page.Totals.Net) != want-12_480_500 {
		t.Errorf("killed when %s: net of the record = %v, want %d", when, page.Totals.Net, want-12_480_500)
	}
}

// openSlot launches a slot for demo88 and returns the token of its frame and the default stake.
func openSlot(s *program) (token, stake string) {
	s.t.Helper()
	l := value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", s.login("demo88", demo.Password),
		`{"gameCategory":"RNG","vendor":"JL","gameId":"rng-001","supportPlay":true}`)
	ticket, found := strings.CutPrefix(l.GameURL, "/m/house/?t=")
	if !found {
		s.t.Fatalf("launch address = %s, want a ticket in it", l.GameURL)
	}
	f := value[gameFrame](s, http.MethodPost, "/house/v1/session", "", body(map[string]any{"ticket": ticket}))
	return f.Token, f.Slot.Stake.String()
}

// sendSpin sends a spin to a server that is about to be killed.
func sendSpin(t *testing.T, url, frame, spin string) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/house/v1/spin", strings.NewReader(spin))
	if err != nil {
		t.Errorf("got %v, want no error", err)
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", frame)
	if res, err := http.DefaultClient.Do(r); err == nil {
		_ = res.Body.Close() // the response does not matter
	}
}
