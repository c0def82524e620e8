package merchant

import (
	"context"
	"fmt"

	"fairground/internal/db"
	"fairground/internal/money"
	"fairground/internal/rest"
)

// change writes and then lets every replica, this one first, read anew.
func (s *Service) change(ctx context.Context, fn func(*db.Tx) error) error {
	if err := s.o.Store.Write(ctx, fn); err != nil {
		return err
	}
	s.changes.Add(1)
	if err := s.o.Bus.Publish(changed, nil); err != nil {
		return fmt.Errorf("tell of the change: %w", err)
	}
	return nil
}

func (s *Service) byID(ctx context.Context, id int64) (*merchant, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	m, ok := all.byID[id]
	if !ok {
		return nil, rest.ErrMerchantUnknown
	}
	return m, nil
}

func (s *Service) byCode(ctx context.Context, code string) (*merchant, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	m, ok := all.byCode[code]
	if !ok {
		return nil, rest.ErrMerchantUnknown
	}
	return m, nil
}

// all gives the copy in memory, read anew when it is old. Unknown codes cost no query, so asking for many
// of them loads nothing.
func (s *Service) all(ctx context.Context) (*snapshot, error) {
	if c := s.fresh(); c != nil {
		return c, nil
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if c := s.fresh(); c != nil {
		return c, nil
	}
	c, err := s.load(ctx)
	if err != nil {
		return nil, fmt.Errorf("read merchants: %w", err)
	}
	s.current.Store(c)
	return c, nil
}

func (s *Service) fresh() *snapshot {
	c := s.current.Load()
	if c == nil || c.changes != s.changes.Load() || !s.o.Now().Before(c.until) {
		return nil
	}
	return c
}

func (s *Service) load(ctx context.Context) (*snapshot, error) {
	all := &snapshot{
		until: s.o.Now().Add(freshFor), changes: s.changes.Load(),
		byCode: map[string]*merchant{}, byID: map[int64]*merchant{},
	}
	q := s.o.Store.Q()
	rows, err := q.Merchants(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := q.Settings(ctx)
	if err != nil {
		return nil, err
	}
	flags, err := q.Flags(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		currency, err := money.Find(row.Currency)
		if err != nil {
			return nil, fmt.Errorf("merchant %s: %w", row.Code, err)
		}
		m := &merchant{
			id: row.ID, code: row.Code, name: row.Name, currency: currency,
			settings: defaultSettings(), flags: defaultFlags(),
		}
		all.byCode[m.code], all.byID[m.id] = m, m
	}
	for _, row := range settings {
		if err := all.byID[row.MerchantID].settings.apply(row.Name, []byte(row.Value)); err != nil {
			return nil, err
		}
	}
	for _, row := range flags {
		change := Switch{Kind: Kind(row.Kind), Code: row.Code, On: row.Enabled}
		if err := change.check(); err != nil {
			return nil, err
		}
		all.byID[row.MerchantID].flags.of(change.Kind)[change.Code] = change.On
	}
	return all, nil
}
