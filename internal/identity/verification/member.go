package verification

import (
	"context"
	"strconv"
	"time"

	"fairground/internal/platform/notify"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/rest"
)

// How many codes a member may have sent while logged in, an hour and a day, to whatever numbers and addresses: each may be
// somebody else's, and costs money.
var (
	memberHour = ratelimit.Limit{Burst: 10, Every: time.Hour / 10}
	memberDay  = ratelimit.Limit{Burst: 20, Every: 24 * time.Hour / 20}
)

// SendToMember is Send for a member who is logged in, within what one member may ask for. What could not be sent costs nothing.
func (s *Service) SendToMember(ctx context.Context, memberID int64, of notify.Subject, from rest.Visitor, really bool) (notify.Delivery, error) {
	key := "verification/member/" + strconv.FormatInt(memberID, 10)
	buckets := []ratelimit.Bucket{{Key: key + "/hour", Limit: memberHour}, {Key: key + "/day", Limit: memberDay}}
	if err := s.o.Limiter.TakeAll(ctx, buckets); err != nil {
		return notify.Delivery{}, err
	}
	sending, err := s.Send(ctx, of, from, really)
	if err != nil {
		_ = s.o.Limiter.ReturnAll(ctx, buckets) // where this fails, the buckets fill by themselves
	}
	return sending, err
}
