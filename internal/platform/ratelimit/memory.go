package ratelimit

import (
	"sync"
	"time"
)

// Memory is a limiter that keeps the token buckets of one replica in limited memory. A bucket is stored as the time when it
// will be full again, in Unix nanoseconds. Memory keeps two generations of buckets. When the newer generation is full,
// Memory drops the older one, so that a flood of new keys does not evict buckets in use.
type Memory[K comparable] struct {
	size  int
	mu    sync.Mutex
	young map[K]int64
	old   map[K]int64
}

// NewMemory returns a limiter that keeps between size and 2*size buckets.
func NewMemory[K comparable](size int) *Memory[K] {
	return &Memory[K]{size: size, young: make(map[K]int64)}
}

// A MemoryBucket is a key and its limit.
type MemoryBucket[K comparable] struct {
	Key   K
	Limit Limit
}

// Take takes one token from the bucket of key and returns 0. If the bucket is empty, it returns the time until the next
// token.
func (l *Memory[K]) Take(at time.Time, key K, limit Limit) time.Duration {
	return l.TakeAll(at, MemoryBucket[K]{key, limit})
}

// TakeAll takes one token from every bucket and returns 0. If any bucket is empty, it takes none and returns the time until
// all have a token.
func (l *Memory[K]) TakeAll(at time.Time, buckets ...MemoryBucket[K]) time.Duration {
	now := at.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := int64(0)
	for _, b := range buckets {
		wait = max(wait, l.fullAt(b.Key, now)-now-int64(b.Limit.Burst-1)*int64(b.Limit.Every))
	}
	for _, b := range buckets {
		full := l.fullAt(b.Key, now)
		if wait == 0 {
			full += int64(b.Limit.Every)
		}
		l.store(b.Key, full) // also if the call is rejected, so that an empty bucket in use is not evicted
	}
	return time.Duration(wait)
}

// fullAt returns the time when the bucket of key will be full, or now if it is full.
func (l *Memory[K]) fullAt(key K, now int64) int64 {
	full, found := l.young[key]
	if !found {
		full = l.old[key]
	}
	return max(full, now)
}

func (l *Memory[K]) store(key K, full int64) {
	if _, found := l.young[key]; !found && len(l.young) >= l.size {
		l.old, l.young = l.young, make(map[K]int64)
	}
	l.young[key] = full
}
