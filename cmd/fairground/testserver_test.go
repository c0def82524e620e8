package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fairground/internal/identity/member"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/secret/secrettest"
	"fairground/internal/server"
)

// A testServer is a server on SQLite whose services and clock a test can access.
type testServer struct {
	*program
	services    *server.Server
	api         *rest.API
	clockOffset atomic.Int64 // added to the real time
}

// testLinks is the length of fairness chains in tests: long enough for all rounds of a test, and fast to compute.
const testLinks = 5_000

// cheapHashes makes password hashes fast in tests.
var cheapHashes = member.Cost{Memory: 64, Time: 1, Lanes: 1}

func newTestServer(t *testing.T, demo bool) *testServer {
	t.Helper()
	w := &testServer{}
	command := &serveCommand{config.Serve{
		Storage: config.Storage{Data: t.TempDir()}, Merchant: "fairground", Currency: "CNY", Demo: demo,
		Proxies: []string{"127.0.0.0/8"}, // so that tests can use many client networks
	}}
	copyInstallation(t, command.Data, demo)
	blobs, err := blob.OpenFiles(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	now := func() time.Time { return time.Now().Add(time.Duration(w.clockOffset.Load())) }
	p, err := server.Open(t.Context(), server.Options{
		Blobs:   blobs,
		Storage: command.Storage, Key: secrettest.Source, Merchant: command.Merchant, Demo: demo, Log: slog.New(slog.DiscardHandler),
		Hashes: cheapHashes, Timeout: testTimeout, SeriesLength: testLinks,
		Now:    now,
		DBTime: func(context.Context, *db.Tx) (time.Time, error) { return now(), nil },
	}, server.Migrate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	api, err := p.API(command.http())
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(api.Handler())
	t.Cleanup(s.Close)
	w.program, w.services, w.api = &program{t: t, url: s.URL}, p, api
	return w
}

// dump returns all rows of all tables, without session.seen_at, which reading may change.
func (w *testServer) dump() string {
	w.t.Helper()
	read := func(query string) (out []string) {
		rows, err := w.services.Store.Reader.Query(query)
		if err != nil {
			w.t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			w.t.Fatal(err)
		}
		for rows.Next() {
			cells := make([]any, len(columns))
			for i := range cells {
				cells[i] = new(any)
			}
			if err := rows.Scan(cells...); err != nil {
				w.t.Fatal(err)
			}
			var line strings.Builder
			for _, c := range cells {
				fmt.Fprintf(&line, "%v|", *c.(*any))
			}
			out = append(out, line.String())
		}
		if err := rows.Err(); err != nil {
			w.t.Fatal(err)
		}
		return out
	}
	var all strings.Builder
	for _, table := range read("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		table = strings.TrimSuffix(table, "|")
		columns := read(`SELECT '"' || name || '"' FROM pragma_table_info('` + table + `') WHERE NOT ('` + table + `' = 'session' AND name = 'seen_at')`)
		list := strings.ReplaceAll(strings.Join(columns, ", "), "|", "")
		fmt.Fprintf(&all, "%s\n%s\n", table, strings.Join(read(`SELECT `+list+` FROM "`+table+`"`), "\n"))
	}
	return all.String()
}
