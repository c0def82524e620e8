package merchant

import (
	"encoding/json"
	"net/netip"
	"time"

	"fairground/internal/platform/rest"
	"fairground/internal/platform/validation"
)

// A Setting is the stored name of a setting.
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
	MaxEmailLength             Setting = "member.email_longest"
	CodeDigits                 Setting = "code.digits"
	CodeTries                  Setting = "code.tries"
	CodeMinutes                Setting = "code.minutes"
	LoginSlider                Setting = "login.slider"
	LoginEncrypted             Setting = "login.encrypted"
	LoginCaptchaAfter          Setting = "login.captcha_after"
	CaptchaKind                Setting = "captcha.kind"
	CaptchaProofOfWork         Setting = "captcha.proof_of_work"
	CaptchaProofCost           Setting = "captcha.proof_cost"
	JackpotShare               Setting = "jackpot.share"
	JackpotVendors             Setting = "jackpot.vendors"
	JackpotSeriesPerDay        Setting = "jackpot.series_per_day"
	LotteryExposure            Setting = "lottery.exposure"
	LotteryReturn              Setting = "lottery.return"
	RegisterMethods            Setting = "register.methods"
	RegisterFields             Setting = "register.fields"
	RegisterCaptcha            Setting = "register.captcha"
	RegisterSlider             Setting = "register.slider"
	RegisterDialingCodes       Setting = "register.dialing_codes"
	RegisterMobileVerification Setting = "register.mobile_verification"
	OpsAllowedNetworks         Setting = "ops.allowed_networks"
	KYCKeepDays                Setting = "kyc.keep_days"
	WithdrawMin                Setting = "withdraw.min"
	WithdrawMax                Setting = "withdraw.max"
	WithdrawFee                Setting = "withdraw.fee"
	WithdrawPerDay             Setting = "withdraw.per_day"
	WithdrawTurnover           Setting = "withdraw.turnover_percent"
	TwoPersonAbove             Setting = "ops.two_person_above"
	ChatHours                  Setting = "chat.hours"
	ChatService                Setting = "chat.service"
)

// accessors reads and writes a field of Settings.
type accessors struct {
	write func(*Settings, []byte) error
	read  func(*Settings) any
}

// A definition describes a setting. text appears in docs/settings.md.
type definition struct {
	text string
	accessors
}

// A Description is the documentation of a setting.
type Description struct {
	Text    string
	Default json.RawMessage
}

// Descriptions returns the documentation of all settings.
func Descriptions() (map[Setting]Description, error) {
	defaults := defaultSettings()
	all := make(map[Setting]Description, len(definitions))
	for name, d := range definitions {
		raw, err := json.Marshal(d.read(&defaults))
		if err != nil {
			return nil, err
		}
		all[name] = Description{d.text, raw}
	}
	return all, nil
}

