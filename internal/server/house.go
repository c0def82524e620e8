package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"fairground/internal/game/vendor"
)

// A Loopback is an http.RoundTripper that calls the server's own handler, without a socket.
type Loopback struct {
	handler atomic.Pointer[http.Handler] // nil until Use
}

// Use sets the handler.
func (l *Loopback) Use(h http.Handler) { l.handler.Store(&h) }

// Handler returns the handler, or nil before Use.
func (l *Loopback) Handler() http.Handler {
	if h := l.handler.Load(); h != nil {
		return *h
	}
	return nil
}

// RoundTrip implements http.RoundTripper.
func (l *Loopback) RoundTrip(r *http.Request) (_ *http.Response, err error) {
	defer r.Body.Close()
	defer func() {
		if reason := recover(); reason != nil { // report it as a broken connection
			err = fmt.Errorf("the handler panicked: %v", reason)
		}
	}()
	handler := l.Handler()
	if handler == nil {
		return nil, errors.New("the server is not ready")
	}
	inner := r.Clone(vendor.MarkInternal(r.Context()))
	inner.RequestURI, inner.RemoteAddr, inner.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	w := &memoryResponse{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(w, inner)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// A memoryResponse is an http.ResponseWriter that keeps the response in memory.
type memoryResponse struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (m *memoryResponse) Header() http.Header { return m.header }

// WriteHeader implements http.ResponseWriter.
func (m *memoryResponse) WriteHeader(status int) { m.status = status }

// Write implements http.ResponseWriter.
func (m *memoryResponse) Write(p []byte) (int, error) { return m.body.Write(p) }
