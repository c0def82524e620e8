package webui

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

// load creates an App from the files of a test.
func load(files fs.FS, source PageSource, o Options) (*App, error) {
	assets, err := readAssets(files)
	if err != nil {
		return nil, err
	}
	return assemble(assets, source, o)
}

const page = `<!doctype html><html><head><style>body{color:red}</style>
<script>window.theme = "dark"</script><script type="module" src="/m/assets/app-1.js"></script></head><body></body></html>`

func build(t *testing.T) *App {
	t.Helper()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	a, err := load(fstest.MapFS{
		".gitkeep":             file(""),
		"index.html.br":        file(packed(page)),
		"sw.js":                file("worker"),
		"manifest.webmanifest": file("{}"),
		"assets/app-1.js":      file("app"),
		"assets/app-2.js.br":   file(packed("more of the app")),
		"assets/app-1.css":     file("css"),
		"art/tiles/a.webp":     file("tile"),
		"icons/192.png":        file("icon"),
		"fonts/a.woff2":        file("font"),
	}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// packed compresses a file as the build does.
func packed(body string) string {
	var out bytes.Buffer
	w := brotli.NewWriter(&out)
	_, _ = w.Write([]byte(body))
	_ = w.Close()
	return out.String()
}

// unpacked decodes a body.
func unpacked(t *testing.T, encoding string, body io.Reader) string {
	t.Helper()
	switch encoding {
	case "br":
		body = brotli.NewReader(body)
	case "gzip":
		r, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		body = r
	}
	all, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
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
		"/m/art/tiles/a.webp":     {oneDay, "image/webp", "tile"},
		"/m/icons/192.png":        {oneDay, "image/png", "icon"},
		"/m/fonts/a.woff2":        {oneDay, "font/woff2", "font"},
		"/m/sw.js":                {revalidate, "text/javascript; charset=utf-8", "worker"},
		"/m/manifest.webmanifest": {revalidate, "application/manifest+json", "{}"},
		"/m/home":                 {revalidate, "text/html; charset=utf-8", page},
	} {
		w := get(a, path)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != want.body || h.Get("Cache-Control") != want.cache || h.Get("Content-Type") != want.kind {
			t.Errorf("%s = %d %q %q %.20s, want 200 and %+v", path, w.Code, h.Get("Cache-Control"), h.Get("Content-Type"), w.Body, want)
		}
		tag := h.Get("ETag")
		if again := get(a, path, "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 {
			t.Errorf("%s with If-None-Match: status = %d, want 304", path, again.Code)
		}
	}
}

func TestRoutesSendTheAppPage(t *testing.T) {
	t.Parallel()
	a := build(t)
	for _, path := range []string{
		"/", "/m", "/m/", "/m/index", "/m/index.html", "/m/home", "/m/register.html", "/m/member/agent/getSalaryContract",
		"/m/helpDetail?p=1&c=2", "/m/no/such/page", "/dev/ui", "/m/x.y", "/m/game/v1.2", "/m/v1.2/game", "/m/home.old",
	} {
		if w := get(a, path); w.Code != 200 || w.Body.String() != page {
			t.Errorf("%s = %d %.40s, want 200 and the page", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/m/assets/app-0.js", "/m/art/tiles/none.webp", "/m/icons/", "/m/fonts/x", "/favicon.ico", "/wp-login.php",
		"/m/nope.js", "/m/no/such.css", "/m/home.map", "/debug/pprof/", "/WPS/session/login", "/nowhere", "/mhome", "/M/home", "/.env", "/m/.env", "/m/.git/config", "/m/.git/config.json", "/m/old.webp", "/m/x.json"} {
		if w := get(a, path); w.Code != 404 || strings.Contains(w.Body.String(), "<html") {
			t.Errorf("%s = %d %.40s, want 404 without a page", path, w.Code, w.Body)
		}
	}
	r := httptest.NewRequest(http.MethodPost, "/m/home", nil)
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", w.Code)
	}
}

func TestCompressedForms(t *testing.T) {
	t.Parallel()
	a := build(t)
	tags := map[string]string{}
	for accept, want := range map[string]string{"": "", "identity": "", "gzip": "gzip", "gzip, deflate, br": "br", "br;q=0, gzip": "gzip"} {
		w := get(a, "/m/home", "Accept-Encoding", accept)
		h := w.Header()
		if h.Get("Content-Encoding") != want || h.Get("Vary") != "Accept-Encoding" || h.Get("Content-Length") != strconv.Itoa(w.Body.Len()) {
			t.Errorf("%q: headers = %v, want the encoding %q, Vary and the length %d", accept, h, want, w.Body.Len())
		}
		if got := unpacked(t, want, w.Body); got != page {
			t.Errorf("%q: body = %.20s, want the page", accept, got)
		}
		if h.Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("%q: type = %s, want text/html", accept, h.Get("Content-Type"))
		}
		if tag, ok := tags[want]; ok && tag != h.Get("ETag") {
			t.Errorf("%q: ETag = %s, want %s", accept, h.Get("ETag"), tag)
		}
		tags[want] = h.Get("ETag")
	}
	if len(tags) != 3 || tags["br"] == tags["gzip"] || tags["gzip"] == tags[""] {
		t.Errorf("variants share an ETag: %v", tags)
	}
	w := get(a, "/m/assets/app-1.js", "Accept-Encoding", "gzip, br")
	if w.Header().Get("Content-Encoding") != "" || w.Header().Get("Vary") != "" || w.Body.String() != "app" {
		t.Errorf("uncompressed file: %v %q, want app without Vary", w.Header(), w.Body)
	}
	if w := get(a, "/m/assets/app-2.js.br"); w.Code != 404 {
		t.Errorf("app-2.js.br: status = %d, want 404", w.Code)
	}
}

func TestBrokenBuild(t *testing.T) {
	t.Parallel()
	broken := &fstest.MapFile{Data: []byte("no brotli")}
	if _, err := load(fstest.MapFS{"index.html.br": broken}, nil, Options{}); err == nil {
		t.Error("load accepted a corrupt page")
	}
	a, err := load(fstest.MapFS{"assets/a.js.br": broken}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := get(a, "/m/assets/a.js"); w.Code != 500 || w.Header().Get("Cache-Control") != "" {
		t.Errorf("corrupt script: %d %v, want 500 without caching", w.Code, w.Header())
	}
}

func TestContentPolicy(t *testing.T) {
	t.Parallel()
	t.Run("SE-05 the page may call the site and the configured origins", func(t *testing.T) {
		t.Parallel()
		for want, origins := range map[string][]string{
			"connect-src 'self'": nil, "connect-src 'self' https://codes.example": {"https://codes.example"},
		} {
			a, err := load(fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte(page)}}, nil, Options{ConnectOrigins: origins})
			if err != nil {
				t.Fatal(err)
			}
			if parts := strings.Split(get(a, "/m/home").Header().Get("Content-Security-Policy"), "; "); !slices.Contains(parts, want) {
				t.Errorf("%v lacks %s", parts, want)
			}
		}
	})
	t.Run("SE-05 SE-10 the page may frame the site and the current origins of games only", func(t *testing.T) {
		t.Parallel()
		var origins []string
		var originsErr error
		a, err := load(fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte(page)}}, nil,
			Options{FrameOrigins: func(context.Context) ([]string, error) { return origins, originsErr }})
		if err != nil {
			t.Fatal(err)
		}
		initial := get(a, "/m/home").Header().Get("Content-Security-Policy")
		wantDirective := func(want string) {
			t.Helper()
			if got := get(a, "/m/home").Header().Get("Content-Security-Policy"); got != strings.Replace(initial, "frame-src 'self'", want, 1) {
				t.Errorf("policy = %s, want it to contain %s", got, want)
			}
		}
		wantDirective("frame-src 'self'")
		origins = []string{"https://a.example", "http://127.0.0.1:9999", "http://[::1]:80"}
		wantDirective("frame-src 'self' https://a.example http://127.0.0.1:9999 http://[::1]:80")
		originsErr = errors.New("the database is unavailable")
		wantDirective("frame-src 'self' https://a.example http://127.0.0.1:9999 http://[::1]:80")
		originsErr, origins = nil, []string{"https://b.example", "", "*", "https://*", "https:", "https://c.example;script-src", "https://c.example,x", "https://c.example 'unsafe-inline'", "data:"}
		wantDirective("frame-src 'self' https://b.example")
		origins = nil
		wantDirective("frame-src 'self'")
	})
	t.Run("SE-05 OS-16 policy part: the page may load and play live streams of the current origins only", func(t *testing.T) {
		t.Parallel()
		var origins []string
		a, err := load(fstest.MapFS{"index.html": &fstest.MapFile{Data: []byte(page)}}, nil, Options{
			ConnectOrigins: []string{"https://codes.example"}, MediaOrigins: func(context.Context) ([]string, error) { return origins, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			origins []string
			want    []string
		}{
			{nil, []string{"connect-src 'self' https://codes.example", "media-src 'self' blob:"}},
			{[]string{"https://v.example", "https://c.example;script-src"}, []string{"connect-src 'self' https://v.example https://codes.example", "media-src 'self' blob: https://v.example"}},
		} {
			origins = tt.origins
			parts := strings.Split(get(a, "/m/home").Header().Get("Content-Security-Policy"), "; ")
			for _, want := range tt.want {
				if !slices.Contains(parts, want) {
					t.Errorf("%v lacks %s", parts, want)
				}
			}
		}
	})
	t.Run("SE-05 the widget frame is served only with configured origins and reaches only them", func(t *testing.T) {
		t.Parallel()
		files := fstest.MapFS{
			"index.html":        &fstest.MapFile{Data: []byte(page)},
			"frame/widget.html": &fstest.MapFile{Data: []byte("<script>start()</script>")},
		}
		for _, at := range []string{"/m/frame/widget.html", "/m/frame/", "/m/frame/other.html"} {
			a, err := load(files, nil, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if w := get(a, at); w.Code != 404 {
				t.Errorf("%s without origins: status = %d, want 404", at, w.Code)
			}
		}
		a, err := load(files, nil, Options{WidgetOrigins: []string{"https://a.example", "https://*.b.example"}})
		if err != nil {
			t.Fatal(err)
		}
		w := get(a, "/m/frame/widget.html")
		sum := sha256.Sum256([]byte("start()"))
		const hosts = " https://a.example https://*.b.example"
		want := []string{
			"default-src 'none'", "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'" + hosts, "style-src 'unsafe-inline'" + hosts,
			"img-src data: blob:" + hosts, "font-src data:" + hosts, "connect-src" + hosts, "media-src" + hosts, "frame-src" + hosts,
			"worker-src blob:", "frame-ancestors 'self'", "base-uri 'none'", "form-action 'none'", "object-src 'none'",
		}
		if got := strings.Split(w.Header().Get("Content-Security-Policy"), "; "); w.Code != 200 || !slices.Equal(got, want) {
			t.Errorf("got %d %q, want 200 %q", w.Code, got, want)
		}
		if own := get(a, "/m/home").Header().Get("Content-Security-Policy"); strings.Contains(own, ".example") {
			t.Errorf("the policy of the app's page contains the widget origins: %s", own)
		}
	})
	t.Run("SE-05 SE-10 the page of the House's games can be framed by this site only and runs no inline scripts", func(t *testing.T) {
		t.Parallel()
		const game = `<script type="module" src="/m/assets/house/index-1.js"></script>`
		a, err := load(fstest.MapFS{
			"index.html":               &fstest.MapFile{Data: []byte(page)},
			"house/index.html":         &fstest.MapFile{Data: []byte(game)},
			"assets/house/index-1.js":  &fstest.MapFile{Data: []byte("play")},
			"assets/house/index-1.css": &fstest.MapFile{Data: []byte("look")},
		}, nil, Options{ConnectOrigins: []string{"https://a.example"}, WidgetOrigins: []string{"https://b.example"}})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'", "connect-src 'self'",
			"frame-ancestors 'self'", "base-uri 'none'", "form-action 'none'", "object-src 'none'",
			"require-trusted-types-for 'script'", "trusted-types 'none'",
		}
		for _, at := range []string{"/m/house/", "/m/house/?t=ticket", "/m/house/index.html"} {
			w := get(a, at)
			got := strings.Split(w.Header().Get("Content-Security-Policy"), "; ")
			if w.Code != 200 || w.Body.String() != game || w.Header().Get("Cache-Control") != revalidate || !slices.Equal(got, want) {
				t.Errorf("%s = %d %s %q, want 200, the game and the policy %q", at, w.Code, w.Body, got, want)
			}
		}
		for _, at := range []string{"/m/house/other", "/m/house/a/b.html"} {
			if w := get(a, at); w.Code != 404 {
				t.Errorf("%s = %d, want 404", at, w.Code)
			}
		}
		if w := get(build(t), "/m/house/"); w.Code != 404 {
			t.Errorf("build without games: status = %d, want 404", w.Code)
		}
	})
	t.Run("SE-05 directives of the page's policy", func(t *testing.T) {
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
				t.Errorf("%s = %q, want %q", name, policy[name], want)
			}
		}
		if all := w.Header().Get("Content-Security-Policy"); regexp.MustCompile(`unsafe-(inline|eval)`).MatchString(all) {
			t.Errorf("got %s, want a policy without unsafe-inline and unsafe-eval", all)
		}
		if got := get(build(t), "/m/assets/app-1.js").Header().Get("Content-Security-Policy"); got != "" {
			t.Errorf("a script has the page's policy: %s", got)
		}
	})
}

func TestMissingPageIsReported(t *testing.T) {
	t.Parallel()
	a, err := load(fstest.MapFS{".gitkeep": &fstest.MapFile{}}, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := get(a, "/m/home")
	if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "run make build") {
		t.Errorf("got %d %s, want 503 with the command to run", w.Code, w.Body)
	}
}

func TestEmbeddedBuildIsReadable(t *testing.T) {
	t.Parallel()
	a, err := New(nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range a.assets {
		if _, err := file.plain(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
