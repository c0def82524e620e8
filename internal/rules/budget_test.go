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

// Size budgets in bytes, after gzip except for the binary.
const (
	firstScripts = 120 << 10
	firstStyles  = 12 << 10
	routeChunk   = 20 << 10
	lazyChunk    = 40 << 10
	videoPlayer  = 120 << 10 // only browsers without HLS load it
	housePage    = 250 << 10 // all scripts, with one graphics engine
	lotteryPage  = 120 << 10
	consolePage  = 330 << 10 // both languages; operators load one, once, on a computer
	binary       = 80 << 20
)

var (
	// The page's first script lists the files to load. The last one is the entry.
	entryScript = regexp.MustCompile(`"app":\[(?:"[^"]+",)*"/m/(assets/[^"]+\.js)"\]`)
	homeTexts   = regexp.MustCompile(`"vi":\["/m/(assets/[^"]+\.js)"\]`)
	entryStyle  = regexp.MustCompile(`<link[^>]+rel="stylesheet"[^>]+href="/m/(assets/[^"]+\.css)"[^>]*>`)
	inlineStyle = regexp.MustCompile(`(?s)<style[^>]*>(.*?)</style>`)
	// A static import loads with its importer. import("…") loads on demand.
	staticImport = regexp.MustCompile(`(?:\bfrom|\bimport)\s*"(\./[^"]+\.js)"`)
	screenChunk  = regexp.MustCompile(`Screen-[^/]+\.js$`)
	videoChunk   = regexp.MustCompile(`hls\.light-[^/]+\.js$`)
)

// A bundle is the built app.
type bundle struct {
	t      *testing.T
	folder string
}

func openBundle(t *testing.T) bundle {
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

func (b bundle) size(name string) int { return gzipSize(b.t, b.read(name)) }

func gzipSize(t *testing.T, text string) int {
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

// withImports returns the given chunks and all their static imports.
func (b bundle) withImports(entries ...string) map[string]bool {
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
		b.t.Fatal("index.html loads no script: this test looks in the wrong place")
	}
	return names
}

// firstLoad returns all chunks that the home screen needs: the entry and its messages in the default language.
func (b bundle) firstLoad() map[string]bool {
	b.t.Helper()
	texts := homeTexts.FindStringSubmatch(b.read("index.html"))
	if texts == nil {
		b.t.Fatal("index.html does not list the texts of home: this test looks in the wrong place")
	}
	return b.withImports(append(b.entries(), texts[1])...)
}

func TestHomeBudget(t *testing.T) {
	t.Parallel()
	b := openBundle(t)
	scripts := 0
	for name := range b.firstLoad() {
		scripts += b.size(name)
	}
	t.Logf("scripts of the first load: %.1f KB", float64(scripts)/1024)
	checkBudget(t, "scripts of the first load", scripts, firstScripts)
	styles := 0
	html := b.read("index.html")
	for _, m := range inlineStyle.FindAllStringSubmatch(html, -1) {
		styles += gzipSize(t, m[1])
	}
	for _, m := range entryStyle.FindAllStringSubmatch(html, -1) {
		if !strings.Contains(m[0], " disabled") { // disabled styles are inline and not loaded
			styles += b.size(m[1])
		}
	}
	for _, path := range b.glob("assets/HomeScreen-*.css") {
		styles += b.size(path)
	}
	t.Logf("styles of the first load: %.1f KB", float64(styles)/1024)
	checkBudget(t, "styles of the first load", styles, firstStyles)
}

func TestChunkBudgets(t *testing.T) {
	t.Parallel()
	b := openBundle(t)
	first := b.firstLoad()
	for _, name := range b.glob("assets/*.js") {
		if first[name] {
			continue
		}
		limit := lazyChunk
		switch {
		case screenChunk.MatchString(name):
			limit = routeChunk
		case videoChunk.MatchString(name):
			limit = videoPlayer
		}
		checkBudget(t, name, b.size(name), limit)
	}
}

// Only the pages of House games load the graphics engine.
func TestPageBudgets(t *testing.T) {
	t.Parallel()
	b := openBundle(t)
	limits := map[string]int{"house": housePage, "lottery": lotteryPage, "console": consolePage}
	for page := range separatePages {
		scripts := 0
		for _, name := range b.glob("assets/" + page + "/*.js") {
			scripts += b.size(name)
		}
		t.Logf("scripts of the page %s: %.1f KB", page, float64(scripts)/1024)
		if scripts == 0 {
			t.Errorf("the page %s has no script: this test looks in the wrong folder", page)
		}
		checkBudget(t, "scripts of the page "+page, scripts, limits[page])
	}
	for name := range b.firstLoad() {
		if strings.Contains(b.read(name), "WebGLRenderer") {
			t.Errorf("home loads the graphics engine in %s", name)
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

func TestBinaryBudget(t *testing.T) {
	t.Parallel()
	info, err := os.Stat(filepath.Join(root, "bin", "fairground"))
	if err != nil {
		t.Fatal("the binary is not built: run `make build` first")
	}
	checkBudget(t, "bin/fairground", int(info.Size()), binary)
}
