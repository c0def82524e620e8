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

// limitKey names a bucket: an address on one call, or on all of them (route 0).
type limitKey struct {
	route   uint32
	address netip.Addr
}

// limiter holds token buckets in bounded memory. Each bucket is a single time: when it will be full again.
// Two generations are kept; when the younger has reached its size the older is forgotten, so a bucket in use
// is never lost and a flood of new keys costs no more than both generations.
type limiter struct {
	size   int
	mu     sync.Mutex
	young  map[limitKey]int64
	old    map[limitKey]int64
	issued uint32
}

// newLimiter makes a limiter that remembers between size and twice size keys.
func newLimiter(size int) *limiter {
	return &limiter{size: size, young: make(map[limitKey]int64)}
}

// allow takes one token of key's bucket. When there is none it takes nothing and tells how long to wait.
func (l *limiter) allow(at time.Time, key limitKey, rate Rate) time.Duration {
	now := at.UnixNano()
	l.mu.Lock()
	defer l.mu.Unlock()
	full, found := l.young[key]
	if !found {
		full, found = l.old[key]
	}
	if !found || full < now {
		full = now
	}
	next := full + int64(rate.Every)
	if over := next - now - int64(rate.Burst)*int64(rate.Every); over > 0 {
		return time.Duration(over)
	}
	if len(l.young) >= l.size {
		l.old, l.young = l.young, make(map[limitKey]int64)
	}
	l.young[key] = next
	return 0
}

// nextIndex numbers the routes, so that each has buckets of its own.
func (l *limiter) nextIndex() uint32 {
	l.issued++
	return l.issued
}
