package merchant

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"fairground/internal/fault"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// Faults of the settings.
var (
	ErrUnknownSetting = fault.New(fault.Invalid, "setting.unknown")
	ErrBadSetting     = fault.New(fault.Invalid, "setting.bad_value")
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

// Bounds are the least and greatest length of something typed.
type Bounds struct {
	Min int `json:"min"`
	Max int `json:"max"`
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
	Maintenance      Work
	BlockedNetworks  []netip.Prefix
	AllowedNetworks  []netip.Prefix
	BlockedCountries []string
	Theme            string
	Template         string
	SessionIdle      time.Duration
	SessionAbsolute  time.Duration
	Username         Bounds
	Password         Bounds
	CaptchaKind      string
	Entry            LoginSettings
	JackpotShare     int // per mille of stakes; 0: none is played for
	JackpotVendors   []string
	JackpotSeries    int // that may be won within a day
}

// mostPassword is the longest password that a login takes.
const mostPassword = 64

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
	return Settings{
		Status: 0, StatusReading: ReadingA,
		Country: "VN", DialingCode: "84", AgeLimit: 18,
		HomeCategory: spec.ViewHot, GameCategory: spec.ViewHot,
		Languages: slices.Clone(languages), DefaultLanguage: "VI", PickerLanguages: []string{"VI", "EN"},
		CDN: []string{"/m/"}, Licences: []Licence{}, Downloads: []Download{}, Services: []Help{},
		BlockedNetworks: []netip.Prefix{}, AllowedNetworks: []netip.Prefix{}, BlockedCountries: []string{},
		Theme: "dark", Template: "m1",
		SessionIdle: 30 * time.Minute, SessionAbsolute: 24 * time.Hour,
		Username: Bounds{Min: 6, Max: 16}, Password: Bounds{Min: 8, Max: mostPassword},
		CaptchaKind: "digits", Entry: defaultLoginSettings(), JackpotVendors: []string{}, JackpotSeries: 3,
	}
}

// definition is how one setting is written into the settings, and how it is read out of them for whoever changes it.
type definition struct {
	write func(*Settings, []byte) error
	read  func(*Settings) any
}

