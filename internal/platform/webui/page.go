package webui

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
)

// A PageSource provides the data that the server writes into pages, so that browsers have it before any script runs.
type PageSource interface {
	// PageData is called for every page, so it must read from memory only.
	PageData(context.Context) (PageData, error)
}

// PageData is merchant data that is written into pages. Empty fields keep the built-in values.
type PageData struct {
	Name     string            // the merchant's name
	Language string            // default for visitors who have not chosen one
	Theme    string            // default for visitors who have not chosen one
	Pictures map[string]string // picture of the first home banner, by language
}

func (d PageData) equal(other PageData) bool {
	return d.Name == other.Name && d.Language == other.Language && d.Theme == other.Theme && maps.Equal(d.Pictures, other.Pictures)
}

// Placeholders that pageWith replaces. A placeholder that the page does not contain is ignored.
const (
	picturesMark = `<meta name="first-pictures" content="{}" />`
	languageMark = `<meta name="default-language" content="vi" />`
	themeMark    = `<meta name="default-theme" content="dark" />`
	titleMark    = `<title>Fairground</title>`
	appNameMark  = `<meta name="apple-mobile-web-app-title" content="Fairground" />`
)

const manifest = "manifest.webmanifest"

// pageDataTimeout limits the wait for page data. On a timeout the app fetches the same data later.
const pageDataTimeout = 200 * time.Millisecond

// A templatedFile is a file of the build into which the server writes page data.
type templatedFile struct {
	built     *asset
	body      []byte // uncompressed bytes of built
	source    PageSource
	render    func(body []byte, data PageData) ([]byte, error)
	rendering sync.Mutex
	last      atomic.Pointer[rendered]
}

func newTemplatedFile(built *asset, source PageSource, render func([]byte, PageData) ([]byte, error)) (*templatedFile, error) {
	body, err := built.plain()
	if err != nil {
		return nil, err
	}
	t := &templatedFile{built: built, body: body, source: source, render: render}
	t.last.Store(&rendered{asset: built})
	return t, nil
}

// A rendered is a file rendered with one PageData.
type rendered struct {
	data  PageData
	asset *asset
}

// current returns the file with the current page data. If the source fails, it returns the last rendered file.
func (t *templatedFile) current(r *http.Request) *asset {
	last := t.last.Load()
	if t.source == nil {
		return last.asset
	}
	ctx, cancel := context.WithTimeout(r.Context(), pageDataTimeout)
	defer cancel()
	data, err := t.source.PageData(ctx)
	if err != nil || data.equal(last.data) {
		return last.asset
	}
	t.rendering.Lock()
	defer t.rendering.Unlock()
	if last = t.last.Load(); data.equal(last.data) {
		return last.asset
	}
	next, err := t.renderAsset(data)
	if err != nil {
		return last.asset
	}
	t.last.Store(&rendered{data, next})
	return next
}

func (t *templatedFile) renderAsset(data PageData) (*asset, error) {
	body, err := t.render(t.body, data)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(body, t.body) {
		return t.built, nil
	}
	uncompressed, err := newFallbacks(body)
	if err != nil {
		return nil, err
	}
	next := &asset{contentType: t.built.contentType, cache: t.built.cache}
	if t.built.brotli == nil {
		uncompressed.gzip = nil
	} else {
		var out bytes.Buffer
		// Level 9 is nearly as small as the build's level 11 and a hundred times faster.
		w := brotli.NewWriterLevel(&out, 9)
		if _, err := w.Write(body); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		next.brotli = newVariant("br", out.Bytes())
	}
	next.fallbacks = func() (fallbacks, error) { return uncompressed, nil }
	return next, nil
}

// pageWith writes data into the page. It adds no script, so the content policy of the built page still applies.
func pageWith(body []byte, data PageData) ([]byte, error) {
	replace := func(mark, text string) { body = bytes.Replace(body, []byte(mark), []byte(text), 1) }
	if len(data.Pictures) > 0 {
		list, err := json.Marshal(data.Pictures)
		if err != nil {
			return nil, fmt.Errorf("write the pictures: %w", err)
		}
		replace(picturesMark, `<meta name="first-pictures" content="`+html.EscapeString(string(list))+`" />`)
	}
	if data.Language != "" {
		replace(languageMark, `<meta name="default-language" content="`+html.EscapeString(data.Language)+`" />`)
	}
	if data.Theme != "" {
		replace(themeMark, `<meta name="default-theme" content="`+html.EscapeString(data.Theme)+`" />`)
	}
	if data.Name != "" {
		name := html.EscapeString(data.Name)
		replace(titleMark, "<title>"+name+"</title>")
		replace(appNameMark, `<meta name="apple-mobile-web-app-title" content="`+name+`" />`)
	}
	return body, nil
}

// manifestWith sets the app's name to the merchant's name.
func manifestWith(body []byte, data PageData) ([]byte, error) {
	if data.Name == "" {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	name, err := json.Marshal(data.Name)
	if err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	fields["name"], fields["short_name"] = name, name
	out, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("write the manifest: %w", err)
	}
	return out, nil
}
