package rules

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Bytes that a phone on a slow network waits for, after gzip.
const (
	firstScripts = 120 << 10
	firstStyles  = 12 << 10
	routeChunk   = 20 << 10
	lazyChunk    = 40 << 10
	framedGame   = 250 << 10 // one game with the engine that draws it
	binary       = 80 << 20
)

var (
	// The page's first script loads the entry, which its list of files names last.
	entryScript = regexp.MustCompile(`"app":\[(?:"[^"]+",)*"/m/(assets/[^"]+\.js)"\]`)
	homeWords   = regexp.MustCompile(`"vi":\["/m/(assets/[^"]+\.js)"\]`)
	entryStyle  = regexp.MustCompile(`<link[^>]+rel="stylesheet"[^>]+href="/m/(assets/[^"]+\.css)"[^>]*>`)
	inlineStyle = regexp.MustCompile(`(?s)<style[^>]*>(.*?)</style>`)
	// A static import runs with its importer; import("…") is loaded when it is asked for.
	staticImport = regexp.MustCompile(`(?:\bfrom|\bimport)\s*"(\./[^"]+\.js)"`)
	screenChunk  = regexp.MustCompile(`Screen-[^/]+\.js$`)
)

// bundle is the built app: sizes after gzip and who loads whom.
type bundle struct {
	t      *testing.T
	folder string
}

func built(t *testing.T) bundle {
	t.Helper()
	folder := filepath.Join(root, "web", "dist")
	if _, err := os.Stat(filepath.Join(folder, "index.html")); err != nil {
		t.Fatal("the app is not built: run `make build` first")
	}
	return bundle{t, folder}
}

func (b bundle) read(name string) string {
	b.t.Helper()
	data, err := os.ReadFile(filepath.Join(b.folder, filepath.FromSlash(name)))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(data)
}

func (b bundle) size(name string) int { return zipped(b.t, b.read(name)) }

func zipped(t *testing.T, text string) int {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// closure is what running the given chunks loads with them.
func (b bundle) closure(entries ...string) map[string]bool {
	loaded := map[string]bool{}
	for len(entries) > 0 {
		name := entries[0]
		entries = entries[1:]
		if loaded[name] {
			continue
		}
		loaded[name] = true
		for _, m := range staticImport.FindAllStringSubmatch(b.read(name), -1) {
			entries = append(entries, "assets/"+strings.TrimPrefix(m[1], "./"))
		}
	}
	return loaded
}

func (b bundle) entries() []string {
	b.t.Helper()
	var names []string
	for _, m := range entryScript.FindAllStringSubmatch(b.read("index.html"), -1) {
		names = append(names, m[1])
	}
	if len(names) == 0 {
		b.t.Fatal("index.html loads no script: the rule looks in the wrong place")
	}
	return names
}

// first is everything that showing home loads: the entry, home in it, and home's words in the default language, which
// the page's first script names apart from those of further screens.
func (b bundle) first() map[string]bool {
	b.t.Helper()
	words := homeWords.FindStringSubmatch(b.read("index.html"))
	if words == nil {
		b.t.Fatal("index.html names no words of home: the rule looks in the wrong place")
	}
	return b.closure(append(b.entries(), words[1])...)
}

func TestHomeFitsItsFirstLoad(t *testing.T) {
	t.Parallel()
	b := built(t)
	scripts := 0
	for name := range b.first() {
		scripts += b.size(name)
	}
	t.Logf("scripts of the first load: %.1f KB", float64(scripts)/1024)
	within(t, "scripts of the first load", scripts, firstScripts)
	styles := 0
	html := b.read("index.html")
	for _, m := range inlineStyle.FindAllStringSubmatch(html, -1) {
		styles += zipped(t, m[1])
	}
	for _, m := range entryStyle.FindAllStringSubmatch(html, -1) {
		if !strings.Contains(m[0], " disabled") { // one that is switched off is not fetched: it stands inline
			styles += b.size(m[1])
		}
	}
	for _, path := range b.glob("assets/HomeScreen-*.css") {
		styles += b.size(path)
	}
	t.Logf("styles of the first load: %.1f KB", float64(styles)/1024)
	within(t, "styles of the first load", styles, firstStyles)
}

func TestFurtherChunksFitTheirBudgets(t *testing.T) {
	t.Parallel()
	b := built(t)
	first := b.first()
	for _, name := range b.glob("assets/*.js") {
		if first[name] {
			continue
		}
		limit := lazyChunk
		if screenChunk.MatchString(name) {
			limit = routeChunk
		}
		within(t, name, b.size(name), limit)
	}
}

// A framed game is a page of its own, with an engine that no other page loads.
func TestFramedGamesFitTheirBudget(t *testing.T) {
	t.Parallel()
	b := built(t)
	scripts := 0
	for _, name := range b.glob("assets/house/*.js") {
		scripts += b.size(name)
	}
	t.Logf("scripts of the House's games: %.1f KB", float64(scripts)/1024)
	if scripts == 0 {
		t.Error("the House's games have no script: the rule looks in the wrong place")
	}
	within(t, "scripts of the House's games", scripts, framedGame)
	for name := range b.first() {
		if strings.Contains(b.read(name), "WebGLRenderer") {
			t.Errorf("%s brings the games' engine to home", name)
		}
	}
}

func (b bundle) glob(pattern string) []string {
	b.t.Helper()
	paths, err := filepath.Glob(filepath.Join(b.folder, pattern))
	if err != nil {
		b.t.Fatal(err)
	}
	for i, path := range paths {
		rel, err := filepath.Rel(b.folder, path)
		if err != nil {
			b.t.Fatal(err)
		}
		paths[i] = filepath.ToSlash(rel)
	}
	slices.Sort(paths)
	return paths
}

func TestTheBinaryStaysSmall(t *testing.T) {
	t.Parallel()
	info, err := os.Stat(filepath.Join(root, "bin", "fairground"))
	if err != nil {
		t.Fatal("the binary is not built: run `make build` first")
	}
	within(t, "bin/fairground", int(info.Size()), binary)
}
