package webui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"

	"fairground/internal/platform/rest"
)

// asset is one file of the app, or the page as it is now.
type asset struct {
	contentType string
	cache       string
	packed      *form // in brotli; nil where the file is kept plain
	// others are the forms for who takes no brotli, of whom there are few: they are made for the first of them.
	others func() (forms, error)
}

type forms struct {
	gzip  *form // nil where the file is kept plain: it would not be worth it
	plain *form
}

type form struct {
	encoding string
	body     []byte
	tag      string
}

func newForm(encoding string, body []byte) *form {
	sum := sha256.Sum256(body)
	return &form{encoding: encoding, body: body, tag: `"` + hex.EncodeToString(sum[:12]) + `"`}
}

// newAsset is a file as the build keeps it: in brotli or plain.
func newAsset(name string, body []byte, packed bool) *asset {
	it := &asset{contentType: typeOf(name), cache: cacheOf(name)}
	if packed {
		it.packed = newForm("br", body)
		it.others = sync.OnceValues(func() (forms, error) { return unpack(name, body) })
		return it
	}
	plain := forms{plain: newForm("", body)}
	it.others = func() (forms, error) { return plain, nil }
	return it
}

// unpack makes the other forms of a file in brotli.
func unpack(name string, packed []byte) (forms, error) {
	body, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return forms{}, fmt.Errorf("unpack %s: %w", name, err)
	}
	return plainAndGzip(body)
}

func plainAndGzip(body []byte) (forms, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return forms{}, err
	}
	if _, err := w.Write(body); err != nil {
		return forms{}, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return forms{}, fmt.Errorf("compress: %w", err)
	}
	return forms{gzip: newForm("gzip", out.Bytes()), plain: newForm("", body)}, nil
}

// plain gives the file's own bytes.
func (it *asset) plain() ([]byte, error) {
	others, err := it.others()
	if err != nil {
		return nil, err
	}
	return others.plain.body, nil
}

// formFor is the smallest form that a client accepts.
func (it *asset) formFor(accept string) (*form, error) {
	if it.packed != nil && rest.Accepts(accept, "br") {
		return it.packed, nil
	}
	others, err := it.others()
	if err != nil {
		return nil, err
	}
	if others.gzip != nil && rest.Accepts(accept, "gzip") {
		return others.gzip, nil
	}
	return others.plain, nil
}
