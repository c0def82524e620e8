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

// sent is one call of the vendor protocol, and what was answered first.
type sent struct {
	call   string
	fields map[string]any
	got    conformance.Answer // status 0: none came
}

// The server is killed again and again while vendors' calls are under way, and started again. A vendor repeats whatever it did,
// as the protocol says: what was answered is answered the same, what was not is answered now; balance, betting record and books
// agree with the answers.
func TestKilledAmidVendorsCalls(t *testing.T) {
	t.Parallel()
	t.Run("FT-06 FT-01 kill -9 amid bets, wins, rollbacks and ends in every order, every call repeated", func(t *testing.T) {
		t.Parallel()
		eachDemo(t, func(t *testing.T, args []string) {
			serve := append(args, "--demo")
			s := start(t, serve...)
			runCommand(t, "", args, "merchant", "set", "jackpot.share", "100")
			o := newVendorClient(t, s, args)
			runCommand(t, "", args, "merchant", "set", "jackpot.vendors", `["TEST"]`)
			s.end()
			var all []*sent
			unanswered := 0
			seed := killSeed()
			t.Logf("seed %d", seed)
			chance := rand.New(rand.NewPCG(seed, 0))
			for run := range walletKills {
				kill, out := startChild(t, serve...)
				o.URL = serverURL(t, out)
				unanswered += o.repeatAll(t, all)
				all = append(all, o.playUntilKilled(t, chance, fmt.Sprintf("k%d", run), kill)...)
			}
			s = start(t, serve...)
			o.URL = s.url
			unanswered += o.repeatAll(t, all)
			if o.repeatAll(t, all) != 0 {
				t.Error("a repeated call was not known")
			}
			o.checkBalances(t, s, all)
			o.checkJackpot(t, s, args)
			s.end()
			if code, report, errs := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 || !strings.Contains(report, "transfers") {
				t.Errorf("verify: %d %s%s", code, report, errs)
			}
			t.Logf("%d calls and %d without an answer survived %d kills", len(all), unanswered, walletKills)
			if unanswered == 0 {
				t.Error("no call was under way when the server was killed")
			}
		})
	})
}

// untilKilled plays rounds by several callers, kills the server amid them, and gives every call that was sent, in each caller's order.
func (o *vendorClient) playUntilKilled(t *testing.T, chance *rand.Rand, name string, kill func()) []*sent {
	t.Helper()
	first := chance.IntN(orders)
	var answered atomic.Int64
	played := make([][]*sent, 6)
	var callers sync.WaitGroup
	for c := range played {
		callers.Go(func() {
			for n := 0; ; n++ {
				// Each begins with another kind of round, so that the most usual ones are there however soon the kill comes.
				kind := c + n
				if n > 0 {
					kind = first + c + n*len(played)
				}
				for _, s := range o.round(fmt.Sprintf("%s-c%d-%d", name, c, n), kind) {
					played[c] = append(played[c], s)
					got, err := o.Call(t.Context(), s.call, s.fields)
					if err != nil || got.HTTP >= http.StatusInternalServerError {
						return // killed: it is not known what became of it
					}
					s.got = got
					answered.Add(1)
				}
			}
		})
	}
	for end := time.Now().Add(testTimeout); answered.Load() < 40; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("only %d calls were answered", answered.Load())
		}
	}
	time.Sleep(time.Duration(chance.IntN(30)) * time.Millisecond)
	kill()
	callers.Wait()
	var all []*sent
	for _, p := range played {
		all = append(all, p...)
	}
	return all
}

// orders is how many kinds of rounds there are.
const orders = 4 + 24

