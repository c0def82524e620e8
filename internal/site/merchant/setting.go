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
)

// Licence is a badge of the home footer. None is claimed unless the operator enters one.
type Licence struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	Link  string `json:"link"`
}

// Download is where a kind of app or channel can be had.
type Download struct {
	ResourceType string `json:"resourceType"`
	URL          string `json:"url"`
}

// Settings is what an operator can set for a merchant without a release.
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
	Services         []Help
	AppWindow        bool
	DownloadPopup    bool
	Maintenance      Maintenance
	BlockedNetworks  []netip.Prefix
	AllowedNetworks  []netip.Prefix
	BlockedCountries []string
	Theme            string
	Template         string
	SessionIdle      time.Duration
	SessionAbsolute  time.Duration
	Username         validation.Range
	Password         validation.Range
	CaptchaKind      string
	Login            LoginSettings
	JackpotShare     int // per mille of stakes; 0: none is played for
	JackpotVendors   []string
	JackpotSeries    int // that may be won within a day
}

// Languages and themes of the product, as the wire writes them.
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
		CDN: []string{"/m/"}, Licences: []Licence{}, Downloads: []Download{}, Services: []Help{},
		BlockedNetworks: []netip.Prefix{}, AllowedNetworks: []netip.Prefix{}, BlockedCountries: []string{},
		Theme: "dark", Template: "m1",
		SessionIdle: 30 * time.Minute, SessionAbsolute: 24 * time.Hour,
		Username: limits.Username, Password: limits.Password,
		CaptchaKind: validation.CaptchaDigits, Login: defaultLoginSettings(), JackpotVendors: []string{}, JackpotSeries: 3,
	}
}

// apply reads one stored or entered value into s.
func (s *Settings) apply(name Setting, value []byte) error {
	define, ok := definitions[name]
	if !ok {
		return ErrUnknownSetting.With("name", string(name))
	}
	if err := define.write(s, value); err != nil {
		return ErrBadSetting.On(string(name)).Because(err)
	}
	return nil
}

// rule is one that holds between settings. Where rows that another program left behind break it, mend puts the
// settings it is about back to what they are by default.
type rule struct {
	about Setting
	check func(*Settings) error
	mend  func(s *Settings, to Settings)
}

var rules = []rule{
	{SystemLanguages, func(s *Settings) error {
		for _, l := range append([]string{s.DefaultLanguage}, s.PickerLanguages...) {
			if !slices.Contains(s.Languages, l) {
				return fmt.Errorf("%s is in use but not supported", l)
			}
		}
		return nil
	}, func(s *Settings, to Settings) {
		s.Languages, s.DefaultLanguage, s.PickerLanguages = to.Languages, to.DefaultLanguage, to.PickerLanguages
	}},
	{SessionIdle, func(s *Settings) error {
		if s.SessionIdle > s.SessionAbsolute {
			return errors.New("longer than the whole session")
		}
		return nil
	}, func(s *Settings, to Settings) {
		s.SessionIdle, s.SessionAbsolute = to.SessionIdle, to.SessionAbsolute
	}},
}

// check holds the settings against one another.
func (s *Settings) check() error {
	for _, r := range rules {
		if err := r.check(s); err != nil {
			return ErrBadSetting.On(string(r.about)).Because(err)
		}
	}
	return nil
}

// reconcile mends stored settings that contradict one another, each of which would do alone.
func (s *Settings) reconcile(tell func(about Setting, err error)) {
	for _, r := range rules {
		if err := r.check(s); err != nil {
			tell(r.about, err)
			r.mend(s, defaultSettings())
		}
	}
}
