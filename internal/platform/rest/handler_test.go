package rest

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	t.Run("SE-05 headers of data and pages", func(t *testing.T) {
		t.Parallel()
		a := newTestAPI(t, nil)
		addGet(a, "/wps/data", Public, func(context.Context) (bool, error) { return true, nil })
		Handle(a, Op{Method: http.MethodGet, Path: "/wps/stream", ID: "stream"}, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte("retry: 1"))
		}))
		a.Mount("/", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("page")) }))
		always := map[string]string{
			"X-Content-Type-Options":       "nosniff",
			"Content-Security-Policy":      "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
			"X-Frame-Options":              "SAMEORIGIN",
		}
		for path, status := range map[string]int{
			"/wps/data": 200, "/wps/stream": 200, "/wps/unknown": 404, "/": 200, "/m/home": 200,
			"/m//home": 307, "/wps": 404, "/wps/../m": 307, // redirects of the mux
		} {
			w := call(t, a, http.MethodGet, path, "")
			if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("%s = %d, Cache-Control %q, want %d and no-store", path, w.Code, w.Header().Get("Cache-Control"), status)
			}
			for name, want := range always {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %s = %q, want %q", path, name, got, want)
				}
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Errorf("%s: no request id", path)
			}
			if got := w.Header().Get("Strict-Transport-Security"); got != "" {
				t.Errorf("%s: HSTS without TLS: %q, want none", path, got)
			}
		}
	})
}

func TestResponsesOfTheMuxHaveAllHeaders(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	a.Mount("GET /m/", http.NotFoundHandler())
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{http.MethodConnect, "/nowhere", 404},
		{http.MethodGet, "/nowhere", 404},
		{http.MethodPost, "/m/home", 405},
		{http.MethodGet, "/m/missing.js", 404},
	} {
		w := call(t, a, tt.method, tt.path, "")
		h := w.Header()
		if w.Code != tt.status || h.Get("Content-Security-Policy") == "" || h.Get("X-Request-Id") == "" || h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s = %d %v, want %d with a policy, a request id and no-store", tt.method, tt.path, w.Code, h, tt.status)
		}
	}
}

// The list is exact, so that any change of the headers is deliberate (docs/adr/0008).
func TestHeadersOfPreEncodedLists(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, func(o *Options) { o.TLS = true })
	encoded, err := Encode([]string{"a"})
	if err != nil {
		t.Fatal(err)
	}
	Raw[struct{}, []string](a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, encoded)
	want := []string{
		"Cache-Control", "Content-Length", "Content-Security-Policy", "Content-Type", "Cross-Origin-Opener-Policy",
		"Cross-Origin-Resource-Policy", "Etag", "Permissions-Policy", "Referrer-Policy", "Strict-Transport-Security",
		"Vary", "X-Content-Type-Options", "X-Frame-Options", "X-Request-Id",
	}
	w := call(t, a, http.MethodGet, "/wps/list", "")
	if got := slices.Sorted(maps.Keys(w.Header())); w.Code != http.StatusOK || !slices.Equal(got, want) {
		t.Errorf("status = %d, headers = %v, want 200 with %v", w.Code, got, want)
	}
	again := call(t, a, http.MethodGet, "/wps/list", "", "If-None-Match", w.Header().Get("Etag"))
	if again.Code != http.StatusNotModified || again.Header().Get("X-Request-Id") == "" || again.Header().Get("Content-Security-Policy") == "" {
		t.Errorf("unchanged: %d %v", again.Code, again.Header())
	}
}

func TestHSTSOnlyBehindTLS(t *testing.T) {
	t.Parallel()
	t.Run("SE-05 HSTS", func(t *testing.T) {
		t.Parallel()
		tests := []struct {
			name   string
			change func(*Options)
			header []string
			want   bool
		}{
			{"configured", func(o *Options) { o.TLS = true }, nil, true},
			{"trusted proxy over https", func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }, []string{"X-Forwarded-Proto", "https"}, true},
			{"untrusted client claims https", nil, []string{"X-Forwarded-Proto", "https"}, false},
			{"trusted proxy over http", func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} }, []string{"X-Forwarded-Proto", "http"}, false},
		}
		for _, tt := range tests {
			a := newTestAPI(t, tt.change)
			w := call(t, a, http.MethodGet, "/wps/unknown", "", tt.header...)
			if got := w.Header().Get("Strict-Transport-Security") != ""; got != tt.want {
				t.Errorf("%s: HSTS %v, want %v", tt.name, got, tt.want)
			}
		}
	})
}