var definitions = map[Setting]definition{
	SystemStatus: {"0: open. `system.status_reading` defines 1 and 2", set(func(s *Settings) *int { return &s.Status }, between(0, 2))},
	SystemStatusReading: {
		"`a`: 1 blocks addresses, 2 is maintenance. `b`: 1 is maintenance, 2 restricts regions",
		set(func(s *Settings) *Reading { return &s.StatusReading }, oneOf(ReadingA, ReadingB)),
	},
	SystemCountry:     {"country code: two capital letters", set(func(s *Settings) *string { return &s.Country }, letters(2))},
	SystemDialingCode: {"dialling code of the country, 1 to 4 digits", set(func(s *Settings) *string { return &s.DialingCode }, digits(1, 4))},
	SystemAgeLimit:    {"minimum age: 18 or 21", set(func(s *Settings) *int { return &s.AgeLimit }, oneOf(18, 21))},
	SystemLanguages: {
		"supported languages: some of `VI`, `EN`, `UR`, `PT`",
		set(func(s *Settings) *[]string { return &s.Languages }, someOf(languages)),
	},
	SystemDefaultLanguage: {"language for visitors who have not chosen one; must be in `system.languages`", set(func(s *Settings) *string { return &s.DefaultLanguage }, oneOf(languages...))},
	SystemPickerLanguages: {"languages in the picker; must be in `system.languages`", set(func(s *Settings) *[]string { return &s.PickerLanguages }, someOf(languages))},
	SystemMaintenance:     {"`on`: closes the site; `until`: planned end, RFC 3339; `note`: message to visitors by language", set(func(s *Settings) *Maintenance { return &s.Maintenance }, checkMaintenance)},
	OpsAllowedNetworks:    {"networks in CIDR notation that may reach the console; empty: all", set(func(s *Settings) *[]netip.Prefix { return &s.OperatorNetworks }, checkNetworks)},
	SystemBlockedNetworks: {"networks in CIDR notation that cannot open the site", set(func(s *Settings) *[]netip.Prefix { return &s.BlockedNetworks }, checkNetworks)},
	SystemAllowedNetworks: {"networks in CIDR notation that can always open the site", set(func(s *Settings) *[]netip.Prefix { return &s.AllowedNetworks }, checkNetworks)},
	SystemBlockedCountries: {
		"country codes, two capital letters, that cannot open the site; needs `--geoip`",
		set(func(s *Settings) *[]string { return &s.BlockedCountries }, checkCountries),
	},
	SystemCDN: {
		"1 to 8 folders from which pages may load images: paths of this site or https addresses, each ending with a slash",
		set(func(s *Settings) *[]string { return &s.CDN }, checkImageFolders),
	},
	SiteLicences:      {"up to 3 badges in the footer: `name`, `image`, `link`", set(func(s *Settings) *[]Licence { return &s.Licences }, checkLicences)},
	SiteDownloads:     {"links to apps and channels: `resourceType`, `url`", set(func(s *Settings) *[]Download { return &s.Downloads }, checkDownloads)},
	SiteServices:      {"customer service contacts: `type`, `url`", set(func(s *Settings) *[]Contact { return &s.Services }, checkContacts)},
	SiteAppWindow:     {"`true` shows the app window", set(func(s *Settings) *bool { return &s.AppWindow }, anyValue[bool])},
	SiteDownloadPopup: {"`true` shows a download popup on the home page", set(func(s *Settings) *bool { return &s.DownloadPopup }, anyValue[bool])},
	SiteHomeCategory:  {"category that the home page opens with", set(func(s *Settings) *string { return &s.HomeCategory }, oneOf(Categories...))},
	SiteGameCategory:  {"category that the lobby opens with", set(func(s *Settings) *string { return &s.GameCategory }, oneOf(Categories...))},
	SiteTheme:         {"theme for visitors who have not chosen one: `dark` or `light`", set(func(s *Settings) *string { return &s.Theme }, oneOf(themes...))},
	SiteTemplate:      {"page template: `m1`", set(func(s *Settings) *string { return &s.Template }, oneOf("m1"))},
	SessionIdle: {
		"idle time after which a session ends: `1m` to `24h`. It may end late, by up to a tenth of this plus one minute",
		setDuration(func(s *Settings) *time.Duration { return &s.SessionIdle }, time.Minute, 24*time.Hour),
	},
	SessionAbsolute: {
		"maximum length of a session: `1m` to `720h`, not below `session.idle`",
		setDuration(func(s *Settings) *time.Duration { return &s.SessionAbsolute }, time.Minute, 30*24*time.Hour),
	},
	MemberUsername: {"`min` and `max` length of a username, within 1 to 32", set(func(s *Settings) *validation.Range { return &s.Username }, within(1, 32))},
	MemberPassword: {
		"`min` and `max` length of a password, within 8 to 64",
		set(func(s *Settings) *validation.Range { return &s.Password }, within(8, validation.MaxPassword)),
	},
	SecurityAsk: {
		"changes that need the answer to the security question: `payment_password`, `mobile`, `email`",
		set(func(s *Settings) *[]string { return &s.Login.SecurityAsk }, someOrNone(securityChanges)),
	},
	FeedbackLength: {"`min` and `max` length of feedback, within 1 to 140", set(func(s *Settings) *validation.Range { return &s.Login.Feedback }, within(1, 140))},
	MaxEmailLength: {"maximum length of an e-mail address, 64 to 254", set(func(s *Settings) *int { return &s.Login.MaxEmailLength }, between(64, 254))},
	CodeDigits: {
		"number of digits of a verification code, 6 to 8",
		set(func(s *Settings) *int { return &s.Login.Code.Digits }, between(validation.CodeDigits.Min, validation.CodeDigits.Max)),
	},
	CodeTries:   {"number of attempts to enter a verification code, 1 to 10", set(func(s *Settings) *int { return &s.Login.Code.Tries }, between(1, 10))},
	CodeMinutes: {"minutes until a verification code expires, 1 to 30", set(func(s *Settings) *int { return &s.Login.Code.Minutes }, between(1, 30))},
	LoginSlider: {
		"`true`: a login by username needs the slider challenge",
		set(func(s *Settings) *bool { return &s.Login.LoginSlider }, anyValue[bool]),
	},
	LoginEncrypted: {
		"`true`: browsers encrypt logins with the installation's key",
		set(func(s *Settings) *bool { return &s.Login.LoginEncrypted }, anyValue[bool]),
	},
	LoginCaptchaAfter: {
		"failed logins after which a login needs the image captcha, 0 to 10. 0: every login needs it",
		set(func(s *Settings) *int { return &s.Login.LoginCaptchaAfter }, between(0, 10)),
	},
	CaptchaKind: {
		"content of the image captcha: `digits` or `equation`",
		set(func(s *Settings) *string { return &s.CaptchaKind }, oneOf(validation.CaptchaDigits, validation.CaptchaEquation)),
	},
	CaptchaProofOfWork: {
		"when a login, a registration or a request for a code needs a proof of work, which the app solves in the background: `after_failures`, `always` or `off` (`docs/captcha.md`)",
		set(func(s *Settings) *string { return &s.ProofOfWork }, oneOf(validation.WorkAfterFailures, validation.WorkAlways, validation.WorkOff)),
	},
	CaptchaProofCost: {
		"cost of a proof of work after the first failures: the most numbers to try, 10 to 200000. It doubles with further failures, up to 32 times this",
		set(func(s *Settings) *int { return &s.ProofCost }, between(10, 200_000)),
	},
	JackpotShare: {
		"share of stakes on the House's jackpot games and slots that goes to the jackpot pool, in per mille: 0 to 100; 10 in the demo. With 0 an existing pool stays until it is won, and no new pool starts (`docs/games/jackpot.md`)",
		set(func(s *Settings) *int { return &s.JackpotShare }, between(0, 100)),
	},
	JackpotVendors: {
		"codes of existing external vendors whose jackpot games (`JL`) contribute to the pool. Name only vendors that you trust: a vendor that returns every stake can win the initial pool amounts without risk",
		set(func(s *Settings) *[]string { return &s.JackpotVendors }, checkVendorCodes),
	},
	JackpotSeriesPerDay: {
		"wins of a pool within 24 hours after which it pauses until the first of them is a day old: 1 to 1000",
		set(func(s *Settings) *int { return &s.JackpotSeries }, between(1, 1000)),
	},
	WithdrawMin: {"least amount of a withdrawal, in the currency's unit", set(func(s *Settings) *rest.Amount { return &s.Withdraw.Min }, checkAmount)},
	WithdrawMax: {"most of a withdrawal, in the currency's unit; 0: no limit", set(func(s *Settings) *rest.Amount { return &s.Withdraw.Max }, checkAmount)},
	WithdrawFee: {"fee of a withdrawal, which comes off the paid amount, in the currency's unit", set(func(s *Settings) *rest.Amount { return &s.Withdraw.Fee }, checkAmount)},
	WithdrawPerDay: {
		"withdrawals of a member per day, 0 to 100. 0: no withdrawals",
		set(func(s *Settings) *int { return &s.Withdraw.PerDay }, between(0, 100)),
	},
	WithdrawTurnover: {
		"stakes that a deposit requires before a withdrawal, in percent of the deposit: 0 to 1000",
		set(func(s *Settings) *int { return &s.Withdraw.TurnoverPercent }, between(0, 1000)),
	},
	TwoPersonAbove: {
		"a withdrawal, a granted reward, an approved application, an enabled loyalty rule, a published promotion or an unusual deposit above this amount, in the currency's unit, needs the approval of two people",
		set(func(s *Settings) *rest.Amount { return &s.Withdraw.TwoPersonAbove }, checkAmount),
	},
	ChatHours:   {"opening hours of the live chat, `opens` and `closes`, as HH:MM in the time zone of the currency; equal times: always open", set(func(s *Settings) *ChatOpening { return &s.ChatHours }, checkChatHours)},
	ChatService: {"https address of an external live chat; empty: the app's own", set(func(s *Settings) *string { return &s.ChatService }, checkChatService)},
	KYCKeepDays: {
		"days after the decision until the documents of an identity check are deleted: 1 to 3650",
		set(func(s *Settings) *int { return &s.KYCKeepDays }, between(1, 3650)),
	},
	LotteryExposure: {
		"the most that one line of a lottery draw may be paid, in units of the currency: 0 to 1,000,000,000,000. A bet above it is refused. 0: 10,000,000 times the smallest stake",
		set(func(s *Settings) *int { return &s.LotteryExposure }, between(0, 1_000_000_000_000)),
	},
	LotteryReturn: {
		"the highest return of lottery odds that operators can set, with the rebate, in per mille: 500 to 1000",
		set(func(s *Settings) *int { return &s.LotteryReturn }, between(500, 1000)),
	},
	RegisterMethods: {
		"registration methods in display order: `username`, `mobile`",
		set(func(s *Settings) *[]string { return &s.Login.Methods }, someOf(registerMethods)),
	},
	RegisterFields: {
		"changes of the default form, by field; see below",
		set(func(s *Settings) *map[string]FieldChange { return &s.Login.Fields }, checkFields),
	},
	RegisterCaptcha:      {"`true`: registration needs the image captcha", set(func(s *Settings) *bool { return &s.Login.Captcha }, anyValue[bool])},
	RegisterSlider:       {"`true`: registration needs the slider challenge", set(func(s *Settings) *bool { return &s.Login.Slider }, anyValue[bool])},
	RegisterDialingCodes: {"dialling codes of accepted mobile numbers", set(func(s *Settings) *[]string { return &s.Login.DialingCodes }, checkDialingCodes)},
	RegisterMobileVerification: {
		"verification of mobile numbers: `none`, `sms`, `firebase`",
		set(func(s *Settings) *string { return &s.Login.MobileVerification }, oneOf(validation.ProofNone, validation.ProofSMS, validation.ProofFirebase)),
	},
}
