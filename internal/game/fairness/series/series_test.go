package series_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/fairness"
	"fairground/internal/game/fairness/chain"
	"fairground/internal/game/fairness/series"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/secret"
	"fairground/internal/platform/secret/secrettest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

const length = 1500 // more than one checkpoint

var now = time.UnixMilli(1_790_000_000_000).UTC()

func clock() time.Time { return now }

func newService(t *testing.T, store *db.Store, change ...func(*series.Options)) *series.Service {
	t.Helper()
	keys, err := secrettest.Open(t.Context(), store, clock)
	if err != nil {
		t.Fatal(err)
	}
	o := series.Options{Store: store, Keys: keys, Random: rand.Reader, IDs: db.NewIDs(clock), Now: clock, Length: length}
	for _, f := range change {
		f(&o)
	}
	return series.New(o)
}

func ensure(t *testing.T, s *series.Service, kind, name string) series.Info {
	t.Helper()
	i, err := s.Ensure(t.Context(), kind, name)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func take(t *testing.T, store *db.Store, s *series.Service, id int64) (link int64, seed fairness.Seed, err error) {
	t.Helper()
	err = store.Write(t.Context(), func(tx *db.Tx) error {
		if link, err = s.Take(t.Context(), tx, id); err != nil {
			return err
		}
		seed, err = s.SeedIn(t.Context(), tx, id, link)
		return err
	})
	return link, seed, err
}

func TestPP17PartSeriesPublishesItsEndBeforeTheFirstRound(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newService(t, store)
		i := ensure(t, s, series.Table, "baccarat-1")
		if i.State != series.Running || i.Source != series.ByOperator || i.Used != 0 || i.Length != length || i.Generation != 1 {
			t.Errorf("new series = %+v, want state %v, source %v, used 0, length %v and generation 1", i, series.Running, series.ByOperator, length)
		}
		if want := series.Salt("table", "baccarat-1", 1, i.End, ""); i.Salt != want {
			t.Errorf("salt = %s, want %s", i.Salt, want)
		}
		if again := ensure(t, s, series.Table, "baccarat-1"); again != i {
			t.Errorf("the second call returned %+v, want %+v", again, i)
		}
		var logged string
		if err := store.Writer.QueryRowContext(t.Context(), "SELECT after FROM audit WHERE action = 'fairness.series_publish'").Scan(&logged); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(logged, i.End) {
			t.Errorf("the audit log says %s, want the end %s", logged, i.End)
		}
		if report, err := audit.Verify(t.Context(), store); err != nil || report.Rows != 1 || report.Broken != 0 {
			t.Errorf("the audit log = %+v, %v, want one row", report, err)
		}
		end, _ := fairness.ParseSeed(i.End)
		for k := int64(1); k <= 3; k++ {
			if seed, err := s.Seed(t.Context(), i.ID, k); !errors.Is(err, series.ErrNotTaken) {
				t.Errorf("seed %d before the round = %s, %v, want %v", k, seed.Hex(), err, series.ErrNotTaken)
			}
			link, seed, err := take(t, store, s, i.ID)
			if err != nil || link != k || !chain.Verify(end, seed, int(k)) {
				t.Errorf("link %d = %d %s, %v, want a seed that verifies", k, link, seed.Hex(), err)
			}
			if replica, err := newService(t, store).Seed(t.Context(), i.ID, k); err != nil || replica != seed {
				t.Errorf("a replica returned %s, %v, want %s", replica.Hex(), err, seed.Hex())
			}
		}
		var stored []byte
		if err := store.Writer.QueryRowContext(t.Context(), "SELECT secret FROM fair_series").Scan(&stored); err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(stored, end[:]) {
			t.Error("the chain is stored unencrypted")
		}
	})
}

func TestUsedUpSeriesIsFollowedByANewOne(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newService(t, store, func(o *series.Options) { o.Length = 2 })
		first := ensure(t, s, series.Lottery, "fast")
		for range 2 {
			if _, _, err := take(t, store, s, first.ID); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := take(t, store, s, first.ID); !errors.Is(err, series.ErrEnded) {
			t.Errorf("a third link of two: %v, want %v", err, series.ErrEnded)
		}
		second := ensure(t, s, series.Lottery, "fast")
		if second.Generation != 2 || second.End == first.End || second.Salt == first.Salt {
			t.Errorf("the next series = %+v, want generation 2 with its own end and salt", second)
		}
		if old, err := s.Find(t.Context(), first.ID); err != nil || old.State != series.Ended || old.EndedAt != now {
			t.Errorf("the first series = %+v, %v, want ended", old, err)
		}
		if _, err := s.Seed(t.Context(), first.ID, 2); err != nil {
			t.Errorf("a link of an ended series: %v", err)
		}
	})
}

func TestReplicasShareOneSeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		var wait sync.WaitGroup
		ids := make([]int64, 4)
		for n := range ids {
			s := newService(t, store)
			wait.Go(func() {
				i, err := s.Ensure(context.Background(), series.Jackpot, "VND-1")
				if err != nil {
					t.Error(err)
				}
				ids[n] = i.ID
			})
		}
		wait.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("series of the replicas = %v, want the same", ids)
			}
		}
	})
}

func TestRekeyEndsTheSeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		s := newService(t, store)
		i := ensure(t, s, series.Table, "sicbo-1")
		_, seed, err := take(t, store, s, i.ID)
		if err != nil {
			t.Fatal(err)
		}
		old, err := secrettest.Open(t.Context(), store, clock)
		if err != nil {
			t.Fatal(err)
		}
		other := dbtest.SQLite(t)
		next, err := secret.Open(t.Context(), secret.Options{
			Store: other, Source: secret.Source{Text: strings.Repeat("6b", 32), Create: true}, Now: clock, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		err = store.Write(t.Context(), func(tx *db.Tx) error { return series.Rekey(t.Context(), tx, old, next, db.Millis(now)) })
		if err != nil {
			t.Fatal(err)
		}
		s = newService(t, store, func(o *series.Options) { o.Keys = next })
		if got, err := s.Seed(t.Context(), i.ID, 1); err != nil || got != seed {
			t.Errorf("seed with the new key = %s, %v, want %s", got.Hex(), err, seed.Hex())
		}
		if again := ensure(t, s, series.Table, "sicbo-1"); again.Generation != 2 {
			t.Errorf("series after the change = %+v, want a new one", again)
		}
	})
}
