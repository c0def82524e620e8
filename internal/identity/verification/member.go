package verification

import (
	"context"
	"strconv"
	"time"

	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// Limits of the codes that one member requests while logged in. They apply across all targets, which may belong to other people.
var (
	memberHour = ratelimit.Limit{Burst: 10, Every: time.Hour / 10}
	memberDay  = ratelimit.Limit{Burst: 20, Every: 24 * time.Hour / 20}
)

// SendToMember is Send with additional limits for a logged-in member. Failed requests do not count.
func (s *Service) SendToMember(ctx context.Context, memberID int64, subject notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error) {
	key := "verification/member/" + strconv.FormatInt(memberID, 10)
	buckets := []ratelimit.Bucket{{Key: key + "/hour", Limit: memberHour}, {Key: key + "/day", Limit: memberDay}}
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return notify.Delivery{}, err
	}
	delivery, err := s.Send(ctx, subject, from, deliver)
	if err != nil {
		_ = s.o.Limiter.ReturnAll(ctx, buckets) // on failure the buckets refill over time
	}
	return delivery, err
}
