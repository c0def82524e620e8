package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fairground/internal/game/house/round"
	"fairground/internal/ledger"
)

// deposit credits the owner with 1,000,000 VND.
func (p *actorServer) deposit() {
	p.t.Helper()
	ctx := p.t.Context()
	cash, err := p.services.Ledger.EnsureMember(ctx, p.demo, p.ids["owner"], "VND")
	if err != nil {
		p.t.Fatal(err)
	}
	source, err := p.services.Ledger.House(ctx, p.demo, ledger.Deposits, "VND")
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.services.Ledger.Post(ctx, ledger.Transfer{
		Key: "test/deposit", Debit: source.ID, Credit: cash.ID, Amount: 1_000_000, Kind: "deposit",
	}); err != nil {
		p.t.Fatal(err)
	}
}

// ticket launches a slot for an actor and returns the ticket.
func (p *actorServer) ticket(actor string) string {
	p.t.Helper()
	return p.ticketTo(actor, "RNG")
}

// ticketTo launches the first game of a category and returns the ticket.
func (p *actorServer) ticketTo(actor, category string) string {
	p.t.Helper()
	type game struct{ NodeID, GameID, VendorCode, GameCategory string }
	list := value[struct{ Games []game }](p.program, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameCategory="+category, "", "")
	g := list.Games[slices.IndexFunc(list.Games, func(g game) bool { return g.GameCategory == category })]
	a := p.as(actor, http.MethodPost, "/wps/game/launchGame", body(map[string]any{
		"gameCategory": g.GameCategory, "vendor": g.VendorCode, "gameId": g.GameID, "nodeId": g.NodeID, "supportPlay": true,
	}))
	var l struct{ GameURL string }
	if err := json.Unmarshal(a.Value, &l); err != nil || a.status != http.StatusOK {
		p.t.Fatalf("got %+v, want 200 with a launch address", a)
	}
	ticket, found := strings.CutPrefix(l.GameURL, "/m/house/?t=")
	if !found {
		p.t.Fatalf("launch address = %s, want a ticket in it", l.GameURL)
	}
	return ticket
}

type gameFrame struct {
	Token   string
	Balance json.Number
	Slot    struct {
		Stake      json.Number
		RTP        string
		Commitment string
	}
	Game   struct{ Name, Engine, Vendor, Code string }
	Player struct {
		Trial    bool
		Currency struct{ Code string }
	}
}

// frame opens a slot the way the House's page does.
func (p *actorServer) frame(actor string) gameFrame {
	p.t.Helper()
	return value[gameFrame](p.program, http.MethodPost, "/house/v1/session", "", body(map[string]any{"ticket": p.ticket(actor)}))
}

func (p *actorServer) tableToken(actor string) string {
	p.t.Helper()
	sent := body(map[string]any{"ticket": p.ticketTo(actor, "LIVE")})
	return value[gameFrame](p.program, http.MethodPost, "/house/v1/session", "", sent).Token
}

type spinResult struct {
	Round struct {
		ID              string
		Stake, Win, Net json.Number
		Seed            string
	}
	Balance json.Number
}

func (p *actorServer) spin(f gameFrame, n int) spinResult {
	p.t.Helper()
	p.clockOffset.Add(int64(round.MinBetInterval))
	return value[spinResult](p.program, http.MethodPost, "/house/v1/spin", f.Token,
		fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, n, f.Slot.Stake))
}

