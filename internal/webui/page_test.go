package webui

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
)

// told is a home that tests change.
type told struct {
	pictures map[string]string
	err      error
}

func (h *told) Pictures(context.Context) (map[string]string, error) { return h.pictures, h.err }

const markedPage = `<html><head>` + picturesMark + `<script>boot()</script></head></html>`

func withHome(t *testing.T, home Home) *App {
	t.Helper()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	a, err := Load(fstest.MapFS{
		"index.html": file(markedPage), "index.html.br": file("built br"), "index.html.gz": file("built gz"),
	}, home)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPageNamesHomesPictures(t *testing.T) {
	t.Parallel()
	home := &told{pictures: map[string]string{"vi": `/m/art/a"<b>.webp`, "ur": "/m/art/a-rtl.webp"}}
	a := withHome(t, home)
	want := strings.Replace(markedPage, "{}", html.EscapeString(`{"ur":"/m/art/a-rtl.webp","vi":"/m/art/a\"\u003cb\u003e.webp"}`), 1)
	decode := map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	tags := map[string]bool{}
	for encoding, open := range decode {
		w := get(a, "/m/home", "Accept-Encoding", encoding)
		r, err := open(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil || string(body) != want || w.Header().Get("Content-Encoding") != encoding {
			t.Errorf("%q: %s, %v", encoding, body, err)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != a.policy {
			t.Errorf("%q: the policy is %s", encoding, got)
		}
		tags[w.Header().Get("ETag")] = true
		if w := get(a, "/m/index.html", "Accept-Encoding", encoding, "If-None-Match", w.Header().Get("ETag")); w.Code != 304 {
			t.Errorf("%q: asked about again it is %d", encoding, w.Code)
		}
	}
	if len(tags) != len(decode) {
		t.Errorf("the forms share a tag: %v", tags)
	}
}

func TestPageFollowsHome(t *testing.T) {
	t.Parallel()
	home := &told{pictures: map[string]string{"vi": "/m/art/a.webp"}}
	a := withHome(t, home)
	first := get(a, "/m/home")
	if kept := a.page.last.Load(); kept.asset != a.page.with(httptest.NewRequest(http.MethodGet, "/m/home", nil)) {
		t.Error("the page is made again though nothing changed")
	}
	home.pictures = map[string]string{"vi": "/m/art/b.webp"}
	second := get(a, "/m/login")
	if !strings.Contains(second.Body.String(), "/m/art/b.webp") || second.Header().Get("ETag") == first.Header().Get("ETag") {
		t.Errorf("after a change: %s", second.Body)
	}
	home.err = errors.New("the database is away")
	if w := get(a, "/m/home"); w.Code != 200 || !bytes.Contains(w.Body.Bytes(), []byte("/m/art/b.webp")) {
		t.Errorf("while home cannot be asked: %d %s", w.Code, w.Body)
	}
	home.err, home.pictures = nil, nil
	if w := get(a, "/m/home", "Accept-Encoding", "br"); w.Body.String() != "built br" {
		t.Errorf("without banners: %s", w.Body)
	}
}
