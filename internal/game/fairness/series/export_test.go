package series

import (
	"context"
	"time"
)

var unlimited = scope{merchantID: 1, all: true}

// EndWaiting ends a waiting series as an operator of all merchants.
func EndWaiting(ctx context.Context, s *Service, id, version int64) error {
	_, err := s.endWaiting(ctx, unlimited, id, version, "test")
	return err
}

// Announce announces a result as an operator of all merchants.
func Announce(ctx context.Context, s *Service, kind, name, detail string, dueAt time.Time) (Info, error) {
	return s.announce(ctx, unlimited, announcement{kind, name, detail, 0, dueAt})
}

// Enter enters a result as an operator of all merchants.
func Enter(ctx context.Context, s *Service, id, version int64, value string) error {
	_, err := s.enterResult(ctx, unlimited, id, version, value, "")
	return err
}
