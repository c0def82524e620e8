// Package servertest gives the domains' tests the server that is shipped, on a database of the test's own, with a clock, ids and
// an HTTP front that the test owns. It is for tests only.
package servertest

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/rest"
	"fairground/internal/server"
	"fairground/internal/site/merchant/merchanttest"
)

// cheap lets tests make many hashes; what those cost for real is none of what they show.
var cheap = member.Cost{Memory: 64, Time: 1, Lanes: 1}

// Site is one merchant's site on a whole server.
type Site struct {
	*merchanttest.Site
	Server *server.Server
	Blobs  *blob.Files
}

// New makes a server for one merchant that counts in VND. Messages stay in the local outbox. change may replace options.
func New(t testing.TB, store *db.Store, change ...func(*server.Options)) *Site {
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
	o := server.Options{
		Merchant: merchanttest.Code, Demo: true, Blobs: blobs, Hashes: cheap, Slack: time.Minute,
		Bus: events.BusOptions{FlushWait: time.Minute}, Log: slog.New(slog.DiscardHandler), Now: clock.Now, IDs: ids,
		DBTime: func(context.Context, *db.Tx) (time.Time, error) { return clock.Now(), nil },
	}
	for _, c := range change {
		c(&o)
	}
	s, err := server.New(t.Context(), store, o)
	must(err)
	t.Cleanup(s.Close)
	site := &merchanttest.Site{Store: store, Bus: s.Bus, Clock: clock, IDs: ids, Merchants: s.Merchants}
	site.ID, err = s.Merchants.Ensure(t.Context(), merchanttest.Code, "Fairground", "VND")
	must(err)
	all := &Site{Site: site, Server: s, Blobs: blobs}
	all.Reroute(t)
	return all
}

// Reroute serves the calls anew, for a service of the server that was replaced.
func (s *Site) Reroute(t testing.TB) {
	t.Helper()
	s.Serve(t, s.Server.Sessions, func(a *rest.API) { s.Server.Routes(a, nil) })
}
