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

const pagesPath = "/wps/system/pages"

// Maintenance closes the site for logged-in members. Commands, health and the app's files still work.
func TestMaintenanceWithOpenSessions(t *testing.T) {
	t.Parallel()
	forEachDatabase(t, func(t *testing.T, args []string) {
		s := start(t, append(args, "--demo")...)
		token := s.login("demo88", demo.Password)
		news := s.events(token)
		set := func(value string) {
			t.Helper()
			if code, out, stderr := command(t, "", append([]string{"merchant", "set", "system.maintenance", value}, args...)...); code != 0 {
				t.Fatalf("merchant set: exit code = %d, want 0: %s%s", code, out, stderr)
			}
		}
		began := time.Now()
		set(`{"on":true,"until":"` + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + `","note":{"EN":"Back soon."}}`)
		select {
		case item := <-news:
			if item != `closed {"errorCode":"system.maintenance"}` {
				t.Errorf("event = %q, want closed", item)
			}
		case <-time.After(testTimeout):
			t.Fatal("the stream sent no event")
		}
		if _, more := <-news; more {
			t.Error("the stream was not closed after the event")
		}
		t.Logf("the stream was closed %s after the command", time.Since(began).Round(time.Millisecond))
		for _, path := range []string{pagesPath, "/wps/member/info", "/wps/events", "/wps/system/jackpot"} {
			status, body, header := s.get(path, "Authorization", token)
			if status != 503 || !strings.Contains(body, `"system.maintenance"`) || header.Get("Retry-After") == "" {
				t.Errorf("%s: %d %s, Retry-After %q, want 503, system.maintenance and a time", path, status, body, header.Get("Retry-After"))
			}
		}
		t.Run("RT-29 the server's part: status, settings, health and the app are available", func(t *testing.T) {
			if got := value[siteStatus](s, http.MethodGet, "/wps/system/status", "", ""); got.SystemStatus != 2 {
				t.Errorf("got %+v, want status 2", got)
			}
			for _, path := range []string{"/wps/system/settings/consolidated", "/wps/system/whitelabel", "/healthz", "/m/notices.txt"} {
				status, body, _ := s.get(path)
				// The health check writes to the disk, which can be slow while other tests run.
				for end := time.Now().Add(testTimeout); path == "/healthz" && status != 200 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
					status, body, _ = s.get(path)
				}
				if status != 200 {
					t.Errorf("%s = %d %s, want 200", path, status, body)
				}
			}
		})
		set(`{"on":false}`)
		if a := s.call(http.MethodGet, "/wps/member/info", token, ""); a.status != 200 {
			t.Errorf("after maintenance: %+v, want a valid session", a)
		}
	})
}