// definitions is every setting by its stored name. A name that is not here does not exist.
var definitions = map[string]definition{
	"system.status":            set(func(s *Settings) *int { return &s.Status }, between(0, 2)),
	"system.status_reading":    set(func(s *Settings) *Reading { return &s.StatusReading }, oneOf(ReadingA, ReadingB)),
	"system.country":           set(func(s *Settings) *string { return &s.Country }, letters(2)),
	"system.dialing_code":      set(func(s *Settings) *string { return &s.DialingCode }, digits(1, 4)),
	"system.age_limit":         set(func(s *Settings) *int { return &s.AgeLimit }, oneOf(18, 21)),
	"system.languages":         set(func(s *Settings) *[]string { return &s.Languages }, someOf(languages)),
	"system.default_language":  set(func(s *Settings) *string { return &s.DefaultLanguage }, oneOf(languages...)),
	"system.picker_languages":  set(func(s *Settings) *[]string { return &s.PickerLanguages }, someOf(languages)),
	"system.maintenance":       set(func(s *Settings) *Work { return &s.Maintenance }, work),
	"system.blocked_networks":  set(func(s *Settings) *[]netip.Prefix { return &s.BlockedNetworks }, networksOf),
	"system.allowed_networks":  set(func(s *Settings) *[]netip.Prefix { return &s.AllowedNetworks }, networksOf),
	"system.blocked_countries": set(func(s *Settings) *[]string { return &s.BlockedCountries }, countries),
	"system.cdn":               set(func(s *Settings) *[]string { return &s.CDN }, pictureBases),
	"site.licences":            set(func(s *Settings) *[]Licence { return &s.Licences }, licences),
	"site.downloads":           set(func(s *Settings) *[]Download { return &s.Downloads }, downloads),
	"site.services":            set(func(s *Settings) *[]Help { return &s.Services }, help),
	"site.app_window":          set(func(s *Settings) *bool { return &s.AppWindow }, anything[bool]),
	"site.download_popup":      set(func(s *Settings) *bool { return &s.DownloadPopup }, anything[bool]),
	"site.home_category":       set(func(s *Settings) *string { return &s.HomeCategory }, oneOf(Categories...)),
	"site.game_category":       set(func(s *Settings) *string { return &s.GameCategory }, oneOf(Categories...)),
	"site.theme":               set(func(s *Settings) *string { return &s.Theme }, oneOf(themes...)),
	"site.template":            set(func(s *Settings) *string { return &s.Template }, oneOf("m1")),
	"session.idle":             setDuration(func(s *Settings) *time.Duration { return &s.SessionIdle }, time.Minute, 24*time.Hour),
	"session.absolute":         setDuration(func(s *Settings) *time.Duration { return &s.SessionAbsolute }, time.Minute, 30*24*time.Hour),
	"member.username":          set(func(s *Settings) *Bounds { return &s.Username }, within(1, 32)),
	"member.password":          set(func(s *Settings) *Bounds { return &s.Password }, within(8, mostPassword)),
	"jackpot.share":            set(func(s *Settings) *int { return &s.JackpotShare }, between(0, 100)),
	jackpotVendors:             set(func(s *Settings) *[]string { return &s.JackpotVendors }, vendorCodes),
	"jackpot.series_per_day":   set(func(s *Settings) *int { return &s.JackpotSeries }, between(1, 1000)),
	"captcha.kind":             set(func(s *Settings) *string { return &s.CaptchaKind }, oneOf("digits", "equation")),
	"register.methods":         set(func(s *Settings) *[]string { return &s.Entry.Methods }, someOf(methods)),
	"register.fields":          set(func(s *Settings) *map[string]FieldChange { return &s.Entry.Fields }, fields),
	"register.captcha":         set(func(s *Settings) *bool { return &s.Entry.Captcha }, anything[bool]),
	"register.slider":          set(func(s *Settings) *bool { return &s.Entry.Slider }, anything[bool]),
	"register.dialing_codes":   set(func(s *Settings) *[]string { return &s.Entry.DialingCodes }, dialingCodes),
	"register.mobile_verification": set(func(s *Settings) *string { return &s.Entry.MobileVerification },
		oneOf(proveNone, proveSMS, proveFirebase)),
	"login.slider":        set(func(s *Settings) *bool { return &s.Entry.LoginSlider }, anything[bool]),
	"login.encrypted":     set(func(s *Settings) *bool { return &s.Entry.LoginEncrypted }, anything[bool]),
	"login.captcha_after": set(func(s *Settings) *int { return &s.Entry.LoginCaptchaAfter }, between(0, 10)),
	"feedback.length":     set(func(s *Settings) *Bounds { return &s.Entry.Feedback }, within(1, 140)),
	"security.ask":        set(func(s *Settings) *[]string { return &s.Entry.SecurityAsk }, someOrNone(asked)),
}

// apply reads one stored or entered value into s.
func (s *Settings) apply(name string, value []byte) error {
	define, ok := definitions[name]
	if !ok {
		return ErrUnknownSetting.With("name", name)
	}
	if err := define.write(s, value); err != nil {
		return ErrBadSetting.On(name).Because(err)
	}
	return nil
}

// rule is one that holds between settings. Where rows that another program left behind break it, mend puts the
// settings it is about back to what they are by default.
type rule struct {
	about string
	check func(*Settings) error
	mend  func(s *Settings, to Settings)
}

var rules = []rule{
	{"system.languages", func(s *Settings) error {
		for _, l := range append([]string{s.DefaultLanguage}, s.PickerLanguages...) {
			if !slices.Contains(s.Languages, l) {
				return fmt.Errorf("%s is in use but not supported", l)
			}
		}
		return nil
	}, func(s *Settings, to Settings) {
		s.Languages, s.DefaultLanguage, s.PickerLanguages = to.Languages, to.DefaultLanguage, to.PickerLanguages
	}},
	{"session.idle", func(s *Settings) error {
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
			return ErrBadSetting.On(r.about).Because(err)
		}
	}
	return nil
}

// reconcile mends stored settings that contradict one another, each of which would do alone.
func (s *Settings) reconcile(tell func(about string, err error)) {
	for _, r := range rules {
		if err := r.check(s); err != nil {
			tell(r.about, err)
			r.mend(s, defaultSettings())
		}
	}
}

