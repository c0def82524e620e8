package merchant

import (
	"encoding/json"
	"net/netip"
	"time"

	"fairground/internal/platform/validation"
)

// Setting is the stored name of one setting.
type Setting string

// The settings.
const (
	SystemStatus               Setting = "system.status"
	SystemStatusReading        Setting = "system.status_reading"
	SystemCountry              Setting = "system.country"
	SystemDialingCode          Setting = "system.dialing_code"
	SystemAgeLimit             Setting = "system.age_limit"
	SystemLanguages            Setting = "system.languages"
	SystemDefaultLanguage      Setting = "system.default_language"
	SystemPickerLanguages      Setting = "system.picker_languages"
	SystemMaintenance          Setting = "system.maintenance"
	SystemBlockedNetworks      Setting = "system.blocked_networks"
	SystemAllowedNetworks      Setting = "system.allowed_networks"
	SystemBlockedCountries     Setting = "system.blocked_countries"
	SystemCDN                  Setting = "system.cdn"
	SiteLicences               Setting = "site.licences"
	SiteDownloads              Setting = "site.downloads"
	SiteServices               Setting = "site.services"
	SiteAppWindow              Setting = "site.app_window"
	SiteDownloadPopup          Setting = "site.download_popup"
	SiteHomeCategory           Setting = "site.home_category"
	SiteGameCategory           Setting = "site.game_category"
	SiteTheme                  Setting = "site.theme"
	SiteTemplate               Setting = "site.template"
	SessionIdle                Setting = "session.idle"
	SessionAbsolute            Setting = "session.absolute"
	MemberUsername             Setting = "member.username"
	MemberPassword             Setting = "member.password"
	SecurityAsk                Setting = "security.ask"
	FeedbackLength             Setting = "feedback.length"
	EmailLongest               Setting = "member.email_longest"
	CodeDigits                 Setting = "code.digits"
	CodeTries                  Setting = "code.tries"
	CodeMinutes                Setting = "code.minutes"
	LoginSlider                Setting = "login.slider"
	LoginEncrypted             Setting = "login.encrypted"
	LoginCaptchaAfter          Setting = "login.captcha_after"
	CaptchaKind                Setting = "captcha.kind"
	JackpotShare               Setting = "jackpot.share"
	JackpotVendors             Setting = "jackpot.vendors"
	JackpotSeriesPerDay        Setting = "jackpot.series_per_day"
	RegisterMethods            Setting = "register.methods"
	RegisterFields             Setting = "register.fields"
	RegisterCaptcha            Setting = "register.captcha"
	RegisterSlider             Setting = "register.slider"
	RegisterDialingCodes       Setting = "register.dialing_codes"
	RegisterMobileVerification Setting = "register.mobile_verification"
)

// access is how one setting is written into the settings, and how it is read out of them for whoever changes it.
type access struct {
	write func(*Settings, []byte) error
	read  func(*Settings) any
}

// definition is one setting: what the handbook says of its value, and its place in the settings.
type definition struct {
	text string
	access
}

// Description is what the handbook says of a setting.
type Description struct {
	Text    string
	Default json.RawMessage
}

// Descriptions are those of every setting.
func Descriptions() (map[Setting]Description, error) {
	initial := defaultSettings()
	all := make(map[Setting]Description, len(definitions))
	for name, d := range definitions {
		raw, err := json.Marshal(d.read(&initial))
		if err != nil {
			return nil, err
		}
		all[name] = Description{d.text, raw}
	}
	return all, nil
}

