// Package merchant keeps the merchants of an installation with everything that is a matter of setting: texts,
// limits, switches, the state of the site. It serves them to the app and, through small interfaces, to the
// other domains. It never holds money, members or games.
package merchant

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"time"

	"fairground/internal/db"
	"fairground/internal/db/query"
	"fairground/internal/events"
	"fairground/internal/fault"
	"fairground/internal/money"
)

// ErrBadCode refuses a code that could not stand in a header or an address.
var ErrBadCode = fault.New(fault.Invalid, "merchant.bad_code")

const (
	changed = "merchant.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	freshFor = 30 * time.Second
)

// Options of the service.
type Options struct {
	Store   *db.Store
	Bus     *events.Bus
	IDs     db.IDs
	Now     func() time.Time
	Default string // the merchant of requests that name none
	Log     *slog.Logger
	Demo    bool // told to the app, which then marks what is only shown for illustration
}

// Service answers from a copy of all merchants in memory: they are few, and every request needs one.
type Service struct {
	o       Options
	cache   *events.Cache[struct{}, *snapshot]
	skipped map[string]bool // rows that the log has been told of; used under the cache's lock
}

type snapshot struct {
	byCode map[string]*merchant
	byID   map[int64]*merchant
}

type merchant struct {
	id       int64
	code     string
	name     string
	currency money.Currency
	settings Settings
	flags    Flags
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (*Service, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	cache, err := events.NewCache[struct{}, *snapshot](events.CacheOptions{
		Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("merchants: %w", err)
	}
	return &Service{o: o, cache: cache, skipped: map[string]bool{}}, nil
}

// Close stops listening.
func (s *Service) Close() { s.cache.Close() }

var codePattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,31}$`)

// Ensure gives the merchant with this code, made with these values when there is none yet.
func (s *Service) Ensure(ctx context.Context, code, name, currency string) (int64, error) {
	if !codePattern.MatchString(code) {
		return 0, ErrBadCode.With("code", code)
	}
	if _, err := money.Find(currency); err != nil {
		return 0, err
	}
	var id int64
	err := s.change(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.AddMerchant(ctx, query.AddMerchantParams{
			ID: s.o.IDs(), Code: code, Name: name, Currency: currency, CreatedAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return err
		}
		row, err := tx.Q.MerchantByCode(ctx, code)
		id = row.ID
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("ensure merchant %s: %w", code, err)
	}
	return id, nil
}

// Set stores one setting, refused unless the name is known and the value fits, alone and with the others.
func (s *Service) Set(ctx context.Context, merchantID int64, name string, value json.RawMessage) error {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return err
	}
	next := m.settings
	if err := next.apply(name, value); err != nil {
		return err
	}
	if err := next.check(); err != nil {
		return err
	}
	return s.change(ctx, func(tx *db.Tx) error {
		return tx.Q.PutSetting(ctx, merchantID, name, string(value))
	})
}

// Prefill stores settings and switches that nobody has set yet, for a first start.
func (s *Service) Prefill(ctx context.Context, merchantID int64, settings map[string]any, states []Switch) error {
	values := make(map[string][]byte, len(settings))
	probe := defaultSettings()
	for name, v := range settings {
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("encode setting %s: %w", name, err)
		}
		if err := probe.apply(name, raw); err != nil {
			return err
		}
		values[name] = raw
	}
	if err := probe.check(); err != nil {
		return err
	}
	for _, state := range states {
		if err := state.check(); err != nil {
			return err
		}
	}
	return s.change(ctx, func(tx *db.Tx) error {
		for name, raw := range values {
			if err := tx.Q.AddSetting(ctx, merchantID, name, string(raw)); err != nil {
				return err
			}
		}
		for _, state := range states {
			p := query.AddFlagParams{MerchantID: merchantID, Kind: string(state.Kind), Code: state.Code, Enabled: state.On}
			if err := tx.Q.AddFlag(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// SessionLifetime says how long a session may lie idle, and how long it may last in all.
func (s *Service) SessionLifetime(ctx context.Context, merchantID int64) (idle, absolute time.Duration, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, err
	}
	return m.settings.SessionIdle, m.settings.SessionAbsolute, nil
}

// UsernameLength gives the least and greatest length of a new username.
func (s *Service) UsernameLength(ctx context.Context, merchantID int64) (least, most int, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, err
	}
	return m.settings.Username.Min, m.settings.Username.Max, nil
}

// PasswordLength gives the least and greatest length of a new password.
func (s *Service) PasswordLength(ctx context.Context, merchantID int64) (least, most int, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, err
	}
	return m.settings.Password.Min, m.settings.Password.Max, nil
}

// Currency gives the merchant's currency, that of its new members.
func (s *Service) Currency(ctx context.Context, merchantID int64) (money.Currency, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return money.Currency{}, err
	}
	return m.currency, nil
}
