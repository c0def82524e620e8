// Package webui serves the built web app out of the binary: every file once plain and, where it helps, once
// for each compression, in three cache classes, and the app's page for every address the app itself routes.
// The page also names the picture that home shows first. It knows no route of the app and never reads the disk.
package webui

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"fairground/internal/rest"
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
	page   *homePage
	policy string
}

type asset struct {
	contentType string
	cache       string
	forms       [3]form // br, gzip, plain: the first that exists and is accepted is sent
}

type form struct {
	encoding string
	body     []byte
	tag      string
}

// New reads the build that is in this binary. Its page shows what home tells, if there is someone to tell.
func New(home Home) (*App, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return Load(files, home)
}

// Load reads a build. A build without a page is legal: the app then says that it is missing.
func Load(files fs.FS, home Home) (*App, error) {
	a := &App{assets: map[string]*asset{}}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		a.add(name, body)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	if built := a.assets["index.html"]; built != nil {
		delete(a.assets, "index.html") // under its own name, too, it is the page of the moment
		a.policy = contentPolicy(built.forms[2].body)
		a.page = &homePage{built: built, home: home}
		a.page.last.Store(&written{asset: built})
	}
	return a, nil
}

func (a *App) add(name string, body []byte) {
	slot, encoding := 2, ""
	switch {
	case path.Base(name)[0] == '.':
		return // the placeholder
	case strings.HasSuffix(name, ".br"):
		slot, encoding, name = 0, "br", strings.TrimSuffix(name, ".br")
	case strings.HasSuffix(name, ".gz"):
		slot, encoding, name = 1, "gzip", strings.TrimSuffix(name, ".gz")
	}
	it := a.assets[name]
	if it == nil {
		it = &asset{contentType: typeOf(name), cache: cacheOf(name)}
		a.assets[name] = it
	}
	it.forms[slot] = newForm(encoding, body)
}

func newForm(encoding string, body []byte) form {
	sum := sha256.Sum256(body)
	return form{encoding: encoding, body: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
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
var fileFolders = []string{"assets/", "art/", "icons/", "fonts/"}

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
		if name == worker {
			w.Header().Set("Content-Security-Policy", workerPolicy)
		}
		it.send(w, r)
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
	w.Header().Set("Content-Security-Policy", a.policy)
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
	end := path.Ext(at)
	return end == "" || end == ".html"
}

func isFile(name string) bool {
	for _, folder := range fileFolders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}

func (it *asset) send(w http.ResponseWriter, r *http.Request) {
	accept := r.Header.Get("Accept-Encoding")
	f := &it.forms[2]
	for i := range it.forms[:2] {
		if it.forms[i].body != nil && rest.Accepts(accept, it.forms[i].encoding) {
			f = &it.forms[i]
			break
		}
	}
	h := w.Header()
	h.Set("Cache-Control", it.cache)
	h.Set("ETag", f.tag)
	if it.forms[0].body != nil || it.forms[1].body != nil {
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
