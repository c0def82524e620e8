// Package rate says how often something may be done: a limit, the fault of whoever exceeds it, and buckets in the memory of one
// replica. Buckets that all replicas share are ratelimit's. The package decides no limit itself.
package rate

import (
	"net/netip"
	"sync"
	"time"

	"fairground/internal/fault"
)

// ErrLimited refuses what is tried too often.
var ErrLimited = fault.New(fault.TooMany, "rate.limited")

// Limit is a token bucket: Burst at once, then one more each Every.
type Limit struct {
	Burst int
	Every time.Duration
}

// Times is so many times as much.
func (l Limit) Times(n int) Limit {
	return Limit{Burst: n * l.Burst, Every: l.Every / time.Duration(n)}
}

// SiteTimes is how much more often than one network the site around it may do what is counted: many may share a site.
const SiteTimes = 8

// Site gives the /48 around an IPv6 address: one subscriber often holds as much, and a network for every try with it. Other
// addresses have none.
func Site(address netip.Addr) (netip.Prefix, bool) {
	address = address.Unmap().WithZone("")
	if !address.Is6() {
		return netip.Prefix{}, false
	}
	site, err := address.Prefix(48)
	return site, err == nil
}

// PerSecond is n a second with twice that at once.
func PerSecond(n int) *Limit { return &Limit{Burst: 2 * n, Every: time.Second / time.Duration(n)} }

// Limiter holds token buckets in bounded memory. Each bucket is a single time: when it will be full again.
// Two generations are kept; when the younger has reached its size the older is forgotten, so a bucket in use
// is never lost and a flood of new keys costs no more than both generations.
type Limiter[K comparable] struct {
	size  int
	mu    sync.Mutex
	young map[K]int64
	old   map[K]int64
}

// NewLimiter makes a limiter that remembers between size and twice size keys.
func NewLimiter[K comparable](size int) *Limiter[K] {
	return &Limiter[K]{size: size, young: make(map[K]int64)}
}

// Bucket is a key with its limit.
type Bucket[K comparable] struct {
	Key   K
	Limit Limit
}

// Take takes one token of key's bucket. When there is none it takes nothing and tells how long to wait.
func (l *Limiter[K]) Take(at time.Time, key K, limit Limit) time.Duration {
	return l.TakeAll(at, Bucket[K]{key, limit})
}

// TakeAll takes one token of every bucket, or none where one is empty, and tells how long to wait until all have one.
func (l *Limiter[K]) TakeAll(at time.Time, buckets ...Bucket[K]) time.Duration {
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
func (l *Limiter[K]) full(key K, now int64) int64 {
	full, found := l.young[key]
	if !found {
		full = l.old[key]
	}
	return max(full, now)
}

func (l *Limiter[K]) keep(key K, full int64) {
	if _, found := l.young[key]; !found && len(l.young) >= l.size {
		l.old, l.young = l.young, make(map[K]int64)
	}
	l.young[key] = full
}