// round is the calls of one round: won, lost, taken back, taken back before its bet comes, or one of each call in an order of its own.
func (o *vendorClient) round(id string, n int) []*sent {
	amount := func(a string) map[string]any { return map[string]any{"amount": a} }
	win := func(a string) *sent {
		return &sent{call: "win", fields: o.Fields(id+"-w", id, map[string]any{"amount": a, "endRound": true})}
	}
	bet := &sent{call: "bet", fields: o.Fields(id+"-b", id, amount("100"))}
	back := &sent{call: "rollback", fields: o.Fields(id+"-r", id, map[string]any{"refTxId": o.Run + "-" + id + "-b"})}
	delete(back.fields, "amount")
	end := &sent{call: "endRound", fields: o.Fields(id+"-e", id, nil)}
	switch n %= orders; n {
	case 0:
		return []*sent{bet, win("150")}
	case 1:
		return []*sent{bet, {call: "bet", fields: o.Fields(id+"-c", id, amount("20"))}, win("0")}
	case 2:
		return []*sent{bet, back, end}
	case 3:
		return []*sent{back, bet}
	}
	calls := []*sent{bet, win("130"), back, end}
	for i, left := 0, n-4; i < len(calls); i++ {
		j := i + left%(len(calls)-i)
		left /= len(calls) - i
		calls[i], calls[j] = calls[j], calls[i]
	}
	return calls
}

// again repeats every call: one that was answered is answered the same. It gives how many were not known to the server.
func (o *vendorClient) repeatAll(t *testing.T, all []*sent) (fresh int) {
	t.Helper()
	for _, s := range all {
		got := o.callVendor(t, s.call, s.fields)
		if got.HTTP != http.StatusOK || got.Replayed == nil {
			t.Errorf("%s %v again: %s", s.call, s.fields["txId"], got)
			continue
		}
		known := *got.Replayed
		if s.got.HTTP == 0 {
			if s.got = got; !known {
				fresh++
			}
			continue
		}
		if got.Code != s.got.Code || got.TransactionID != s.got.TransactionID || got.Balance != s.got.Balance || got.Status != s.got.Status || !known {
			t.Errorf("%s %v again: %s, the first time %s", s.call, s.fields["txId"], got, s.got)
		}
	}
	return fresh
}

// agree compares what the member has, and is shown of every round, with what vendors were answered.
func (o *vendorClient) checkBalances(t *testing.T, s *program, all []*sent) {
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
		t.Errorf("demo88 has %s, the answers say %d", got, balance)
	}
	for _, status := range []string{"won", "lost", "refunded", "open"} {
		page := value[struct{ Totals struct{ Rounds int } }](s, http.MethodGet, "/wps/report/accountGameBetHistory?vendor=TEST&status="+status, token, "")
		if want := ended[status]; page.Totals.Rounds != want || want == 0 && status != "open" {
			t.Errorf("%d rounds are %s, the answers say %d", page.Totals.Rounds, status, want)
		}
	}
	if refused["TX_ROLLED_BACK"] == 0 {
		t.Error("no bet came after its rollback")
	}
	for code, n := range refused {
		if !slices.Contains([]string{"TX_ROLLED_BACK", "ROUND_CLOSED", "ROUND_NOT_FOUND"}, code) {
			t.Errorf("%d calls were answered %s", n, code)
		}
	}
}

// agreeJackpot compares the pool with the stakes of rounds that are settled: each has given its share once.
func (o *vendorClient) checkJackpot(t *testing.T, s *program, args []string) {
	t.Helper()
	ready := "SELECT COUNT(*) FROM jackpot_ticket t JOIN vendor_move m ON m.vendor_id = t.vendor_id AND m.round = t.round AND m.member_id = t.member_id WHERE t.state = 'open' AND m.ends"
	for end := time.Now().Add(testTimeout); count(optionsOf(args), ready) > 0; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d stakes were not drawn for", count(optionsOf(args), ready))
		}
	}
	shares := count(optionsOf(args), "SELECT CAST(SUM(share) AS BIGINT) FROM jackpot_ticket WHERE state = 'drawn'")
	moved := count(optionsOf(args), "SELECT CAST(SUM(amount) AS BIGINT) FROM transfer WHERE kind = 'jackpot.share' AND refusal IS NULL")
	pool := value[struct{ Amount, Seed json.Number }](s, http.MethodGet, "/wps/jackpot/pool", "", "")
	amount, _ := pool.Amount.Int64()
	seed, _ := pool.Seed.Int64()
	if shares == 0 || moved != shares || amount != seed+int64(shares) {
		t.Errorf("KO-02 FT-01: shares of %d, %d moved, the pool has %d of which the seed is %d", shares, moved, amount, seed)
	}
	if shown := value[struct{ Source string }](s, http.MethodGet, "/wps/system/jackpot", "", ""); shown.Source != "pool" {
		t.Errorf("PP-13: the counter shows what is %s", shown.Source)
	}
}
