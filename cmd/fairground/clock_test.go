package main

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"fairground/internal/platform/spec"
)

// FT-09, all parts: two servers whose clocks differ by hours agree on tickets, plays, the betting record and codes.
func TestFT09ServersWithDifferentClocks(t *testing.T) {
	t.Parallel()
	address := copyPostgres(t, withDemo)
	clock := func(off time.Duration) func() time.Time { return func() time.Time { return time.Now().Add(off) } }
	args := []string{"--data", t.TempDir(), "--db", address, "--demo"}
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	events := probe.Addr().String()
	_ = probe.Close() // only the port is needed
	right := start(t, append(args, "--nats-listen", events)...)
	o := newVendorClient(t, right, args[:4])
	runCommand(t, "", args[:4], "merchant", "switch", "module", string(spec.ModuleCaptcha), "off") // it is required after a few codes
	rounds := int64(0)                                                                             // in one play
	for name, off := range map[string]time.Duration{"ahead": 5 * time.Hour, "behind": -5 * time.Hour} {
		wrong := startAt(t, clock(off), "--data", t.TempDir(), "--db", address, "--nats", "nats://"+events, "--demo")
		for from, number := range map[*program]string{right: "09123450", wrong: "09123451"} {
			request := map[string]any{"mobileNum": number + map[string]string{"ahead": "01", "behind": "02"}[name], "countryDialingCode": "84", "purpose": "register"}
			value[struct{}](from, http.MethodPost, "/wps/verification/sms/noLogin", "", body(request))
			for _, at := range []*program{right, wrong} {
				path := fmt.Sprintf("/wps/verification/query?mobileNum=%s&countryDialingCode=84&purpose=register", request["mobileNum"])
				running := value[struct {
					Waiting        bool
					ExpirationTime int64
				}](at, http.MethodGet, path, "", "")
				if left := time.Until(time.UnixMilli(running.ExpirationTime)); !running.Waiting || left < 0 || left > 6*time.Minute {
					t.Errorf("%s: code waiting = %v, expires in %s, want a code that expires within six minutes", name, running.Waiting, left)
				}
			}
		}
		for _, c := range []struct {
			name       string
			from       *program
			vendorAt   string
			vendorsNow func() time.Time
		}{{"launched here, played there", right, wrong.url, clock(off)}, {"launched there, played here", wrong, right.url, time.Now}} {
			from := *o
			from.s = c.from
			client := *o.Client
			client.URL, client.Now = c.vendorAt, c.vendorsNow
			from.Client = &client
			entered := from.callVendor(t, "authenticate", map[string]any{"ticket": from.ticket()})
			if entered.Code != "OK" {
				t.Fatalf("%s, %s: authenticate: %s, want OK", name, c.name, entered)
			}
			client.Session = entered.SessionID
			id := name + c.name[9:10]
			if got := from.callVendor(t, "bet", client.Fields(id, id, map[string]any{"amount": "100"})); got.Code != "OK" {
				t.Errorf("%s, %s: bet: %s, want OK", name, c.name, got)
			}
			rounds++
			play := value[struct{ StartedAt, Now, Rounds int64 }](c.from, http.MethodGet, "/wps/game/play?playId="+from.playID, o.token, "")
			if passed := play.Now - play.StartedAt; passed < -time.Minute.Milliseconds() || passed > time.Hour.Milliseconds() || play.Rounds != rounds {
				t.Errorf("%s, %s: play: %+v, want %v rounds and a start within the last hour", name, c.name, play, rounds)
			}
		}
	}
}
