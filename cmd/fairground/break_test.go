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

// A vendorClient calls a server as the vendor TEST, whose game T1 the member demo88 plays.
type vendorClient struct {
	*conformance.Client
	s      *program
	token  string
	playID string
}

// newVendorClient creates the vendor on a running server and opens its game for demo88.
func newVendorClient(t *testing.T, s *program, args []string) *vendorClient {
	t.Helper()
	code, out, stderr := command(t, "", append([]string{
		"vendor", "create", "--code", "TEST", "--name", "Test", "--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "T1:JL",
	}, args...)...)
	var key struct{ KeyID, Key string }
	if err := json.Unmarshal([]byte(out), &key); err != nil || code != 0 {
		t.Fatalf("vendor create = %d, %s%s, want exit code 0 and a key", code, out, stderr)
	}
	return openVendorGame(t, s, key.KeyID, key.Key, time.Now)
}

func openVendorGame(t *testing.T, s *program, keyID, key string, now func() time.Time) *vendorClient {
	t.Helper()
	o := &vendorClient{s: s, Client: &conformance.Client{
		URL: s.url, Vendor: "TEST", KeyID: keyID, Key: key, Game: "T1", Currency: "VND", Run: "t", HTTP: &http.Client{Timeout: time.Minute}, Now: now,
	}}
	o.token = s.login("demo88", demo.Password)
	entered := o.callVendor(t, "authenticate", map[string]any{"ticket": o.ticket()})
	if o.Session = entered.SessionID; o.Session == "" {
		t.Fatalf("authenticate = %+v, want a session", entered)
	}
	return o
}

func (o *vendorClient) ticket() string {
	o.s.t.Helper()
	l := value[struct{ GameURL, PlayID string }](o.s, http.MethodPost, "/wps/game/launchGame", o.token, `{"gameCategory":"JL","vendor":"TEST","gameId":"T1"}`)
	o.playID = l.PlayID
	_, ticket, _ := strings.Cut(l.GameURL, "t=")
	return ticket
}

func (o *vendorClient) callVendor(t *testing.T, call string, fields map[string]any) conformance.Response {
	t.Helper()
	answer, err := o.Call(t.Context(), call, fields)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	return answer
}

func TestBreakClosesOpenPlays(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		o := newVendorClient(t, s, args)
		playing := o.playID
		bet := func(tx, round string) map[string]any { return o.Fields(tx, round, map[string]any{"amount": "100"}) }
		check := func(name string, got conformance.Response, code string, replayed bool) {
			t.Helper()
			if got.Code != code || got.Replayed != nil && *got.Replayed != replayed {
				t.Errorf("%s: %s, want %s", name, got, code)
			}
		}
		stream := s.events(o.token)
		t.Run("PP-01 the server's part: open pages receive the balance after a vendor's bet, in the account's currency", func(t *testing.T) {
			check("bet before the break", o.callVendor(t, "bet", bet("b1", "r1")), "OK", false)
			for end := time.After(testTimeout); ; {
				select {
				case item := <-stream:
					if strings.HasPrefix(item, "balance ") && strings.Contains(item, `"balance":12480400,`) && strings.Contains(item, `"currency":"VND"`) {
						return
					}
				case <-end:
					t.Fatal("the stream sent no balance")
				}
			}
		})
		unused := o.ticket()
		t.Run("PP-07 the stream's part: every open page receives the break", func(t *testing.T) {
			if a := s.call(http.MethodPost, "/wps/member/limits/break", o.token, `{"period":"24h"}`); a.ErrorCode != "" {
				t.Fatalf("got %+v, want success", a)
			}
			for end := time.After(testTimeout); ; {
				select {
				case item := <-stream:
					if strings.HasPrefix(item, "limits.changed ") {
						if item != `limits.changed {"what":"break"}` {
							t.Errorf("event = %s, want %s", item, `limits.changed {"what":"break"}`)
						}
						return
					}
				case <-end:
					t.Fatal("the stream sent no limits.changed event")
				}
			}
		})
		t.Run("PP-07 the plays' part: open plays are closed, and the vendor receives the reason", func(t *testing.T) {
			if play := value[struct{ ClosedAt *int64 }](s, http.MethodGet, "/wps/game/play?playId="+playing, o.token, ""); play.ClosedAt == nil {
				t.Error("the play is still open")
			}
			check("bet in a closed play", o.callVendor(t, "bet", bet("b2", "r1")), "EXCLUDED", false)
			check("repeated bet", o.callVendor(t, "bet", bet("b2", "r1")), "EXCLUDED", true)
			check("same key with other content", o.callVendor(t, "bet", bet("b2", "r2")), "DUPLICATE_CONFLICT", false)
			check("repeated bet from before the break", o.callVendor(t, "bet", bet("b1", "r1")), "OK", true)
			check("promotion", o.callVendor(t, "promo", o.Fields("p1", "", map[string]any{"amount": "5", "reason": "gift"})), "EXCLUDED", false)
			check("balance", o.callVendor(t, "balance", o.Fields("q", "", nil)), "EXCLUDED", false)
			check("unused ticket", o.callVendor(t, "authenticate", map[string]any{"ticket": unused}), "EXCLUDED", false)
			check("win", o.callVendor(t, "win", o.Fields("w1", "r1", map[string]any{"amount": "100", "endRound": true})), "OK", false)
		})
		if got := s.balance(o.token); got != "12480500" {
			t.Errorf("balance of demo88 = %s, want 12480500", got)
		}
	})
}
