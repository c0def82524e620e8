package verification

import (
	"context"
	"strconv"
	"time"

	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// Limits of the codes that one member requests while logged in, for all targets together. The targets may belong to other people.
var (
	memberHour = ratelimit.Limit{Burst: 10, Every: time.Hour / 10}
	memberDay  = ratelimit.Limit{Burst: 20, Every: 24 * time.Hour / 20}
)

// SendToMember is Send within the limits of a logged-in member. Failed requests are not counted.
func (s *Service) SendToMember(ctx context.Context, memberID int64, of notify.Subject, from rest.Visitor, deliver bool) (notify.Delivery, error) {
	key := "verification/member/" + strconv.FormatInt(memberID, 10)
	buckets := []ratelimit.Bucket{{Key: key + "/hour", Limit: memberHour}, {Key: key + "/day", Limit: memberDay}}
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return notify.Delivery{}, err
	}
	delivery, err := s.Send(ctx, of, from, deliver)
	if err != nil {
		_ = s.o.Limiter.ReturnAll(ctx, buckets) // on failure the buckets refill over time
	}
	return delivery, err
}
