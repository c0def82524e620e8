// Package ratelimit limits how often a caller may do something, with token buckets. A Memory limiter counts in one replica.
// A Stored limiter keeps its buckets in the database, so that all replicas share them and a restart does not reset them.
// The package defines no limits itself.
package ratelimit

import (
	"net/netip"
	"time"

	"fairground/internal/fault"
)

// ErrLimited reports that a call exceeds its limit.
var ErrLimited = fault.New(fault.TooMany, "rate.limited")

// A Limit is the limit of a token bucket. It allows Burst calls at once, and one more call per Every.
type Limit struct {
	Burst int
	Every time.Duration
}

// PerSecond returns a limit of n calls per second, with bursts of twice that.
func PerSecond(n int) *Limit { return &Limit{Burst: 2 * n, Every: time.Second / time.Duration(n)} }

// Times returns a limit that allows n times as many calls.
func (l Limit) Times(n int) Limit {
	return Limit{Burst: n * l.Burst, Every: l.Every / time.Duration(n)}
}

// BlockFactor is the limit of an IPv6 block as a multiple of the limit of one network. Many subscribers may share a block.
const BlockFactor = 8

// IPv6Block returns the /48 block that contains an IPv6 address, or false for other addresses. One subscriber often has a
// whole /48 and could otherwise use a new network for each attempt.
func IPv6Block(address netip.Addr) (netip.Prefix, bool) {
	address = address.Unmap().WithZone("")
	if !address.Is6() {
		return netip.Prefix{}, false
	}
	block, err := address.Prefix(48)
	return block, err == nil
}
