package lottery

import (
	"context"

	"fairground/internal/game/lottery/schedule"
	"fairground/internal/money"
)

// ExposureLimit returns the maximum payout of one line in a currency.
func ExposureLimit(ctx context.Context, s *Service, merchantID int64, c money.Currency) (money.Minor, error) {
	return s.exposureLimit(ctx, merchantID, c)
}

// SetChunkSize sets the number of rounds that are settled together.
func SetChunkSize(s *Service, n int) { s.o.ChunkSize = n }

// WrapLedger replaces the service's ledger, so that tests can make payments fail.
func WrapLedger(s *Service, wrap func(Ledger) Ledger) { s.o.Ledger = wrap(s.o.Ledger) }

// SecondReplica returns a service as another process has it, with its own leases.
func SecondReplica(s *Service) *Service { return New(s.o) }

// CheckGamesOf is CheckGames for another schedule of the regional lotteries.
func CheckGamesOf(ctx context.Context, s *Service, w schedule.Week) error {
	o := s.o
	o.Week = w
	return New(o).CheckGames(ctx)
}

// SettleWithLease settles what is due if the service has the lease of settlements.
func SettleWithLease(ctx context.Context, s *Service) error {
	leading, err := s.holdLease(ctx, &s.loop.settle)
	if err != nil || !leading {
		return err
	}
	return s.settleDue(ctx, s.renew(&s.loop.settle))
}

// TakeSettleLease tries to take the lease of settlements.
func TakeSettleLease(ctx context.Context, s *Service) (bool, error) {
	return s.holdLease(ctx, &s.loop.settle)
}

// ReturnStakes runs the task that returns the stakes of a member on a break.
func ReturnStakes(ctx context.Context, s *Service, memberID int64) error {
	return s.returnStakes(ctx, memberID)
}
