package server_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/permission"
	"fairground/internal/server"
	"fairground/internal/server/servertest"
	"fairground/internal/site/merchant/merchanttest"
)

// A healthSite is a site whose operator reads the health page and the overview.
type healthSite struct {
	*servertest.Site
	t        *testing.T
	folder   string // with the data
	operator servertest.Operator
}

func newHealthSite(t *testing.T, store *db.Store) *healthSite {
	t.Helper()
	folder := t.TempDir()
	s := servertest.New(t, store, servertest.Options(func(o *server.Options) { o.Storage.Data = folder }))
	return &healthSite{s, t, folder, s.Operator(t, "anh", permission.Owner)}
}

type healthCheck struct {
	Name, State, Text string
	Value             int64
}

type healthPage struct {
	Checks   []healthCheck
	Replicas []struct {
		Host, Version, Status string
		SeenAt                int64
	}
	Jobs []struct {
		State  string
		Number int64
	}
}

func (s *healthSite) health() healthPage {
	s.t.Helper()
	return merchanttest.Value[healthPage](s.t, s.operator("GET", "/ops/v1/health", nil))
}

// want checks a check of the health page. A failed check must be an alert on the overview, with the same text. "" means that it passed.
func (s *healthSite) want(when, name, text string) (value int64) {
	s.t.Helper()
	page := s.health()
	i := slices.IndexFunc(page.Checks, func(c healthCheck) bool { return c.Name == name })
	if i < 0 {
		s.t.Fatalf("checks = %+v, want one of %s", page.Checks, name)
	}
	state := "ok"
	if text != "" {
		state = "failed"
	}
	if c := page.Checks[i]; c.State != state || c.Text != text {
		s.t.Errorf("%s: check %+v, want %s %q", when, c, state, text)
	}
	type alert struct{ Code, Text string }
	alerts := merchanttest.Value[struct{ Alerts []alert }](s.t, s.operator("GET", "/ops/v1/figures", nil)).Alerts
	alerts = slices.DeleteFunc(alerts, func(a alert) bool { return a.Code != name })
	var wanted []alert
	if text != "" {
		wanted = []alert{{name, text}}
	}
	if !slices.Equal(alerts, wanted) {
		s.t.Errorf("%s: alerts %+v, want %+v", when, alerts, wanted)
	}
	return page.Checks[i].Value
}

func TestOldBackupIsAnAlert(t *testing.T) {
	t.Parallel()
	const none, old = "there is no backup", "the last backup is older than two days"
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newHealthSite(t, store)
		s.want("without a backup", "backup", none)
		file := filepath.Join(s.folder, server.BackupFile)
		write := func(text string) {
			t.Helper()
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("not a time")
		s.want("with an unreadable time", "backup", none)
		now := s.Clock.Now()
		write(fmt.Sprint(db.Millis(now)))
		if got := s.want("after a backup", "backup", ""); got != db.Millis(now) {
			t.Errorf("time of the backup = %d, want %d", got, db.Millis(now))
		}
		s.Clock.Add(48*time.Hour - time.Minute - time.Millisecond)
		s.operator = s.Operator(t, "binh", permission.Owner) // the first session has ended; a login takes a minute
		s.want("just before two days", "backup", "")
		s.Clock.Add(time.Millisecond)
		s.want("after two days", "backup", old)

		// A backup of the database is in its own table.
		at := db.Millis(s.Clock.Now())
		err := store.Write(t.Context(), func(tx *db.Tx) error { return tx.Q.AddBackupRun(t.Context(), at, 1) })
		if err != nil {
			t.Fatal(err)
		}
		if got := s.want("after a backup of the database", "backup", ""); got != at {
			t.Errorf("time of the backup = %d, want %d", got, at)
		}
	})
}

func TestFailedJobIsAnAlert(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newHealthSite(t, store)
		if got := s.want("at first", "jobs", ""); got != 0 {
			t.Errorf("failed jobs = %d, want 0", got)
		}
		s.Exec(t, "INSERT INTO river_job (kind, queue, args, max_attempts, state) VALUES ('task', 'test', '{}', 8, 'retryable')")
		s.want("with a job that is tried again", "jobs", "")
		s.Exec(t, "INSERT INTO river_job (kind, queue, args, max_attempts, state, finalized_at) VALUES ('task', 'test', '{}', 8, 'discarded', CURRENT_TIMESTAMP)")
		if got := s.want("with a job that failed for good", "jobs", "jobs failed for good"); got != 1 {
			t.Errorf("failed jobs = %d, want 1", got)
		}
		counts := map[string]int64{}
		for _, j := range s.health().Jobs {
			counts[j.State] = j.Number
		}
		if counts["discarded"] != 1 || counts["retryable"] != 1 {
			t.Errorf("jobs = %v, want one discarded and one retryable", counts)
		}
	})
}

func TestLostReplicaIsAnAlert(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newHealthSite(t, store)
		see := func(id int64, host string) {
			t.Helper()
			err := store.Write(t.Context(), func(tx *db.Tx) error {
				return tx.Q.SeeReplica(t.Context(), query.SeeReplicaParams{ID: id, Host: host, Version: "1.2.3", Now: db.Millis(s.Clock.Now())})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		wantStatuses := func(want ...string) {
			t.Helper()
			var got []string
			for _, r := range s.health().Replicas {
				got = append(got, r.Host+" "+r.Version+" "+r.Status)
			}
			if !slices.Equal(got, want) {
				t.Errorf("replicas = %q, want %q", got, want)
			}
		}
		see(1, "one")
		see(2, "two")
		s.want("with two replicas", "replicas", "")
		wantStatuses("one 1.2.3 active", "two 1.2.3 active")
		s.Clock.Add(45 * time.Second)
		s.want("after three intervals", "replicas", "")
		s.Clock.Add(15 * time.Second)
		see(1, "one")
		if got := s.want("when one has not answered for a minute", "replicas", "1 of 2 do not answer"); got != 2 {
			t.Errorf("replicas = %d, want 2", got)
		}
		wantStatuses("one 1.2.3 active", "two 1.2.3 lost")
		see(2, "two")
		s.want("when it answers again", "replicas", "")
	})
}

func TestOutboxLagIsAnAlert(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newHealthSite(t, store)
		start := func(t *testing.T) {
			t.Helper()
			if err := s.Server.Outbox.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		start(t)
		s.want("after a read", "outbox", "")
		synctest.Test(t, start) // the time in there is the year 2000
		if got := s.want("long after a read", "outbox", "changes are not delivered"); got < (30 * time.Second).Milliseconds() {
			t.Errorf("lag = %d ms, want at least 30 s", got)
		}
		start(t)
		s.want("after another read", "outbox", "")
	})
}
