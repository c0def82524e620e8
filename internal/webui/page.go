package webui

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/andybalholm/brotli"
)

// Home tells the pages what stands first on home, so that it is seen before any code runs.
type Home interface {
	// Pictures gives the first banner's picture in each language that has one. It is asked for with every page
	// and has to answer from memory.
	Pictures(context.Context) (map[string]string, error)
}

// picturesMark is where the page takes the pictures. A page without it is served as it was built.
const picturesMark = `<meta name="first-pictures" content="{}" />`

// homePatience is how long a page waits for its pictures. The app itself shows them too: without, it is only later.
const homePatience = 200 * time.Millisecond

// homePage is the app's page as built and, once home was asked, with the pictures in it.
type homePage struct {
	built  *asset
	home   Home
	making sync.Mutex
	last   atomic.Pointer[written]
}

// written is a page for one set of pictures. It is made again only when they change.
type written struct {
	pictures map[string]string
	asset    *asset
}

// with gives the page as it should be now. Where home cannot be asked it is the one that was sent last.
func (p *homePage) with(r *http.Request) *asset {
	last := p.last.Load()
	if p.home == nil {
		return last.asset
	}
	ctx, cancel := context.WithTimeout(r.Context(), homePatience)
	defer cancel()
	pictures, err := p.home.Pictures(ctx)
	if err != nil || maps.Equal(pictures, last.pictures) {
		return last.asset
	}
	p.making.Lock()
	defer p.making.Unlock()
	if last = p.last.Load(); maps.Equal(pictures, last.pictures) {
		return last.asset
	}
	next, err := p.write(pictures)
	if err != nil {
		return last.asset
	}
	p.last.Store(&written{pictures, next})
	return next
}

// write puts the pictures into the page. They are data: the page's content policy stays what it is.
func (p *homePage) write(pictures map[string]string) (*asset, error) {
	if len(pictures) == 0 {
		return p.built, nil
	}
	list, err := json.Marshal(pictures)
	if err != nil {
		return nil, fmt.Errorf("write the pictures: %w", err)
	}
	meta := `<meta name="first-pictures" content="` + html.EscapeString(string(list)) + `" />`
	body := bytes.Replace(p.built.forms[2].body, []byte(picturesMark), []byte(meta), 1)
	next := &asset{contentType: p.built.contentType, cache: p.built.cache}
	next.forms[2] = newForm("", body)
	for slot, encode := range []func(io.Writer) (io.WriteCloser, error){
		// Nearly as small as the build's own, which takes a hundred times as long.
		func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, 9), nil },
		func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
	} {
		if p.built.forms[slot].body == nil {
			continue
		}
		var out bytes.Buffer
		w, err := encode(&out)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(body); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress the page: %w", err)
		}
		next.forms[slot] = newForm(p.built.forms[slot].encoding, out.Bytes())
	}
	return next, nil
}
