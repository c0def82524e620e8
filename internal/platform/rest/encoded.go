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

// An Encoded is an immutable, encoded response. It contains the envelope, plain and compressed, each with its ETag.
type Encoded struct {
	plain, gzip, brotli variant
	gzipOnce            *sync.Once // set by EncodeFast: gzip is created on first use and there is no brotli
}

type variant struct {
	body   []byte
	tag    string
	header struct{ tag, length, encoding []string }
}

// Encode encodes the response for value with the best compression. Use it for responses that are sent often.
func Encode(value any) (*Encoded, error) {
	body, err := envelope(value)
	if err != nil {
		return nil, err
	}
	var gzipBody, brotliBody bytes.Buffer
	gz, err := gzip.NewWriterLevel(&gzipBody, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	br := brotli.NewWriterLevel(&brotliBody, 9)
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{gz, br} {
		if _, err := w.Write(body.Bytes()); err != nil {
			return nil, fmt.Errorf("compress response: %w", err)
		}
		if err := w.Close(); err != nil {
			return nil, fmt.Errorf("compress response: %w", err)
		}
	}
	tag := tagOf(body.Bytes())
	return &Encoded{
		plain:  newVariant(body.Bytes(), tag, ""),
		gzip:   newVariant(gzipBody.Bytes(), tag, "gzip"),
		brotli: newVariant(brotliBody.Bytes(), tag, "br"),
	}, nil
}

// EncodeFast encodes the response for value with fast compression. For a page of games, it takes 0.1 ms instead of the 10
// ms that Encode takes, and the response is half a kilobyte larger.
func EncodeFast(value any) (*Encoded, error) {
	body, err := envelope(value)
	if err != nil {
		return nil, err
	}
	return &Encoded{plain: newVariant(body.Bytes(), tagOf(body.Bytes()), ""), gzipOnce: new(sync.Once)}, nil
}

// Size returns the approximate number of bytes in memory.
func (e *Encoded) Size() int {
	if e.gzipOnce != nil {
		return len(e.plain.body) + len(e.plain.body)/4 // with an estimate for gzip
	}
	return len(e.plain.body) + len(e.gzip.body) + len(e.brotli.body)
}

var fastWriters = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, fastLevel) // cannot fail: the level is valid
	return w
}}

const fastLevel = 4

func (e *Encoded) createGzip() {
	w := fastWriters.Get().(*gzip.Writer)
	defer fastWriters.Put(w)
	var body bytes.Buffer
	w.Reset(&body)
	_, _ = w.Write(e.plain.body) // writing to memory cannot fail
	_ = w.Close()
	e.gzip = newVariant(body.Bytes(), strings.Trim(e.plain.tag, `"`), "gzip")
}

func envelope(value any) (*bytes.Buffer, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Envelope[any]{Success: true, Value: value}); err != nil {
		return nil, fmt.Errorf("encode response: %w", err)
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

// ServeHTTP sends the smallest variant that the client accepts, or 304 if the client has it.
func (e *Encoded) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v := &e.plain
	if accept := first(r.Header, "Accept-Encoding"); accept != "" {
		switch {
		case e.gzipOnce == nil && Accepts(accept, "br"):
			v = &e.brotli
		case Accepts(accept, "gzip"):
			if e.gzipOnce != nil {
				e.gzipOnce.Do(e.createGzip)
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

// Accepts reports whether an Accept-Encoding header lists the encoding without q=0.
func Accepts(header, encoding string) bool {
	for len(header) > 0 {
		var part string
		part, header, _ = strings.Cut(header, ",")
		name, params, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), encoding) {
			continue
		}
		key, q, hasWeight := strings.Cut(strings.TrimSpace(params), "=")
		q, _, _ = strings.Cut(q, ";")
		return !hasWeight || !strings.EqualFold(key, "q") || strings.Trim(q, "0.") != ""
	}
	return false
}

// TagMatches reports whether an If-None-Match header contains the tag.
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
