// Package webui serves the built web app out of the binary, in three cache classes, and the app's page for every
// address the app itself routes. A file is in there once, in brotli where that is smaller; who takes none gets it in gzip
// or plain. The page also names the picture that home shows first, and it and the manifest whose site it is. It knows no route of the app, and reads
// nothing from the disk but the pictures that an operator has put into a folder.
package webui

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"fairground/internal/platform/rest"
)

// dist is filled by the build (package pack); a bare checkout holds only a placeholder.
//
//go:embed all:dist
var dist embed.FS

// base is where the app lives, and developers where its gallery for development does.
const (
	base       = "/m/"
	developers = "/dev/"
)

// The cache classes.
const (
	forever    = "public, max-age=31536000, immutable" // the name changes with the content
	aDay       = "public, max-age=86400"               // art, icons, fonts
	revalidate = "no-cache"                            // the page, the worker, the manifest: asked about each time
)

// App serves the files of one build.
type App struct {
	assets map[string]*asset // by path below the base
	page   *told
	// The app's manifest, which names the merchant; nil in a build without one.
	manifest *told
	policy   string
	reach    Reach
	sent     atomic.Pointer[string] // the policy as it was sent last

	framePolicy string
	housePolicy string
}

// Reach names the places of others that the operator has set up.
type Reach struct {
	Calls   []string // origins that the page may call
	Widgets []string // where scripts of others come from and call, in their frame; without any there is no frame
	Frames  Origins  // of games that the page may frame
	Images  Origins  // that pictures come from
	// Pictures is the folder with the operator's own; nil where there is none.
	Pictures *os.Root
}

// Origins tells places of others as they are now. It is asked with every page and has to answer from memory; nil is none
// but the page's own.
type Origins func(context.Context) ([]string, error)

// New reads the build that is in this binary. Its page shows what home tells, if there is someone to tell, and reaches
// its own origin and what reach names.
func New(home Home, reach Reach) (*App, error) {
	assets, err := embedded()
	if err != nil {
		return nil, err
	}
	return assemble(maps.Clone(assets), home, reach)
}

// embedded is read once: it is the same for every server of a process.
var embedded = sync.OnceValues(func() (map[string]*asset, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return gather(files)
})

func gather(files fs.FS) (map[string]*asset, error) {
	assets := map[string]*asset{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if path.Base(name)[0] == '.' {
			return nil // the placeholder
		}
		name, packed := strings.CutSuffix(name, ".br")
		assets[name] = newAsset(name, body, packed)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return assets, nil
}

func assemble(assets map[string]*asset, home Home, reach Reach) (*App, error) {
	a := &App{assets: assets, reach: reach}
	if err := a.pages(home, reach); err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return a, nil
}

// pages reads the pages among the files: what each of them may do depends on what is in it.
func (a *App) pages(home Home, reach Reach) error {
	if built := a.assets["index.html"]; built != nil {
		delete(a.assets, "index.html") // under its own name, too, it is the page of the moment
		var err error
		if a.page, err = newTold(built, home, pageFor); err != nil {
			return err
		}
		a.policy = contentPolicy(a.page.body, reach.Calls)
		a.sent.Store(&a.policy)
	}
	if built := a.assets[manifest]; built != nil {
		var err error
		if a.manifest, err = newTold(built, home, manifestFor); err != nil {
			return err
		}
	}
	if built := a.assets[housePage]; built != nil {
		body, err := built.plain()
		if err != nil {
			return err
		}
		a.housePolicy = housePolicy(body)
		a.assets["house/"] = built // its address names the folder
	}
	if len(reach.Widgets) == 0 {
		delete(a.assets, widgetFrame)
	}
	if built := a.assets[widgetFrame]; built != nil {
		body, err := built.plain()
		if err != nil {
			return err
		}
		a.framePolicy = widgetPolicy(body, reach.Widgets)
	}
	return nil
}

// typeOf does not ask the machine's own table first: the answer must not depend on where the server runs.
func typeOf(name string) string {
	switch path.Ext(name) {
	case ".js", ".mjs":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".html":
		return "text/html; charset=utf-8"
	case ".json", ".map":
		return "application/json"
	case ".webmanifest":
		return "application/manifest+json"
	case ".svg":
		return "image/svg+xml"
	case ".webp":
		return "image/webp"
	case ".avif":
		return "image/avif"
	case ".png":
		return "image/png"
	case ".ico":
		return "image/x-icon"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// folders whose files either exist or do not: a miss there is never a route of the app.
var fileFolders = []string{"assets/", "art/", "icons/", "fonts/", "frame/", "house/"}

func cacheOf(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return forever
	case strings.HasPrefix(name, "art/"), strings.HasPrefix(name, "icons/"), strings.HasPrefix(name, "fonts/"):
		return aDay
	default:
		return revalidate
	}
}

// ServeHTTP finds the file, or gives the app's page to let the app route.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name, inside := strings.CutPrefix(r.URL.Path, base)
	if it := a.assets[name]; inside && it != nil {
		switch name {
		case manifest:
			it = a.manifest.with(r)
		case worker:
			w.Header().Set("Content-Security-Policy", workerPolicy)
		case housePage, "house/":
			w.Header().Set("Content-Security-Policy", a.housePolicy)
		case widgetFrame:
			w.Header().Set("Content-Security-Policy", a.framePolicy)
		}
		it.send(w, r)
		return
	}
	if picture, own := strings.CutPrefix(name, pictureFolder); inside && own {
		a.sendPicture(w, r, picture)
		return
	}
	if !isRoute(r.URL.Path) || inside && isFile(name) {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	if a.page == nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "The web app is not built in: run make build, then start again.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Security-Policy", a.policyNow(r))
	a.page.with(r).send(w, r)
}

// isRoute tells what may be a screen of the app from what can only be a file, or nothing of ours: an answer with the
// app's page would tell whoever asks for a script, or looks for a way in, that it is there.
func isRoute(at string) bool {
	if at == "/" || at == strings.TrimSuffix(base, "/") {
		return true
	}
	if !strings.HasPrefix(at, base) && !strings.HasPrefix(at, developers) {
		return false
	}
	// A dot alone makes no file: an address that nobody knows is the app's to answer, too.
	return !strings.Contains(at, "/.") && !slices.Contains(fileEnds, path.Ext(at))
}

// fileEnds are the endings of files that the app consists of, but for its page.
var fileEnds = []string{".js", ".mjs", ".css", ".json", ".map", ".webmanifest", ".svg", ".webp", ".avif", ".png", ".ico", ".woff2", ".txt", ".br", ".xml"}

func isFile(name string) bool {
	for _, folder := range fileFolders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

func (it *asset) send(w http.ResponseWriter, r *http.Request) {
	f, err := it.formFor(r.Header.Get("Accept-Encoding"))
	if err != nil { // a build that was not made by pack
		http.Error(w, "the file cannot be read", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", it.cache)
	h.Set("ETag", f.tag)
	if it.packed != nil {
		h.Set("Vary", "Accept-Encoding")
	}
	if rest.TagMatches(r.Header.Get("If-None-Match"), f.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", it.contentType)
	h.Set("Content-Length", strconv.Itoa(len(f.body)))
	if f.encoding != "" {
		h.Set("Content-Encoding", f.encoding)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(f.body) // the reader left: nothing to tell anyone
	}
}
