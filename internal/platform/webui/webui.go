// Package webui serves the built web app from the binary. It sends the app's page for every path that the app routes,
// with merchant data written into it. It does not know the app's routes. From disk it reads only the operator's pictures.
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
	"strings"
	"sync"
	"sync/atomic"
)

// dist is filled by command pack. A fresh checkout contains only a placeholder.
//
//go:embed all:dist
var dist embed.FS

const (
	base    = "/m/"   // path prefix of the app
	devBase = "/dev/" // path prefix of the component gallery for developers
)

// Cache-Control values.
const (
	forever    = "public, max-age=31536000, immutable" // files whose names contain a hash
	oneDay     = "public, max-age=86400"               // art, icons, fonts
	revalidate = "no-cache"                            // the page, the worker, the manifest
)

// An App serves the files of one build.
type App struct {
	assets     map[string]*asset // by path below the base
	page       *templatedFile    // nil in a build without a page
	manifest   *templatedFile    // nil in a build without a manifest
	policy     string
	options    Options
	lastPolicy atomic.Pointer[string]

	framePolicy string
	// These are nil in a build without the page.
	house   *framedPage
	lottery *framedPage
	console *consolePage
}

// Options holds the external origins that the content policies allow, and the operator's pictures.
type Options struct {
	ConnectOrigins []string // origins that the page may call
	WidgetOrigins  []string // sources of third-party scripts; without any, the widget frame is not served
	FrameOrigins   Origins  // origins of games that the page may frame
	ImageOrigins   Origins  // origins of pictures
	MediaOrigins   Origins  // origins of live streams, which the page may load and play
	Pictures       *os.Root // the operator's pictures; may be nil
	// AllowsConsole reports whether the client of a request may open the operators' console; nil: every client may.
	AllowsConsole func(context.Context) bool
}

// Origins returns the current external origins. It is called for every page, so it must read from memory only. A nil
// Origins returns none.
type Origins func(context.Context) ([]string, error)

// New returns an App that serves the embedded build. A nil source leaves the pages as they were built.
func New(source PageSource, o Options) (*App, error) {
	assets, err := embedded()
	if err != nil {
		return nil, err
	}
	return assemble(maps.Clone(assets), source, o)
}

var embedded = sync.OnceValues(func() (map[string]*asset, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, err
	}
	return readAssets(files)
})

func readAssets(files fs.FS) (map[string]*asset, error) {
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
		name, isBrotli := strings.CutSuffix(name, ".br")
		assets[name] = newAsset(name, body, isBrotli)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return assets, nil
}

func assemble(assets map[string]*asset, source PageSource, o Options) (*App, error) {
	a := &App{assets: assets, options: o}
	if err := a.preparePages(source); err != nil {
		return nil, fmt.Errorf("read the web app: %w", err)
	}
	return a, nil
}

// preparePages creates the templated files and the content policies, which depend on the contents of the pages.
func (a *App) preparePages(source PageSource) error {
	if built := a.assets["index.html"]; built != nil {
		delete(a.assets, "index.html") // so that ServeHTTP sends the rendered page under this name, too
		var err error
		if a.page, err = newTemplatedFile(built, source, pageWith); err != nil {
			return err
		}
		a.policy = contentPolicy(a.page.body, a.options.ConnectOrigins)
		a.lastPolicy.Store(&a.policy)
	}
	if built := a.assets[manifest]; built != nil {
		var err error
		if a.manifest, err = newTemplatedFile(built, source, manifestWith); err != nil {
			return err
		}
	}
	if built := a.assets[housePage]; built != nil {
		var err error
		if a.house, err = newFramedPage(built); err != nil {
			return err
		}
		a.assets["house/"] = built
	}
	if built := a.assets[lotteryPage]; built != nil {
		delete(a.assets, lotteryPage) // the lottery page is served at other paths
		var err error
		if a.lottery, err = newFramedPage(built); err != nil {
			return err
		}
	}
	if built := a.assets[consoleFile]; built != nil {
		delete(a.assets, consoleFile) // only rendered pages have a nonce
		var err error
		if a.console, err = newConsolePage(built); err != nil {
			return err
		}
	}
	if len(a.options.WidgetOrigins) == 0 {
		delete(a.assets, widgetFrame)
	}
	if built := a.assets[widgetFrame]; built != nil {
		body, err := built.plain()
		if err != nil {
			return err
		}
		a.framePolicy = widgetPolicy(body, a.options.WidgetOrigins)
	}
	return nil
}

