package main

import (
	"bytes"
	"context"
	"crypto/rand"
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

// openHouse makes the product's own game server. It is a vendor among others: it reaches the wallet by the vendor
// protocol, only that its requests need no socket.
func (p *parts) openHouse(o partOptions, ids db.IDs) {
	p.house = house.New(house.Options{
		Store: p.store, Launches: houseGames{p.store}, Games: houseGames{p.store}, Player: p.vendors.PlayerID, Keys: p.keys,
		Random: rand.Reader, IDs: ids, Now: o.played, Time: o.dbTime, Log: o.log, Gate: p.merchants,
		Wallet: house.NewWallet(house.WalletOptions{
			Client: &http.Client{Transport: &p.within}, URL: "http://wallet.internal", Key: p.vendors.HouseKey, Now: o.now,
		}),
	})
	p.onClose(p.house.Close)
}

// within hands requests to the server's own handler, as a connection would.
type within struct {
	handler atomic.Pointer[http.Handler] // none until the server has one
}

// RoundTrip implements http.RoundTripper.
func (t *within) RoundTrip(r *http.Request) (_ *http.Response, err error) {
	defer r.Body.Close()
	defer func() {
		if broken := recover(); broken != nil { // what a handler gives up on, a connection would break off
			err = fmt.Errorf("the server gave up: %v", broken)
		}
	}()
	handler := t.handler.Load()
	if handler == nil {
		return nil, errors.New("the server is not ready")
	}
	inner := r.Clone(vendor.Within(r.Context()))
	inner.RequestURI, inner.RemoteAddr, inner.Host = r.URL.RequestURI(), "127.0.0.1:0", r.URL.Host
	w := &inMemory{header: http.Header{}, status: http.StatusOK}
	(*handler).ServeHTTP(w, inner)
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

// houseGames tells the House what its launch addresses stand for, and what its games are called.
type houseGames struct{ store *db.Store }

// Launched implements house.Launches.
func (g houseGames) Launched(ctx context.Context, ticket string) (house.Launch, bool, error) {
	hash := sha256.Sum256([]byte(ticket))
	row, err := g.store.Q().HouseLaunch(ctx, hash[:])
	if errors.Is(err, sql.ErrNoRows) {
		return house.Launch{}, false, nil
	}
	return house.Launch{Merchant: row.Merchant, Vendor: row.Vendor, Game: row.Game, Category: row.Category}, err == nil, err
}

// GameName implements house.Games.
func (g houseGames) GameName(ctx context.Context, merchant, vendor, game, language string) (string, error) {
	return g.store.Q().HouseGameName(ctx, query.HouseGameNameParams{Merchant: merchant, Vendor: vendor, Game: game, Language: language})
}