// definitions is every setting. A name that is not here does not exist.
var definitions = map[Setting]definition{
	SystemStatus: {"0 open; what 1 and 2 mean the reading says", set(func(s *Settings) *int { return &s.Status }, between(0, 2))},
	SystemStatusReading: {
		"`a`: 1 is a block of addresses, 2 maintenance; `b`: 1 is maintenance, 2 a restriction of regions",
		set(func(s *Settings) *Reading { return &s.StatusReading }, oneOf(ReadingA, ReadingB)),
	},
	SystemCountry:     {"two capital letters", set(func(s *Settings) *string { return &s.Country }, letters(2))},
	SystemDialingCode: {"of the country, 1 to 4 digits", set(func(s *Settings) *string { return &s.DialingCode }, digits(1, 4))},
	SystemAgeLimit:    {"18 or 21", set(func(s *Settings) *int { return &s.AgeLimit }, oneOf(18, 21))},
	SystemLanguages: {
		"those that are supported, of `VI`, `EN`, `UR`, `PT`",
		set(func(s *Settings) *[]string { return &s.Languages }, someOf(languages)),
	},
	SystemDefaultLanguage: {"one of them, for visitors who have chosen none", set(func(s *Settings) *string { return &s.DefaultLanguage }, oneOf(languages...))},
	SystemPickerLanguages: {"those that a visitor is offered", set(func(s *Settings) *[]string { return &s.PickerLanguages }, someOf(languages))},
	SystemMaintenance:     {"when maintenance is announced, and in which words", set(func(s *Settings) *Maintenance { return &s.Maintenance }, checkMaintenance)},
	SystemBlockedNetworks: {"networks, CIDR, that are kept out", set(func(s *Settings) *[]netip.Prefix { return &s.BlockedNetworks }, networksOf)},
	SystemAllowedNetworks: {"networks, CIDR, that always get in", set(func(s *Settings) *[]netip.Prefix { return &s.AllowedNetworks }, networksOf)},
	SystemBlockedCountries: {
		"countries, two capital letters, that are kept out",
		set(func(s *Settings) *[]string { return &s.BlockedCountries }, countries),
	},
	SystemCDN: {
		"folders that pictures come from, 1 to 8, each with a slash at its end: paths of this site, and https addresses, whose origins the pages then show pictures from",
		set(func(s *Settings) *[]string { return &s.CDN }, pictureBases),
	},
	SiteLicences:      {"badges of the footer: name, image, link", set(func(s *Settings) *[]Licence { return &s.Licences }, licences)},
	SiteDownloads:     {"where the app or a channel can be had: resourceType, url", set(func(s *Settings) *[]Download { return &s.Downloads }, downloads)},
	SiteServices:      {"ways to reach customer service", set(func(s *Settings) *[]Help { return &s.Services }, help)},
	SiteAppWindow:     {"whether the app's window is offered", set(func(s *Settings) *bool { return &s.AppWindow }, anything[bool])},
	SiteDownloadPopup: {"whether a popup offers the app", set(func(s *Settings) *bool { return &s.DownloadPopup }, anything[bool])},
	SiteHomeCategory:  {"which games home shows first", set(func(s *Settings) *string { return &s.HomeCategory }, oneOf(Categories...))},
	SiteGameCategory:  {"which games the lobby shows first", set(func(s *Settings) *string { return &s.GameCategory }, oneOf(Categories...))},
	SiteTheme:         {"what a visitor sees who has chosen no theme: `dark` or `light`", set(func(s *Settings) *string { return &s.Theme }, oneOf(themes...))},
	SiteTemplate:      {"`m1`", set(func(s *Settings) *string { return &s.Template }, oneOf("m1"))},
	SessionIdle: {
		"after how long without use a session ends, at most a tenth of that and a minute late: `1m` to `24h`",
		setDuration(func(s *Settings) *time.Duration { return &s.SessionIdle }, time.Minute, 24*time.Hour),
	},
	SessionAbsolute: {
		"after how long it ends in any case: `1m` to `720h`, not below `session.idle`",
		setDuration(func(s *Settings) *time.Duration { return &s.SessionAbsolute }, time.Minute, 30*24*time.Hour),
	},
	MemberUsername: {"least and greatest length, within 1 to 32", set(func(s *Settings) *validation.Range { return &s.Username }, within(1, 32))},
	MemberPassword: {
		"least and greatest length, within 8 to 64",
		set(func(s *Settings) *validation.Range { return &s.Password }, within(8, validation.MaxPassword)),
	},
	SecurityAsk: {
		"changes that ask for the answer to the security question: `payment_password`, `mobile`, `email`",
		set(func(s *Settings) *[]string { return &s.Login.SecurityAsk }, someOrNone(asked)),
	},
	FeedbackLength: {"least and greatest length, within 1 to 140", set(func(s *Settings) *validation.Range { return &s.Login.Feedback }, within(1, 140))},
	EmailLongest:   {"how long an e-mail address may be, 64 to 254", set(func(s *Settings) *int { return &s.Login.EmailLongest }, between(64, 254))},
	CodeDigits: {
		"how many digits a code has that is sent to a number or an address, 6 to 8",
		set(func(s *Settings) *int { return &s.Login.Code.Digits }, between(validation.CodeDigits.Min, validation.CodeDigits.Max)),
	},
	CodeTries:   {"how often it may be tried by who asked for it, 1 to 10", set(func(s *Settings) *int { return &s.Login.Code.Tries }, between(1, 10))},
	CodeMinutes: {"for how many minutes it is good, 1 to 30", set(func(s *Settings) *int { return &s.Login.Code.Minutes }, between(1, 30))},
	LoginSlider: {
		"whether a login by username asks for the slider challenge",
		set(func(s *Settings) *bool { return &s.Login.LoginSlider }, anything[bool]),
	},
	LoginEncrypted: {
		"whether browsers send logins encrypted to the installation's key",
		set(func(s *Settings) *bool { return &s.Login.LoginEncrypted }, anything[bool]),
	},
	LoginCaptchaAfter: {
		"after how many failures a login asks for the picture, 0 to 10; 0: from the start",
		set(func(s *Settings) *int { return &s.Login.LoginCaptchaAfter }, between(0, 10)),
	},
	CaptchaKind: {
		"what the picture shows: `digits`, or an `equation` to be solved",
		set(func(s *Settings) *string { return &s.CaptchaKind }, oneOf(validation.CaptchaDigits, validation.CaptchaEquation)),
	},
	JackpotShare: {
		"what of every thousand staked on the House's jackpot games and slots goes to the jackpot's pool: 0 to 100, in the demo 10. 0 adds nothing: a pool that is there is played for until it is won, and none follows (`docs/games/jackpot.md`)",
		set(func(s *Settings) *int { return &s.JackpotShare }, between(0, 100)),
	},
	JackpotVendors: {
		"codes of outside vendors, who must be there, whose jackpot games (`JL`) have a part in the pool, too. To name one is to trust it: a vendor that returns every stake takes the operator's seeds without risk",
		set(func(s *Settings) *[]string { return &s.JackpotVendors }, vendorCodes),
	},
	JackpotSeriesPerDay: {
		"how often a pool may be won within 24 hours before it rests until the first of those wins is a day old: 1 to 1000",
		set(func(s *Settings) *int { return &s.JackpotSeries }, between(1, 1000)),
	},
	RegisterMethods: {
		"by what one registers, the first shown first: `username`, `mobile`",
		set(func(s *Settings) *[]string { return &s.Login.Methods }, someOf(methods)),
	},
	RegisterFields: {
		"how the form differs from the one by default, by field; see below",
		set(func(s *Settings) *map[string]FieldChange { return &s.Login.Fields }, fields),
	},
	RegisterCaptcha:      {"whether registering asks for the picture", set(func(s *Settings) *bool { return &s.Login.Captcha }, anything[bool])},
	RegisterSlider:       {"whether it asks for the slider challenge", set(func(s *Settings) *bool { return &s.Login.Slider }, anything[bool])},
	RegisterDialingCodes: {"countries whose numbers are taken", set(func(s *Settings) *[]string { return &s.Login.DialingCodes }, dialingCodes)},
	RegisterMobileVerification: {
		"how a number is proved: `none`, `sms`, `firebase`",
		set(func(s *Settings) *string { return &s.Login.MobileVerification }, oneOf(validation.ProofNone, validation.ProofSMS, validation.ProofFirebase)),
	},
}