// typeOf returns the content type of a file. It uses the machine's MIME table only for unknown extensions, so that the
// result does not depend on the machine.
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
	case ".m3u8":
		return "application/vnd.apple.mpegurl"
	case ".mp4", ".m4s":
		return "video/mp4"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}

// fileFolders are folders that contain only files. A missing file there is not a route of the app.
var fileFolders = []string{"assets/", "art/", "icons/", "fonts/", "frame/", "house/", "stream/", lotteryFolder}

func cacheOf(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return forever
	case strings.HasPrefix(name, "art/"), strings.HasPrefix(name, "icons/"), strings.HasPrefix(name, "fonts/"), strings.HasPrefix(name, "stream/"):
		return oneDay
	default:
		return revalidate
	}
}

// ServeHTTP sends a file, or the app's page if the path may be a route of the app.
func (a *App) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	name, inside := strings.CutPrefix(r.URL.Path, base)
	if file := a.assets[name]; inside && file != nil {
		switch name {
		case manifest:
			file = a.manifest.current(r)
		case worker:
			w.Header().Set("Content-Security-Policy", workerPolicy)
		case housePage, "house/":
			w.Header().Set("Content-Security-Policy", a.house.policy)
		case widgetFrame:
			w.Header().Set("Content-Security-Policy", a.framePolicy)
		}
		file.send(w, r)
		return
	}
	if inside && a.lottery != nil && lotteryPath.MatchString(name) {
		w.Header().Set("Content-Security-Policy", a.lottery.policy)
		a.lottery.file.send(w, r)
		return
	}
	if a.console != nil && isConsole(r.URL.Path) {
		if a.options.AllowsConsole != nil && !a.options.AllowsConsole(r.Context()) {
			w.Header().Set("Cache-Control", "no-store")
			http.Error(w, "the console is not available from this network", http.StatusForbidden)
			return
		}
		a.console.send(w, r)
		return
	}
	if picture, found := strings.CutPrefix(name, pictureFolder); inside && found {
		a.sendPicture(w, r, picture)
		return
	}
	if !isRoute(r.URL.Path) || inside && isFile(name) {
		http.Error(w, "no such file", http.StatusNotFound)
		return
	}
	if a.page == nil {
		w.Header().Set("Cache-Control", "no-store")
		http.Error(w, "This server was built without the web app: run make build, then restart it.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Security-Policy", a.currentPolicy(r))
	a.page.current(r).send(w, r)
}

// isRoute reports whether a path may be a screen of the app. Missing files and probes for other software must get 404,
// not the app's page.
func isRoute(urlPath string) bool {
	if urlPath == "/" || urlPath == strings.TrimSuffix(base, "/") {
		return true
	}
	if !strings.HasPrefix(urlPath, base) && !strings.HasPrefix(urlPath, devBase) {
		return false
	}
	return isScreen(urlPath)
}

// isScreen reports whether a path may be a screen and not a file. Routes may contain dots, so only known file extensions
// are excluded.
func isScreen(urlPath string) bool {
	return !strings.Contains(urlPath, "/.") && !slices.Contains(fileExtensions, path.Ext(urlPath))
}

// fileExtensions lists the extensions of the app's files, except pages.
var fileExtensions = []string{".js", ".mjs", ".css", ".json", ".map", ".webmanifest", ".svg", ".webp", ".avif", ".png", ".ico", ".woff2", ".m3u8", ".mp4", ".m4s", ".txt", ".br", ".xml"}

func isFile(name string) bool {
	for _, folder := range fileFolders {
		if strings.HasPrefix(name, folder) {
			return true
		}
	}
	return false
}
