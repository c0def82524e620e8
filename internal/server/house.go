package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"

	"fairground/internal/game/house"
	"fairground/internal/game/vendor"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
)

// Loopback hands requests to the server's own handler, as a connection would.
type Loopback struct {
	handler atomic.Pointer[http.Handler] // none until the server has one
}

// Use sets the handler that requests go to.
func (l *Loopback) Use(h http.Handler) { l.handler.Store(&h) }

// Handler gives the one that is set, nil before.
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
		if broken := recover(); broken != nil { // what a handler gives up on, a connection would break off
			err = fmt.Errorf("the server gave up: %v", broken)
		}
	}()
	handler := l.Handler()
	if handler == nil {
		return nil, errors.New("the server is not ready")
	}
	inner := r.Clone(vendor.MarkInternal(r.Context()))
	inner.RequestURI, inner.RemoteAddr, inner.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	w := &inMemory{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(w, inner)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// inMemory is a response that stays in memory.
type inMemory struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (m *inMemory) Header() http.Header { return m.header }

// WriteHeader implements http.ResponseWriter.
func (m *inMemory) WriteHeader(status int) { m.status = status }

// Write implements http.ResponseWriter.
func (m *inMemory) Write(p []byte) (int, error) { return m.body.Write(p) }

// HouseGames tells the House what its launch addresses stand for, and what its games are called.
type HouseGames struct{ Store *db.Store }

// Launched implements house.Launches.
func (g HouseGames) Launched(ctx context.Context, ticket string) (house.Launch, bool, error) {
	hash := sha256.Sum256([]byte(ticket))
	row, err := g.Store.Q().HouseLaunch(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return house.Launch{}, false, nil
	}
	return house.Launch{Merchant: row.Merchant, Vendor: row.Vendor, Game: row.Game, Category: row.Category}, err == nil, err
}

// GameName implements house.Games.
func (g HouseGames) GameName(ctx context.Context, merchant, vendor, game, language string) (string, error) {
	return g.Store.Q().HouseGameName(ctx, query.HouseGameNameParams{Merchant: merchant, Vendor: vendor, Game: game, Language: language})
}
