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

// Home tells the pages whose site it is and what stands first on home, so that it is seen before any code runs.
type Home interface {
	// Front is asked for with every page and has to answer from memory.
	Front(context.Context) (Front, error)
}

// Front is what pages are told.
type Front struct {
	Name     string            // of the merchant; empty leaves the one that was built in
	Language string            // of visitors who have chosen none; empty leaves the one that was built in
	Theme    string            // of visitors who have chosen none; empty leaves the one that was built in
	Pictures map[string]string // the first banner's in each language that has one
}

func (f Front) equal(other Front) bool {
	return f.Name == other.Name && f.Language == other.Language && f.Theme == other.Theme && maps.Equal(f.Pictures, other.Pictures)
}

// The places of the page that take them. A page without one is served as it was built there.
const (
	picturesMark = `<meta name="first-pictures" content="{}" />`
	languageMark = `<meta name="default-language" content="vi" />`
	themeMark    = `<meta name="default-theme" content="dark" />`
	titleMark    = `<title>Fairground</title>`
	appNameMark  = `<meta name="apple-mobile-web-app-title" content="Fairground" />`
)

// manifest is the file by which the app is installed.
const manifest = "manifest.webmanifest"

// homePatience is how long a page waits for what it is told. The app itself shows that too: without, it is only later.
const homePatience = 200 * time.Millisecond

// told is a file as built and, once home was asked, with the front in it.
type told struct {
	built  *asset
	body   []byte // of the built one, plain
	home   Home
	change func(body []byte, front Front) ([]byte, error)
	making sync.Mutex
	last   atomic.Pointer[written]
}

func newTold(built *asset, home Home, change func([]byte, Front) ([]byte, error)) (*told, error) {
	body, err := built.plain()
	if err != nil {
		return nil, err
	}
	t := &told{built: built, body: body, home: home, change: change}
	t.last.Store(&written{asset: built})
	return t, nil
}

// written is a file for one front. It is made again only when that changes.
type written struct {
	front Front
	asset *asset
}

// with gives the file as it should be now. Where home cannot be asked it is the one that was sent last.
func (t *told) with(r *http.Request) *asset {
	last := t.last.Load()
	if t.home == nil {
		return last.asset
	}
	ctx, cancel := context.WithTimeout(r.Context(), homePatience)
	defer cancel()
	front, err := t.home.Front(ctx)
	if err != nil || front.equal(last.front) {
		return last.asset
	}
	t.making.Lock()
	defer t.making.Unlock()
	if last = t.last.Load(); front.equal(last.front) {
		return last.asset
	}
	next, err := t.write(front)
	if err != nil {
		return last.asset
	}
	t.last.Store(&written{front, next})
	return next
}

func (t *told) write(front Front) (*asset, error) {
	body, err := t.change(t.body, front)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(body, t.body) {
		return t.built, nil
	}
	others, err := plainAndGzip(body)
	if err != nil {
		return nil, err
	}
	next := &asset{contentType: t.built.contentType, cache: t.built.cache}
	if t.built.packed == nil {
		others.gzip = nil
	} else {
		var out bytes.Buffer
		// Nearly as small as the build's own, which takes a hundred times as long.
		w := brotli.NewWriterLevel(&out, 9)
		if _, err := w.Write(body); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		next.packed = newForm("br", out.Bytes())
	}
	next.others = func() (forms, error) { return others, nil }
	return next, nil
}

// pageFor puts the front into the page. It is data: the page's content policy stays what it is.
func pageFor(body []byte, front Front) ([]byte, error) {
	put := func(mark, text string) { body = bytes.Replace(body, []byte(mark), []byte(text), 1) }
	if len(front.Pictures) > 0 {
		list, err := json.Marshal(front.Pictures)
		if err != nil {
			return nil, fmt.Errorf("write the pictures: %w", err)
		}
		put(picturesMark, `<meta name="first-pictures" content="`+html.EscapeString(string(list))+`" />`)
	}
	if front.Language != "" {
		put(languageMark, `<meta name="default-language" content="`+html.EscapeString(front.Language)+`" />`)
	}
	if front.Theme != "" {
		put(themeMark, `<meta name="default-theme" content="`+html.EscapeString(front.Theme)+`" />`)
	}
	if front.Name != "" {
		name := html.EscapeString(front.Name)
		put(titleMark, "<title>"+name+"</title>")
		put(appNameMark, `<meta name="apple-mobile-web-app-title" content="`+name+`" />`)
	}
	return body, nil
}

// manifestFor names the app after the merchant.
func manifestFor(body []byte, front Front) ([]byte, error) {
	if front.Name == "" {
		return body, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	name, err := json.Marshal(front.Name)
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
