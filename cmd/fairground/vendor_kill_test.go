package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/game/conformance"
)

// A vendorCall is a call of the vendor protocol with its first response.
type vendorCall struct {
	call   string
	fields map[string]any
	got    conformance.Response // HTTP is 0 without a response
}

// A vendor repeats all its calls after each restart. Repeated calls return the same response, and the balance, the betting
// record and the ledger agree with the responses.
func TestKillDuringVendorCalls(t *testing.T) {
	t.Parallel()
	t.Run("FT-06, FT-01 vendor part: kill -9 during bets, wins, rollbacks and ends in every order, every call repeated", func(t *testing.T) {
		t.Parallel()
		forEachDatabase(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			s := start(t, serve...)
			runCommand(t, "", args, "merchant", "set", "jackpot.share", "100")
			o := newVendorClient(t, s, args)
			runCommand(t, "", args, "merchant", "set", "jackpot.vendors", `["TEST"]`)
			s.end()
			var all []*vendorCall
			unanswered := 0
			seed := killSeed()
			t.Logf("random seed %d", seed)
			random := rand.New(rand.NewPCG(seed, 0))
			for run := range vendorCallKills {
				kill, out := startChild(t, serve...)
				o.URL = serverURL(t, out)
				unanswered += o.repeatAll(t, all)
				all = append(all, o.playUntilKilled(t, random, fmt.Sprintf("k%d", run), kill)...)
			}
			s = start(t, serve...)
			o.URL = s.url
			unanswered += o.repeatAll(t, all)
			if o.repeatAll(t, all) != 0 {
				t.Error("a repeated call was executed again")
			}
			o.checkBalances(t, s, all)
			o.checkJackpot(t, s, args)
			s.end()
			if code, report, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
				t.Errorf("verify: %d %s%s, want exit code 0 and \"transfers\"", code, report, stderr)
			}
			t.Logf("%d calls, %d of them without a response, survived %d kills", len(all), unanswered, vendorCallKills)
			if unanswered == 0 {
				t.Error("no call was in progress during a kill")
			}
		})
	})
}

// playUntilKilled plays rounds from several goroutines, kills the server, and returns all calls, in order per goroutine.
func (o *vendorClient) playUntilKilled(t *testing.T, random *rand.Rand, name string, kill func()) []*vendorCall {
	t.Helper()
	first := random.IntN(orders)
	var answered atomic.Int64
	played := make([][]*vendorCall, 6)
	var callers sync.WaitGroup
	for c := range played {
		callers.Go(func() {
			for n := 0; ; n++ {
				// Each goroutine starts with a different kind of round, so that the common kinds occur before the kill.
				kind := c + n
				if n > 0 {
					kind = first + c + n*len(played)
				}
				for _, s := range o.round(fmt.Sprintf("%s-c%d-%d", name, c, n), kind) {
					played[c] = append(played[c], s)
					got, err := o.Call(t.Context(), s.call, s.fields)
					if err != nil || got.HTTP >= http.StatusInternalServerError {
						return // the server was killed
					}
					s.got = got
					answered.Add(1)
				}
			}
		})
	}
	for end := time.Now().Add(testTimeout); answered.Load() < 40; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d calls had a response, want 40", answered.Load())
		}
	}
	time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond)
	kill()
	callers.Wait()
	var all []*vendorCall
	for _, p := range played {
		all = append(all, p...)
	}
	return all
}

// orders is the number of kinds of rounds.
const orders = 4 + 24

// round returns the calls of one round: won, lost, rolled back, rolled back before its bet, or a permutation of all calls.
func (o *vendorClient) round(id string, n int) []*vendorCall {
	amount := func(a string) map[string]any { return map[string]any{"amount": a} }
	win := func(a string) *vendorCall {
		return &vendorCall{call: "win", fields: o.Fields(id+"-w", id, map[string]any{"amount": a, "endRound": true})}
	}
	bet := &vendorCall{call: "bet", fields: o.Fields(id+"-b", id, amount("100"))}
	rollback := &vendorCall{call: "rollback", fields: o.Fields(id+"-r", id, map[string]any{"refTxId": o.Run + "-" + id + "-b"})}
	delete(rollback.fields, "amount")
	end := &vendorCall{call: "endRound", fields: o.Fields(id+"-e", id, nil)}
	switch n %= orders; n {
	case 0:
		return []*vendorCall{bet, win("150")}
	case 1:
		return []*vendorCall{bet, {call: "bet", fields: o.Fields(id+"-c", id, amount("20"))}, win("0")}
	case 2:
		return []*vendorCall{bet, rollback, end}
	case 3:
		return []*vendorCall{rollback, bet}
	}
	calls := []*vendorCall{bet, win("130"), rollback, end}
	for i, left := 0, n-4; i < len(calls); i++ {
		j := i + left%(len(calls)-i)
		left /= len(calls) - i
		calls[i], calls[j] = calls[j], calls[i]
	}
	return calls
}

