package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
)

// printed runs a command, which must succeed, and returns its output.
func printed(t *testing.T, stdin string, args []string, words ...string) string {
	t.Helper()
	code, out, stderr := command(t, stdin, append(words, args...)...)
	if code != 0 {
		t.Fatalf("%v: exit code = %d, want 0: %s%s", words, code, out, stderr)
	}
	return out
}

// printedJSON returns the objects that a command prints, one per line.
func printedJSON(t *testing.T, args []string, words ...string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(printed(t, "", args, append(words, "--json")...)) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%v: %s: %v", words, line, err)
		}
		all = append(all, one)
	}
	return all
}

func TestDailyCommands(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		if list := printedJSON(t, args, "member", "list"); len(list) != 2 || list[0]["username"] != "agent88" || list[1]["username"] != "demo88" || list[1]["status"] != "active" {
			t.Errorf("member list: %v, want agent88 and demo88", list)
		}
		if list := printedJSON(t, args, "member", "list", "--after", "agent88", "--max", "1"); len(list) != 1 || list[0]["username"] != "demo88" {
			t.Errorf("member list --after agent88: %v, want demo88", list)
		}
		if list := printedJSON(t, args, "member", "list", "--status", "disabled"); len(list) != 0 {
			t.Errorf("disabled members: %v, want none", list)
		}
		s.login("demo88", demo.Password)
		shown := printedJSON(t, args, "member", "show", "Demo88")
		if balances, _ := json.Marshal(shown[0]["balances"]); shown[0]["sessions"] != 1.0 || shown[0]["mustChangePassword"] != false || !strings.Contains(string(balances), `"amount":"12480500"`) {
			t.Errorf("member show: %v, want one session and 12480500 VND", shown)
		}
		wantError(t, "member.unknown", append([]string{"member", "show", "nobody"}, args...)...)
		wantError(t, "merchant.unknown", append([]string{"member", "list", "--merchant", "other"}, args...)...)

		out := printed(t, "", args, "operator", "list")
		if !strings.HasPrefix(out, "owner1  owner  active  ") || strings.Count(out, "\n") != 2 {
			t.Errorf("operator list: %s, want the two owners", out)
		}
		if list := printedJSON(t, args, "operator", "list"); len(list) != 2 || list[0]["name"] != "owner1" || len(list[0]) != 5 {
			t.Errorf("operator list --json: %v, want two owners with five fields", list)
		}
		checkVendorCommands(t, args)
		checkGameSwitch(t, s, args)
	})
}

func checkVendorCommands(t *testing.T, args []string) {
	t.Helper()
	find := func(code string) map[string]any {
		t.Helper()
		for _, v := range printedJSON(t, args, "vendor", "list") {
			if v["code"] == code {
				return v
			}
		}
		t.Fatalf("vendor list lacks %s", code)
		return nil
	}
	if v := find("PG"); v["runBy"] != "house" || v["enabled"] != true || v["games"] == 0.0 {
		t.Errorf("vendor list: %v, want PG run by the House", v)
	}
	printed(t, "", args, "vendor", "set", "PG", "--name", "Other Garden", "--house", "off")
	if v := find("PG"); v["runBy"] != "none" || v["name"] != "Other Garden" {
		t.Errorf("after vendor set: %v, want Other Garden run by none", v)
	}
	printed(t, "", args, "vendor", "create", "--code", "PG", "--name", "Garden", "--launch-url", "https://play.example/g?t={ticket}")
	printed(t, "", args, "vendor", "set", "PG", "--launch-url", "https://play.example/new?t={ticket}")
	if v := find("PG"); v["runBy"] != "vendor" || v["launchUrl"] != "https://play.example/new?t={ticket}" || v["keys"] != 1.0 {
		t.Errorf("after vendor create: %v, want the new launch address and one key", v)
	}
	if got := printedJSON(t, args, "vendor", "set", "PG", "--mode", "window"); len(got) != 1 || len(got[0]) != 1 || got[0]["code"] != "PG" {
		t.Errorf("vendor set --json = %v, want one object with the code PG only", got)
	}
	if v := find("PG"); v["mode"] != "window" {
		t.Errorf("vendor list after vendor set --json = %v, want the mode window", v)
	}
	if got := printed(t, "", args, "vendor", "set", "PG", "--mode", "frame"); got != "Vendor PG changed.\n" {
		t.Errorf("vendor set = %q, want %q", got, "Vendor PG changed.\n")
	}
	wantError(t, "vendor.exists", append([]string{"vendor", "set", "PG", "--house", "on"}, args...)...)
	wantError(t, "vendor.unknown", append([]string{"vendor", "set", "JL", "--mode", "window"}, args...)...)
	wantError(t, "nothing to change", append([]string{"vendor", "set", "PG"}, args...)...)
}

func checkGameSwitch(t *testing.T, s *program, args []string) {
	t.Helper()
	total := func() int {
		t.Helper()
		return value[struct{ Total int }](s, http.MethodGet, "/wps/relay/GCSGAME_gameList?gameType=RNG", "", "").Total
	}
	before := total()
	if out := printed(t, "", args, "catalogue", "game", "rng-001", "--enabled", "off"); out != "rng-001: enabled off.\n" {
		t.Errorf("catalogue game = %q, want %q", out, "rng-001: enabled off.\n")
	}
	if got := total(); got != before-1 {
		t.Errorf("games after off = %d, want %d", got, before-1)
	}
	for _, state := range []string{"on", "off"} {
		if got := printedJSON(t, args, "catalogue", "game", "rng-001", "--enabled", state); len(got) != 1 || len(got[0]) != 2 || got[0]["code"] != "rng-001" || got[0]["enabled"] != (state == "on") {
			t.Errorf("catalogue game --enabled %s --json = %v, want the code rng-001 and enabled %t", state, got, state == "on")
		}
	}
	wantError(t, "catalogue.unknown_game", append([]string{"catalogue", "game", "rng-xyz", "--enabled", "on"}, args...)...)
}

