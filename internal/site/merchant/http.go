package merchant

import (
	"context"
	"net/http"
	"strings"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

// status keeps the specification's spelling of its last field but one.
type status struct {
	IP               string `json:"ip"`
	SystemStatus     int    `json:"systemStatus" doc:"See statusReading."`
	StatusReading    string `json:"statusReading" enum:"a,b" doc:"a: 1 IP block, 2 maintenance; b: 1 maintenance, 2 region restriction."`
	HomeGameCategory string `json:"homeGameCategory"`
	GameCategory     string `json:"gamePageAvtiveCategory"`
	Country          string `json:"country"`

	Maintenance *maintenance `json:"maintenance" doc:"Null unless the site is closed for maintenance to this address."`
}

type maintenance struct {
	Until *int64 `json:"until" doc:"Unix milliseconds: when it is thought to end; null where nobody knows, or that time has passed."`
	Note  string `json:"note" doc:"What the operator says about it, in the request's language; plain text, may be empty."`
}

type currency struct {
	Code     string `json:"code"`
	Symbol   string `json:"symbol"`
	Position string `json:"position" enum:"F,B" doc:"F: the symbol stands in front; B: behind."`
	Pattern  string `json:"pattern"`
	Decimals int    `json:"decimals"`
}

type consolidated struct {
	MerchantCode       string     `json:"merchantCode"`
	MerchantName       string     `json:"merchantName"`
	Languages          []string   `json:"languages"`
	DefaultLanguage    string     `json:"defaultLanguage"`
	PickerLanguages    []string   `json:"pickerLanguages"`
	Currency           currency   `json:"currency"`
	StatusReading      string     `json:"statusReading" enum:"a,b"`
	AgeLimit           int        `json:"ageLimit"`
	CountryDialingCode string     `json:"countryDialingCode"`
	CDN                []string   `json:"cdn"`
	Licences           []Licence  `json:"licences"`
	DownloadLinks      []Download `json:"downloadLinks"`
	AppWindow          bool       `json:"appWindow"`
	DownloadPopup      bool       `json:"downloadPopup" doc:"Home offers the download by itself."`
	Demo               bool       `json:"demo"`
	HomeGameCategory   string     `json:"homeGameCategory"`
	GameCategory       string     `json:"gamePageAvtiveCategory"`
	SignIn             signIn     `json:"signIn" doc:"By what one can log in beside a username: switched on, and set up."`
}

type signIn struct {
	Google   bool            `json:"google"`
	Facebook bool            `json:"facebook"`
	SMS      bool            `json:"sms"`
	Firebase *firebaseSignIn `json:"firebase" doc:"Null where phones are not proved by it."`
}

type firebaseSignIn struct {
	Project string         `json:"project"`
	Codes   *firebaseCodes `json:"codes" doc:"How browsers have it send codes; null where they cannot."`
}

type country struct {
	Country            string `json:"country"`
	CountryDialingCode string `json:"countryDialingCode"`
}

type template struct {
	Theme    string   `json:"theme"`
	Themes   []string `json:"themes"`
	Template string   `json:"template"`
}

// Routes adds the merchant's calls to the API.
func Routes(a *rest.API, s *Service) {
	tell(a, "/wps/system/status", "systemStatus", "Whether the site is open, to this address", s.status)
	add(a, s, "/wps/system/settings/consolidated", "systemSettings", "The merchant's settings that the app follows",
		func(m *merchant) consolidated { return s.consolidated(m) })
	add(a, s, "/wps/system/whitelabel", "whitelabel", "Flags, modules and promotions, on or off",
		func(m *merchant) Switches { return m.switches })
	add(a, s, "/wps/system/country", "systemCountry", "The merchant's country",
		func(m *merchant) country {
			return country{Country: m.settings.Country, CountryDialingCode: m.settings.DialingCode}
		})
	add(a, s, "/wps/system/setting/template", "systemTemplate", "How the app looks by default",
		func(m *merchant) template {
			return template{Theme: m.settings.Theme, Themes: themes, Template: m.settings.Template}
		})
	settingsRoutes(a, s)
	helpRoutes(a, s)
}

func settingsRoutes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/setting/register", ID: "registerSetting", Tag: "system",
		Summary: "What registering asks for, and the rules of every form", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) (registerSetting, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			return registerSetting{}, err
		}
		return s.registerSetting(m)
	})
}

