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

// set is Set with a version check. It calls record in the same transaction.
func (s *Service) set(ctx context.Context, merchantID int64, name Setting, value json.RawMessage, version int64, record recordFunc) error {
	return s.change(ctx, func(tx *db.Tx) error { return s.setIn(ctx, tx, merchantID, name, value, version, record) })
}

func (s *Service) setIn(ctx context.Context, tx *db.Tx, merchantID int64, name Setting, value json.RawMessage, version int64, record recordFunc) error {
	locked, err := tx.Q.LockMerchant(ctx, merchantID)
	if err != nil {
		return fmt.Errorf("lock merchant: %w", err)
	}
	if locked == 0 {
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
			_ = next.apply(Setting(row.Name), []byte(row.Value)) // like load, ignores values that another version of the program stored
		}
	}
	next.reconcile(func(Setting, error) {}) // load logs the contradictions
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
	if err := s.recordChange(ctx, tx, settingChange{merchantID, "settings", string(name), before, value, version}, record); err != nil {
		return err
	}
	return tx.Q.PutSetting(ctx, merchantID, string(name), string(value))
}

// anyVersion disables the version check.
const anyVersion = -1

// A recordFunc runs in the transaction of a change. It writes, for example, a row of the audit log.
type recordFunc func(tx *db.Tx, before, after json.RawMessage) error

type settingChange struct {
	merchantID    int64
	collection    string // in the operators' API: settings or switches
	name          string
	before, after json.RawMessage
	version       int64 // the version that the operator edited, or anyVersion
}

// recordChange stores a change in the history. It refuses a change that is based on an older version.
func (s *Service) recordChange(ctx context.Context, tx *db.Tx, c settingChange, record recordFunc) error {
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
	if s.o.Screens != nil {
		if err := s.o.Screens.ChangedOf(ctx, tx, c.merchantID, c.collection, ""); err != nil {
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
