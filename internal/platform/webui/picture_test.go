package webui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOperatorPictures(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	secret := filepath.Join(folder, "secret.png")
	inside := filepath.Join(folder, "pictures")
	for _, name := range []string{secret, filepath.Join(inside, "a.webp"), filepath.Join(inside, "games", "b.PNG"), filepath.Join(inside, "c.svg"), filepath.Join(inside, ".d.png")} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("picture"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(inside, "link.png")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	a, err := load(fstest.MapFS{"index.html": {Data: []byte(page)}}, nil, Options{Pictures: root})
	if err != nil {
		t.Fatal(err)
	}
	for at, kind := range map[string]string{"/m/pictures/a.webp": "image/webp", "/m/pictures/games/b.PNG": "image/png"} {
		w := get(a, at)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != "picture" || h.Get("Content-Type") != kind || h.Get("Cache-Control") != oneDay || h.Get("Content-Security-Policy") == "" {
			t.Errorf("%s = %d %v %s, want 200, the picture, %s and %s", at, w.Code, h, w.Body, kind, oneDay)
		}
		if again := get(a, at, "If-Modified-Since", h.Get("Last-Modified")); again.Code != 304 {
			t.Errorf("%s with If-Modified-Since: status = %d, want 304", at, again.Code)
		}
	}
	for _, at := range []string{"/m/pictures/", "/m/pictures/none.png", "/m/pictures/c.svg", "/m/pictures/.d.png", "/m/pictures/link.png", "/m/pictures/../secret.png", "/m/pictures//etc/x.png", "/m/pictures/games"} {
		if w := get(a, at); w.Code != 404 || strings.Contains(w.Body.String(), "picture") {
			t.Errorf("%s = %d %s, want 404", at, w.Code, w.Body)
		}
	}
	if w := get(build(t), "/m/pictures/a.webp"); w.Code != 404 {
		t.Errorf("without a folder: status = %d, want 404", w.Code)
	}
}

func TestContentPolicyListsImageOrigins(t *testing.T) {
	t.Parallel()
	var origins []string
	var originsErr error
	a, err := load(fstest.MapFS{"index.html": {Data: []byte(page)}}, nil, Options{ImageOrigins: func(context.Context) ([]string, error) { return origins, originsErr }})
	if err != nil {
		t.Fatal(err)
	}
	initial := get(a, "/m/home").Header().Get("Content-Security-Policy")
	wantDirective := func(want string) {
		t.Helper()
		if got := get(a, "/m/home").Header().Get("Content-Security-Policy"); got != strings.Replace(initial, "img-src 'self' data: blob:", want, 1) {
			t.Errorf("policy = %s, want it to contain %s", got, want)
		}
	}
	origins = []string{"https://cdn.example", "https://x;script-src *", "*"}
	wantDirective("img-src 'self' data: blob: https://cdn.example")
	originsErr = errors.New("the database is unavailable")
	wantDirective("img-src 'self' data: blob: https://cdn.example")
	originsErr, origins = nil, nil
	wantDirective("img-src 'self' data: blob:")
}
