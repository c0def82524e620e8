package merchant

import (
	"context"
	"net/http"
	"strings"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
)

type status struct {
	IP               string `json:"ip"`
	SystemStatus     int    `json:"systemStatus" doc:"statusReading defines the meaning."`
	StatusReading    string `json:"statusReading" enum:"a,b" doc:"a: 1 IP block, 2 maintenance; b: 1 maintenance, 2 region restriction."`
	HomeGameCategory string `json:"homeGameCategory"`
	GameCategory     string `json:"gamePageAvtiveCategory"` // spelled as in the specification
	Country          string `json:"country"`

	Maintenance *maintenance `json:"maintenance" doc:"Null unless the site is closed to this address for maintenance."`
}

type maintenance struct {
	Until *int64 `json:"until" doc:"Planned end in Unix milliseconds. Null if it is unknown or has passed."`
	Note  string `json:"note" doc:"The operator's message in the request's language. Plain text, may be empty."`
}

type currency struct {
	Code     string `json:"code"`
	Symbol   string `json:"symbol"`
	Position string `json:"position" enum:"F,B" doc:"F: the symbol precedes the amount. B: it follows."`
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
	DownloadPopup      bool       `json:"downloadPopup" doc:"The home page shows a download popup."`
	Demo               bool       `json:"demo"`
	HomeGameCategory   string     `json:"homeGameCategory"`
	GameCategory       string     `json:"gamePageAvtiveCategory"`
	SignIn             signIn     `json:"signIn" doc:"Login methods besides username that are enabled and configured."`
}

type signIn struct {
	Google   bool            `json:"google"`
	Facebook bool            `json:"facebook"`
	SMS      bool            `json:"sms"`
	Firebase *firebaseSignIn `json:"firebase" doc:"Null if Firebase does not verify phone numbers."`
}

type firebaseSignIn struct {
	Project string         `json:"project"`
	Codes   *firebaseCodes `json:"codes" doc:"How browsers request codes. Null if they cannot."`
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

// Routes declares the merchant's endpoints.
func Routes(a *rest.API, s *Service) {
	publicCall(a, "/wps/system/status", "systemStatus", "Whether the site is open to this address", s.status)
	settingsCall(a, s, "/wps/system/settings/consolidated", "systemSettings", "Settings of the merchant for the app",
		func(m *merchant) consolidated { return s.consolidated(m) })
	settingsCall(a, s, "/wps/system/whitelabel", "whitelabel", "Flags, modules and promotions, on or off",
		func(m *merchant) Switches { return m.switches })
	settingsCall(a, s, "/wps/system/country", "systemCountry", "The merchant's country",
		func(m *merchant) country {
			return country{Country: m.settings.Country, CountryDialingCode: m.settings.DialingCode}
		})
	settingsCall(a, s, "/wps/system/setting/template", "systemTemplate", "Default theme and template",
		func(m *merchant) template {
			return template{Theme: m.settings.Theme, Themes: themes, Template: m.settings.Template}
		})
	settingsRoutes(a, s)
	helpRoutes(a, s)
}

func settingsRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/setting/register", ID: "registerSetting", Tag: "system",
		Summary: "Registration form and validation rules of all forms", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) (registerSetting, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			return registerSetting{}, err
		}
		return s.registerSetting(m)
	})
}

func helpRoutes(a *rest.API, s *Service) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: "/wps/system/customerService", ID: "customerService", Tag: "system",
		Summary: "Customer service contacts", Access: rest.Public,
	}, func(ctx context.Context, _ *struct{}) ([]helpLink, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			return nil, err
		}
		return m.help()
	})
}

// publicCall declares a public endpoint about the request's merchant. It works while the site is closed, because the app
// needs it to show the maintenance page.
func publicCall[O any](a *rest.API, path, id, summary string, respond func(context.Context) (O, error)) {
	rest.Typed(a, rest.Op{
		Method: http.MethodGet, Path: path, ID: id, Tag: "system", Summary: summary, Access: rest.Public, WhileClosed: true,
	}, func(ctx context.Context, _ *struct{}) (O, error) { return respond(ctx) })
}

// settingsCall declares a publicCall whose response depends only on the merchant's settings.
func settingsCall[O any](a *rest.API, s *Service, path, id, summary string, respond func(*merchant) O) {
	publicCall(a, path, id, summary, func(ctx context.Context) (O, error) {
		m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
		if err != nil {
			var zero O
			return zero, err
		}
		return respond(m), nil
	})
}

func (s *Service) status(ctx context.Context) (status, error) {
	m, err := s.byID(ctx, rest.MerchantOf(ctx).ID)
	if err != nil {
		return status{}, err
	}
	settings := &m.settings
	condition, err := s.condition(ctx, m, rest.ClientOf(ctx))
	if err != nil {
		return status{}, err
	}
	out := status{
		IP: rest.AddressOf(ctx), SystemStatus: settings.StatusReading.number(condition), StatusReading: string(settings.StatusReading),
		HomeGameCategory: settings.HomeCategory, GameCategory: settings.GameCategory, Country: settings.Country,
	}
	if condition == ConditionMaintenance {
		out.Maintenance = &maintenance{Note: settings.Maintenance.note(strings.ToUpper(rest.LanguageOf(ctx)))}
		if settings.Maintenance.remaining(s.o.Now()) > 0 {
			until := settings.Maintenance.Until.UnixMilli()
			out.Maintenance.Until = &until
		}
	}
	return out, nil
}

func (s *Service) consolidated(m *merchant) consolidated {
	settings := m.settings
	return consolidated{
		MerchantCode: m.code, MerchantName: m.name,
		Languages: settings.Languages, DefaultLanguage: settings.DefaultLanguage, PickerLanguages: settings.PickerLanguages,
		Currency: currency{
			Code: m.currency.Code, Symbol: m.currency.Symbol, Position: string(m.currency.Position),
			Pattern: m.currency.Pattern, Decimals: m.currency.Decimals,
		},
		StatusReading: string(settings.StatusReading), AgeLimit: settings.AgeLimit, CountryDialingCode: settings.DialingCode,
		CDN: settings.CDN, Licences: settings.Licences, DownloadLinks: settings.Downloads, AppWindow: settings.AppWindow, DownloadPopup: settings.DownloadPopup, Demo: s.o.Demo,
		HomeGameCategory: settings.HomeCategory, GameCategory: settings.GameCategory, SignIn: s.signIn(m),
	}
}

func (s *Service) signIn(m *merchant) signIn {
	providers, flags := s.o.Providers, m.switches.Flags
	out := signIn{
		Google:   flags[spec.FlagGoogleLogin] && providers.Google,
		Facebook: flags[spec.FlagFacebookLogin] && providers.Facebook,
		SMS:      flags[spec.FlagSMSLogin] && providers.SMS,
	}
	if flags[spec.FlagSMSLogin] && providers.Firebase.Project != "" {
		out.Firebase = &firebaseSignIn{Project: providers.Firebase.Project, Codes: providers.Firebase.browserSettings()}
	}
	return out
}

// Find returns the merchant with a code. The empty code means the default merchant.
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
