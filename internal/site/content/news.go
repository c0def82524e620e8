package content

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fairground/internal/platform/db/query"
)

const (
	maxPopular = 10
	maxNews    = 20
)

// Popular returns the player notices with the most readers. Notices with equal counts keep the operator's order.
func (s *Service) Popular(ctx context.Context, r Reader) ([]query.AnnouncementsRow, error) {
	readers, err := s.readers.Get(ctx, r.MerchantID, func(ctx context.Context) (map[int64]int64, error) {
		rows, err := s.o.Store.Q().AnnouncementReaders(ctx, r.MerchantID)
		if err != nil {
			return nil, fmt.Errorf("count readers: %w", err)
		}
		counts := make(map[int64]int64, len(rows))
		for _, row := range rows {
			counts[row.ID] = row.Readers
		}
		return counts, nil
	})
	if err != nil {
		return nil, err
	}
	return s.top(ctx, r, maxPopular, []Type{PlayerNotice}, func(a, b query.AnnouncementsRow) int { return cmp.Compare(readers[b.ID], readers[a.ID]) })
}

// News returns the newest player notices and promotions.
func (s *Service) News(ctx context.Context, r Reader) ([]query.AnnouncementsRow, error) {
	return s.top(ctx, r, maxNews, []Type{PlayerNotice, Promotion}, func(a, b query.AnnouncementsRow) int { return cmp.Compare(b.StartsAt, a.StartsAt) })
}

func (s *Service) top(ctx context.Context, r Reader, limit int, types []Type, order func(a, b query.AnnouncementsRow) int) ([]query.AnnouncementsRow, error) {
	rows, err := s.current(ctx, r)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row query.AnnouncementsRow) bool {
		return !slices.Contains(types, Type(row.Type))
	})
	slices.SortStableFunc(rows, order)
	return rows[:min(limit, len(rows))], nil
}