// set makes a definition: the value must be exactly one JSON value of the field's type, with no unknown part.
func set[T any](field func(*Settings) *T, check func(T) error) definition {
	return definition{func(s *Settings, raw []byte) error {
		var v T
		if err := decode(raw, &v); err != nil {
			return err
		}
		if err := check(v); err != nil {
			return err
		}
		*field(s) = v
		return nil
	}, func(s *Settings) any { return *field(s) }}
}

func setDuration(field func(*Settings) *time.Duration, least, most time.Duration) definition {
	return definition{func(s *Settings, raw []byte) error {
		var text string
		if err := decode(raw, &text); err != nil {
			return err
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		if d < least || d > most {
			return fmt.Errorf("%s is not between %s and %s", d, least, most)
		}
		*field(s) = d
		return nil
	}, func(s *Settings) any { return field(s).String() }}
}

func decode(raw []byte, into any) error {
	if bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		return errors.New("null is not a value")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	return nil
}

func anything[T any](T) error { return nil }

func between(least, most int) func(int) error {
	return func(v int) error {
		if v < least || v > most {
			return fmt.Errorf("%d is not between %d and %d", v, least, most)
		}
		return nil
	}
}

func within(least, most int) func(Bounds) error {
	return func(b Bounds) error {
		if b.Min < least || b.Max > most || b.Min > b.Max {
			return fmt.Errorf("%d to %d is not within %d to %d", b.Min, b.Max, least, most)
		}
		return nil
	}
}

func oneOf[T comparable](allowed ...T) func(T) error {
	return func(v T) error {
		if !slices.Contains(allowed, v) {
			return fmt.Errorf("%v is none of %v", v, allowed)
		}
		return nil
	}
}

func someOf(allowed []string) func([]string) error {
	return func(v []string) error {
		if len(v) == 0 {
			return errors.New("empty")
		}
		for i, x := range v {
			if !slices.Contains(allowed, x) || slices.Contains(v[:i], x) {
				return fmt.Errorf("%q is unknown or repeated", x)
			}
		}
		return nil
	}
}

func letters(n int) func(string) error {
	return func(v string) error {
		if len(v) != n || strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
			return fmt.Errorf("%q is not %d capital letters", v, n)
		}
		return nil
	}
}

func digits(least, most int) func(string) error {
	return func(v string) error {
		if len(v) < least || len(v) > most || strings.Trim(v, "0123456789") != "" {
			return fmt.Errorf("%q is not %d to %d digits", v, least, most)
		}
		return nil
	}
}

// path accepts an own path: the page's policy lets it show pictures of this site and of no other.
func path(v string) error {
	if !strings.HasPrefix(v, "/") || strings.HasPrefix(v, "//") || strings.ContainsAny(v, "\\ \t\r\n") {
		return fmt.Errorf("%q is no path of ours, such as /m/art/logo.svg", v)
	}
	return nil
}

// link accepts an own path or an https address: a link may lead away.
func link(v string) error {
	if path(v) == nil {
		return nil
	}
	if u, err := url.Parse(v); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%q is neither a path of ours nor an https address", v)
	}
	return nil
}

const licencesMost = 3

// licences are what the footer has room for, each of another name.
func licences(v []Licence) error {
	if len(v) > licencesMost {
		return fmt.Errorf("there are more than %d licences", licencesMost)
	}
	for i, l := range v {
		if slices.ContainsFunc(v[:i], func(other Licence) bool { return other.Name == l.Name }) {
			return fmt.Errorf("two licences are called %q", l.Name)
		}
		if l.Name == "" {
			return errors.New("a licence has no name")
		}
		if err := errors.Join(path(l.Image), link(l.Link)); err != nil {
			return err
		}
	}
	return nil
}

var downloadTypes = oneOf("IOS", "Android", "MOBILECONFIG", "TELEGRAM", "AppDownloadIcon")

func downloads(v []Download) error {
	for _, d := range v {
		if err := errors.Join(downloadTypes(d.ResourceType), link(d.URL)); err != nil {
			return err
		}
	}
	return nil
}
