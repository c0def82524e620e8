package webui

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

const page = `<!doctype html><html><head><style>body{color:red}</style>
<script>window.theme = "dark"</script><script type="module" src="/m/assets/app-1.js"></script></head><body></body></html>`

func build(t *testing.T) *App {
	t.Helper()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	a, err := Load(fstest.MapFS{
		".gitkeep":             file(""),
		"index.html":           file(page),
		"index.html.br":        file("page in brotli"),
		"index.html.gz":        file("page in gzip"),
		"sw.js":                file("worker"),
		"manifest.webmanifest": file("{}"),
		"assets/app-1.js":      file("app"),
		"assets/app-1.js.br":   file("br"),
		"assets/app-1.css":     file("css"),
		"art/tiles/a.webp":     file("tile"),
		"icons/192.png":        file("icon"),
		"fonts/a.woff2":        file("font"),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func get(a *App, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return w
}

func TestCacheClasses(t *testing.T) {
	t.Parallel()
	a := build(t)
	for path, want := range map[string]struct{ cache, kind, body string }{
		"/m/assets/app-1.js":      {forever, "text/javascript; charset=utf-8", "app"},
		"/m/assets/app-1.css":     {forever, "text/css; charset=utf-8", "css"},
		"/m/art/tiles/a.webp":     {aDay, "image/webp", "tile"},
		"/m/icons/192.png":        {aDay, "image/png", "icon"},
		"/m/fonts/a.woff2":        {aDay, "font/woff2", "font"},
		"/m/sw.js":                {revalidate, "text/javascript; charset=utf-8", "worker"},
		"/m/manifest.webmanifest": {revalidate, "application/manifest+json", "{}"},
		"/m/home":                 {revalidate, "text/html; charset=utf-8", page},
	} {
		w := get(a, path)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != want.body || h.Get("Cache-Control") != want.cache || h.Get("Content-Type") != want.kind {
			t.Errorf("%s: %d %q %q %.20s", path, w.Code, h.Get("Cache-Control"), h.Get("Content-Type"), w.Body)
		}
		tag := h.Get("ETag")
		if again := get(a, path, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s again: %d", path, again.Code)
		}
	}
}

func TestDeepLinksShowTheApp(t *testing.T) {
	t.Parallel()
	a := build(t)
	for _, path := range []string{
		"/", "/m", "/m/", "/m/index", "/m/index.html", "/m/home", "/m/register.html", "/m/member/agent/getSalaryContract",
		"/m/helpDetail?p=1&c=2", "/m/no/such/page", "/dev/ui",
	} {
		if w := get(a, path); w.Code != 200 || w.Body.String() != page {
			t.Errorf("%s: %d %.40s", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/m/assets/app-0.js", "/m/art/tiles/none.webp", "/m/icons/", "/m/fonts/x", "/favicon.ico", "/wp-login.php",
		"/m/nope.js", "/m/no/such.css", "/m/home.map", "/debug/pprof/", "/WPS/session/login", "/nowhere", "/mhome", "/M/home", "/.env", "/m/.git/config.json"} {
		if w := get(a, path); w.Code != 404 || strings.Contains(w.Body.String(), "<html") {
			t.Errorf("%s: %d %.40s", path, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/m/home", nil)
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

func TestCompressedForms(t *testing.T) {
	t.Parallel()
	a := build(t)
	for accept, want := range map[string]struct{ encoding, body string }{
		"":                  {"", page},
		"gzip":              {"gzip", "page in gzip"},
		"gzip, deflate, br": {"br", "page in brotli"},
		"br;q=0, gzip":      {"gzip", "page in gzip"},
	} {
		w := get(a, "/m/home", "Accept-Encoding", accept)
		if w.Header().Get("Content-Encoding") != want.encoding || w.Body.String() != want.body || w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("%q: %q %.20s", accept, w.Header().Get("Content-Encoding"), w.Body)
		}
		if w.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%q: %s", accept, w.Header().Get("Content-Type"))
		}
	}
	// A form that was not worth making.
	if w := get(a, "/m/assets/app-1.js", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" || w.Body.String() != "app" {
		t.Errorf("gzip of a file without: %q", w.Body)
	}
	if w := get(a, "/m/assets/app-1.js.br"); w.Code != 404 {
		t.Errorf("the compressed file under its own name: %d", w.Code)
	}
}

func TestContentPolicy(t *testing.T) {
	t.Parallel()
	t.Run("SE-05 content policy of the page", func(t *testing.T) {
		t.Parallel()
		w := get(build(t), "/m/home")
		policy := map[string]string{}
		for _, part := range strings.Split(w.Header().Get("Content-Security-Policy"), "; ") {
			name, value, _ := strings.Cut(part, " ")
			policy[name] = value
		}
		hash := func(s string) string {
			sum := sha256.Sum256([]byte(s))
			return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		}
		for name, want := range map[string]string{
			"default-src":               "'none'",
			"script-src":                "'self' " + hash(`window.theme = "dark"`),
			"style-src":                 "'self' " + hash("body{color:red}"),
			"frame-ancestors":           "'self'",
			"object-src":                "'none'",
			"base-uri":                  "'none'",
			"require-trusted-types-for": "'script'",
			"trusted-types":             "fairground dompurify 'allow-duplicates'",
		} {
			if policy[name] != want {
				t.Errorf("%s is %q, want %q", name, policy[name], want)
			}
		}
		if all := w.Header().Get("Content-Security-Policy"); regexp.MustCompile(`unsafe-(inline|eval)`).MatchString(all) {
			t.Errorf("%s", all)
		}
		if got := get(build(t), "/m/assets/app-1.js").Header().Get("Content-Security-Policy"); got != "" {
			t.Errorf("a script carries the page's policy: %s", got)
		}
	})
}

func TestMissingAppSaysSo(t *testing.T) {
	t.Parallel()
	a, err := Load(fstest.MapFS{".gitkeep": &fstest.MapFile{}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := get(a, "/m/home")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "run make build") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// Whatever is built into this very binary, it loads.
func TestOwnBuildLoads(t *testing.T) {
	t.Parallel()
	if _, err := New(nil); err != nil {
		t.Error(err)
	}
}