func helpRoutes(a *rest.API, s *Service) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/customerService", ID: "customerService", Tag: "system",
		Summary: "Ways to reach the people behind the site", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) ([]helpLink, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			return nil, err
		}
		return m.help()
	})
}

// tell declares a public call about the request's merchant. The app asks it at its start, so it answers while the site is
// closed as well: else there would be no page to say so on.
func tell[O any](a *rest.API, path, id, summary string, answer func(context.Context) (O, error)) {
	rest.Wps(a, rest.Op{
		Method: http.MethodGet, Path: path, ID: id, Tag: "system", Summary: summary, Access: rest.Public, WhileClosed: true,
	}, func(ctx context.Context, _ *struct{}) (O, error) { return answer(ctx) })
}

// add declares one that is answered from what is set.
func add[O any](a *rest.API, s *Service, path, id, summary string, of func(*merchant) O) {
	tell(a, path, id, summary, func(ctx context.Context) (O, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			var none O
			return none, err
		}
		return of(m), nil
	})
}

// status tells a visitor how the site is for the address that the visit comes from.
func (s *Service) status(ctx context.Context) (status, error) {
	m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return status{}, err
	}
	set := &m.settings
	condition, err := s.condition(ctx, m, rest.ClientOf(ctx))
	if err != nil {
		return status{}, err
	}
	out := status{
		IP: rest.AddressOf(ctx), SystemStatus: set.StatusReading.number(condition), StatusReading: string(set.StatusReading),
		HomeGameCategory: set.HomeCategory, GameCategory: set.GameCategory, Country: set.Country,
	}
	if condition == ConditionMaintenance {
		out.Maintenance = &maintenance{Note: set.Maintenance.Note[strings.ToUpper(rest.LanguageOf(ctx))]}
		if set.Maintenance.left(s.o.Now()) > 0 {
			until := set.Maintenance.Until.UnixMilli()
			out.Maintenance.Until = &until
		}
	}
	return out, nil
}

func (s *Service) consolidated(m *merchant) consolidated {
	set := m.settings
	return consolidated{
		MerchantCode: m.code, MerchantName: m.name,
		Languages: set.Languages, DefaultLanguage: set.DefaultLanguage, PickerLanguages: set.PickerLanguages,
		Currency: currency{
			Code: m.currency.Code, Symbol: m.currency.Symbol, Position: string(m.currency.Position),
			Pattern: m.currency.Pattern, Decimals: m.currency.Decimals,
		},
		StatusReading: string(set.StatusReading), AgeLimit: set.AgeLimit, CountryDialingCode: set.DialingCode,
		CDN: set.CDN, Licences: set.Licences, DownloadLinks: set.Downloads, AppWindow: set.AppWindow, DownloadPopup: set.DownloadPopup, Demo: s.o.Demo,
		HomeGameCategory: set.HomeCategory, GameCategory: set.GameCategory, SignIn: s.signIn(m),
	}
}

func (s *Service) signIn(m *merchant) signIn {
	p, on := s.o.Providers, m.switches.Flags
	all := signIn{
		Google:   on[spec.FlagGoogleLogin] && p.Google,
		Facebook: on[spec.FlagFacebookLogin] && p.Facebook,
		SMS:      on[spec.FlagSMSLogin] && p.SMS,
	}
	if on[spec.FlagSMSLogin] && p.Firebase.Project != "" {
		all.Firebase = &firebaseSignIn{Project: p.Firebase.Project, Codes: p.Firebase.codes()}
	}
	return all
}

// Find gives the merchant that a request names; the empty code means the configured one.
func (s *Service) Find(ctx context.Context, code string) (rest.Merchant, error) {
	if code == "" {
		code = s.o.Default
	}
	m, err := s.byCode(ctx, code)
	if err != nil {
		return rest.Merchant{}, err
	}
	return rest.Merchant{ID: m.id, Code: m.code}, nil
}
