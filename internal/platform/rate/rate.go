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

// Take takes one token of key's bucket. When there is none it takes nothing and tells how long to wait.
func (l *Limiter[K]) Take(at time.Time, key K, limit Limit) time.Duration {
	now := at.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	full, found := l.find(key)
	if !found || full < now {
		full = now
	}
	next := full + int64(limit.Every)
	if over := next - now - int64(limit.Burst)*int64(limit.Every); over > 0 {
		l.keep(key, full) // a bucket that refuses is in use as well
		return time.Duration(over)
	}
	l.keep(key, next)
	return 0
}

func (l *Limiter[K]) find(key K) (full int64, found bool) {
	if full, found = l.young[key]; !found {
		full, found = l.old[key]
	}
	return full, found
}

func (l *Limiter[K]) keep(key K, full int64) {
	if _, found := l.young[key]; !found && len(l.young) >= l.size {
		l.old, l.young = l.young, make(map[K]int64)
	}
	l.young[key] = full
}
