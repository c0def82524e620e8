package merchant

import (
	"context"
	"encoding/json"
	"fmt"

	"fairground/internal/platform/audit"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/rest"
)

// Set stores a setting. It rejects unknown names and values that are invalid or contradict other settings.
// It locks the merchant, so that two concurrent changes cannot contradict each other.
func (s *Service) Set(ctx context.Context, merchantID int64, name Setting, value json.RawMessage) error {
	return s.set(ctx, merchantID, name, value, anyVersion, nil)
}

// set is Set for a known version. record runs in the same transaction, with the value before.
func (s *Service) set(ctx context.Context, merchantID int64, name Setting, value json.RawMessage, version int64, record recordFunc) error {
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
		stored := defaultSettings()
		for _, row := range rows {
			if row.MerchantID == merchantID {
				_ = stored.apply(Setting(row.Name), []byte(row.Value))
			}
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
		before, err := json.Marshal(definitions[name].read(&stored))
		if err != nil {
			return fmt.Errorf("encode setting: %w", err)
		}
		if err := s.recordChange(ctx, tx, changeOf{merchantID, string(name), before, value, version}, record); err != nil {
			return err
		}
		return tx.Q.PutSetting(ctx, merchantID, string(name), string(value))
	})
}

// anyVersion accepts a change without a known version.
const anyVersion = -1

// A recordFunc writes what else a change needs in its transaction, such as a row of the audit log.
type recordFunc func(tx *db.Tx, before, after json.RawMessage) error

// A changeOf is a change of a setting or switch.
type changeOf struct {
	merchantID    int64
	name          string
	before, after json.RawMessage
	version       int64 // that the operator has seen, or anyVersion
}

// recordChange stores a change in the history. It refuses one that is based on an older version.
func (s *Service) recordChange(ctx context.Context, tx *db.Tx, c changeOf, record recordFunc) error {
	version, err := tx.Q.SettingVersion(ctx, c.merchantID, c.name)
	if err != nil {
		return fmt.Errorf("read version: %w", err)
	}
	if c.version != anyVersion && c.version != version {
		return ErrStale
	}
	err = tx.Q.AddSettingChange(ctx, query.AddSettingChangeParams{
		MerchantID: c.merchantID, Name: c.name, Version: version + 1, Before: string(c.before), After: string(c.after), At: db.Millis(s.o.Now()), Operator: audit.Actor(ctx),
	})
	if err != nil {
		return fmt.Errorf("record change: %w", err)
	}
	if s.o.Desk != nil {
		if err := s.o.Desk.Changed(ctx, tx, "settings", ""); err != nil {
			return err
		}
	}
	if record == nil {
		return nil
	}
	return record(tx, c.before, c.after)
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
