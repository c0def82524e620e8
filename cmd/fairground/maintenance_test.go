package main

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fairground/internal/demo"
	"fairground/internal/platform/region/regiontest"
)

// ask makes a call with headers and gives its status, code and answer's header.
func (s *program) get(path string, headers ...string) (status int, body string, header http.Header) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := noRedirects.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return res.StatusCode, string(raw), res.Header
}

type siteStatus struct {
	IP           string
	SystemStatus int
}

const anotherCall = "/wps/system/pages"

// A command closes the site under those who are in it; commands, health and the app's own files go on.
func TestMaintenanceUnderAMember(t *testing.T) {
	t.Parallel()
	eachDemo(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		token := s.login("demo88", demo.Password)
		news := s.events(token)
		set := func(value string) {
			t.Helper()
			if code, out, errs := command(t, "", append([]string{"merchant", "set", "system.maintenance", value}, args...)...); code != 0 {
				t.Fatalf("%d %s%s", code, out, errs)
			}
		}
		begun := time.Now()
		set(`{"on":true,"until":"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `","note":{"EN":"Back soon."}}`)
		select {
		case item := <-news:
			if item != `closed {"errorCode":"system.maintenance"}` {
				t.Errorf("the stream said %q", item)
			}
		case <-time.After(testTimeout):
			t.Fatal("the stream went on")
		}
		if _, more := <-news; more {
			t.Error("the stream went on after its last event")
		}
		t.Logf("closed to an open stream %s after the command began", time.Since(begun).Round(time.Millisecond))
		for _, path := range []string{anotherCall, "/wps/member/info", "/wps/events", "/wps/system/jackpot"} {
			status, body, header := s.get(path, "Authorization", token)
			if status != 503 || !strings.Contains(body, `"system.maintenance"`) || header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %s, Retry-After %q", path, status, body, header.Get("Retry-After"))
			}
		}
		t.Run("RT-29 the server's part: status, settings, health and the app itself answer", func(t *testing.T) {
			if got := value[siteStatus](s, http.MethodGet, "/wps/system/status", "", ""); got.SystemStatus != 2 {
				t.Errorf("%+v", got)
			}
			for _, path := range []string{"/wps/system/settings/consolidated", "/wps/system/whitelabel", "/healthz", "/m/notices.txt"} {
				if status, body, _ := s.get(path); status != 200 {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
		})
		set(`{"on":false}`)
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != 200 {
			t.Errorf("open again, the session is %+v", a)
		}
	})
}

// Addresses count as the configured proxies tell them, and as nobody else does.
func TestRegions(t *testing.T) { //nolint:tparallel // one data folder for all of them
	t.Parallel()
	file := regiontest.Write(t, "GeoLite2-Country", map[string]regiontest.Place{"203.0.113.0/24": {Used: "BR"}, "198.51.100.0/24": {Used: "VN"}})
	const brazil, vietnam = "203.0.113.7", "198.51.100.7"
	data := t.TempDir()
	set := func(name, value string) {
		t.Helper()
		if code, out, errs := command(t, "", "merchant", "set", name, value, "--data", data); code != 0 {
			t.Fatalf("%d %s%s", code, out, errs)
		}
	}
	start(t, "--data", data).end()
	set("system.blocked_countries", `["BR"]`)
	set("system.blocked_networks", `["192.0.2.0/24"]`)
	t.Run("SE-14 forwarded-for headers count only from configured proxies", func(t *testing.T) {
		behind := start(t, "--data", data, "--geoip", file, "--proxies", "127.0.0.0/8")
		for address, want := range map[string]int{brazil: 403, vietnam: 200, "192.0.2.5": 403, brazil + ", " + vietnam: 200, vietnam + ", " + brazil: 403, "garbage": 403} {
			if status, body, _ := behind.get(anotherCall, "X-Forwarded-For", address); status != want {
				t.Errorf("%s behind a proxy: %d %s", address, status, body)
			}
		}
		if _, body, _ := behind.get("/wps/system/status", "X-Forwarded-For", brazil); !strings.Contains(body, `"systemStatus":1`) || !strings.Contains(body, brazil) {
			t.Errorf("whoever is kept out is told so: %s", body)
		}
		behind.end()
		bare := start(t, "--data", data, "--geoip", file)
		if status, body, _ := bare.get(anotherCall, "X-Forwarded-For", brazil, "Forwarded", "for="+brazil, "X-Real-Ip", brazil); status != 200 {
			t.Errorf("without proxies a header keeps somebody out: %d %s", status, body)
		}
		set("system.blocked_networks", `["127.0.0.0/8"]`)
		if status, _, _ := bare.get(anotherCall, "X-Forwarded-For", vietnam); status != 403 {
			t.Errorf("without proxies a header lets somebody in: %d", status)
		}
		// The operator can still take it back.
		set("system.blocked_networks", `[]`)
		if status, _, _ := bare.get(anotherCall); status != 200 {
			t.Errorf("taken back: %d", status)
		}
		bare.end()
	})
	t.Run("a start that cannot tell countries says so before anybody comes", func(t *testing.T) {
		silent := start(t, "--data", data)
		if log := silent.log.String(); strings.Count(log, "countries are to be kept out, and nobody is") != 1 || !strings.Contains(log, "--geoip") {
			t.Errorf("%s", log)
		}
		silent.end()
		knowing := start(t, "--data", data, "--geoip", file)
		if log := knowing.log.String(); strings.Contains(log, "kept out") {
			t.Errorf("%s", log)
		}
		knowing.end()
	})
	t.Run("a start without a file that should be there", func(t *testing.T) {
		broken := filepath.Join(t.TempDir(), "broken.mmdb")
		if err := os.WriteFile(broken, []byte("not a database"), 0o600); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{
			broken: "no whole MaxMind database", filepath.Join(t.TempDir(), "none.mmdb"): "no such file", regiontest.Write(t, "GeoLite2-ASN", nil): "want one of countries",
		} {
			wantError(t, want, "serve", "--data", data, "--addr", "127.0.0.1:0", "--geoip", path)
			wantError(t, "--geoip", "serve", "--data", data, "--addr", "127.0.0.1:0", "--geoip", path)
		}
		wantError(t, "web clip certificate", "serve", "--data", data, "--addr", "127.0.0.1:0", "--public-url", "https://site.example", "--webclip-cert", broken, "--webclip-key", broken)
	})
}

// Replicas that already run close when a command is given at one of them, not when what they keep grows old.
func TestReplicasCloseTogether(t *testing.T) {
	t.Parallel()
	address := copyPostgres(t, true)
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	events := probe.Addr().String()
	if err := probe.Close(); err != nil {
		t.Fatal(err)
	}
	first := []string{"--data", t.TempDir(), "--db", address}
	// Time stands still, so that nothing that is kept grows old: what the other replica learns, it was told.
	now := time.Now()
	still := func() time.Time { return now }
	one := startAt(t, still, append(first, "--nats-listen", events, "--demo")...)
	two := startAt(t, still, "--data", t.TempDir(), "--db", address, "--nats", "nats://"+events, "--demo")
	token := two.login("demo88", demo.Password)
	news := two.events(token)
	if status, _, _ := two.get(anotherCall); status != 200 {
		t.Fatalf("before: %d", status)
	}
	if code, out, errs := command(t, "", append([]string{"merchant", "set", "system.maintenance", `{"on":true}`}, first...)...); code != 0 {
		t.Fatalf("%d %s%s", code, out, errs)
	}
	for end := time.Now().Add(testTimeout); ; time.Sleep(5 * time.Millisecond) {
		status, _, _ := two.get(anotherCall)
		if status == 503 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the other replica still answers %d", status)
		}
	}
	if item := <-news; item != `closed {"errorCode":"system.maintenance"}` {
		t.Errorf("the stream said %q", item)
	}
	if status, _, _ := one.get(anotherCall); status != 503 {
		t.Errorf("the first one: %d", status)
	}
}
