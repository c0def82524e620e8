package series_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"fairground/internal/game/fairness/beacon"
	"fairground/internal/game/fairness/beacon/beacontest"
	"fairground/internal/game/fairness/series"
	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
)

// A testClock is a clock that tests can move.
type testClock struct {
	mu      sync.Mutex
	current time.Time
}

func (c *testClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current
}

func (c *testClock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = c.current.Add(d)
}

func withBeacon(b *beacontest.Beacon, clock *testClock) func(*series.Options) {
	return func(o *series.Options) {
		o.Now, o.Length = clock.now, 300
		o.Beacon = beacon.New(beacon.Options{URLs: []string{b.URL}, Hash: b.Hash, HTTP: &http.Client{}, Timeout: time.Minute})
	}
}

func startDue(t *testing.T, s *series.Service) {
	t.Helper()
	if err := s.StartDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// countLog returns the number of audit log entries of an action.
func countLog(t *testing.T, store *db.Store, action string) (n int) {
	t.Helper()
	if err := store.Writer.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit WHERE action = $1", action).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPP17PartSeriesWaitsForABeaconRoundThatIsNotPublicYet(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		clock := &testClock{current: now}
		b := beacontest.Start(t, beacon.UnchainedG1, now.Add(-time.Hour), 3, clock.now)
		s := newService(t, store, withBeacon(b, clock))
		i, err := s.Ensure(t.Context(), series.Table, "roulette-1")
		if !errors.Is(err, series.ErrWaiting) {
			t.Fatalf("a new series: %v, want %v", err, series.ErrWaiting)
		}
		hash, round, err := beacon.ParseDetail(i.Detail)
		if err != nil || hash != b.Hash || i.Source != series.ByBeacon || i.State != series.Waiting || i.DueAt.Before(now.Add(30*time.Second)) || i.End == "" {
			t.Errorf("waiting series = %+v, %v, want a round of %s 30 seconds ahead", i, err, b.Hash)
		}
		if _, _, err := take(t, store, s, i.ID); !errors.Is(err, series.ErrEnded) {
			t.Errorf("a link of a waiting series: %v, want %v", err, series.ErrEnded)
		}
		if reason, err := s.Blocked(t.Context()); err != nil || !strings.Contains(reason, "table roulette-1 waits for the beacon") {
			t.Errorf("health = %q, %v, want the waiting table", reason, err)
		}
		startDue(t, s)
		if n := b.Requests.Load(); n != 0 {
			t.Errorf("requests before the round is due = %d, want 0", n)
		}
		clock.move(time.Minute)
		// Several replicas start the series only once.
		var wait sync.WaitGroup
		for range 4 {
			replica := newService(t, store, withBeacon(b, clock))
			wait.Go(func() {
				if err := replica.StartDue(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		started := ensure(t, s, series.Table, "roulette-1")
		chain, err := beacon.ParseChain(b.Hash, b.Info)
		if err != nil {
			t.Fatal(err)
		}
		value, err := chain.Verify(round, started.Signature)
		if err != nil || started.ID != i.ID || started.Value != value.Randomness || started.End != i.End || started.Detail != i.Detail {
			t.Errorf("started series = %+v, %v, want the value of round %d", started, err, round)
		}
		if want := series.Salt("table", "roulette-1", 1, i.End, value.Randomness); started.Salt != want {
			t.Errorf("salt = %s, want %s", started.Salt, want)
		}
		if n := countLog(t, store, "fairness.series_start"); n != 1 {
			t.Errorf("starts in the audit log = %d, want 1", n)
		}
		if report, err := audit.Verify(t.Context(), store); err != nil || report.Broken != 0 {
			t.Errorf("the audit log = %+v, %v, want no broken row", report, err)
		}
		if reason, err := s.Blocked(t.Context()); err != nil || reason != "" {
			t.Errorf("health = %q, %v, want nothing", reason, err)
		}
	})
}

func TestNextSeriesIsPublishedBeforeThePresentOneEnds(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		clock := &testClock{current: now}
		b := beacontest.Start(t, beacon.Unchained, now.Add(-time.Hour), 30, clock.now)
		s := newService(t, store, withBeacon(b, clock))
		_, _ = s.Ensure(t.Context(), series.Jackpot, "VND-1") // publishes the first series
		clock.move(2 * time.Minute)
		startDue(t, s)
		first := ensure(t, s, series.Jackpot, "VND-1")
		use := func(n int) {
			for range n {
				if _, _, err := take(t, store, s, first.ID); err != nil {
					t.Fatal(err)
				}
			}
			startDue(t, s)
		}
		use(296)
		if all, err := s.List(t.Context(), ""); err != nil || len(all) != 1 {
			t.Errorf("series with four links left = %d, %v, want 1", len(all), err)
		}
		use(1)
		all, err := s.List(t.Context(), "")
		if err != nil || len(all) != 2 || all[0].State != series.Waiting || all[0].Generation != 2 {
			t.Fatalf("series with 1 %% of the links left = %+v, %v, want a second one that waits", all, err)
		}
		if ahead := all[0].DueAt.Sub(clock.now()); ahead < 24*time.Hour {
			t.Errorf("the next series is published %v before its round, want a day", ahead)
		}
		// While the beacon is down, the present series stays in use until its last link.
		b.Down.Store(true)
		clock.move(25 * time.Hour)
		use(1)
		if again := ensure(t, s, series.Jackpot, "VND-1"); again.ID != first.ID {
			t.Errorf("series while the beacon is down = %+v, want the first", again)
		}
		use(2)
		if _, err := s.Ensure(t.Context(), series.Jackpot, "VND-1"); !errors.Is(err, series.ErrWaiting) {
			t.Errorf("a used up series: %v, want %v", err, series.ErrWaiting)
		}
		b.Down.Store(false)
		startDue(t, s)
		second := ensure(t, s, series.Jackpot, "VND-1")
		if second.ID != all[0].ID || second.Source != series.ByBeacon {
			t.Errorf("the next series = %+v, want the published one", second)
		}
		if old, err := s.Find(t.Context(), first.ID); err != nil || old.State != series.Ended {
			t.Errorf("the first series = %+v, %v, want ended", old, err)
		}
	})
}

func TestSeriesWithoutBeaconIsReplacedWhenABeaconIsConfigured(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	clock := &testClock{current: now}
	b := beacontest.Start(t, beacon.Chained, now.Add(-time.Hour), 30, clock.now)
	first := ensure(t, newService(t, store), series.Table, "sicbo-1")
	s := newService(t, store, withBeacon(b, clock))
	startDue(t, s)
	if i := ensure(t, s, series.Table, "sicbo-1"); i.ID != first.ID {
		t.Errorf("series before the round = %+v, want the first", i)
	}
	clock.move(25 * time.Hour)
	startDue(t, s)
	if i := ensure(t, s, series.Table, "sicbo-1"); i.Generation != 2 || i.Source != series.ByBeacon {
		t.Errorf("series after the round = %+v, want generation 2 of the beacon", i)
	}
	startDue(t, s)
	if all, err := s.List(t.Context(), ""); err != nil || len(all) != 2 {
		t.Errorf("series = %d, %v, want 2", len(all), err)
	}
}

func TestBeaconOutageIsLoggedOnceAndAnOperatorMayEndTheSeries(t *testing.T) {
	t.Parallel()
	store := dbtest.SQLite(t)
	clock := &testClock{current: now}
	b := beacontest.Start(t, beacon.UnchainedG1, now.Add(-time.Hour), 3, clock.now)
	var log bytes.Buffer
	s := newService(t, store, withBeacon(b, clock), func(o *series.Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	_, _ = s.Ensure(t.Context(), series.Table, "sicbo-1") // publishes the series
	b.Down.Store(true)
	clock.move(time.Minute)
	for range 5 {
		startDue(t, s)
	}
	if n := strings.Count(log.String(), "a series has no salt yet"); n != 1 {
		t.Errorf("warnings = %d, want 1: %s", n, log.String())
	}
	i, err := s.Ensure(t.Context(), series.Table, "sicbo-1")
	if !errors.Is(err, series.ErrWaiting) {
		t.Errorf("the series: %v, want %v", err, series.ErrWaiting)
	}
	other := newService(t, store, withBeacon(b, clock)) // has no description of the chain yet
	if _, err := other.Ensure(t.Context(), series.Table, "roulette-1"); !errors.Is(err, series.ErrWaiting) {
		t.Errorf("a series without the chain's description: %v, want %v", err, series.ErrWaiting)
	}
	if err := series.EndWaiting(t.Context(), s, i.ID, i.Version+1); !errors.Is(err, rest.ErrStale) {
		t.Errorf("an end with another version: %v, want %v", err, rest.ErrStale)
	}
	if err := series.EndWaiting(t.Context(), s, i.ID, i.Version); err != nil {
		t.Fatal(err)
	}
	if err := series.EndWaiting(t.Context(), s, i.ID, i.Version); !errors.Is(err, series.ErrNotWaiting) {
		t.Errorf("a second end: %v, want %v", err, series.ErrNotWaiting)
	}
	next := ensure(t, s, series.Table, "sicbo-1")
	if next.Source != series.ByOperator || next.Generation != 2 {
		t.Errorf("the series after the end = %+v, want one of the operator", next)
	}
	b.Down.Store(false)
	startDue(t, s)
	if again := ensure(t, s, series.Table, "sicbo-1"); again.ID != next.ID {
		t.Errorf("the series when the beacon is back = %+v, want the operator's", again)
	}
}

// fakeApprovals stores the last requested change, as if it needed a second person.
type fakeApprovals struct{ payload []byte }

func (r *fakeApprovals) Request(_ context.Context, _ int64, _, _ string, payload any) (*series.Approval, error) {
	var err error
	r.payload, err = json.Marshal(payload)
	return &series.Approval{ID: "1", State: "waiting"}, err
}

func TestPP17PartAnnouncedResultStartsTheNextSeries(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		clock, approvals := &testClock{current: now}, &fakeApprovals{}
		s := newService(t, store, func(o *series.Options) { o.Now, o.Approvals = clock.now, approvals })
		first, ctx := ensure(t, s, series.Table, "sicbo-1"), t.Context()
		due := now.Add(25 * time.Hour)
		for title, c := range map[string]struct {
			name  string
			dueAt time.Time
			want  error
		}{
			"too soon": {"sicbo-1", now.Add(23 * time.Hour), series.ErrTooSoon}, "too late": {"sicbo-1", now.Add(400 * 24 * time.Hour), series.ErrTooSoon},
			"unknown name": {"sicbo-9", due, series.ErrNotFound},
		} {
			if _, err := series.Announce(ctx, s, series.Table, c.name, "a result", c.dueAt); !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", title, err, c.want)
			}
		}
		i, err := series.Announce(ctx, s, series.Table, "sicbo-1", " Special prize of 20 November ", due)
		if err != nil || i.State != series.Waiting || i.Source != series.Announced || i.Detail != "Special prize of 20 November (5 digits)" || !i.DueAt.Equal(due) || i.Generation != 2 {
			t.Fatalf("announced series = %+v, %v, want generation 2, waiting until %v", i, err, due)
		}
		if _, err := series.Announce(ctx, s, series.Table, "sicbo-1", "another", due); !errors.Is(err, series.ErrAnnounced) {
			t.Errorf("a second announcement: %v, want %v", err, series.ErrAnnounced)
		}
		if present := ensure(t, s, series.Table, "sicbo-1"); present.ID != first.ID {
			t.Errorf("the present series = %+v, want the first", present)
		}
		if err := series.Enter(ctx, s, i.ID, i.Version, "12345"); !errors.Is(err, series.ErrNotDue) {
			t.Errorf("a result before it is due: %v, want %v", err, series.ErrNotDue)
		}
		clock.move(25 * time.Hour)
		for _, value := range []string{"", "12 345", "1:2", strings.Repeat("1", 101)} {
			if err := series.Enter(ctx, s, i.ID, i.Version, value); !errors.Is(err, series.ErrValue) {
				t.Errorf("the result %q: %v, want %v", value, err, series.ErrValue)
			}
		}
		if err := series.Enter(ctx, s, first.ID, first.Version, "12345"); !errors.Is(err, series.ErrNotWaiting) {
			t.Errorf("a result of a running series: %v, want %v", err, series.ErrNotWaiting)
		}
		if err := series.Enter(ctx, s, i.ID, i.Version, " 12345 "); err != nil {
			t.Fatal(err)
		}
		if present := ensure(t, s, series.Table, "sicbo-1"); present.ID != first.ID {
			t.Errorf("the series before the second person = %+v, want the first", present)
		}
		run := func() error {
			return store.Write(ctx, func(tx *db.Tx) error {
				_, _, err := s.RunValue(ctx, tx, "", approvals.payload)
				return err
			})
		}
		if err := run(); err != nil {
			t.Fatal(err)
		}
		started := ensure(t, s, series.Table, "sicbo-1")
		if started.ID != i.ID || started.Value != "12345" || started.Salt != series.Salt("table", "sicbo-1", 2, i.End, "12345") {
			t.Errorf("started series = %+v, want generation 2 with the result", started)
		}
		if err := run(); !errors.Is(err, series.ErrNotWaiting) {
			t.Errorf("the same result again: %v, want %v", err, series.ErrNotWaiting)
		}
	})
}
