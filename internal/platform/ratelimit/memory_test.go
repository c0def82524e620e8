package ratelimit

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The number of accepted calls never exceeds the burst plus the refilled tokens.
func TestMemoryNeverExceedsLimit(t *testing.T) {
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
				now = now.Add(wait)
				if again := l.Take(now, 1, limit); again != 0 {
					t.Fatalf("after waiting %v: wait = %v, want 0", wait, again)
				}
				passed++
			}
			if most := limit.Burst + int(now.Sub(start)/limit.Every); passed > most {
				t.Fatalf("%d calls passed, want at most %d", passed, most)
			}
		}
	})
}

func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	l := NewMemory[int](100)
	limit := Limit{Burst: 1, Every: time.Hour}
	if l.Take(time.Now(), -1, limit) != 0 {
		t.Fatal("the first call was refused")
	}
	for i := range 100_000 {
		l.Take(time.Now(), i, limit)
		if n := len(l.young) + len(l.old); n > 200 {
			t.Fatalf("%d keys in memory, want at most 200", n)
		}
	}
}

// A caller that keeps calling stays limited while many new keys arrive.
func TestMemoryKeepsEmptyBucketInUse(t *testing.T) {
	t.Parallel()
	l := NewMemory[int](10)
	now, limit := time.Unix(1_800_000_000, 0), Limit{Burst: 1, Every: time.Hour}
	if l.Take(now, -1, limit) != 0 {
		t.Fatal("the first call was refused")
	}
	for other := range 100 {
		l.Take(now, other, limit)
		if l.Take(now, -1, limit) == 0 {
			t.Fatalf("bucket evicted after %d other keys", other+1)
		}
	}
}
