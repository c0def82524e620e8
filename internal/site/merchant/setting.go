package merchant

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// Faults of the settings.
var (
	ErrUnknownSetting = fault.ForOperators(fault.Invalid, "setting.unknown")
	ErrBadSetting     = fault.ForOperators(fault.Invalid, "setting.bad_value")
	ErrStale          = rest.ErrStale
	ErrNoChange       = fault.ForOperators(fault.Conflict, "setting.no_change")
)

// A Licence is a badge in the footer of the home page.
type Licence struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	Link  string `json:"link"`
}

// A Download is a link to an app or channel.
type Download struct {
	ResourceType string `json:"resourceType"`
	URL          string `json:"url"`
}

// Settings are the values that an operator can change at run time.
type Settings struct {
	Status           int
	StatusReading    Reading
	Country          string
	DialingCode      string
	AgeLimit         int
	HomeCategory     string
	GameCategory     string
	Languages        []string
	DefaultLanguage  string
	PickerLanguages  []string
	CDN              []string
	Licences         []Licence
	Downloads        []Download
	Services         []Contact
	AppWindow        bool
	DownloadPopup    bool
	Maintenance      Maintenance
	BlockedNetworks  []netip.Prefix
	OperatorNetworks []netip.Prefix
	AllowedNetworks  []netip.Prefix
	BlockedCountries []string
	Theme            string
	Template         string
	SessionIdle      time.Duration
	SessionAbsolute  time.Duration
	Username         validation.Range
	Password         validation.Range
	CaptchaKind      string
	ProofOfWork      string // one of the validation.Work constants
	ProofCost        int
	Login            LoginSettings
	JackpotShare     int // per mille of stakes; 0: no jackpots
	JackpotVendors   []string
	JackpotSeries    int // wins per day
	KYCKeepDays      int
	Withdraw         WithdrawSettings
	LotteryExposure  int // units of the currency; 0: the default
	LotteryReturn    int // per mille
	ChatHours        ChatOpening
	ChatService      string // empty: the app's own chat
}

// Languages and themes, as on the wire.
var (
	languages = wireLanguages()
	themes    = []string{"dark", "light"}
)

func wireLanguages() []string {
	all := rest.Languages()
	for i, l := range all {
		all[i] = strings.ToUpper(l)
	}
	return all
}

func defaultSettings() Settings {
	limits := validation.StandardLimits()
	return Settings{
		Status: 0, StatusReading: ReadingA,
		Country: "VN", DialingCode: "84", AgeLimit: 18,
		HomeCategory: spec.ViewHot, GameCategory: spec.ViewHot,
		Languages: slices.Clone(languages), DefaultLanguage: "VI", PickerLanguages: []string{"VI", "EN"},
		CDN: []string{"/m/"}, Licences: []Licence{}, Downloads: []Download{}, Services: []Contact{},
		BlockedNetworks: []netip.Prefix{}, OperatorNetworks: []netip.Prefix{}, AllowedNetworks: []netip.Prefix{}, BlockedCountries: []string{},
		Theme: "dark", Template: "m1",
		SessionIdle: 30 * time.Minute, SessionAbsolute: 24 * time.Hour,
		Username: limits.Username, Password: limits.Password,
		CaptchaKind: validation.CaptchaDigits, ProofOfWork: validation.WorkAfterFailures, ProofCost: 50_000, Login: defaultLoginSettings(), JackpotVendors: []string{}, JackpotSeries: 3, KYCKeepDays: 90, LotteryReturn: 970,
		Withdraw:  WithdrawSettings{Min: "1", Max: "0", Fee: "0", TwoPersonAbove: "0", PerDay: 5, TurnoverPercent: 100},
		ChatHours: ChatOpening{"00:00", "00:00"},
	}
}

func (s *Settings) apply(name Setting, value []byte) error {
	d, ok := definitions[name]
	if !ok {
		return ErrUnknownSetting.With("name", string(name))
	}
	if err := d.write(s, value); err != nil {
		return ErrBadSetting.On(string(name)).Because(err)
	}
	return nil
}

// A rule is a condition on several settings. If stored settings violate it, reset restores their defaults.
type rule struct {
	about Setting
	check func(*Settings) error
	reset func(s *Settings, defaults Settings)
}

var rules = []rule{
	{SystemLanguages, func(s *Settings) error {
		for _, l := range append([]string{s.DefaultLanguage}, s.PickerLanguages...) {
			if !slices.Contains(s.Languages, l) {
				return fmt.Errorf("%s is the default language or offered in the picker: it must be in system.languages", l)
			}
		}
		return nil
	}, func(s *Settings, defaults Settings) {
		s.Languages, s.DefaultLanguage, s.PickerLanguages = defaults.Languages, defaults.DefaultLanguage, defaults.PickerLanguages
	}},
	{SessionIdle, func(s *Settings) error {
		if s.SessionIdle > s.SessionAbsolute {
			return errors.New("session.idle must not be longer than session.absolute")
		}
		return nil
	}, func(s *Settings, defaults Settings) {
		s.SessionIdle, s.SessionAbsolute = defaults.SessionIdle, defaults.SessionAbsolute
	}},
}

func (s *Settings) check() error {
	for _, r := range rules {
		if err := r.check(s); err != nil {
			return ErrBadSetting.On(string(r.about)).Because(err)
		}
	}
	return nil
}

// reconcile resets stored settings that contradict each other, and calls report for each contradiction.
func (s *Settings) reconcile(report func(about Setting, err error)) {
	for _, r := range rules {
		if err := r.check(s); err != nil {
			report(r.about, err)
			r.reset(s, defaultSettings())
		}
	}
}
