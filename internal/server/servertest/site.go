// Package servertest runs the complete server in tests. The test controls the clock, the ids and the HTTP handler.
package servertest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/server"
	"fairground/internal/site/merchant/merchanttest"
)

// cheapHashes makes password hashes fast in tests.
var cheapHashes = member.Cost{Memory: 64, Time: 1, Lanes: 1}

// A Site is one merchant's site on a complete server.
type Site struct {
	*merchanttest.Site
	Server *server.Server
	Blobs  *blob.Files
}

// New starts a server for one merchant with the currency VND. Messages stay in the local outbox.
func New(t testing.TB, store *db.Store, options ...Option) *Site {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(jobs.Migrate(t.Context(), store))
	blobs, err := blob.OpenFiles(t.TempDir())
	must(err)
	t.Cleanup(func() { must(blobs.Close()) })
	clock, ids := merchanttest.NewClock(), merchanttest.IDs()
	b := build{server: server.Options{
		Merchant: merchanttest.Code, Key: secrettest.Source, Demo: true, Blobs: blobs, Hashes: cheapHashes, Timeout: time.Minute, SeriesLength: 5_000, DrawHistory: 36 * time.Hour,
		Log: slog.New(slog.DiscardHandler), Now: clock.Now, IDs: ids,
		DBTime: func(context.Context, *db.Tx) (time.Time, error) { return clock.Now(), nil },
	}}
	for _, option := range options {
		option(&b)
	}
	s, err := server.New(t.Context(), store, b.server)
	must(err)
	t.Cleanup(s.Close)
	site := &merchanttest.Site{Store: store, Bus: s.Bus, Clock: clock, IDs: ids, Merchants: s.Merchants, Operators: s.Operators}
	site.ID, err = s.Merchants.Ensure(t.Context(), merchanttest.Code, "Fairground", "VND")
	must(err)
	full := &Site{Site: site, Server: s, Blobs: blobs}
	if len(b.vendors) > 0 {
		must(s.Catalogue.PutVendors(t.Context(), site.ID, b.vendors))
		must(s.Catalogue.PutGames(t.Context(), site.ID, b.games))
	}
	for _, m := range b.members {
		full.AddMember(t, m.id, m.username)
		full.Fund(t, m.id, "VND", m.cash)
	}
	full.Reroute(t)
	return full
}

// Reroute registers the endpoints again. Call it after replacing a service of the server.
func (s *Site) Reroute(t testing.TB) {
	t.Helper()
	s.Serve(t, s.Server.Sessions, func(a *rest.API) { s.Server.Routes(a, nil) })
}
