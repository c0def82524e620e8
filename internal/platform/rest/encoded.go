package rest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Encoded is an answer worked out once and sent many times: the envelope's bytes, plain and compressed, each
// with its tag. It never changes; a new value is a new Encoded.
type Encoded struct {
	plain, gzip, brotli variant
	light               *sync.Once // of an answer that is zipped when it is first asked for so
}

type variant struct {
	body   []byte
	tag    string
	header struct{ tag, length, encoding []string }
}

// Encode works out the answer for value, as small as it gets: for the few that everybody asks for.
func Encode(value any) (*Encoded, error) {
	body, err := envelope(value)
	if err != nil {
		return nil, err
	}
	var zipped, brotlied bytes.Buffer
	gz, err := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	br := brotli.NewWriterLevel(&brotlied, 9)
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{gz, br} {
		if _, err := w.Write(body.Bytes()); err != nil {
			return nil, fmt.Errorf("compress answer: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress answer: %w", err)
		}
	}
	tag := tagOf(body.Bytes())
	return &Encoded{
		plain:  newVariant(body.Bytes(), tag, ""),
		gzip:   newVariant(zipped.Bytes(), tag, "gzip"),
		brotli: newVariant(brotlied.Bytes(), tag, "br"),
	}, nil
}

// EncodeLight works out the answer for value with little work, for answers of which there are many: Encode takes ten
// milliseconds for a page of games, this takes a tenth of one, and a client gets half a kilobyte more.
func EncodeLight(value any) (*Encoded, error) {
	body, err := envelope(value)
	if err != nil {
		return nil, err
	}
	return &Encoded{plain: newVariant(body.Bytes(), tagOf(body.Bytes()), ""), light: new(sync.Once)}, nil
}

// Size is about how many bytes it keeps in memory.
func (e *Encoded) Size() int {
	if e.light != nil {
		return len(e.plain.body) + len(e.plain.body)/4 // zipped as well, sooner or later
	}
	return len(e.plain.body) + len(e.gzip.body) + len(e.brotli.body)
}

var lightly = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, lightLevel) // a level that there is
	return w
}}

const lightLevel = 4

// zip makes the zipped form of a light answer.
func (e *Encoded) zip() {
	w := lightly.Get().(*gzip.Writer)
	defer lightly.Put(w)
	var zipped bytes.Buffer
	w.Reset(&zipped)
	_, _ = w.Write(e.plain.body) // into memory: cannot fail
	_ = w.Close()
	e.gzip = newVariant(zipped.Bytes(), strings.Trim(e.plain.tag, `"`), "gzip")
}

func envelope(value any) (*bytes.Buffer, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Envelope[any]{Success: true, Value: value}); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return &body, nil
}

func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:12])
}

func newVariant(body []byte, tag, encoding string) variant {
	v := variant{body: body, tag: `"` + tag + `"`}
	if encoding != "" {
		v.tag = `"` + tag + "-" + encoding + `"`
		v.header.encoding = []string{encoding}
	}
	v.header.tag = []string{v.tag}
	v.header.length = []string{strconv.Itoa(len(body))}
	return v
}

var (
	revalidate   = []string{"no-cache"}
	varyEncoding = []string{"Accept-Encoding, Language, Merchant"}
)

// ServeHTTP sends the smallest form that the client takes, or 304 when it has it already.
func (e *Encoded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &e.plain
	if accept := first(r.Header, "Accept-Encoding"); accept != "" {
		switch {
		case e.light == nil && Accepts(accept, "br"):
			v = &e.brotli
		case Accepts(accept, "gzip"):
			if e.light != nil {
				e.light.Do(e.zip)
			}
			v = &e.gzip
		}
	}
	h := w.Header()
	h["Cache-Control"] = revalidate
	h["Vary"] = varyEncoding
	h["Etag"] = v.header.tag
	if TagMatches(first(r.Header, "If-None-Match"), v.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h["Content-Type"] = jsonType
	h["Content-Length"] = v.header.length
	if v.header.encoding != nil {
		h["Content-Encoding"] = v.header.encoding
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(v.body)
	}
}

// Accepts tells whether an Accept-Encoding header names the encoding and does not forbid it with q=0, in any case.
func Accepts(header, encoding string) bool {
	for len(header) > 0 {
		var part string
		part, header, _ = strings.Cut(header, ",")
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		key, q, weighed := strings.Cut(strings.TrimSpace(params), "=")
		q, _, _ = strings.Cut(q, ";")
		return !weighed || !strings.EqualFold(key, "q") || strings.Trim(q, "0.") != ""
	}
	return false
}

// TagMatches tells whether an If-None-Match header names the tag.
func TagMatches(header, tag string) bool {
	for len(header) > 0 {
		var part string
		part, header, _ = strings.Cut(header, ",")
		part = strings.TrimPrefix(strings.TrimSpace(part), "W/")
		if part == tag || part == "*" {
			return true
		}
	}
	return false
}