// repeatAll repeats all calls and compares the responses. It returns the number of calls that the server had not executed.
func (o *vendorClient) repeatAll(t *testing.T, all []*vendorCall) (fresh int) {
	t.Helper()
	for _, s := range all {
		got := o.callVendor(t, s.call, s.fields)
		if got.HTTP != http.StatusOK || got.Replayed == nil {
			t.Errorf("repeated %s %v: %s, want 200 and whether it is a repetition", s.call, s.fields["txId"], got)
			continue
		}
		replayed := *got.Replayed
		if s.got.HTTP == 0 {
			if s.got = got; !replayed {
				fresh++
			}
			continue
		}
		if got.Code != s.got.Code || got.TransactionID != s.got.TransactionID || got.Balance != s.got.Balance || got.Status != s.got.Status || !replayed {
			t.Errorf("repeated %s %v: %s, want %s", s.call, s.fields["txId"], got, s.got)
		}
	}
	return fresh
}

// checkBalances compares the member's balance and record with the responses to the vendor.
func (o *vendorClient) checkBalances(t *testing.T, s *program, all []*vendorCall) {
	t.Helper()
	type outcome struct {
		staked, refunded, won int64
		over                  bool
	}
	balance, refused := int64(12_480_500), map[string]int{}
	stakes, rounds := map[any]int64{}, map[any]*outcome{}
	for _, c := range all {
		r := rounds[c.fields["roundId"]]
		if r == nil {
			r = &outcome{}
			rounds[c.fields["roundId"]] = r
		}
		amount, _ := strconv.ParseInt(fmt.Sprint(c.fields["amount"]), 10, 64)
		switch {
		case c.got.Code != "OK":
			refused[c.got.Code]++
		case c.call == "bet":
			r.staked += amount
			stakes[c.fields["txId"]] = amount
		case c.call == "win":
			r.won, r.over = r.won+amount, true
		case c.call == "endRound":
			r.over = true
		case c.got.Status == "reversed":
			r.refunded += stakes[c.fields["refTxId"]]
		}
	}
	ended := map[string]int{}
	for _, r := range rounds {
		balance += r.won + r.refunded - r.staked
		switch {
		case r.staked == 0:
		case r.refunded == r.staked:
			ended["refunded"]++
		case !r.over:
			ended["open"]++
		case r.won >= r.staked:
			ended["won"]++
		default:
			ended["lost"]++
		}
	}
	token := s.login("demo88", demo.Password)
	if got := s.balance(token); got != strconv.FormatInt(balance, 10) {
		t.Errorf("balance of demo88 = %s, want %d", got, balance)
	}
	for _, status := range []string{"won", "lost", "refunded", "open"} {
		page := value[struct{ Totals struct{ Rounds int } }](s, http.MethodGet, "/wps/report/accountGameBetHistory?vendor=TEST&status="+status, token, "")
		if want := ended[status]; page.Totals.Rounds != want || want == 0 && status != "open" {
			t.Errorf("%d rounds are %s, want %d", page.Totals.Rounds, status, want)
		}
	}
	if refused["TX_ROLLED_BACK"] == 0 {
		t.Error("no bet arrived after its rollback")
	}
	for code, n := range refused {
		if !slices.Contains([]string{"TX_ROLLED_BACK", "ROUND_CLOSED", "ROUND_NOT_FOUND"}, code) {
			t.Errorf("%d calls returned %s, want only refusals after a rollback", n, code)
		}
	}
}

// checkJackpot checks that the stake of each settled round contributed once to the pool.
func (o *vendorClient) checkJackpot(t *testing.T, s *program, args []string) {
	t.Helper()
	ready := "SELECT COUNT(*) FROM jackpot_ticket t JOIN vendor_move m ON m.vendor_id = t.vendor_id AND m.round = t.round AND m.member_id = t.member_id WHERE t.state = 'open' AND m.ends"
	for end := time.Now().Add(testTimeout); count(optionsOf(args), ready) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d stakes have no draw", count(optionsOf(args), ready))
		}
	}
	shares := count(optionsOf(args), "SELECT CAST(SUM(share) AS BIGINT) FROM jackpot_ticket WHERE state = 'drawn'")
	moved := count(optionsOf(args), "SELECT CAST(SUM(amount) AS BIGINT) FROM transfer WHERE kind = 'jackpot.share' AND refusal IS NULL")
	pool := value[struct{ Amount, Seed json.Number }](s, http.MethodGet, "/wps/jackpot/pool", "", "")
	amount, _ := pool.Amount.Int64()
	initial, _ := pool.Seed.Int64()
	if shares == 0 || moved != shares || amount != initial+int64(shares) {
		t.Errorf("KO-02 FT-01: shares = %d, transferred = %d, pool = %d, want all shares transferred and added to %d", shares, moved, amount, initial)
	}
	if shown := value[struct{ Source string }](s, http.MethodGet, "/wps/system/jackpot", "", ""); shown.Source != "pool" {
		t.Errorf("PP-13: source of the counter = %s, want pool", shown.Source)
	}
}
