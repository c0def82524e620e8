package webui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
)

type fakeSource struct {
	name     string
	language string
	theme    string
	pictures map[string]string
	err      error
}

func (s *fakeSource) PageData(context.Context) (PageData, error) {
	return PageData{Name: s.name, Language: s.language, Theme: s.theme, Pictures: s.pictures}, s.err
}

const builtManifest = `{"name":"Fairground","short_name":"Fairground","scope":"/m/","icons":[{"src":"a.png"}]}`

const markedPage = `<html><head>` + titleMark + appNameMark + languageMark + themeMark + picturesMark + `<script>boot()</script></head></html>`

func newTestApp(t *testing.T, source PageSource) *App {
	t.Helper()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	a, err := load(fstest.MapFS{"index.html.br": file(packed(markedPage)), manifest: file(builtManifest)}, source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPageContainsBannerPictures(t *testing.T) {
	t.Parallel()
	source := &fakeSource{pictures: map[string]string{"vi": `/m/art/a"<b>.webp`, "ur": "/m/art/a-rtl.webp"}}
	a := newTestApp(t, source)
	want := strings.Replace(markedPage, "{}", html.EscapeString(`{"ur":"/m/art/a-rtl.webp","vi":"/m/art/a\"\u003cb\u003e.webp"}`), 1)
	encodings := []string{"", "br", "gzip"}
	tags := map[string]bool{}
	for _, encoding := range encodings {
		w := get(a, "/m/home", "Accept-Encoding", encoding)
		if body := unpacked(t, encoding, w.Body); body != want || w.Header().Get("Content-Encoding") != encoding {
			t.Errorf("%q: body = %s, want %s", encoding, body, want)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != a.policy {
			t.Errorf("%q: policy = %s, want %s", encoding, got, a.policy)
		}
		tags[w.Header().Get("ETag")] = true
		if w := get(a, "/m/index.html", "Accept-Encoding", encoding, "If-None-Match", w.Header().Get("ETag")); w.Code != 304 {
			t.Errorf("%q with If-None-Match: status = %d, want 304", encoding, w.Code)
		}
	}
	if len(tags) != len(encodings) {
		t.Errorf("variants share an ETag: %v", tags)
	}
}

func TestPageFollowsItsSource(t *testing.T) {
	t.Parallel()
	source := &fakeSource{pictures: map[string]string{"vi": "/m/art/a.webp"}}
	a := newTestApp(t, source)
	first := get(a, "/m/home")
	if last := a.page.last.Load(); last.asset != a.page.current(httptest.NewRequest(http.MethodGet, "/m/home", nil)) {
		t.Error("the page was rendered again although nothing changed")
	}
	source.pictures = map[string]string{"vi": "/m/art/b.webp"}
	second := get(a, "/m/login")
	if !strings.Contains(second.Body.String(), "/m/art/b.webp") || second.Header().Get("ETag") == first.Header().Get("ETag") {
		t.Errorf("after a change: %s, want the new picture and another ETag", second.Body)
	}
	source.err = errors.New("the database is unavailable")
	if w := get(a, "/m/home"); w.Code != 200 || !bytes.Contains(w.Body.Bytes(), []byte("/m/art/b.webp")) {
		t.Errorf("while the source fails: %d %s, want the last page", w.Code, w.Body)
	}
	source.err, source.pictures = nil, nil
	if w := get(a, "/m/home", "Accept-Encoding", "br"); w.Body.String() != packed(markedPage) {
		t.Errorf("without banners: %s, want the packed page without preloads", w.Body)
	}
}

func TestPageContainsMerchantDefaults(t *testing.T) {
	t.Parallel()
	source := &fakeSource{language: "pt", theme: "light"}
	a := newTestApp(t, source)
	body := get(a, "/m/home").Body.String()
	for _, part := range []string{`<meta name="default-language" content="pt" />`, `<meta name="default-theme" content="light" />`} {
		if !strings.Contains(body, part) {
			t.Errorf("%s lacks %s", body, part)
		}
	}
	source.theme = "dark"
	if w := get(a, "/m/login"); !strings.Contains(w.Body.String(), themeMark) {
		t.Errorf("after a change: %s, want %v", w.Body, themeMark)
	}
}

func TestPageAndManifestContainMerchantName(t *testing.T) {
	t.Parallel()
	source := &fakeSource{name: `Phúc & "Lộc" <88>`}
	a := newTestApp(t, source)
	name := html.EscapeString(source.name)
	w := get(a, "/m/home")
	for _, part := range []string{"<title>" + name + "</title>", `<meta name="apple-mobile-web-app-title" content="` + name + `" />`} {
		if !strings.Contains(w.Body.String(), part) {
			t.Errorf("%s lacks %s", w.Body, part)
		}
	}
	read := func() (fields struct {
		Name, Scope string
		Short       string `json:"short_name"`
		Icons       []struct{ Src string }
	}, tag string) {
		t.Helper()
		w := get(a, "/m/manifest.webmanifest")
		if err := json.Unmarshal(w.Body.Bytes(), &fields); err != nil || w.Header().Get("Content-Type") != "application/manifest+json" {
			t.Fatalf("got (%v) %v %s, want a manifest", err, w.Header(), w.Body)
		}
		return fields, w.Header().Get("ETag")
	}
	fields, tag := read()
	if fields.Name != source.name || fields.Short != source.name || fields.Scope != "/m/" || len(fields.Icons) != 1 || fields.Icons[0].Src != "a.png" {
		t.Errorf("got %+v, want the merchant's name, the scope /m/ and the icon a.png", fields)
	}
	source.name = "Another"
	if next, again := read(); next.Name != "Another" || again == tag {
		t.Errorf("after a change: %+v %s, want the name Another and another ETag", next, again)
	}
	source.name = ""
	if w := get(a, "/m/manifest.webmanifest"); w.Body.String() != builtManifest {
		t.Errorf("without a name: %s, want %v", w.Body, builtManifest)
	}
}
