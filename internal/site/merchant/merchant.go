// Package merchant stores the merchants of an installation with their settings and switches, and the state of each
// site. It serves them to the app and to the other packages. It never stores money, members or games.
package merchant

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"sync"
	"time"

	"fairground/internal/fault"
	"fairground/internal/money"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/query"
	"fairground/internal/platform/events"
	"fairground/internal/platform/region"
	"fairground/internal/platform/rest"
)

// ErrBadCode rejects a merchant code that is not safe in a header or URL.
var ErrBadCode = fault.ForOperators(fault.Invalid, "merchant.bad_code")

// Errors that stop the server at its start.
var (
	ErrPlayMoney     = errors.New("play money cannot be the currency of a merchant")
	ErrOtherCurrency = errors.New("the currency of a merchant cannot change")
)

const defaultCurrency = "CNY"

const (
	changedSubject = "merchant.changed"
	// freshFor limits the delay of a change whose notification is lost.
	freshFor = 30 * time.Second
)

// Options configures a Service.
type Options struct {
	Store     *db.Store
	Bus       *events.Bus
	IDs       db.IDs
	Now       func() time.Time
	Default   string // code of the merchant for requests that name none
	Log       *slog.Logger
	Demo      bool // the app labels illustrations
	Providers Providers
	// Countries finds the country of an address; nil: system.blocked_countries has no effect.
	Countries region.Countries
	// Vendors returns the codes of a merchant's vendors; nil: settings may name any code.
	Vendors func(ctx context.Context, merchantID int64) ([]string, error)
	// OnChange, if set, is called in every replica once a changed setting or switch is visible there.
	OnChange func()
	// Screens informs operators' open screens that a setting or switch changed; may be nil.
	Screens interface {
		ChangedOf(ctx context.Context, tx *db.Tx, merchantID int64, collection, id string) error
	}
}

// A Service holds all merchants in memory: they are few, and every request needs one.
type Service struct {
	o      Options
	cache  *events.Cache[struct{}, *snapshot]
	logged sync.Map // problems that were logged already
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
	switches Switches
	forms    func() (*forms, error) // built on first use
	help     func() ([]helpLink, error)
}

// New returns a Service that follows changes made by other replicas.
func New(o Options) (*Service, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{o: o}
	var err error
	s.cache, err = events.NewCache[struct{}, *snapshot](events.CacheOptions{
		Bus: o.Bus, Subject: changedSubject, FreshFor: freshFor, Now: o.Now, OnChange: o.OnChange,
	})
	if err != nil {
		return nil, fmt.Errorf("merchants: %w", err)
	}
	return s, nil
}

// Close stops following changes.
func (s *Service) Close() { s.cache.Close() }

var codePattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,31}$`)

// Ensure returns the id of the merchant with a code, and creates the merchant if necessary. It fails if the merchant
// has another currency, because a merchant's currency never changes. An empty currency matches any.
func (s *Service) Ensure(ctx context.Context, code, name, currency string) (int64, error) {
	if !codePattern.MatchString(code) {
		return 0, ErrBadCode.With("code", code)
	}
	found, err := money.Find(cmp.Or(currency, defaultCurrency))
	if err != nil {
		return 0, err
	}
	if found.Trial {
		return 0, fmt.Errorf("merchant %s: %w: %s", code, ErrPlayMoney, found.Code)
	}
	var row query.Merchant
	err = s.change(ctx, func(tx *db.Tx) error {
		_, err := tx.Q.AddMerchant(ctx, query.AddMerchantParams{
			ID: s.o.IDs(), Code: code, Name: name, Currency: found.Code, CreatedAt: db.Millis(s.o.Now()),
		})
		if err != nil {
			return err
		}
		row, err = tx.Q.MerchantByCode(ctx, code)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("ensure merchant %s: %w", code, err)
	}
	if currency != "" && row.Currency != currency {
		return 0, fmt.Errorf("merchant %s uses %s, not %s: %w", code, row.Currency, currency, ErrOtherCurrency)
	}
	return row.ID, nil
}

// NameKey is the key of the merchant's name in the history of settings.
const NameKey = "merchant.name"

// Rename changes the name of a merchant. It refuses a change that is based on an older version of the name.
func (s *Service) Rename(ctx context.Context, merchantID int64, name string, version int64, record func(tx *db.Tx, before, after json.RawMessage) error) error {
	return s.change(ctx, func(tx *db.Tx) error {
		before, err := tx.Q.LockMerchantName(ctx, merchantID)
		found, err := db.Found("rename merchant", err)
		if err != nil {
			return err
		}
		if !found {
			return rest.ErrMerchantUnknown
		}
		if err := tx.Q.RenameMerchant(ctx, name, merchantID); err != nil {
			return fmt.Errorf("rename merchant: %w", err)
		}
		return s.recordChange(ctx, tx, settingChange{merchantID, "settings", NameKey, quoted(before), quoted(name), version}, record)
	})
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // encoding a string never fails
	return raw
}

// Codes returns the codes of all merchants.
func (s *Service) Codes(ctx context.Context) ([]string, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(all.byCode)), nil
}

// Prefill stores the settings and switches that have no stored value yet.
func (s *Service) Prefill(ctx context.Context, merchantID int64, settings map[Setting]any, states []Switch) error {
	values := make(map[Setting][]byte, len(settings))
	checked := defaultSettings()
	for name, v := range settings {
		raw, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("encode setting %s: %w", name, err)
		}
		if err := checked.apply(name, raw); err != nil {
			return err
		}
		values[name] = raw
	}
	if err := checked.check(); err != nil {
		return err
	}
	for _, state := range states {
		if err := state.check(); err != nil {
			return err
		}
	}
	return s.change(ctx, func(tx *db.Tx) error {
		// The order is fixed, so that servers that start together do not deadlock.
		for _, name := range slices.Sorted(maps.Keys(values)) {
			if err := tx.Q.AddSetting(ctx, merchantID, string(name), string(values[name])); err != nil {
				return err
			}
		}
		for _, state := range states {
			p := query.AddSwitchParams{MerchantID: merchantID, Kind: string(state.Kind), Code: state.Code, Enabled: state.On}
			if err := tx.Q.AddSwitch(ctx, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// SessionLifetime returns how long a session may be idle, and how long it may last.
func (s *Service) SessionLifetime(ctx context.Context, merchantID int64) (idle, absolute time.Duration, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, err
	}
	return m.settings.SessionIdle, m.settings.SessionAbsolute, nil
}

// OperatorNetworks returns the networks from which operators may work. An empty list allows all networks.
func (s *Service) OperatorNetworks(ctx context.Context, merchantID int64) ([]netip.Prefix, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	return m.settings.OperatorNetworks, nil
}

// IDs returns the ids of all merchants in ascending order.
func (s *Service) IDs(ctx context.Context) ([]int64, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(all.byID)), nil
}

// FindByID returns the merchant with an id.
func (s *Service) FindByID(ctx context.Context, id int64) (rest.Merchant, error) {
	m, err := s.byID(ctx, id)
	if err != nil {
		return rest.Merchant{}, err
	}
	return rest.Merchant{ID: m.id, Code: m.code}, nil
}

// Currency returns the merchant's currency, which new members get.
func (s *Service) Currency(ctx context.Context, merchantID int64) (money.Currency, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return money.Currency{}, err
	}
	return m.currency, nil
}

// An Appearance holds the defaults for visitors who have not chosen a language and theme.
type Appearance struct {
	Name     string
	Language string // as on the wire
	Theme    string
}

// Appearance returns the merchant's name, default language and default theme.
func (s *Service) Appearance(ctx context.Context, merchantID int64) (Appearance, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return Appearance{}, err
	}
	return Appearance{Name: m.name, Language: m.settings.DefaultLanguage, Theme: m.settings.Theme}, nil
}

// Name returns the merchant's display name.
func (s *Service) Name(ctx context.Context, merchantID int64) (string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return "", err
	}
	return m.name, nil
}

// CaptchaKind returns the kind of captcha image: digits or an equation.
func (s *Service) CaptchaKind(ctx context.Context, merchantID int64) (string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return "", err
	}
	return m.settings.CaptchaKind, nil
}

// ProofOfWork returns when a proof of work is required, and the cost of the first level.
func (s *Service) ProofOfWork(ctx context.Context, merchantID int64) (when string, cost int, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return "", 0, err
	}
	return m.settings.ProofOfWork, m.settings.ProofCost, nil
}
