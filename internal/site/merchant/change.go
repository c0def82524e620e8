package merchant

import (
	"context"
	"encoding/json"
	"fmt"

	"fairground/internal/platform/db"
	"fairground/internal/platform/rest"
)

// Set stores one setting, refused unless the name is known and the value fits, alone and with the others. The
// others are read in the same transaction, behind the merchant's lock: two changes that fit only each by itself
// must not both pass.
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
				_ = next.apply(Setting(row.Name), []byte(row.Value)) // one that is not understood counts as not set, as in load
			}
		}
		next.reconcile(func(Setting, error) {}) // the log has it from load
		if err := next.apply(name, value); err != nil {
			return err
		}
		if err := next.check(); err != nil {
			return err
		}
		if name == JackpotVendors {
			if err := s.known(ctx, merchantID, next); err != nil {
				return err
			}
		}
		return tx.Q.PutSetting(ctx, merchantID, string(name), string(value))
	})
}

// Settings gives every setting by its stored name, with the value that it has now, and the state of every switch.
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
