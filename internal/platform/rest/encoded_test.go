package rest

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
)

func TestEncoded(t *testing.T) {
	t.Parallel()
	e, err := Encode([]string{"Rồng Vàng", "<b>&</b>", strings.Repeat("again ", 500)})
	if err != nil {
		t.Fatal(err)
	}
	a := newTestAPI(t, nil)
	Handle(a, Op{Method: http.MethodGet, Path: "/wps/list", ID: "list"}, e)
	plain := call(t, a, http.MethodGet, "/wps/list", "")
	if !strings.HasPrefix(plain.Body.String(), `{"success":true,"value":["Rồng Vàng","<b>&</b>","again again`) {
		t.Errorf("plain: %.80s, want %s", plain.Body, `{"success":true,"value":["Rồng Vàng","<b>&</b>","again again`)
	}
	tests := []struct {
		accept, encoding string
		open             func(io.Reader) (io.Reader, error)
	}{
		{"", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
		{"identity", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
		{"gzip", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"gzip, deflate, br, zstd", "br", func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }},
		{"br;q=0, gzip;q=0.5", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"GZIP", "gzip", func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }},
		{"gzip;Q=0", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
		{"gzip;q=0;more=1", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
		{"br;q=0.0", "", func(r io.Reader) (io.Reader, error) { return r, nil }},
	}
	tags := map[string]string{}
	for _, tt := range tests {
		w := call(t, a, http.MethodGet, "/wps/list", "", "Accept-Encoding", tt.accept)
		if got := w.Header().Get("Content-Encoding"); got != tt.encoding {
			t.Errorf("%q: encoding %q, want %q", tt.accept, got, tt.encoding)
		}
		if tt.encoding != "" && w.Body.Len() >= plain.Body.Len() {
			t.Errorf("%q: %d bytes, plain has %d", tt.accept, w.Body.Len(), plain.Body.Len())
		}
		r, err := tt.open(bytes.NewReader(w.Body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, plain.Body.Bytes()) {
			t.Errorf("%q: the content differs from the plain variant (%v)", tt.accept, err)
		}
		tags[tt.encoding] = w.Header().Get("ETag")
		if w.Header().Get("Vary") == "" || w.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%q: Vary %q, Cache-Control %q, want a Vary and no-cache", tt.accept, w.Header().Get("Vary"), w.Header().Get("Cache-Control"))
		}
	}
	if tags[""] == tags["br"] || tags["br"] == tags["gzip"] {
		t.Errorf("variants share an ETag: %v", tags)
	}
	again := call(t, a, http.MethodGet, "/wps/list", "", "Accept-Encoding", "br", "If-None-Match", `"other", W/`+tags["br"])
	if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("with If-None-Match: status = %d, %d bytes, want 304 without a body", again.Code, again.Body.Len())
	}
	changed, err := Encode("something else")
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodHead, "/", nil)
	r.Header.Set("If-None-Match", tags[""])
	changed.ServeHTTP(w, r)
	if w.Code != http.StatusOK || w.Body.Len() != 0 || w.Header().Get("Content-Length") == "0" {
		t.Errorf("HEAD of a changed value: %d, %d bytes, length %s", w.Code, w.Body.Len(), w.Header().Get("Content-Length"))
	}
	if _, err := Encode(make(chan int)); err == nil {
		t.Error("Encode accepted a value without a JSON form")
	}
}

// EncodeFast supports everything except brotli.
func TestEncodeFast(t *testing.T) {
	t.Parallel()
	value := []string{"Rồng Vàng", strings.Repeat("again ", 500)}
	light, err := EncodeFast(value)
	if err != nil {
		t.Fatal(err)
	}
	full, err := Encode(value)
	if err != nil {
		t.Fatal(err)
	}
	get := func(e *Encoded, accept, tag string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", accept)
		r.Header.Set("If-None-Match", tag)
		e.ServeHTTP(w, r)
		return w
	}
	plain := get(light, "", "")
	if plain.Body.String() != get(full, "", "").Body.String() || plain.Header().Get("ETag") != get(full, "", "").Header().Get("ETag") {
		t.Errorf("plain: %.80s", plain.Body)
	}
	var all sync.WaitGroup
	for range 8 { // concurrent first requests for gzip
		all.Go(func() {
			zipped := get(light, "gzip, deflate, br", "")
			r, err := gzip.NewReader(zipped.Body)
			if err != nil || zipped.Header().Get("Content-Encoding") != "gzip" {
				t.Errorf("gzip: %v %v, want a body in gzip", zipped.Header(), err)
				return
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != plain.Body.String() {
				t.Errorf("the content differs from the plain variant: %v", err)
			}
			if again := get(light, "gzip", zipped.Header().Get("ETag")); again.Code != http.StatusNotModified {
				t.Errorf("with If-None-Match: status = %d, want 304", again.Code)
			}
		})
	}
	all.Wait()
	if only := get(light, "br", ""); only.Header().Get("Content-Encoding") != "" || only.Body.Len() != plain.Body.Len() {
		t.Errorf("client with brotli only: %v, want the plain variant", only.Header())
	}
	if light.Size() <= plain.Body.Len() || full.Size() <= plain.Body.Len() {
		t.Errorf("sizes %d and %d, want more than the %d bytes of the body", light.Size(), full.Size(), plain.Body.Len())
	}
	if _, err := EncodeFast(make(chan int)); err == nil {
		t.Error("EncodeFast accepted a value without a JSON form")
	}
}
