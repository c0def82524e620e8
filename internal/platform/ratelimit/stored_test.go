package ratelimit_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/secret/secrettest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

var start = time.Date(2026, time.March, 14, 9, 26, 53, 0, time.UTC)

func open(t testing.TB, store *db.Store, now func() time.Time) *ratelimit.Stored {
	t.Helper()
	keys, err := secrettest.Open(context.Background(), store, now)
	if err != nil {
		t.Fatal(err)
	}
	return ratelimit.NewStored(store, keys, now)
}

// model maps each bucket to the time when it is full again.
type model map[string]time.Time

// take returns how long the caller must wait, or takes a token and returns 0.
func (m model) take(now time.Time, key string, limit ratelimit.Limit) time.Duration {
	full := m[key]
	if full.Before(now) {
		full = now
	}
	full = full.Add(limit.Every)
	if wait := full.Sub(now) - time.Duration(limit.Burst)*limit.Every; wait > 0 {
		return wait
	}
	m[key] = full
	return 0
}

func TestStoredMatchesModel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		run := 0
		rapid.Check(t, func(rt *rapid.T) {
			run++
			now := start
			limiter := open(t, store, func() time.Time { return now })
			model := model{}
			limits := []ratelimit.Limit{{Burst: 5, Every: 12 * time.Minute}, {Burst: 1, Every: time.Minute}, {Burst: 20, Every: 3 * time.Minute}}
			for range rapid.IntRange(1, 25).Draw(rt, "steps") {
				which := rapid.IntRange(0, len(limits)-1).Draw(rt, "bucket")
				key, limit := fmt.Sprint(run, "/", which), limits[which]
				switch rapid.SampledFrom([]string{"take", "take", "take", "return", "wait"}).Draw(rt, "step") {
				case "wait":
					now = now.Add(time.Duration(rapid.IntRange(0, 40*60*1000).Draw(rt, "ms")) * time.Millisecond)
				case "return":
					model[key] = model[key].Add(-limit.Every)
					if err := limiter.Return(context.Background(), key, limit); err != nil {
						rt.Fatal(err)
					}
				default:
					hasToken, err := limiter.HasToken(context.Background(), key, limit)
					if err != nil {
						rt.Fatal(err)
					}
					wait := model.take(now, key, limit)
					if hasToken != (wait == 0) {
						rt.Fatalf("HasToken = %v, but the model waits %s", hasToken, wait)
					}
					check(rt, limiter.Take(context.Background(), key, limit), wait)
				}
			}
		})
	})
}

func check(t *rapid.T, err error, wait time.Duration) {
	if wait == 0 {
		if err != nil {
			t.Fatalf("Take: %v, want success", err)
		}
		return
	}
	var f *fault.Fault
	if !errors.As(err, &f) || !errors.Is(err, ratelimit.ErrLimited) {
		t.Fatalf("Take: %v, want ErrLimited for %s", err, wait)
	}
	if want := strconv.Itoa(int(math.Ceil(wait.Seconds()))); f.Args["seconds"] != want {
		t.Fatalf("seconds = %s, want %s", f.Args["seconds"], want)
	}
}

// Concurrent callers on two replicas never take more than the bucket holds.
func TestConcurrentTakes(t *testing.T) {
	t.Parallel()
	for _, e := range dbtest.Engines {
		t.Run(string(e), func(t *testing.T) {
			t.Parallel()
			o := dbtest.Migrated(t, e)
			now := func() time.Time { return start }
			var taken atomic.Int64
			var wg sync.WaitGroup
			for range 2 {
				limiter := open(t, dbtest.Open(t, o), now)
				for range 12 {
					wg.Go(func() {
						err := limiter.Take(t.Context(), "x", ratelimit.Limit{Burst: 5, Every: time.Hour})
						switch {
						case err == nil:
							taken.Add(1)
						case !errors.Is(err, ratelimit.ErrLimited):
							t.Errorf("got %v, want ErrLimited", err)
						}
					})
				}
			}
			wg.Wait()
			if n := taken.Load(); n != 5 {
				t.Errorf("%d tokens taken, want 5", n)
			}
		})
	}
}

func TestTakeIsRolledBackWithTransaction(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		limiter := open(t, store, func() time.Time { return start })
		limit := ratelimit.Limit{Burst: 1, Every: time.Hour}
		rollback := errors.New("rollback")
		err := store.Write(t.Context(), func(tx *db.Tx) error {
			if err := limiter.TakeIn(t.Context(), tx, "x", limit); err != nil {
				return err
			}
			return rollback
		})
		if !errors.Is(err, rollback) {
			t.Fatal(err)
		}
		if err := limiter.Take(t.Context(), "x", limit); err != nil {
			t.Errorf("token was not returned: %v", err)
		}
	})
}

func TestSweepDeletesFullBuckets(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		now := start
		limiter := open(t, store, func() time.Time { return now })
		for i, every := range []time.Duration{time.Minute, time.Hour} {
			if err := limiter.Take(t.Context(), fmt.Sprint(i), ratelimit.Limit{Burst: 1, Every: every}); err != nil {
				t.Fatal(err)
			}
		}
		now = now.Add(2 * time.Minute)
		if err := limiter.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		var left int
		if err := store.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM tally").Scan(&left); err != nil || left != 1 {
			t.Errorf("%d buckets left, want 1, error %v", left, err)
		}
	})
}

// An IPv6 block has its own, larger bucket. A refused call takes from neither bucket.
func TestSE02IPv6BlockIsLimited(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		now := start
		limiter := open(t, store, func() time.Time { return now })
		limit := ratelimit.Limit{Burst: 3, Every: time.Minute}
		of := func(network string) []ratelimit.Bucket {
			return ratelimit.NetworkBuckets("try/", network, "/x", limit, 2)
		}
		for network, want := range map[string]int{"203.0.113.5": 1, "unknown": 1, "2001:db8:1:2::": 2} {
			if got := of(network); len(got) != want || got[0] != (ratelimit.Bucket{Key: "try/" + network + "/x", Limit: limit}) {
				t.Errorf("buckets of %s = %+v, want %d", network, got, want)
			}
		}
		take := func(network string) bool {
			t.Helper()
			err := limiter.TakeAll(t.Context(), of(network))
			if err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				t.Fatal(err)
			}
			return err == nil
		}
		taken := 0
		for i := range 20 {
			if take(fmt.Sprintf("2001:db8:1:%x::", i)) {
				taken++
			}
		}
		if taken != 6 || !take("2001:db8:2::") || !take("203.0.113.5") {
			t.Errorf("%d tokens taken in one block, want 6; other networks must be free", taken)
		}
		if err := limiter.ReturnAll(t.Context(), of("2001:db8:1::")); err != nil {
			t.Fatal(err)
		}
		// The refused network still has its three tokens; the block has the one returned.
		if hasToken, err := limiter.HasToken(t.Context(), of("2001:db8:1:9::")[0].Key, ratelimit.Limit{Burst: 1, Every: time.Minute}); !hasToken || err != nil {
			t.Errorf("HasToken = %v, %v, want true", hasToken, err)
		}
		if !take("2001:db8:1:9::") || take("2001:db8:1:9::") {
			t.Error("want exactly one more token in the block")
		}
	})
}