func TestCrossSiteChangesAreRejected(t *testing.T) {
	t.Parallel()
	t.Run("SE-09 cross-site requests", func(t *testing.T) {
		t.Parallel()
		a := newTestAPI(t, func(o *Options) { o.Origins = []string{"https://play.example"} })
		addEcho(a, Op{Path: "/wps/echo"})
		addGet(a, "/wps/read", Public, func(context.Context) (bool, error) { return true, nil })
		tests := []struct {
			name   string
			method string
			header []string
			status int
		}{
			{"no browser", http.MethodPost, nil, 200},
			{"same origin", http.MethodPost, []string{"Sec-Fetch-Site", "same-origin"}, 200},
			{"address typed by the user", http.MethodPost, []string{"Sec-Fetch-Site", "none"}, 200},
			{"same site, other origin", http.MethodPost, []string{"Sec-Fetch-Site", "same-site", "Origin", "https://evil.example.com"}, 403},
			{"cross site", http.MethodPost, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 403},
			{"cross site without an origin", http.MethodPost, []string{"Sec-Fetch-Site", "cross-site"}, 403},
			{"old browser, same host", http.MethodPost, []string{"Origin", "http://example.com"}, 200},
			{"old browser, other host", http.MethodPost, []string{"Origin", "https://evil.example"}, 403},
			{"sandboxed frame", http.MethodPost, []string{"Origin", "null"}, 403},
			{"the site's public origin", http.MethodPost, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://play.example"}, 200},
			{"cross-site read", http.MethodGet, []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"}, 200},
		}
		for _, tt := range tests {
			path, body := "/wps/echo", `{"name":"an"}`
			if tt.method == http.MethodGet {
				path, body = "/wps/read", ""
			}
			w := call(t, a, tt.method, path, body, tt.header...)
			if w.Code != tt.status {
				t.Errorf("%s: %d %s, want %d", tt.name, w.Code, w.Body, tt.status)
			}
			if tt.status == 403 && code(t, w) != "csrf.refused" {
				t.Errorf("%s = %s, want csrf.refused", tt.name, w.Body)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin"); got != "" {
				t.Errorf("%s: Access-Control-Allow-Origin = %q, want none", tt.name, got)
			}
		}
	})
}

func TestForwardedAddressesAreTrustedFromProxiesOnly(t *testing.T) {
	t.Parallel()
	proxies := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}
	tests := []struct {
		name, peer, forwarded string
		want                  string
	}{
		{"direct", "203.0.113.5:1234", "", "203.0.113.5"},
		{"untrusted client with a forged address", "203.0.113.5:1234", "198.51.100.1", "203.0.113.5"},
		{"one proxy", "10.1.2.3:1234", "198.51.100.1", "198.51.100.1"},
		{"two proxies", "10.1.2.3:1234", "198.51.100.1, 10.9.9.9", "198.51.100.1"},
		{"client forges an entry before the proxies", "10.1.2.3:1234", "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"},
		{"malformed entry before a proxy", "10.1.2.3:1234", "198.51.100.1, nonsense, 10.9.9.9", ""},
		{"malformed last entry", "10.1.2.3:1234", "198.51.100.1, nonsense", ""},
		{"empty last entry", "10.1.2.3:1234", "198.51.100.1,", ""},
		{"with a port", "10.1.2.3:1234", "198.51.100.1:4711, 10.9.9.9:80", "198.51.100.1"},
		{"IPv6 with a port", "10.1.2.3:1234", "[2001:db8:2::5]:4711", "2001:db8:2::5"},
		{"IPv6 in brackets", "10.1.2.3:1234", "[2001:db8:2::5]", "2001:db8:2::5"},
		{"zone is removed", "10.1.2.3:1234", "fe80::5%eth0", "fe80::5"},
		{"proxy without the header", "10.1.2.3:1234", "", "10.1.2.3"},
		{"proxy over IPv6", "[2001:db8:1::1]:1234", "2001:db8:2::5", "2001:db8:2::5"},
		{"IPv4 written as IPv6", "[::ffff:10.1.2.3]:1234", "::ffff:198.51.100.1", "198.51.100.1"},
		{"Unix socket", "@", "198.51.100.1", ""},
	}
	for _, tt := range tests {
		t.Run("SE-14 "+tt.name, func(t *testing.T) {
			t.Parallel()
			a := newTestAPI(t, func(o *Options) { o.Proxies = proxies })
			var got string
			addGet(a, "/wps/address", Public, func(ctx context.Context) (bool, error) { got = AddressOf(ctx); return true, nil })
			r := httptest.NewRequest(http.MethodGet, "/wps/address", nil)
			r.RemoteAddr = tt.peer
			if tt.forwarded != "" {
				r.Header.Set("X-Forwarded-For", tt.forwarded)
			}
			a.Handler().ServeHTTP(httptest.NewRecorder(), r)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRequestIDIsAcceptedFromProxiesOnly(t *testing.T) {
	t.Parallel()
	withProxy := newTestAPI(t, func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")} })
	if got := call(t, withProxy, http.MethodGet, "/wps/x", "", "X-Request-Id", "from-proxy").Header().Get("X-Request-Id"); got != "from-proxy" {
		t.Errorf("id from a proxy = %q, want from-proxy", got)
	}
	longest := strings.Repeat("aZ09._-x", 8)
	if got := call(t, withProxy, http.MethodGet, "/wps/x", "", "X-Request-Id", longest).Header().Get("X-Request-Id"); got != longest {
		t.Errorf("longest id = %q, want %q", got, longest)
	}
	for _, bad := range []string{"bad\x01", `a","level":"ERROR`, `back\slash`, "two words", "é", longest + "x"} {
		if got := call(t, withProxy, http.MethodGet, "/wps/x", "", "X-Request-Id", bad).Header().Get("X-Request-Id"); len(got) != 24 {
			t.Errorf("invalid id %q became %q, want a new id", bad, got)
		}
	}
	if got := call(t, newTestAPI(t, nil), http.MethodGet, "/wps/x", "", "X-Request-Id", "mine").Header().Get("X-Request-Id"); got == "mine" {
		t.Error("the id of an untrusted client was accepted")
	}
}

func TestHandlerTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := newTestAPI(t, func(o *Options) { o.Timeout = 3 * time.Second })
		addGet(a, "/wps/slow", Public, func(ctx context.Context) (bool, error) {
			select {
			case <-ctx.Done():
				return false, ctx.Err()
			case <-time.After(time.Hour):
				return true, nil
			}
		})
		start := time.Now()
		w := call(t, a, http.MethodGet, "/wps/slow", "")
		if w.Code != http.StatusGatewayTimeout || code(t, w) != "request.timeout" {
			t.Errorf("got %d %s, want 504 request.timeout", w.Code, w.Body)
		}
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("took %v, want 3s", took)
		}
	})
}

func TestDerivedContextEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	a := newTestAPI(t, nil)
	children := make(chan context.Context, 1)
	addGet(a, "/wps/derive", Public, func(ctx context.Context) (bool, error) {
		if at, ok := ctx.Deadline(); !ok || time.Until(at) > defaultTimeout {
			t.Errorf("deadline = %v, %v, want one within %v", at, ok, defaultTimeout)
		}
		child, cancel := context.WithCancel(ctx)
		_ = cancel // the end of the request must cancel it
		children <- child
		return child.Err() == nil, child.Err()
	})
	if w := call(t, a, http.MethodGet, "/wps/derive", ""); w.Code != 200 {
		t.Fatalf("got %d %s, want 200", w.Code, w.Body)
	}
	select {
	case <-(<-children).Done():
	case <-time.After(time.Minute):
		t.Error("the derived context was not cancelled after the request")
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	a := newTestAPI(t, func(o *Options) {
		o.Metrics = registry
		o.MetricsFrom = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	addGet(a, "/wps/things/{id}", Public, func(context.Context) (bool, error) { return true, nil })
	a.Mount("GET /metrics", a.MetricsHandler(registry))
	for range 3 {
		call(t, a, http.MethodGet, "/wps/things/1", "")
	}
	call(t, a, http.MethodGet, "/wps/nothing", "")
	read := func(peer string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, "http://localhost:8080/metrics", nil)
		r.RemoteAddr = peer
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		a.Handler().ServeHTTP(w, r)
		return w
	}
	for _, peer := range []string{"127.0.0.1:1", "[::1]:1", "10.2.3.4:1"} {
		text := read(peer).Body.String()
		for _, want := range []string{
			`fairground_http_requests_total{route="/wps/things/{id}",status="2xx"} 3`,
			`fairground_http_requests_total{route="unknown",status="4xx"} 1`,
			`fairground_http_request_seconds_count{route="/wps/things/{id}"} 3`,
			`fairground_http_requests_in_flight 1`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("metrics for %s lack %s", peer, want)
			}
		}
	}
	if got := read("127.0.0.1:1").Header().Get("Cache-Control"); got != "no-store" {
		t.Errorf("Cache-Control = %q, want no-store", got)
	}
	if w := read("203.0.113.5:1"); w.Code != 404 || strings.Contains(w.Body.String(), "fairground_http") {
		t.Errorf("other network: %d %s, want 404", w.Code, w.Body)
	}
	if w := read("127.0.0.1:1", "Via", "1.1 tunnel"); w.Code != 404 {
		t.Errorf("through a tunnel: status = %d, want 404", w.Code)
	}
	rebound := httptest.NewRequest(http.MethodGet, "http://evil.example/metrics", nil)
	rebound.RemoteAddr = "127.0.0.1:1"
	rebindingResponse := httptest.NewRecorder()
	if a.Handler().ServeHTTP(rebindingResponse, rebound); rebindingResponse.Code != 404 {
		t.Errorf("DNS rebinding: status = %d, want 404", rebindingResponse.Code)
	}
	withProxy := newTestAPI(t, func(o *Options) { o.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	withProxy.Mount("GET /metrics", withProxy.MetricsHandler(registry))
	for _, hop := range []string{"203.0.113.5:4711", "nonsense", "unknown", ""} {
		r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header["X-Forwarded-For"] = []string{hop}
		w := httptest.NewRecorder()
		withProxy.Handler().ServeHTTP(w, r)
		if w.Code != 404 {
			t.Errorf("client %q behind a local proxy: status = %d, want 404", hop, w.Code)
		}
	}
	for _, header := range []string{"Via", "Forwarded", "X-Real-Ip"} {
		r := httptest.NewRequest(http.MethodGet, "http://localhost/metrics", nil)
		r.RemoteAddr = "127.0.0.1:1"
		r.Header.Set(header, "x")
		w := httptest.NewRecorder()
		if withProxy.Handler().ServeHTTP(w, r); w.Code != 404 {
			t.Errorf("%s from a configured proxy on this machine: status = %d, want 404", header, w.Code)
		}
	}
	withToken := newTestAPI(t, func(o *Options) { o.MetricsToken = "a long token" })
	withToken.Mount("GET /metrics", withToken.MetricsHandler(registry))
	for authorization, want := range map[string]int{"Bearer a long token": 200, "Bearer another": 404, "Bearer ": 404, "Basic a long token": 404, "": 404} {
		r := httptest.NewRequest(http.MethodGet, "https://site.example/metrics", nil)
		r.RemoteAddr = "203.0.113.5:1"
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		if withToken.Handler().ServeHTTP(w, r); w.Code != want {
			t.Errorf("Authorization %q from another network: status = %d, want %d", authorization, w.Code, want)
		}
	}
	if w := read("203.0.113.5:1", "Authorization", "Bearer "); w.Code != 404 {
		t.Errorf("empty token where none is configured: status = %d, want 404", w.Code)
	}
	if w := read("127.0.0.1:1", "X-Forwarded-For", "203.0.113.5"); w.Code != 404 {
		t.Errorf("through an unconfigured proxy: status = %d, want 404", w.Code)
	}
}
