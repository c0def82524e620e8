package rest

import (
	"net/netip"
	"sync"
	"time"
)

// Rate is a token bucket: Burst at once, then one more each Every.
type Rate struct {
	Burst int
	Every time.Duration
}

// PerSecond is n a second with twice that at once.
func PerSecond(n int) *Rate { return &Rate{Burst: 2 * n, Every: time.Second / time.Duration(n)} }

const limiterSize = 1 << 16

// unproved stands for the calls of servers that have not shown who they are.
const unproved = ^uint32(0)

// limitKey names a bucket of calls: an address or a member on one call, or an address on all of them (route 0).
type limitKey struct {
	route   uint32
	address netip.Addr
	member  int64 // instead of the address
}

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
func (l *Limiter[K]) Take(at time.Time, key K, rate Rate) time.Duration {
	now := at.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	full, found := l.find(key)
	if !found || full < now {
		full = now
	}
	next := full + int64(rate.Every)
	if over := next - now - int64(rate.Burst)*int64(rate.Every); over > 0 {
		l.keep(key, full) // a bucket that refuses is in use as well
		return time.Duration(over)
	}
	l.keep(key, next)
	return 0
}

// Return gives back a token that was taken for nothing.
func (l *Limiter[K]) Return(key K, rate Rate) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if full, found := l.find(key); found {
		l.keep(key, full-int64(rate.Every))
	}
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