func number(t *testing.T, n json.Number) int64 {
	t.Helper()
	v, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// After rounds with the real wallet, the balance, the betting record, the ledger and the proof agree.
func TestGL07HouseUsesTheVendorProtocol(t *testing.T) { //nolint:tparallel // sequential subtests
	t.Parallel()
	p := newServerWithActors(t)
	p.deposit()
	f := p.frame("owner")
	if f.Slot.RTP != "96.26" || f.Game.Engine != "slot" || f.Game.Name == "" || f.Player.Trial || f.Player.Currency.Code != "VND" || f.Balance != "1000000" {
		t.Fatalf("got %+v, want a real player of a slot with 96.26 and 1000000 VND", f)
	}
	balance, last, n, won := number(t, f.Balance), spinResult{}, 0, false
	for n < 12 {
		n++
		last = p.spin(f, n)
		won = won || number(t, last.Round.Net) > 0
		balance += number(t, last.Round.Net)
		if number(t, last.Balance) != balance || p.balance(p.tokens["owner"]) != strconv.FormatInt(balance, 10) {
			t.Fatalf("round %d: %+v, the wallet shows %s, want %d", n, last, p.balance(p.tokens["owner"]), balance)
		}
	}
	type record struct {
		List []struct {
			RoundID  string
			Net      json.Number
			Status   string
			Provable bool
		}
	}
	r := value[record](p.program, http.MethodGet, "/wps/report/accountGameBetHistory?status=all", p.tokens["owner"], "")
	if len(r.List) != n || r.List[0].RoundID != last.Round.ID || r.List[0].Net != last.Round.Net || !r.List[0].Provable {
		t.Errorf("record = %+v, want %d rounds, the newest of them %+v", r.List, n, last)
	}
	report, err := ledger.Verify(t.Context(), p.services.Store)
	if err != nil || !report.OK() {
		t.Errorf("ledger verify: %+v, %v, want a verified ledger", report, err)
	}
	t.Run("CA-07 a demo with real wins shows no example wins", func(t *testing.T) {
		for !won {
			n++
			won = number(t, p.spin(f, n).Round.Net) > 0
		}
		board := value[struct{ List []struct{ Simulated bool } }](p.program, http.MethodGet, "/wps/relay/GCSGAME_getRankList?gameCategory=ALL&language=VI&limitNum=100", "", "")
		if len(board.List) == 0 || len(board.List) > n || slices.ContainsFunc(board.List, func(row struct{ Simulated bool }) bool { return row.Simulated }) {
			t.Errorf("got %+v, want real wins only", board)
		}
	})
	t.Run("PP-17 fairness verify checks the stored round", func(t *testing.T) {
		folder := strings.TrimSuffix(p.services.Store.Path, "/fairground.db")
		code, out, stderr := command(t, "", "fairness", "verify", "--round", last.Round.ID, "--data", folder)
		if code != 0 || !strings.Contains(out, last.Round.Seed) || !strings.Contains(out, "matches the stored outcome") {
			t.Errorf("exit code = %d, want 0, the seed and a match: %s%s", code, out, stderr)
		}
		p.exec("UPDATE house_round SET win = win + 20 WHERE id = " + last.Round.ID)
		if code, out, _ = command(t, "", "fairness", "verify", "--round", last.Round.ID, "--data", folder); code != 1 || !strings.Contains(out, "DOES NOT MATCH") {
			t.Errorf("changed win: exit code = %d, want 1 and no match: %s", code, out)
		}
		p.exec("UPDATE house_round SET win = win - 20, commitment = '" + strings.Repeat("0", 64) + "' WHERE id = " + last.Round.ID)
		if code, out, _ = command(t, "", "fairness", "verify", "--round", last.Round.ID, "--data", folder); code != 1 || !strings.Contains(out, "DOES NOT MATCH the published commitment") {
			t.Errorf("changed commitment: exit code = %d, want 1 and no match: %s", code, out)
		}
		if code, _, _ = command(t, "", "fairness", "verify", "--round", "5", "--data", folder); code == 0 {
			t.Error("an unknown round was verified")
		}
	})
	t.Run("PP-12 trial play", func(t *testing.T) {
		f := p.frame("trial")
		if !f.Player.Trial || f.Player.Currency.Code != "FUN" {
			t.Fatalf("got %+v, want a trial in FUN", f)
		}
		if got := p.spin(f, 1); number(t, got.Balance) != number(t, f.Balance)+number(t, got.Round.Net) {
			t.Errorf("spin = %+v, want the balance %s plus the net result", got, f.Balance)
		}
	})
	t.Run("the play and the frame show the same return to player", func(t *testing.T) {
		shown := value[struct{ RTP *string }](p.program, http.MethodGet, "/wps/game/play?playId="+p.play(), p.tokens["owner"], "")
		if shown.RTP == nil || *shown.RTP != f.Slot.RTP {
			t.Errorf("RTP of the play = %v, want %s", shown.RTP, f.Slot.RTP)
		}
	})
	t.Run("PP-07 games cannot be launched on a break", func(t *testing.T) {
		if a := p.as("other", http.MethodPost, "/wps/member/limits/break", `{"period":"24h"}`); a.status != http.StatusOK {
			t.Fatalf("got %+v, want 200", a)
		}
		g := p.slot()
		if a := launchGame(p, "other", g.NodeID, g.GameID, g.VendorCode, g.GameCategory); a.ErrorCode != "limits.excluded" {
			t.Errorf("got %+v, want limits.excluded", a)
		}
	})
	t.Run("bets are rejected after a logout", func(t *testing.T) {
		if a := p.as("owner", http.MethodDelete, "/wps/session/logout", ""); a.status != http.StatusOK {
			t.Fatalf("got %+v, want 200", a)
		}
		p.clockOffset.Add(int64(round.MinBetInterval))
		a := p.call(http.MethodPost, "/house/v1/spin", f.Token, fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, 99, f.Slot.Stake))
		if a.ErrorCode != "house.session_expired" {
			t.Errorf("got %+v, want house.session_expired", a)
		}
	})
}

