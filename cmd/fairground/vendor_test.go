package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/game/conformance"
)

// The commands work with a running server, and the vendor protocol passes all cases.
func TestVendorCommands(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		create := append([]string{"vendor", "create", "--code", "TEST", "--name", "Test", "--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "T1:RNG", "--game", "T2:PVP"}, args...)
		frameSources := func() string {
			t.Helper()
			_, _, header := s.get("/m/home")
			for _, part := range strings.Split(header.Get("Content-Security-Policy"), "; ") {
				if strings.HasPrefix(part, "frame-src ") {
					return part
				}
			}
			return ""
		}
		if got := frameSources(); got != "frame-src 'self'" {
			t.Errorf("SE-05 SE-10: without vendors: %s, want \"frame-src 'self'\"", got)
		}
		code, out, stderr := command(t, "", create...)
		var key struct{ Code, KeyID, Key string }
		if err := json.Unmarshal([]byte(out), &key); err != nil || code != 0 || key.Code != "TEST" || key.KeyID == "" || len(key.Key) != 64 || strings.Count(out, "\n") != 1 {
			t.Fatalf("got exit %d, %q %s (%v), want exit 0 and one line with TEST's key", code, out, stderr, err)
		}
		if got := frameSources(); got != "frame-src 'self' http://127.0.0.1:9999" {
			t.Errorf("SE-05 SE-10: with a vendor: %s, want \"frame-src 'self' http://127.0.0.1:9999\"", got)
		}
		if code, _, stderr := command(t, "", create...); code != 1 || !strings.Contains(stderr, "this merchant already has a vendor with that code") || !strings.HasSuffix(stderr, "(vendor.exists): TEST\n") {
			t.Errorf("existing vendor: %d %s, want exit code 1, \"this merchant already has a vendor with that code\" and %q", code, stderr, "(vendor.exists): TEST\n")
		}
		opened := value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", s.login("demo88", demo.Password),
			body(map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "T1", "supportPlay": true}))
		_, ticket, _ := strings.Cut(opened.GameURL, "?t=")
		if a := s.send(http.MethodPost, "/house/v1/session", body(map[string]any{"ticket": ticket})); a.status != http.StatusUnauthorized || a.ErrorCode != "house.session_expired" {
			t.Errorf("SE-03: ticket of a vendor at the House: %d %s, want 401 and house.session_expired", a.status, a.ErrorCode)
		}
		if log := s.out.String(); strings.Contains(log, "INVALID_SIGNATURE") || strings.Contains(log, "level=ERROR") || strings.Contains(log, `"level":"ERROR"`) {
			t.Errorf("the rejection was logged as an error:\n%s", log)
		}
		run := func(key, keyID string, more ...string) (int, string) {
			code, out, stderr := command(t, demo.Password+"\n", append([]string{"vendor", "test", "--url", s.url, "--vendor", "TEST", "--key-id", keyID, "--key", key, "--username", "demo88", "--game", "T1"}, more...)...)
			return code, out + stderr
		}
		if code, out := run(key.Key, key.KeyID); code != 0 || strings.Contains(out, "FAIL") || !strings.Contains(out, "26 of 26 cases passed.") {
			t.Errorf("vendor test: exit code = %d, want 0 and 26 of 26 cases passed\n%s", code, out)
		}
		if code, out := run(strings.Repeat("0", 64), key.KeyID); code != 1 || !strings.Contains(out, "INVALID_SIGNATURE") {
			t.Errorf("with a wrong key: %d\n%s, want exit code 1 and INVALID_SIGNATURE", code, out)
		}
		old := key
		code, out, stderr = command(t, "", append([]string{"vendor", "rotate", "--code", "TEST"}, args...)...)
		if err := json.Unmarshal([]byte(out), &key); err != nil || code != 0 {
			t.Fatalf("got exit %d, %q %s (%v), want exit 0 and a key", code, out, stderr, err)
		}
		if code, out := run(key.Key, key.KeyID); code != 0 {
			t.Errorf("with the new key: %d\n%s, want exit code 0", code, out)
		}
		t.Run("FT-06 cases of a member with a disabled account", func(t *testing.T) {
			runCommand(t, demo.Password+"\n", args, "member", "create", "closed77", "--of-age", "--password-stdin")
			launch := func() string {
				_, ticket, _ := strings.Cut(value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", s.login("closed77", demo.Password),
					body(map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "T1", "supportPlay": true})).GameURL, "?t=")
				return ticket
			}
			client := &conformance.Client{URL: s.url, Vendor: "TEST", KeyID: key.KeyID, Key: key.Key, HTTP: http.DefaultClient, Now: time.Now}
			opened, err := client.Call(t.Context(), "authenticate", map[string]any{"requestId": "closed77", "ticket": launch()})
			if err != nil || opened.SessionID == "" {
				t.Fatalf("got %s (%v), want a sessionId", opened, err)
			}
			cases := func() (int, string) {
				// The values may start with a dash.
				return run(key.Key, key.KeyID, "--disabled-ticket="+launch(), "--disabled-session="+opened.SessionID)
			}
			if code, out := cases(); code != 1 || strings.Count(out, "FAIL  ACCOUNT_DISABLED") != 2 || !strings.Contains(out, "26 of 28 cases passed.") {
				t.Errorf("with an active account: exit code = %d, want 1 and 26 of 28 cases passed\n%s", code, out)
			}
			ticket := launch()
			runCommand(t, "", args, "member", "disable", "closed77")
			launch = func() string { return ticket }
			if code, out := cases(); code != 0 || !strings.Contains(out, "28 of 28 cases passed.") {
				t.Errorf("with a disabled account: %d\n%s, want exit code 0 and \"28 of 28 cases passed.\"", code, out)
			}
		})
		t.Run("PP-15 an open round is listed and refunded", func(t *testing.T) {
			token := s.login("demo88", demo.Password)
			_, ticket, _ := strings.Cut(value[struct{ GameURL string }](s, http.MethodPost, "/wps/game/launchGame", token,
				body(map[string]any{"gameCategory": "RNG", "vendor": "TEST", "gameId": "T1", "supportPlay": true})).GameURL, "?t=")
			client := &conformance.Client{URL: s.url, Vendor: "TEST", KeyID: key.KeyID, Key: key.Key, HTTP: http.DefaultClient, Now: time.Now}
			opened, err := client.Call(t.Context(), "authenticate", map[string]any{"requestId": "left", "ticket": ticket})
			if err != nil {
				t.Fatal(err)
			}
			if r, err := client.Call(t.Context(), "bet", map[string]any{
				"requestId": "left", "sessionId": opened.SessionID, "currency": "VND", "gameCode": "T1", "roundId": "left1", "txId": "left1", "amount": "500",
			}); err != nil || r.Code != "OK" {
				t.Fatalf("got %s (%v), want OK", r, err)
			}
			list := func(older string) string {
				t.Helper()
				code, out, stderr := command(t, "", append([]string{"vendor", "open-rounds", "--code", "TEST", "--older", older}, args...)...)
				if code != 0 {
					t.Fatalf("got exit %d, %s, want 0", code, stderr)
				}
				return out
			}
			if out := list("0s"); !strings.Contains(out, `"round":"left1","member":"demo88","game":"T1","currency":"VND","stake":"500"`) || list("1h") != "" {
				t.Errorf("PP-15 open rounds = %s, want left1, and none that is an hour old", out)
			}
			refund := append([]string{"vendor", "refund", "left1", "--code", "TEST", "--member", "demo88", "--reason", "the vendor is gone"}, args...)
			for _, want := range []string{"Refunded 500 VND to demo88", "Nothing was refunded"} {
				if code, out, stderr := command(t, "", refund...); code != 0 || !strings.Contains(out, want) {
					t.Errorf("PP-15 %d %s%s, want exit code 0 and %v", code, out, stderr, want)
				}
			}
			if out := list("0s"); out != "" || s.balance(token) != "12480500" {
				t.Errorf("PP-15 after the refund: open rounds = %s, balance = %s, want none and 12480500", out, s.balance(token))
			}
			wantError(t, "no such round", append([]string{"vendor", "refund", "left2", "--code", "TEST", "--member", "demo88", "--reason", "x"}, args...)...)
			wantError(t, "no such vendor", append([]string{"vendor", "refund", "left1", "--code", "NOBODY", "--member", "demo88", "--reason", "x"}, args...)...)
		})
		if code, out := run(key.Key, key.KeyID, "--restrict", "--other-key-id", old.KeyID, "--other-key", old.Key); code != 0 || strings.Contains(out, "FAIL") || !strings.Contains(out, "29 of 29 cases passed.") {
			t.Errorf("with --restrict: exit code = %d, want 0 and 29 of 29 cases passed\n%s", code, out)
		}
		if got := s.balance(s.login("demo88", demo.Password)); got != "12480500" {
			t.Errorf("balance of demo88 = %s, want 12480500", got)
		}
		wantError(t, "there is no vendor NOBODY", append([]string{"merchant", "set", "jackpot.vendors", `["TEST","NOBODY"]`}, args...)...) // PP-13
		runCommand(t, "", args, "merchant", "set", "jackpot.vendors", `["TEST"]`)
		for _, wrong := range [][]string{
			{"--code", "T 3", "--name", "T", "--launch-url", "https://a.example/{ticket}", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "https://a.example/", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "http://a.example/{ticket}", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "javascript:{ticket}", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "https://{ticket}.example/", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "https://a.example;script-src/{ticket}", "--game", "X1:RNG"},
			{"--code", "T3", "--name", "T", "--launch-url", "https://a.example/{ticket}", "--game", "X1"},
			{"--code", "T3", "--name", "T", "--launch-url", "https://a.example/{ticket}", "--game", "X1:NONE"},
		} {
			if code, out, _ := command(t, "", append(append([]string{"vendor", "create"}, wrong...), args...)...); code == 0 || out != "" {
				t.Errorf("%v = %d %s, want a failure without output", wrong, code, out)
			}
		}
		wantError(t, "this merchant already has a game with that code: choose another code (catalogue.game_exists): T1",
			append([]string{"vendor", "create", "--code", "T3", "--name", "T", "--launch-url", "https://a.example/{ticket}", "--game", "X1:RNG", "--game", "T1:RNG"}, args...)...)
		s.end()
		if code, out, stderr := command(t, "", append([]string{"ledger", "verify"}, args...)...); code != 0 {
			t.Errorf("ledger verify: exit code = %d, want 0: %s%s", code, out, stderr)
		}
	})
}
