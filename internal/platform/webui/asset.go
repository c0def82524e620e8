package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/andybalholm/brotli"

	"fairground/internal/platform/rest"
)

type asset struct {
	contentType string
	cache       string
	brotli      *variant // nil for a file that is not compressed
	// fallbacks returns the variants for clients without brotli. They are rare, so it creates the variants on first use.
	fallbacks func() (fallbacks, error)
}

type fallbacks struct {
	gzip  *variant // nil for a file that is not compressed
	plain *variant
}

type variant struct {
	encoding string
	body     []byte
	tag      string
}

func newVariant(encoding string, body []byte) *variant {
	sum := sha256.Sum256(body)
	return &variant{encoding: encoding, body: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// newAsset creates an asset from a file of the build. isBrotli reports whether body is compressed.
func newAsset(name string, body []byte, isBrotli bool) *asset {
	a := &asset{contentType: typeOf(name), cache: cacheOf(name)}
	if isBrotli {
		a.brotli = newVariant("br", body)
		a.fallbacks = sync.OnceValues(func() (fallbacks, error) { return decompress(name, body) })
		return a
	}
	plain := fallbacks{plain: newVariant("", body)}
	a.fallbacks = func() (fallbacks, error) { return plain, nil }
	return a
}

func decompress(name string, compressed []byte) (fallbacks, error) {
	body, err := io.ReadAll(brotli.NewReader(bytes.NewReader(compressed)))
	if err != nil {
		return fallbacks{}, fmt.Errorf("decompress %s: %w", name, err)
	}
	return newFallbacks(body)
}

func newFallbacks(body []byte) (fallbacks, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return fallbacks{}, err
	}
	if _, err := w.Write(body); err != nil {
		return fallbacks{}, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return fallbacks{}, fmt.Errorf("compress: %w", err)
	}
	return fallbacks{gzip: newVariant("gzip", out.Bytes()), plain: newVariant("", body)}, nil
}

// plain returns the uncompressed bytes of the file.
func (a *asset) plain() ([]byte, error) {
	f, err := a.fallbacks()
	if err != nil {
		return nil, err
	}
	return f.plain.body, nil
}

// variantFor returns the smallest variant that the Accept-Encoding header allows.
func (a *asset) variantFor(accept string) (*variant, error) {
	if a.brotli != nil && rest.Accepts(accept, "br") {
		return a.brotli, nil
	}
	f, err := a.fallbacks()
	if err != nil {
		return nil, err
	}
	if f.gzip != nil && rest.Accepts(accept, "gzip") {
		return f.gzip, nil
	}
	return f.plain, nil
}

func (a *asset) send(w http.ResponseWriter, r *http.Request) {
	v, err := a.variantFor(r.Header.Get("Accept-Encoding"))
	if err != nil { // the embedded file is corrupt
		http.Error(w, "the file cannot be read", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", a.cache)
	h.Set("ETag", v.tag)
	if a.brotli != nil {
		h.Set("Vary", "Accept-Encoding")
	}
	if rest.TagMatches(r.Header.Get("If-None-Match"), v.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", a.contentType)
	h.Set("Content-Length", strconv.Itoa(len(v.body)))
	if v.encoding != "" {
		h.Set("Content-Encoding", v.encoding)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method != http.MethodHead {
		_, _ = w.Write(v.body) // an error means that the client disconnected
	}
}
