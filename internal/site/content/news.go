package content

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"fairground/internal/platform/db/query"
)

// How much of each the app has room for.
const (
	mostPopular = 10
	mostNews    = 20
)

// Popular gives the notices that members have read most, of those that everybody may read.
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
	// What is read alike stays in the operator's order.
	return s.told(ctx, r, mostPopular, []Type{PlayerNotice}, func(a, b query.AnnouncementsRow) int { return cmp.Compare(readers[b.ID], readers[a.ID]) })
}

// News gives what was told last.
func (s *Service) News(ctx context.Context, r Reader) ([]query.AnnouncementsRow, error) {
	return s.told(ctx, r, mostNews, []Type{PlayerNotice, Promotion}, func(a, b query.AnnouncementsRow) int { return cmp.Compare(b.StartsAt, a.StartsAt) })
}

// told sorts what there is of these types, and cuts it at what the app has room for.
func (s *Service) told(ctx context.Context, r Reader, most int, types []Type, order func(a, b query.AnnouncementsRow) int) ([]query.AnnouncementsRow, error) {
	rows, err := s.current(ctx, r)
	if err != nil {
		return nil, err
	}
	rows = slices.DeleteFunc(rows, func(row query.AnnouncementsRow) bool {
		return !slices.Contains(types, Type(row.Type))
	})
	slices.SortStableFunc(rows, order)
	return rows[:min(most, len(rows))], nil
}
