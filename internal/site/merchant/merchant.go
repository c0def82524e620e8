// Package merchant keeps the merchants of an installation with everything that is a matter of setting: texts,
// limits, switches, the state of the site. It serves them to the app and, through small interfaces, to the
// other domains. It never holds money, members or games.
package merchant

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
)

// ErrBadCode refuses a code that could not stand in a header or an address.
var ErrBadCode = fault.ForOperators(fault.Invalid, "merchant.bad_code")

// What a start is refused with; nobody but whoever starts the server reads it.
var (
	ErrPlayMoney     = errors.New("a site cannot count in play money")
	ErrOtherCurrency = errors.New("counts in")
)

// firstCurrency is what a new merchant counts in unless told otherwise.
const firstCurrency = "CNY"

const (
	changed = "merchant.changed"
	// freshFor bounds how long a change made by another process, or whose word was lost, goes unseen.
	freshFor = 30 * time.Second
)

// Options of the service.
type Options struct {
	Store     *db.Store
	Bus       *events.Bus
	IDs       db.IDs
	Now       func() time.Time
	Default   string // the merchant of requests that name none
	Log       *slog.Logger
	Demo      bool // told to the app, which then marks what is only shown for illustration
	Providers Providers
	// Countries tells where an address is; nil where nobody can, and then no country is kept out.
	Countries region.Countries
	// Vendors are the codes of the merchant's, which settings may name; nil where nobody knows them.
	Vendors func(ctx context.Context, merchantID int64) ([]string, error)
	// OnChange, if given, is called in every replica once a change of a setting or switch can be seen.
	OnChange func()
}

// Service answers from a copy of all merchants in memory: they are few, and every request needs one.
type Service struct {
	o       Options
	cache   *events.Cache[struct{}, *snapshot]
	skipped sync.Map // rows that the log has been told of
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
	forms    func() (*forms, error) // worked out when first asked for
	help     func() ([]helpLink, error)
}

// New makes the service and listens for changes made elsewhere.
func New(o Options) (*Service, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{o: o}
	var err error
	s.cache, err = events.NewCache[struct{}, *snapshot](events.CacheOptions{
		Bus: o.Bus, Subject: changed, FreshFor: freshFor, Now: o.Now, OnChange: o.OnChange,
	})
	if err != nil {
		return nil, fmt.Errorf("merchants: %w", err)
	}
	return s, nil
}

// Close stops listening.
func (s *Service) Close() { s.cache.Close() }

var codePattern = regexp.MustCompile(`^[a-z][a-z0-9_-]{1,31}$`)

// Ensure gives the merchant with this code, made with these values when there is none yet. An empty currency is
// whatever the merchant counts in; one that differs is refused, for a merchant's currency never changes.
func (s *Service) Ensure(ctx context.Context, code, name, currency string) (int64, error) {
	if !codePattern.MatchString(code) {
		return 0, ErrBadCode.With("code", code)
	}
	found, err := money.Find(cmp.Or(currency, firstCurrency))
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
		return 0, fmt.Errorf("merchant %s %w %s, not in %s", code, ErrOtherCurrency, row.Currency, currency)
	}
	return row.ID, nil
}

// Codes are those of all merchants of the installation.
func (s *Service) Codes(ctx context.Context) ([]string, error) {
	all, err := s.all(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(all.byCode)), nil
}

// Prefill stores settings and switches that nobody has set yet, for a first start.
func (s *Service) Prefill(ctx context.Context, merchantID int64, settings map[Setting]any, states []Switch) error {
	values := make(map[Setting][]byte, len(settings))
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
			if err := tx.Q.AddSetting(ctx, merchantID, string(name), string(raw)); err != nil {
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

// SessionLifetime says how long a session may lie idle, and how long it may last in all.
func (s *Service) SessionLifetime(ctx context.Context, merchantID int64) (idle, absolute time.Duration, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, err
	}
	return m.settings.SessionIdle, m.settings.SessionAbsolute, nil
}

// Currency gives the merchant's currency, that of its new members.
func (s *Service) Currency(ctx context.Context, merchantID int64) (money.Currency, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return money.Currency{}, err
	}
	return m.currency, nil
}

// Look is how the merchant's site presents itself to a visitor who has chosen nothing.
type Look struct {
	Name     string
	Language string // as the wire writes it
	Theme    string
}

// Look gives the merchant's name and what its visitors meet by default.
func (s *Service) Look(ctx context.Context, merchantID int64) (Look, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return Look{}, err
	}
	return Look{Name: m.name, Language: m.settings.DefaultLanguage, Theme: m.settings.Theme}, nil
}

// Name gives the merchant's name, as its members are told it.
func (s *Service) Name(ctx context.Context, merchantID int64) (string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return "", err
	}
	return m.name, nil
}

// CaptchaKind says what the pictures of the captcha show: digits or an equation.
func (s *Service) CaptchaKind(ctx context.Context, merchantID int64) (string, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return "", err
	}
	return m.settings.CaptchaKind, nil
}
