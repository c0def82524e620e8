package server_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"time"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/jobs"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
)

// A daily job logs the number of rows of the audit log and the digest of the last one, so that no one can shorten the log or write it
// again unnoticed.
func TestSE12PartHeadOfTheAuditLogIsLogged(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		var log bytes.Buffer
		site := servertest.New(t, store, servertest.Options(func(o *server.Options) { o.Log = slog.New(slog.NewJSONHandler(&log, nil)) }))
		periodic := site.Server.Periodic()
		i := slices.IndexFunc(periodic, func(p jobs.Periodic) bool { return p.Name == "audit.head" })
		if i < 0 || periodic[i].Every != 24*time.Hour {
			t.Fatalf("got no daily job audit.head in %+v", periodic)
		}
		type line struct {
			Level, Msg, Digest string
			Rows               int64
		}
		digests := map[string]bool{}
		for rows := range int64(3) {
			if rows > 0 {
				err := store.Write(t.Context(), func(tx *db.Tx) error {
					return audit.Append(audit.As(t.Context(), "lan"), tx, site.Clock.Now(), audit.Entry{Permission: "member.edit", Action: "member.disable", Object: "member/1"})
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			log.Reset()
			if err := periodic[i].Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			var got line
			if err := json.Unmarshal(log.Bytes(), &got); err != nil {
				t.Fatalf("after %d rows: %v in %q", rows, err, log.String())
			}
			report, err := audit.Verify(t.Context(), store)
			if err != nil {
				t.Fatal(err)
			}
			if want := (line{"INFO", "head of the audit log", report.Head, rows}); got != want || len(got.Digest) != 64 {
				t.Errorf("after %d rows: got %+v, want %+v", rows, got, want)
			}
			digests[got.Digest] = true
		}
		if len(digests) != 3 {
			t.Errorf("digests of three logs: got %v, want three different ones", digests)
		}
	})
}
