package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// In any stretch of time, no more pass than the burst and what has dripped in.
func TestLimiterNeverLetsThroughMoreThanItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := Limit{Burst: rapid.IntRange(1, 20).Draw(t, "burst"), Every: time.Duration(rapid.IntRange(1, 1000).Draw(t, "every")) * time.Millisecond}
		now := time.Unix(1_800_000_000, 0)
		start := now
		l := NewMemory[int](16)
		passed := 0
		for range rapid.IntRange(1, 200).Draw(t, "calls") {
			now = now.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "pause")) * time.Millisecond)
			wait := l.Take(now, 1, limit)
			if wait == 0 {
				passed++
			} else {
				// Coming back when told to must work.
				now = now.Add(wait)
				if again := l.Take(now, 1, limit); again != 0 {
					t.Fatalf("told to wait %v, then refused for %v", wait, again)
				}
				passed++
			}
			if most := limit.Burst + int(now.Sub(start)/limit.Every); passed > most {
				t.Fatalf("%d passed, at most %d may", passed, most)
			}
		}
	})
}

func TestLimiterMemoryIsBounded(t *testing.T) {
	t.Parallel()
	l := NewMemory[int](100)
	limit := Limit{Burst: 1, Every: time.Hour}
	const me = -1
	if l.Take(time.Now(), me, limit) != 0 {
		t.Fatal("the first call was refused")
	}
	for i := range 100_000 {
		l.Take(time.Now(), i, limit)
		if n := len(l.young) + len(l.old); n > 200 {
			t.Fatalf("%d keys are kept", n)
		}
	}
}

// Whoever hammers on stays refused, however many others come by.
func TestLimiterRemembersAnEmptyBucketInUse(t *testing.T) {
	t.Parallel()
	l := NewMemory[int](10)
	now, limit := time.Unix(1_800_000_000, 0), Limit{Burst: 1, Every: time.Hour}
	if l.Take(now, -1, limit) != 0 {
		t.Fatal("the first call was refused")
	}
	for other := range 100 {
		l.Take(now, other, limit)
		if l.Take(now, -1, limit) == 0 {
			t.Fatalf("forgotten after %d others", other+1)
		}
	}
}
