package session

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/rest"
)

// Logins that fail are limited per address and per account. An account that does not exist has its bucket as
// well, so that the limit tells nothing; a bucket fills again by itself, so that nobody is locked out for good.
var (
	addressLimit = rest.Rate{Burst: 30, Every: 6 * time.Second}
	accountLimit = rest.Rate{Burst: 8, Every: 15 * time.Second}
)

const attemptKeys = 1 << 16

// bucket is what an attempt counts against.
type bucket struct {
	key  string
	rate rest.Rate
}

func (c Credentials) buckets() []bucket {
	address, _ := netip.ParseAddr(c.Address) // over a unix socket there is none: all of those count as one
	return []bucket{
		{"address/" + rest.Network(address).String(), addressLimit},
		{fmt.Sprintf("account/%d/%s", c.MerchantID, fold(c.Username)), accountLimit},
	}
}

// fold is the form under which an account's attempts are counted, whatever case was typed.
func fold(username string) string { return strings.ToLower(username) }

// verify checks the password within the limits. Only wrong passwords count against them.
func (s *Service) verify(ctx context.Context, c Credentials) (int64, error) {
	buckets := c.buckets()
	for i, b := range buckets {
		if wait := s.attempts.Take(s.o.Now(), b.key, b.rate); wait > 0 {
			s.giveBack(buckets[:i])
			return 0, rest.ErrRateLimited.With("seconds", int((wait+time.Second-1)/time.Second))
		}
	}
	memberID, err := s.o.Members.Verify(ctx, c.MerchantID, c.Username, c.Password)
	if fault.KindOf(err) != fault.Unauth || err == nil {
		s.giveBack(buckets)
	}
	return memberID, err
}

func (s *Service) giveBack(buckets []bucket) {
	for _, b := range buckets {
		s.attempts.Return(b.key, b.rate)
	}
}
