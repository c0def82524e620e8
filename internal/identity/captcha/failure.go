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

// maxLevel is the highest cost level. Each level doubles the cost. The highest one is still solvable, so that an attacker cannot lock
// out a member by failing on purpose.
const maxLevel = 6

// A failureCount counts the failures of a network, a device or an account. It forgets one failure every limit.Every.
type failureCount struct {
	key      string
	limit    ratelimit.Limit
	free     int // number of failures that require no proof of work
	perLevel int // failures per level
}

func newFailureCount(key string, free, perLevel int, every time.Duration) failureCount {
	return failureCount{key, ratelimit.Limit{Burst: free + perLevel*maxLevel, Every: every}, free, perLevel}
}

func (c failureCount) level(failures int) int {
	if failures <= c.free {
		return 0
	}
	return min(1+(failures-c.free-1)/c.perLevel, maxLevel)
}

const (
	accountFree           = 3
	deviceFree            = 3
	networkFree           = 20 // many people may share a network
	networkPerLevel       = 10
	forgetInterval        = 15 * time.Minute // between two forgotten failures of an account or a device
	networkForgetInterval = 45 * time.Second // between two forgotten failures of a network
)

// failureCounts returns the failure counts for the attempt's network, for its device if known, and for its account if it names one.
func (s *Service) failureCounts(a humancheck.Attempt) []failureCount {
	network := newFailureCount("", networkFree, networkPerLevel, networkForgetInterval)
	var counts []failureCount
	for i, b := range ratelimit.NetworkBuckets("captcha/failed/network/", a.Network, "", network.limit, ratelimit.BlockFactor) {
		c := failureCount{b.Key, b.Limit, network.free, network.perLevel}
		if i > 0 { // the block of an IPv6 network
			c.free, c.perLevel = c.free*ratelimit.BlockFactor, c.perLevel*ratelimit.BlockFactor
		}
		counts = append(counts, c)
	}
	if id := s.deviceID(a.Device); id != "" {
		counts = append(counts, newFailureCount("captcha/failed/device/"+id, deviceFree, 1, forgetInterval))
	}
	if a.Account != "" {
		counts = append(counts, newFailureCount(accountKey(a), accountFree, 1, forgetInterval))
	}
	return counts
}

func accountKey(a humancheck.Attempt) string {
	return fmt.Sprintf("captcha/failed/account/%d/%s", a.MerchantID, a.Account)
}

// requiredCost returns the cost of the proof of work that an attempt requires, or 0. The highest level among its failure counts applies.
// Unknown accounts have counts too, so the cost does not reveal which accounts exist.
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
			// A count does not grow beyond its maximum, so its row expires.
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

// ForgetFailures resets the failure count of an account after its owner logged in. It does not reset the counts of the network and the
// device, because an attacker could reset those by logging in to an account of their own.
func (s *Service) ForgetFailures(ctx context.Context, a humancheck.Attempt) error {
	return s.o.Limiter.Reset(ctx, accountKey(a))
}
