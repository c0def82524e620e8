package ratelimit

import (
	"net/netip"
	"sync"
	"time"

	"fairground/internal/fault"
)

// ErrLimited refuses a call that exceeds its limit.
var ErrLimited = fault.New(fault.TooMany, "rate.limited")

// A Limit is a token bucket: Burst calls at once, then one more after each Every.
type Limit struct {
	Burst int
	Every time.Duration
}

// Times returns a limit that allows n times as much.
func (l Limit) Times(n int) Limit {
	return Limit{Burst: n * l.Burst, Every: l.Every / time.Duration(n)}
}

// BlockFactor is how much more an IPv6 block may do than one network in it: many subscribers may share a block.
const BlockFactor = 8

// IPv6Block returns the /48 around an IPv6 address. One subscriber often owns a whole /48 and could use a new network for each
// attempt. It reports false for other addresses.
func IPv6Block(address netip.Addr) (netip.Prefix, bool) {
	address = address.Unmap().WithZone("")
	if !address.Is6() {
		return netip.Prefix{}, false
	}
	block, err := address.Prefix(48)
	return block, err == nil
}

// PerSecond returns a limit of n calls a second, with bursts of twice that.
func PerSecond(n int) *Limit { return &Limit{Burst: 2 * n, Every: time.Second / time.Duration(n)} }

// Memory holds the token buckets of one replica in bounded memory. Each bucket is one timestamp: when it will be full again.
// It keeps two generations and drops the older when the younger is full. A bucket in use is therefore never lost, and a
// flood of new keys uses at most two generations.
type Memory[K comparable] struct {
	size  int
	mu    sync.Mutex
	young map[K]int64
	old   map[K]int64
}

// NewLimiter makes a limiter that remembers between size and twice size keys.
func NewMemory[K comparable](size int) *Memory[K] {
	return &Memory[K]{size: size, young: make(map[K]int64)}
}

// Bucket is a key with its limit.
type MemoryBucket[K comparable] struct {
	Key   K
	Limit Limit
}

// Take takes one token of key's bucket. When there is none it takes nothing and tells how long to wait.
func (l *Memory[K]) Take(at time.Time, key K, limit Limit) time.Duration {
	return l.TakeAll(at, MemoryBucket[K]{key, limit})
}

// TakeAll takes one token of every bucket, or none where one is empty, and tells how long to wait until all have one.
func (l *Memory[K]) TakeAll(at time.Time, buckets ...MemoryBucket[K]) time.Duration {
	now := at.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := int64(0)
	for _, b := range buckets {
		wait = max(wait, l.full(b.Key, now)-now-int64(b.Limit.Burst-1)*int64(b.Limit.Every))
	}
	for _, b := range buckets {
		full := l.full(b.Key, now)
		if wait == 0 {
			full += int64(b.Limit.Every)
		}
		l.keep(b.Key, full) // a bucket that refuses is in use as well
	}
	return time.Duration(wait)
}

// full is when a key's bucket will be full again, now at the earliest.
func (l *Memory[K]) full(key K, now int64) int64 {
	full, found := l.young[key]
	if !found {
		full = l.old[key]
	}
	return max(full, now)
}

func (l *Memory[K]) keep(key K, full int64) {
	if _, found := l.young[key]; !found && len(l.young) >= l.size {
		l.old, l.young = l.young, make(map[K]int64)
	}
	l.young[key] = full
}
