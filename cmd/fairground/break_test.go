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

// opened is a vendor TEST with a game T1, and demo88 who plays it.
type vendorClient struct {
	*conformance.Client
	s      *program
	token  string
	playID string
}

// openTest makes the vendor on a running server and opens its game for demo88.
func newVendorClient(t *testing.T, s *program, args []string) *vendorClient {
	t.Helper()
	code, out, errs := command(t, "", append([]string{
		"vendor", "create", "--code", "TEST", "--name", "Test", "--launch-url", "http://127.0.0.1:9999/play?t={ticket}", "--game", "T1:JL",
	}, args...)...)
	var key struct{ KeyID, Key string }
	if err := json.Unmarshal([]byte(out), &key); err != nil || code != 0 {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	return openVendorGame(t, s, key.KeyID, key.Key, time.Now)
}

// enterTest opens the vendor's game for demo88.
func openVendorGame(t *testing.T, s *program, keyID, key string, now func() time.Time) *vendorClient {
	t.Helper()
	o := &vendorClient{s: s, Client: &conformance.Client{
		URL: s.url, Vendor: "TEST", KeyID: keyID, Key: key, Game: "T1", Currency: "VND", Run: "t", HTTP: &http.Client{Timeout: time.Minute}, Now: now,
	}}
	o.token = s.login("demo88", demo.Password)
	entered := o.callVendor(t, "authenticate", map[string]any{"ticket": o.ticket()})
	if o.Session = entered.SessionID; o.Session == "" {
		t.Fatal(entered)
	}
	return o
}

// ticket launches the game once more.
func (o *vendorClient) ticket() string {
	o.s.t.Helper()
	l := value[struct{ GameURL, PlayID string }](o.s, http.MethodPost, "/wps/game/launchGame", o.token, `{"gameCategory":"JL","vendor":"TEST","gameId":"T1"}`)
	o.playID = l.PlayID
	_, ticket, _ := strings.Cut(l.GameURL, "t=")
	return ticket
}

func (o *vendorClient) callVendor(t *testing.T, call string, fields map[string]any) conformance.Answer {
	t.Helper()
	answer, err := o.Call(t.Context(), call, fields)
	if err != nil {
		t.Fatalf("%s: %v", call, err)
	}
	return answer
}

// A break that a member takes in one tab ends what runs in another: its open pages hear of it, its plays are closed, and every
// vendor is told why.
func TestBreakClosesWhatRuns(t *testing.T) {
	t.Parallel()
	eachDemo(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		o := newVendorClient(t, s, args)
		playing := o.playID
		bet := func(tx, round string) map[string]any { return o.Fields(tx, round, map[string]any{"amount": "100"}) }
		is := func(what string, got conformance.Answer, code string, replayed bool) {
			t.Helper()
			if got.Code != code || got.Replayed != nil && *got.Replayed != replayed {
				t.Errorf("%s: %s, want %s", what, got, code)
			}
		}
		stream := s.events(o.token)
		t.Run("PP-01 the server's part: open pages are told what a vendor's bet leaves, in the account's currency", func(t *testing.T) {
			is("before", o.callVendor(t, "bet", bet("b1", "r1")), "OK", false)
			for end := time.After(testTimeout); ; {
				select {
				case item := <-stream:
					if strings.HasPrefix(item, "balance ") && strings.Contains(item, `"balance":12480400,`) && strings.Contains(item, `"currency":"VND"`) {
						return
					}
				case <-end:
					t.Fatal("the stream said nothing of it")
				}
			}
		})
		unused := o.ticket()
		t.Run("PP-07 the stream's part: a break is told to every open page", func(t *testing.T) {
			if a := s.call(http.MethodPost, "/wps/member/limits/break", o.token, `{"period":"24h"}`); a.ErrorCode != "" {
				t.Fatalf("%+v", a)
			}
			for end := time.After(testTimeout); ; {
				select {
				case item := <-stream:
					if strings.HasPrefix(item, "limits.changed ") {
						if item != `limits.changed {"what":"break"}` {
							t.Errorf("the stream said %s", item)
						}
						return
					}
				case <-end:
					t.Fatal("the stream said nothing")
				}
			}
		})
		t.Run("PP-07 the plays' part: what runs is closed, and the vendor told why", func(t *testing.T) {
			var sitting struct{ ClosedAt *int64 }
			if sitting = value[struct{ ClosedAt *int64 }](s, http.MethodGet, "/wps/game/play?playId="+playing, o.token, ""); sitting.ClosedAt == nil {
				t.Error("the play goes on")
			}
			is("a bet in a closed play", o.callVendor(t, "bet", bet("b2", "r1")), "EXCLUDED", false)
			is("the same again", o.callVendor(t, "bet", bet("b2", "r1")), "EXCLUDED", true)
			is("its key with other content", o.callVendor(t, "bet", bet("b2", "r2")), "DUPLICATE_CONFLICT", false)
			is("what was bet before", o.callVendor(t, "bet", bet("b1", "r1")), "OK", true)
			is("a promotion", o.callVendor(t, "promo", o.Fields("p1", "", map[string]any{"amount": "5", "reason": "gift"})), "EXCLUDED", false)
			is("the balance", o.callVendor(t, "balance", o.Fields("q", "", nil)), "EXCLUDED", false)
			is("a ticket that was not used", o.callVendor(t, "authenticate", map[string]any{"ticket": unused}), "EXCLUDED", false)
			is("a win is settled", o.callVendor(t, "win", o.Fields("w1", "r1", map[string]any{"amount": "100", "endRound": true})), "OK", false)
		})
		if got := s.balance(o.token); got != "12480500" {
			t.Errorf("demo88 has %s", got)
		}
	})
}
