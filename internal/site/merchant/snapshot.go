package merchant

import (
	"context"
	"fmt"
	"sync"

	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// change runs fn in a transaction and then makes all replicas reload, this one first.
func (s *Service) change(ctx context.Context, fn func(*db.Tx) error) error {
	err := s.o.Store.Write(ctx, func(tx *db.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		return s.cache.ChangeIn(ctx, tx)
	})
	if err != nil {
		return err
	}
	s.cache.Committed()
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

// all returns the merchants in memory. Requests with unknown codes cause no queries.
func (s *Service) all(ctx context.Context) (*snapshot, error) {
	return s.cache.Get(ctx, struct{}{}, func(ctx context.Context) (*snapshot, error) {
		all, err := s.load(ctx)
		if err != nil {
			return nil, fmt.Errorf("read merchants: %w", err)
		}
		return all, nil
	})
}

// load reads all merchants. It skips rows that it does not understand, which another version of the program may
// have stored: one such row must not close all sites.
func (s *Service) load(ctx context.Context) (*snapshot, error) {
	q := s.o.Store.Q()
	rows, err := q.Merchants(ctx)
	if err != nil {
		return nil, err
	}
	settings, err := q.Settings(ctx)
	if err != nil {
		return nil, err
	}
	switches, err := q.Switches(ctx)
	if err != nil {
		return nil, err
	}
	all := &snapshot{byCode: map[string]*merchant{}, byID: map[int64]*merchant{}}
	for _, row := range rows {
		currency, err := money.Find(row.Currency)
		if err != nil {
			s.logSkipped(ctx, row.ID, "currency", row.Currency, err)
			continue
		}
		m := &merchant{
			id: row.ID, code: row.Code, name: row.Name, currency: currency,
			settings: defaultSettings(), switches: defaultSwitches(),
		}
		all.byCode[m.code], all.byID[m.id] = m, m
	}
	for _, row := range settings {
		m, known := all.byID[row.MerchantID]
		if !known {
			continue // skipped above, or created after the first query: another reload follows
		}
		if err := m.settings.apply(Setting(row.Name), []byte(row.Value)); err != nil {
			s.logSkipped(ctx, m.id, "setting", row.Name, err)
		}
	}
	for _, m := range all.byID {
		m.forms = sync.OnceValues(func() (*forms, error) { return m.newForms(s.o.Providers) })
		m.help = sync.OnceValues(m.newHelp)
		if len(m.settings.BlockedCountries) > 0 && s.o.Countries == nil && s.firstTime(m.id, "setting", string(SystemBlockedCountries)) {
			s.o.Log.WarnContext(ctx, "system.blocked_countries has no effect", "merchant", m.id, "error", errNoCountries)
		}
		m.settings.reconcile(func(about Setting, err error) { s.logSkipped(ctx, m.id, "setting", string(about), err) })
	}
	for _, row := range switches {
		m, known := all.byID[row.MerchantID]
		if !known {
			continue
		}
		change := Switch{Kind: Kind(row.Kind), Code: row.Code, On: row.Enabled}
		if !m.switches.set(change) {
			s.logSkipped(ctx, m.id, "switch", row.Kind+" "+row.Code, ErrUnknownSwitch.With("code", row.Code))
		}
	}
	return all, nil
}

func (s *Service) logSkipped(ctx context.Context, merchantID int64, what, name string, err error) {
	if s.firstTime(merchantID, what, name) {
		s.o.Log.WarnContext(ctx, "skipped a stored value that this version does not understand", "merchant", merchantID, "what", what, "name", name, "error", err)
	}
}

// firstTime reports whether a problem has not been logged yet. Every reload finds the same problems.
func (s *Service) firstTime(merchantID int64, what, name string) bool {
	_, logged := s.logged.LoadOrStore(fmt.Sprintf("%d %s %s", merchantID, what, name), true)
	return !logged
}
