package lottery

import (
	"time"

	"fairground/internal/platform/ratelimit"
)

// orderRate limits the orders of one member, and separately their cancellations.
var orderRate = ratelimit.Limit{Burst: 60, Every: 2 * time.Second}

// rateBuckets is the number of members whose rates are kept.
const rateBuckets = 1 << 16

// A rateKey identifies a bucket of a member.
type rateKey struct {
	member   int64
	isCancel bool
}

// takeRate counts an order or a cancellation of a member. It fails with ratelimit.ErrLimited if there were too many.
// Calls of the lottery's page have no limit per member in package rest, because their token belongs to a game session.
func (s *Service) takeRate(memberID int64, isCancel bool) error {
	wait := s.rates.Take(s.o.Now(), rateKey{memberID, isCancel}, s.o.OrderRate)
	if wait == 0 {
		return nil
	}
	return ratelimit.ErrLimited.With("seconds", int((wait+time.Second-1)/time.Second))
}
