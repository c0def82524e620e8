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

	"github.com/andybalholm/brotli"
)

// Encoded is an answer worked out once and sent many times: the envelope's bytes, plain and compressed, each
// with its tag. It never changes; a new value is a new Encoded.
type Encoded struct {
	plain, gzip, brotli variant
}

type variant struct {
	body   []byte
	tag    string
	header struct{ tag, length, encoding []string }
}

// Encode works out the answer for value.
func Encode(value any) (*Encoded, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(Envelope[any]{Success: true, Value: value}); err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
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
	sum := sha256.Sum256(body.Bytes())
	tag := hex.EncodeToString(sum[:12])
	return &Encoded{
		plain:  newVariant(body.Bytes(), tag, ""),
		gzip:   newVariant(zipped.Bytes(), tag, "gzip"),
		brotli: newVariant(brotlied.Bytes(), tag, "br"),
	}, nil
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
		case Accepts(accept, "br"):
			v = &e.brotli
		case Accepts(accept, "gzip"):
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

// Accepts tells whether an Accept-Encoding header names the encoding and does not forbid it with q=0.
func Accepts(header, encoding string) bool {
	for len(header) > 0 {
		var part string
		part, header, _ = strings.Cut(header, ",")
		name, params, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) != encoding {
			continue
		}
		q, _ := strings.CutPrefix(strings.TrimSpace(params), "q=")
		return params == "" || strings.Trim(q, "0.") != ""
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
