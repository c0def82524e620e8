package session

import (
	"context"
	"net/netip"
	"time"

	"github.com/maypok86/otter/v2"
)

// Limit is a bucket of attempts: Burst at once, then one more each Every.
type Limit struct {
	Burst int
	Every time.Duration
}

// Logins that fail are limited per address and per account. An account that does not exist has its bucket as
// well, so that the limit tells nothing; a bucket fills again by itself, so that nobody is locked out for good.
var (
	addressLimit = Limit{Burst: 30, Every: 6 * time.Second}
	accountLimit = Limit{Burst: 8, Every: 15 * time.Second}
)

// network is the form of an address under which attempts are counted: of IPv6 the /64, all of which one
// household or one rented server has to itself.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil || a.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(a, 64).Masked().String()
}

// Attempts counts what is limited.
type Attempts interface {
	// Take counts an attempt. When there have been too many it counts nothing and tells how long to wait.
	Take(ctx context.Context, key string, limit Limit) (wait time.Duration, err error)
	// Return takes back an attempt that turned out to be no failure.
	Return(ctx context.Context, key string, limit Limit) error
}

const attemptKeys = 1 << 16

// MemoryAttempts counts in the memory of one server. Keys least in use are forgotten first.
type MemoryAttempts struct {
	now func() time.Time
	// A bucket is the time at which it will be full again.
	buckets *otter.Cache[string, time.Time]
}

// NewMemoryAttempts makes an empty counter.
func NewMemoryAttempts(now func() time.Time) *MemoryAttempts {
	return &MemoryAttempts{now: now, buckets: otter.Must(&otter.Options[string, time.Time]{MaximumSize: attemptKeys})}
}

// Take implements Attempts.
func (a *MemoryAttempts) Take(_ context.Context, key string, limit Limit) (wait time.Duration, err error) {
	now := a.now()
	a.buckets.Compute(key, func(full time.Time, found bool) (time.Time, otter.ComputeOp) {
		if !found || full.Before(now) {
			full = now
		}
		next := full.Add(limit.Every)
		if wait = next.Sub(now) - time.Duration(limit.Burst)*limit.Every; wait > 0 {
			return full, otter.CancelOp
		}
		wait = 0
		return next, otter.WriteOp
	})
	return wait, nil
}

// Return implements Attempts.
func (a *MemoryAttempts) Return(_ context.Context, key string, limit Limit) error {
	a.buckets.ComputeIfPresent(key, func(full time.Time) (time.Time, otter.ComputeOp) {
		return full.Add(-limit.Every), otter.WriteOp
	})
	return nil
}