func TestBlockedRegions(t *testing.T) { //nolint:tparallel // the subtests share a data folder
	t.Parallel()
	file := regiontest.Write(t, "GeoLite2-Country", map[string]regiontest.Place{"203.0.113.0/24": {Used: "BR"}, "198.51.100.0/24": {Used: "VN"}})
	const brazil, vietnam = "203.0.113.7", "198.51.100.7"
	data := t.TempDir()
	set := func(name, value string) {
		t.Helper()
		if code, out, stderr := command(t, "", "merchant", "set", name, value, "--data", data); code != 0 {
			t.Fatalf("merchant set: exit code = %d, want 0: %s%s", code, out, stderr)
		}
	}
	start(t, "--data", data).end()
	set("system.blocked_countries", `["BR"]`)
	set("system.blocked_networks", `["192.0.2.0/24"]`)
	t.Run("SE-14 forwarded-for headers are used only from configured proxies", func(t *testing.T) {
		withProxy := start(t, "--data", data, "--geoip", file, "--proxies", "127.0.0.0/8")
		for address, want := range map[string]int{brazil: 403, vietnam: 200, "192.0.2.5": 403, brazil + ", " + vietnam: 200, vietnam + ", " + brazil: 403, "garbage": 403} {
			if status, body, _ := withProxy.get(pagesPath, "X-Forwarded-For", address); status != want {
				t.Errorf("%s behind a proxy: %d %s, want %d", address, status, body, want)
			}
		}
		if _, body, _ := withProxy.get("/wps/system/status", "X-Forwarded-For", brazil); !strings.Contains(body, `"systemStatus":1`) || !strings.Contains(body, brazil) {
			t.Errorf("status for a blocked address: %s, want %s and %v", body, `"systemStatus":1`, brazil)
		}
		withProxy.end()
		direct := start(t, "--data", data, "--geoip", file)
		if status, body, _ := direct.get(pagesPath, "X-Forwarded-For", brazil, "Forwarded", "for="+brazil, "X-Real-Ip", brazil); status != 200 {
			t.Errorf("forwarded header without a proxy: %d %s, want 200", status, body)
		}
		set("system.blocked_networks", `["127.0.0.0/8"]`)
		if status, _, _ := direct.get(pagesPath, "X-Forwarded-For", vietnam); status != 403 {
			t.Errorf("blocked network with a forwarded header: status = %d, want 403", status)
		}
		set("system.blocked_networks", `[]`)
		if status, _, _ := direct.get(pagesPath); status != 200 {
			t.Errorf("after unblocking: status = %d, want 200", status)
		}
		direct.end()
	})
	t.Run("a start without a country database logs a warning", func(t *testing.T) {
		without := start(t, "--data", data)
		if log := without.log.String(); strings.Count(log, "system.blocked_countries has no effect") != 1 || !strings.Contains(log, "--geoip") {
			t.Errorf("got log %s, want one warning that names --geoip", log)
		}
		without.end()
		with := start(t, "--data", data, "--geoip", file)
		if log := with.log.String(); strings.Contains(log, "blocked_countries") {
			t.Errorf("got log %s, want no warning about blocked_countries", log)
		}
		with.end()
	})
	t.Run("a start with a missing or invalid file fails", func(t *testing.T) {
		broken := filepath.Join(t.TempDir(), "broken.mmdb")
		if err := os.WriteFile(broken, []byte("not a database"), 0o600); err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]string{
			broken: "not a complete MaxMind database", filepath.Join(t.TempDir(), "none.mmdb"): "no such file", regiontest.Write(t, "GeoLite2-ASN", nil): "use a country or city database",
		} {
			wantError(t, want, "serve", "--data", data, "--addr", "127.0.0.1:0", "--geoip", path)
			wantError(t, "--geoip", "serve", "--data", data, "--addr", "127.0.0.1:0", "--geoip", path)
		}
		wantError(t, "web clip certificate", "serve", "--data", data, "--addr", "127.0.0.1:0", "--public-url", "https://site.example", "--webclip-cert", broken, "--webclip-key", broken)
	})
}

// A command on one replica closes the site on all replicas immediately, not when their caches expire.
func TestMaintenanceOnAllReplicas(t *testing.T) {
	t.Parallel()
	address := copyPostgres(t, withDemo)
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	events := probe.Addr().String()
	if err := probe.Close(); err != nil {
		t.Fatal(err)
	}
	first := []string{"--data", t.TempDir(), "--db", address}
	// The clock does not advance, so that no cache expires.
	now := time.Now()
	clock := func() time.Time { return now }
	one := startAt(t, clock, append(first, "--nats-listen", events, "--demo")...)
	two := startAt(t, clock, "--data", t.TempDir(), "--db", address, "--nats", "nats://"+events, "--demo")
	token := two.login("demo88", demo.Password)
	news := two.events(token)
	if status, _, _ := two.get(pagesPath); status != 200 {
		t.Fatalf("before the command: status = %d, want 200", status)
	}
	if code, out, stderr := command(t, "", append([]string{"merchant", "set", "system.maintenance", `{"on":true}`}, first...)...); code != 0 {
		t.Fatalf("merchant set: exit code = %d, want 0: %s%s", code, out, stderr)
	}
	for end := time.Now().Add(testTimeout); ; time.Sleep(5 * time.Millisecond) {
		status, _, _ := two.get(pagesPath)
		if status == 503 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the other replica returns %d, want 503", status)
		}
	}
	if item := <-news; item != `closed {"errorCode":"system.maintenance"}` {
		t.Errorf("event = %q, want closed", item)
	}
	if status, _, _ := one.get(pagesPath); status != 503 {
		t.Errorf("first replica: status = %d, want 503", status)
	}
}
