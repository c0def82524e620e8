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

// stated is a home that tests change.
type stated struct {
	name     string
	language string
	theme    string
	pictures map[string]string
	err      error
}

func (h *stated) Front(context.Context) (Front, error) {
	return Front{Name: h.name, Language: h.language, Theme: h.theme, Pictures: h.pictures}, h.err
}

const builtManifest = `{"name":"Fairground","short_name":"Fairground","scope":"/m/","icons":[{"src":"a.png"}]}`

const markedPage = `<html><head>` + titleMark + appNameMark + languageMark + themeMark + picturesMark + `<script>boot()</script></head></html>`

func withHome(t *testing.T, home Home) *App {
	t.Helper()
	file := func(body string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(body)} }
	a, err := load(fstest.MapFS{"index.html.br": file(packed(markedPage)), manifest: file(builtManifest)}, home, Reach{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPageNamesHomesPictures(t *testing.T) {
	t.Parallel()
	home := &stated{pictures: map[string]string{"vi": `/m/art/a"<b>.webp`, "ur": "/m/art/a-rtl.webp"}}
	a := withHome(t, home)
	want := strings.Replace(markedPage, "{}", html.EscapeString(`{"ur":"/m/art/a-rtl.webp","vi":"/m/art/a\"\u003cb\u003e.webp"}`), 1)
	encodings := []string{"", "br", "gzip"}
	tags := map[string]bool{}
	for _, encoding := range encodings {
		w := get(a, "/m/home", "Accept-Encoding", encoding)
		if body := unpacked(t, encoding, w.Body); body != want || w.Header().Get("Content-Encoding") != encoding {
			t.Errorf("%q: %s", encoding, body)
		}
		if got := w.Header().Get("Content-Security-Policy"); got != a.policy {
			t.Errorf("%q: the policy is %s", encoding, got)
		}
		tags[w.Header().Get("ETag")] = true
		if w := get(a, "/m/index.html", "Accept-Encoding", encoding, "If-None-Match", w.Header().Get("ETag")); w.Code != 304 {
			t.Errorf("%q: asked about again it is %d", encoding, w.Code)
		}
	}
	if len(tags) != len(encodings) {
		t.Errorf("the forms share a tag: %v", tags)
	}
}

func TestPageFollowsHome(t *testing.T) {
	t.Parallel()
	home := &stated{pictures: map[string]string{"vi": "/m/art/a.webp"}}
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
	if w := get(a, "/m/home", "Accept-Encoding", "br"); w.Body.String() != packed(markedPage) {
		t.Errorf("without banners: %s", w.Body)
	}
}

func TestPageTellsTheMerchantsDefaults(t *testing.T) {
	t.Parallel()
	home := &stated{language: "pt", theme: "light"}
	a := withHome(t, home)
	body := get(a, "/m/home").Body.String()
	for _, part := range []string{`<meta name="default-language" content="pt" />`, `<meta name="default-theme" content="light" />`} {
		if !strings.Contains(body, part) {
			t.Errorf("%s lacks %s", body, part)
		}
	}
	home.theme = "dark"
	if w := get(a, "/m/login"); !strings.Contains(w.Body.String(), themeMark) {
		t.Errorf("after a change: %s", w.Body)
	}
}

func TestSiteBearsTheMerchantsName(t *testing.T) {
	t.Parallel()
	home := &stated{name: `Phúc & "Lộc" <88>`}
	a := withHome(t, home)
	name := html.EscapeString(home.name)
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
			t.Fatalf("%v %v %s", err, w.Header(), w.Body)
		}
		return fields, w.Header().Get("ETag")
	}
	fields, tag := read()
	if fields.Name != home.name || fields.Short != home.name || fields.Scope != "/m/" || len(fields.Icons) != 1 || fields.Icons[0].Src != "a.png" {
		t.Errorf("%+v", fields)
	}
	home.name = "Another"
	if next, again := read(); next.Name != "Another" || again == tag {
		t.Errorf("after a change: %+v %s", next, again)
	}
	home.name = ""
	if w := get(a, "/m/manifest.webmanifest"); w.Body.String() != builtManifest {
		t.Errorf("without a name: %s", w.Body)
	}
}