func TestMemberPasswordMustBeChanged(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		token := s.login("demo88", demo.Password)
		out := printed(t, "", args, "member", "password", "demo88")
		_, password, found := strings.Cut(strings.TrimSpace(out), "shown only once: ")
		if !found {
			t.Fatalf("member password: %s, want the new password", out)
		}
		if a := s.call(http.MethodGet, "/wps/v2/wallets/balance", token, ""); a.status != http.StatusUnauthorized {
			t.Errorf("old session: %d, want 401", a.status)
		}
		login := func(password string) response {
			return s.call(http.MethodPost, "/wps/session/login", "", body(map[string]any{"username": "demo88", "password": password, "type": "username"}))
		}
		if a := login(password); a.status != 200 || !strings.Contains(string(a.Value), `"firstTimeLogin":true`) {
			t.Errorf("new password: %d %s, want a first-time login", a.status, a.Value)
		}
		if out := printed(t, "Harbour77x\n", args, "member", "password", "demo88", "--password-stdin"); strings.Contains(out, "Harbour77x") {
			t.Errorf("the output repeats the password: %s", out)
		}
		if a := login("Harbour77x"); a.status != 200 {
			t.Errorf("password from standard input: %d %s, want 200", a.status, a.ErrorCode)
		}
		got := printedJSON(t, args, "member", "password", "demo88")
		if len(got) != 1 || len(got[0]) != 2 || got[0]["username"] != "demo88" {
			t.Fatalf("member password --json = %v, want one object with the username demo88 and the password", got)
		}
		if a := login(fmt.Sprint(got[0]["password"])); a.status != http.StatusOK || !strings.Contains(string(a.Value), `"firstTimeLogin":true`) {
			t.Errorf("login with the printed password = %d %s, want 200 and a first-time login", a.status, a.Value)
		}
		if out := printed(t, "Harbour77x\n", args, "member", "password", "demo88", "--password-stdin", "--json"); out != "{\"username\":\"demo88\"}\n" {
			t.Errorf("member password --password-stdin --json = %q, want only the username", out)
		}
		if a := login(demo.Password); a.status != http.StatusUnauthorized { // last: the next login needs a captcha
			t.Errorf("old password: %d %s, want 401", a.status, a.ErrorCode)
		}
		wantError(t, "member.unknown", append([]string{"member", "password", "nobody"}, args...)...)
	})
}

func TestReportTurnover(t *testing.T) {
	t.Parallel()
	w := newTestServer(t, true)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	sum := func(at time.Time, game string, status string, rounds, stake, win int64) {
		t.Helper()
		_, err := w.services.Store.Writer.Exec(`INSERT INTO round_sum (member_id, since, game_id, status, rounds, stake_high, stake_low, win_high, win_low, jackpot_high, jackpot_low, won_high, won_low, lost_high, lost_low)
			SELECT m.id, ?1, g.id, ?2, ?3, 0, ?4, 0, ?5, 0, 0, 0, 0, 0, 0 FROM member m, game g WHERE m.account = 'demo88' AND g.code = ?6`, at.UnixMilli(), status, rounds, stake, win, game)
		if err != nil {
			t.Fatal(err)
		}
	}
	sum(day, "rng-001", "won", 2, 10_000, 25_000)
	sum(day.Add(23*time.Hour), "rng-001", "lost", 3, 30_000, 0)
	sum(day, "rng-001", "refunded", 1, 0, 0)
	sum(day.Add(24*time.Hour), "rng-001", "lost", 9, 90_000, 0) // the next day
	args := []string{"--data", w.services.Store.Path[:strings.LastIndex(w.services.Store.Path, "/")]}
	for _, flags := range [][]string{nil, {"--games"}} {
		all := printedJSON(t, args, append([]string{"report", "turnover", "--from", "2026-03-01", "--to", "2026-03-01"}, flags...)...)
		if len(all) != 1 || all[0]["vendor"] != "JL" || all[0]["rounds"] != 5.0 || all[0]["stakes"] != "40000" || all[0]["wins"] != "25000" || all[0]["result"] != "15000" || (all[0]["game"] == "rng-001") != (flags != nil) {
			t.Errorf("report %v: %v, want 5 rounds of JL with a result of 15000", flags, all)
		}
	}
	if out := printed(t, "", args, "report", "turnover", "--from", "2026-03-02", "--to", "2026-03-02"); !strings.HasPrefix(out, "JL  9 rounds  stakes 90000  wins 0  jackpots 0  result 90000  VND") {
		t.Errorf("report of the next day: %s, want \"JL  9 rounds  stakes 90000  wins 0  jackpots 0  result 90000  VND\"", out)
	}
	wantError(t, "--to is before --from", append([]string{"report", "turnover", "--from", "2026-03-02", "--to", "2026-03-01"}, args...)...)
}
