package merchant

import (
	"context"
	"encoding/json"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// Set stores a setting. It rejects unknown names and values that are invalid or contradict other settings.
// It locks the merchant, so that two concurrent changes cannot contradict each other.
func (s *Service) Set(ctx context.Context, merchantID int64, name Setting, value json.RawMessage) error {
	return s.change(ctx, func(tx *db.Tx) error {
		known, err := tx.Q.LockMerchant(ctx, merchantID)
		if err != nil {
			return fmt.Errorf("lock merchant: %w", err)
		}
		if known == 0 {
			return rest.ErrMerchantUnknown
		}
		rows, err := tx.Q.Settings(ctx)
		if err != nil {
			return fmt.Errorf("read settings: %w", err)
		}
		next := defaultSettings()
		for _, row := range rows {
			if row.MerchantID == merchantID && Setting(row.Name) != name {
				_ = next.apply(Setting(row.Name), []byte(row.Value)) // ignores values of other versions, like load
			}
		}
		next.reconcile(func(Setting, error) {}) // load logs them
		if err := next.apply(name, value); err != nil {
			return err
		}
		if err := next.check(); err != nil {
			return err
		}
		if name == JackpotVendors {
			if err := s.checkVendorsExist(ctx, merchantID, next); err != nil {
				return err
			}
		}
		return tx.Q.PutSetting(ctx, merchantID, string(name), string(value))
	})
}

// Settings returns the current values of all settings and switches.
func (s *Service) Settings(ctx context.Context, merchantID int64) (map[Setting]json.RawMessage, Switches, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, Switches{}, err
	}
	values := make(map[Setting]json.RawMessage, len(definitions))
	for name, d := range definitions {
		raw, err := json.Marshal(d.read(&m.settings))
		if err != nil {
			return nil, Switches{}, fmt.Errorf("write setting %s: %w", name, err)
		}
		values[name] = raw
	}
	return values, m.switches, nil
}