// round plays a round as the owner and returns "VENDOR ROUND".
func (p *actorServer) round() string {
	p.t.Helper()
	if p.balance(p.tokens["owner"]) == "0" {
		p.deposit()
	}
	f := p.frame("owner")
	p.rounds++
	return f.Game.Vendor + " " + p.spin(f, p.rounds).Round.ID
}

// failingWallet forwards requests to the wallet but aborts one kind of call.
type failingWallet struct {
	http.Handler
	call   string
	after  bool // abort after the call was executed
	broken bool
}

func (c *failingWallet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !c.broken || r.URL.Path != "/vendor/v1/"+c.call {
		c.Handler.ServeHTTP(w, r)
		return
	}
	if c.after {
		c.Handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	panic(http.ErrAbortHandler)
}

// After a failed wallet call the round is settled or refunded, and the ledger is correct.
func TestPP15RoundsRecoverFromWalletFailures(t *testing.T) { //nolint:tparallel // sequential rounds
	t.Parallel()
	p := newServerWithActors(t)
	p.deposit()
	handler := p.services.Loopback.Handler()
	for _, tt := range []struct {
		call   string
		after  bool
		late   bool
		status string
	}{
		{"bet", false, false, "settled"}, {"bet", true, false, "settled"}, {"bet", false, true, "refunded"}, {"bet", true, true, "refunded"},
		{"win", false, false, "settled"}, {"win", true, false, "settled"}, {"win", false, true, "settled"}, {"win", true, true, "settled"},
	} {
		t.Run(fmt.Sprintf("PP-15 %s, executed %v, late %v", tt.call, tt.after, tt.late), func(t *testing.T) {
			f := p.frame("owner")
			before := number(t, f.Balance)
			wallet := &failingWallet{Handler: handler, call: tt.call, after: tt.after, broken: true}
			p.services.Loopback.Use(wallet)
			p.clockOffset.Add(int64(round.MinBetInterval))
			p.rounds++
			a := p.call(http.MethodPost, "/house/v1/spin", f.Token, fmt.Sprintf(`{"spinId":"00000000-0000-4000-8000-%012d","stake":%s}`, p.rounds, f.Slot.Stake))
			if a.ErrorCode != "house.pending" {
				t.Fatalf("got %+v, want house.pending", a)
			}
			p.services.Loopback.Use(handler)
			p.clockOffset.Add(int64(10 * time.Second))
			if tt.late {
				p.clockOffset.Add(int64(time.Minute))
			}
			if err := p.services.House.Recover(t.Context()); err != nil {
				t.Fatal(err)
			}
			var status string
			var stake, win int64
			if err := p.services.Store.Reader.QueryRowContext(t.Context(), "SELECT status, stake, win FROM house_round ORDER BY id DESC LIMIT 1").Scan(&status, &stake, &win); err != nil {
				t.Fatal(err)
			}
			want := before
			if status == "settled" {
				want += win - stake
			}
			if status != tt.status || p.balance(p.tokens["owner"]) != strconv.FormatInt(want, 10) {
				t.Errorf("status = %s, balance = %s, before = %d, stake = %d, win = %d, want %s and %d", status, p.balance(p.tokens["owner"]), before, stake, win, tt.status, want)
			}
			if report, err := ledger.Verify(t.Context(), p.services.Store); err != nil || !report.OK() {
				t.Errorf("ledger verify: %+v, %v, want a verified ledger", report, err)
			}
		})
	}
}
