package webui

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"fairground/internal/platform/rest"
)

const consoleHTML = `<!doctype html><head><meta name="style-nonce" content="" />` +
	`<script>document.documentElement.dataset.theme = "dark"</script>` +
	`<script type="module" src="/m/assets/console/index-1.js"></script></head>`

func consoleBuild(t *testing.T) *App {
	t.Helper()
	a, err := load(fstest.MapFS{
		"index.html":                &fstest.MapFile{Data: []byte(page)},
		"console/index.html.br":     &fstest.MapFile{Data: []byte(packed(consoleHTML))},
		"assets/console/index-1.js": &fstest.MapFile{Data: []byte("work")},
	}, nil, Options{ConnectOrigins: []string{"https://a.example"}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestConsole(t *testing.T) {
	t.Parallel()
	a := consoleBuild(t)
	nonce := regexp.MustCompile(`<meta name="style-nonce" content="([A-Z2-7]{26,})" />`)
	t.Run("SE-05 in part: each response of the console has a new nonce in its page and its policy", func(t *testing.T) {
		t.Parallel()
		seen := map[string]bool{}
		for _, at := range []string{"/console", "/console/", "/console/members", "/console/members/17?tab=notes", "/console/audit", "/console/audit"} {
			w := get(a, at, "Accept-Encoding", "br, gzip")
			m := nonce.FindStringSubmatch(w.Body.String())
			if w.Code != 200 || m == nil {
				t.Fatalf("%s: status = %d, body = %s, want 200 and a nonce", at, w.Code, w.Body)
			}
			if seen[m[1]] {
				t.Errorf("%s: nonce %s was used before", at, m[1])
			}
			seen[m[1]] = true
			want := []string{
				"default-src 'none'", "script-src 'self' " + sourceHash([]byte(`document.documentElement.dataset.theme = "dark"`)),
				"style-src 'self' 'nonce-" + m[1] + "'", "img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self'", "frame-src blob:",
				"frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "object-src 'none'",
				"require-trusted-types-for 'script'", "trusted-types default",
			}
			if got := strings.Split(w.Header().Get("Content-Security-Policy"), "; "); !slices.Equal(got, want) {
				t.Errorf("%s: policy = %q, want %q", at, got, want)
			}
			for name, want := range map[string]string{"Cache-Control": "no-store", "ETag": "", "Content-Type": "text/html; charset=utf-8", "X-Frame-Options": "DENY"} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %s = %q, want %q", at, name, got, want)
				}
			}
		}
	})
	t.Run("only screens of the console get its page", func(t *testing.T) {
		t.Parallel()
		for at, want := range map[string]int{
			"/console.php": 404, "/consoles": 404, "/console/missing.js": 404, "/console/.env": 404, "/m/console/index.html": 200, "/m/assets/console/index-1.js": 200,
		} {
			w := get(a, at)
			if w.Code != want || strings.Contains(w.Body.String(), "style-nonce") {
				t.Errorf("%s: status = %d, body = %s, want %d and not the console", at, w.Code, w.Body, want)
			}
		}
		if w := get(build(t), "/console"); w.Code != 404 {
			t.Errorf("build without the console: status = %d, want 404", w.Code)
		}
	})
	t.Run("the server adds its security headers", func(t *testing.T) {
		t.Parallel()
		api, err := rest.New(rest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		api.Mount("/", a)
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := httptest.NewRecorder()
			api.Handler().ServeHTTP(w, httptest.NewRequest(method, "/console/members", nil))
			if hasBody := w.Body.Len() > 0; w.Code != 200 || hasBody != (method == http.MethodGet) {
				t.Errorf("%s: status = %d, body = %s, want 200 and a body only for GET", method, w.Code, w.Body)
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
				"Cross-Origin-Resource-Policy": "same-origin", "X-Frame-Options": "DENY",
			} {
				if got := w.Header().Values(name); !slices.Equal(got, []string{want}) {
					t.Errorf("%s: %s = %q, want %q", method, name, got, want)
				}
			}
		}
	})
}

func TestLottery(t *testing.T) {
	t.Parallel()
	const html = `<script type="module" src="/m/assets/lottery/index-1.js"></script>`
	a, err := load(fstest.MapFS{
		"index.html":         &fstest.MapFile{Data: []byte(page)},
		"lottery/index.html": &fstest.MapFile{Data: []byte(html)},
	}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("GL-04 in part: the launch address has the lottery page, which only this site can frame", func(t *testing.T) {
		t.Parallel()
		for _, at := range []string{"/m/lotto-h5/vn/trad/games/42?token=t1&merchant=demo&css=dark&prize_mode=Lott", "/m/lotto-h5/vn-1/ent/games/lobby"} {
			w := get(a, at)
			policy := w.Header().Get("Content-Security-Policy")
			if w.Code != 200 || w.Body.String() != html || policy != framedPolicy([]byte(html)) || !strings.Contains(policy, "frame-ancestors 'self'") {
				t.Errorf("%s: status = %d, body = %s, policy = %s", at, w.Code, w.Body, policy)
			}
			if got := w.Header().Get("Cache-Control"); got != revalidate {
				t.Errorf("%s: Cache-Control = %q, want %q", at, got, revalidate)
			}
		}
		for _, at := range []string{"/m/lotto-h5/", "/m/lotto-h5/vn/other/games/42", "/m/lotto-h5/vn/ent/games/", "/m/lotto-h5/vn/ent/games/42/more"} {
			if w := get(a, at); w.Code != 404 {
				t.Errorf("%s: status = %d, want 404", at, w.Code)
			}
		}
	})
	t.Run("RT-20 in part: the app keeps its own lottery screens", func(t *testing.T) {
		t.Parallel()
		for _, at := range []string{"/m/lottery", "/m/lottery/", "/m/startLottery", "/m/launchGame"} {
			if w := get(a, at); w.Code != 200 || w.Body.String() != page {
				t.Errorf("%s: status = %d, body = %s, want the app", at, w.Code, w.Body)
			}
		}
	})
}

func TestConsoleOnlyFromAllowedNetworks(t *testing.T) {
	t.Parallel()
	a := consoleBuild(t)
	a.options.AllowsConsole = func(context.Context) bool { return false }
	for at, want := range map[string]int{"/console": 403, "/console/members": 403, "/m/home": 200} {
		if w := get(a, at); w.Code != want {
			t.Errorf("%s: status = %d, want %d", at, w.Code, want)
		}
	}
}
