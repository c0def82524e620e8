package captcha

import (
	"context"
	"errors"
	"fmt"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/humancheck"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/validation"
)

// maxLevel is the highest level of cost. Each level doubles the cost, and the highest one stays solvable: no one can lock out a member
// by failing on purpose.
const maxLevel = 6

// A failureCount counts the failures of a network, a device or an account. One failure is forgotten after each limit.Every.
type failureCount struct {
	key   string
	limit ratelimit.Limit
	free  int // failures without a proof of work
	step  int // failures per level
}

func newFailureCount(key string, free, step int, every time.Duration) failureCount {
	return failureCount{key, ratelimit.Limit{Burst: free + step*maxLevel, Every: every}, free, step}
}

func (c failureCount) level(failures int) int {
	if failures <= c.free {
		return 0
	}
	return min(1+(failures-c.free-1)/c.step, maxLevel)
}

const (
	accountFree  = 3
	deviceFree   = 3
	networkFree  = 20 // many people may share a network
	networkStep  = 10
	forgetAfter  = 15 * time.Minute // one failure of an account or a device
	networkEvery = 45 * time.Second // one failure of a network
)

// failureCounts returns the counts of an attempt: of its network, of its device if known, and last of its account if it names one.
func (s *Service) failureCounts(a humancheck.Attempt) []failureCount {
	network := newFailureCount("", networkFree, networkStep, networkEvery)
	var counts []failureCount
	for i, b := range ratelimit.NetworkBuckets("captcha/failed/network/", a.Network, "", network.limit, ratelimit.BlockFactor) {
		c := failureCount{b.Key, b.Limit, network.free, network.step}
		if i > 0 { // the block of an IPv6 network
			c.free, c.step = c.free*ratelimit.BlockFactor, c.step*ratelimit.BlockFactor
		}
		counts = append(counts, c)
	}
	if id := s.deviceID(a.Device); id != "" {
		counts = append(counts, newFailureCount("captcha/failed/device/"+id, deviceFree, 1, forgetAfter))
	}
	if a.Account != "" {
		counts = append(counts, newFailureCount(accountKey(a), accountFree, 1, forgetAfter))
	}
	return counts
}

func accountKey(a humancheck.Attempt) string {
	return fmt.Sprintf("captcha/failed/account/%d/%s", a.MerchantID, a.Account)
}

// requiredCost returns the cost of the proof that an attempt requires, or 0. The highest level of its counts decides. Unknown accounts
// count like others, so the cost does not reveal which accounts exist.
func (s *Service) requiredCost(ctx context.Context, a humancheck.Attempt, when string, base int) (int, error) {
	level := 0
	switch when {
	case validation.WorkOff:
		return 0, nil
	case validation.WorkAlways:
		level = 1
	}
	for _, c := range s.failureCounts(a) {
		failures, err := s.o.Limiter.Taken(ctx, c.key, c.limit)
		if err != nil {
			return 0, err
		}
		level = max(level, c.level(failures))
	}
	if level == 0 {
		return 0, nil
	}
	return base << (level - 1), nil
}

// CountFailure counts a failed attempt, so that later attempts cost more.
func (s *Service) CountFailure(ctx context.Context, a humancheck.Attempt) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		for _, c := range s.failureCounts(a) {
			// A full count stays full, so rows expire.
			if err := s.o.Limiter.TakeIn(ctx, tx, c.key, c.limit); err != nil && !errors.Is(err, ratelimit.ErrLimited) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("count failed attempt: %w", err)
	}
	return nil
}

// ForgetFailures resets the count of an account whose owner proved to be present. The network and the device keep theirs: an attacker
// could reset them by logging in to an account of their own.
func (s *Service) ForgetFailures(ctx context.Context, a humancheck.Attempt) error {
	return s.o.Limiter.Reset(ctx, accountKey(a))
}
