package merchant

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
)

// LoginSettings are the settings for login and registration.
type LoginSettings struct {
	Methods            []string               // of registration, in display order
	Fields             map[string]FieldChange // changes to the default form, by field
	Captcha            bool                   // registration needs the image captcha
	Slider             bool                   // registration needs the slider challenge
	LoginSlider        bool
	LoginEncrypted     bool   // browsers encrypt logins with the installation's key
	LoginCaptchaAfter  int    // number of failed logins after which a login needs the captcha
	MobileVerification string // none, sms, firebase
	DialingCodes       []string
	Feedback           validation.Range
	SecurityAsk        []string // changes that need the answer to the security question
	MaxEmailLength     int
	Code               codeSetting
}

type codeSetting struct {
	Digits  int `json:"digits"`
	Tries   int `json:"tries" doc:"Attempts that the requester has."`
	Minutes int `json:"minutes" doc:"How long a code is valid."`
}

// A FieldChange is an operator's change to a field of the registration form. A nil or empty value keeps the default.
type FieldChange struct {
	Enabled  *bool  `json:"enabled,omitempty"`
	Required *bool  `json:"required,omitempty"`
	Order    *int   `json:"order,omitempty"`
	Pattern  string `json:"pattern,omitempty"`
}

var (
	registerMethods = []string{validation.ByUsername, validation.ByMobile}
	securityChanges = []string{"payment_password", "mobile", "email"} // may need the security answer
)

func defaultLoginSettings() LoginSettings {
	limits := validation.StandardLimits()
	return LoginSettings{
		Methods: slices.Clone(registerMethods), Fields: map[string]FieldChange{}, Captcha: true,
		LoginCaptchaAfter: 1, MobileVerification: validation.ProofSMS,
		DialingCodes: []string{"84", "86", "1", "55", "92", "351"},
		Feedback:     limits.Feedback, SecurityAsk: []string{}, MaxEmailLength: limits.Email, Code: codeSetting{Digits: 6, Tries: 5, Minutes: 5},
	}
}

// formFields returns the fields of the default registration form. The order numbers have gaps, so that operators can move fields.
func formFields() []validation.Field {
	both := slices.Clone(registerMethods)
	always := func(name string, order int, methods ...string) validation.Field {
		return validation.Field{Name: name, Order: order, Enabled: true, Methods: methods, RequiredIn: methods}
	}
	fields := []validation.Field{
		always("username", 10, validation.ByUsername),
		{Name: "mobileNum", Order: 20, Enabled: true, Methods: both, RequiredIn: []string{validation.ByMobile}},
		always("verificationCode", 30, validation.ByMobile),
		always("password", 40, both...),
		always("confirmPassword", 50, both...),
		always("captcha", 200, both...),
		{Name: "affiliateCode", Order: 180, Enabled: true, Methods: both, RequiredIn: []string{}},
	}
	for i, name := range []string{
		"paymentPassword", "nickname", "payeeName", "email", "idNumber", "qqNum", "facebook", "wechat", "line", "whatsapp",
		"zalo", "recommenderId",
	} {
		fields = append(fields, validation.Field{Name: name, Order: 60 + 10*i, Methods: both, RequiredIn: []string{}})
	}
	return fields
}

// fixedFields cannot be disabled or made optional. Members need the passwords to log in, and other settings control
// the code and the captcha.
var fixedFields = []string{"password", "confirmPassword", "verificationCode", "captcha"}

// profileFields can be filled in after registration, even if the form does not contain them.
var profileFields = []string{"nickname", "payeeName", "qqNum", "facebook", "wechat", "line", "whatsapp", "zalo"}

func isDisabled(enabled *bool) bool { return enabled != nil && !*enabled }

func checkFields(v map[string]FieldChange) error {
	existing := formFields()
	for name, change := range v {
		if !slices.ContainsFunc(existing, func(f validation.Field) bool { return f.Name == name }) {
			return fmt.Errorf("the registration form has no field %q", name)
		}
		if slices.Contains(fixedFields, name) && (change.Enabled != nil || change.Required != nil) {
			return fmt.Errorf("%s cannot be enabled, disabled or made optional", name)
		}
		if name == "captcha" && change.Pattern != "" {
			return errors.New("captcha cannot have a pattern: the captcha check validates it")
		}
		if name == "username" && isDisabled(change.Enabled) {
			return errors.New("username cannot be disabled: remove the method username from register.methods instead")
		}
		if change.Order != nil && (*change.Order < 0 || *change.Order > 1000) {
			return fmt.Errorf("%s: order must be between 0 and 1000", name)
		}
		if len(change.Pattern) > 200 {
			return fmt.Errorf("%s: pattern must be at most 200 bytes", name)
		}
		if err := validation.CheckPortable(change.Pattern); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func checkDialingCodes(v []string) error {
	if len(v) == 0 {
		return errors.New("the list must not be empty")
	}
	for i, code := range v {
		if _, ok := validation.MobileFormatOf(code); !ok || slices.Contains(v[:i], code) {
			return fmt.Errorf("%q is repeated or not a dialling code with mobile numbers", code)
		}
	}
	return nil
}

// someOrNone accepts a list of distinct allowed values, which may be empty.
func someOrNone(allowed []string) func([]string) error {
	some := someOf(allowed)
	return func(v []string) error {
		if len(v) == 0 {
			return nil
		}
		return some(v)
	}
}

// Providers lists the external services that the installation is configured for.
type Providers struct {
	SMS, Email       bool   // can send messages
	Google, Facebook bool   // can be used to log in
	GeetestID        string // empty: the server's own slider challenge is used
	GeetestScript    string // URL
	Firebase         Firebase
}

// Firebase is the project that verifies phone numbers.
type Firebase struct {
	Project string // empty: not configured
	Key     string // browser API key; empty: browsers cannot request codes
	URL     string // base URL of the API
	Script  string // URL of its reCAPTCHA
}

func (f Firebase) browserSettings() *firebaseCodes {
	if f.Key == "" {
		return nil
	}
	return &firebaseCodes{f.Key, f.URL, f.Script}
}

type forms struct {
	form          *validation.Form
	rules         *validation.Rules
	mobileFormats []validation.MobileFormat

	// The versions for the app also require the exact length of codes.
	servedForm  *validation.Form
	servedRules validation.Set
}

func (m *merchant) newForms(p Providers) (*forms, error) {
	login := m.settings.Login
	set := validation.Standard(validation.Limits{
		Username: m.settings.Username, Password: m.settings.Password,
		Feedback: login.Feedback, Email: login.MaxEmailLength,
	})
	f := &forms{}
	var err error
	if f.rules, err = validation.New(set); err != nil {
		return nil, err
	}
	for _, code := range login.DialingCodes {
		if format, ok := validation.MobileFormatOf(code); ok {
			f.mobileFormats = append(f.mobileFormats, format)
		}
	}
	form := validation.Form{
		MobileVerification: login.MobileVerification, AgeLimit: m.settings.AgeLimit, Slider: login.Slider,
		Captcha: login.Captcha && m.switches.Modules[spec.ModuleCaptcha],
	}
	if !m.switches.Modules[spec.ModuleRegisterMobile] {
		form.MobileVerification = validation.ProofNone
	}
	for _, method := range login.Methods {
		if m.offers(method, form.MobileVerification, p) {
			form.Methods = append(form.Methods, method)
		}
	}
	for _, field := range formFields() {
		field.Profile = slices.Contains(profileFields, field.Name) && !isDisabled(login.Fields[field.Name].Enabled)
		field = applyChange(field, login.Fields[field.Name], form)
		if slices.Contains(validation.InvitationFields, field.Name) && !m.switches.Modules[spec.ModuleAffiliate] {
			field.Enabled = false
		}
		form.Fields = append(form.Fields, field)
	}
	f.servedRules = f.rules.Set()
	if p.Firebase.Project == "" { // Firebase codes use the same field and may have another length
		f.servedRules = validation.WithCode(set, login.Code.Digits)
	}
	served := form
	served.Fields = slices.Clone(form.Fields)
	if f.servedForm, err = validation.NewForm(f.servedRules, served); err != nil {
		return nil, err
	}
	f.form, err = validation.NewForm(set, form)
	return f, err
}

// offers reports whether a registration method is enabled. Registration by mobile also needs a way to verify the number.
func (m *merchant) offers(method, proof string, p Providers) bool {
	if !m.switches.Modules[spec.ModuleRegister] {
		return false
	}
	if method != validation.ByMobile {
		return true
	}
	verifiable := proof == validation.ProofNone || proof == validation.ProofSMS && p.SMS || proof == validation.ProofFirebase && p.Firebase.Project != ""
	return m.switches.Modules[spec.ModuleMobileRegister] && verifiable
}

// applyChange applies the operator's change to a field, and the effects of other settings.
func applyChange(f validation.Field, change FieldChange, form validation.Form) validation.Field {
	switch f.Name {
	case "username":
		if form.MobileVerification == validation.ProofNone { // members cannot log in with an unverified number
			f.Methods, f.RequiredIn = registerMethods, registerMethods
		}
	case "verificationCode":
		f.Enabled = form.MobileVerification == validation.ProofSMS
	case "captcha":
		f.Enabled = form.Captcha
	}
	if change.Enabled != nil {
		f.Enabled = *change.Enabled
	}
	if f.Name == "mobileNum" && !f.Enabled { // registration by mobile always needs it
		f.Enabled, f.Methods = true, []string{validation.ByMobile}
	}
	if change.Required != nil && f.Name != "username" {
		f.RequiredIn = []string{}
		if *change.Required {
			f.RequiredIn = f.Methods
		}
		if f.Name == "mobileNum" && !*change.Required {
			f.RequiredIn = []string{validation.ByMobile}
		}
	}
	if change.Order != nil {
		f.Order = *change.Order
	}
	f.Pattern = change.Pattern
	if f.RequiredIn == nil {
		f.RequiredIn = []string{}
	}
	return f
}

type slider struct {
	Login     bool   `json:"login"`
	Register  bool   `json:"register"`
	Provider  string `json:"provider" enum:"own,geetest"`
	GeetestID string `json:"geetestId,omitempty"`
	Script    string `json:"script,omitempty" doc:"Script of an external provider. Run it in the sandbox frame for external scripts."`
}

type reset struct {
	Channels []string `json:"channels" doc:"Channels that can send a code: sms, email. Empty: passwords cannot be reset."`
	Captcha  bool     `json:"captcha" doc:"Requesting a code needs a captcha."`
}

type firebaseCodes struct {
	APIKey string `json:"apiKey"`
	APIURL string `json:"apiUrl"`
	Script string `json:"script" doc:"Script of its reCAPTCHA. Run it in the sandbox frame for external scripts."`
}

type registerSetting struct {
	Methods            []string                  `json:"methods" doc:"Registration methods: username, mobile. Empty: registration is closed."`
	AgeLimit           int                       `json:"ageLimit"`
	Agreement          bool                      `json:"agreement" doc:"Initial state of the agreement box."`
	Captcha            bool                      `json:"captcha"`
	Slider             slider                    `json:"slider"`
	LoginCaptcha       bool                      `json:"loginCaptcha" doc:"Every login needs a captcha."`
	LoginEncrypted     bool                      `json:"loginEncrypted" doc:"Clients that support it should encrypt logins."`
	MobileVerification string                    `json:"mobileVerification" enum:"none,sms,firebase"`
	Firebase           *firebaseCodes            `json:"firebase" doc:"How to request codes from Firebase. Null unless Firebase verifies numbers."`
	DialingCodes       []validation.MobileFormat `json:"dialingCodes"`
	Code               *codeSetting              `json:"code,omitempty" doc:"Format and lifetime of codes sent to mobile numbers and e-mail addresses."`
	Reset              reset                     `json:"reset"`
	Fields             []validation.Field        `json:"fields"`
	Rules              validation.Set            `json:"rules" doc:"Validation rules of all form fields, by field name."`
}

func (s *Service) registerSetting(m *merchant) (registerSetting, error) {
	f, err := m.forms()
	if err != nil {
		return registerSetting{}, err
	}
	sliderSetting := slider{Login: m.settings.Login.LoginSlider, Register: f.form.Slider, Provider: validation.SliderOwn}
	if s.o.Providers.GeetestID != "" {
		sliderSetting.Provider, sliderSetting.GeetestID, sliderSetting.Script = validation.SliderGeetest, s.o.Providers.GeetestID, s.o.Providers.GeetestScript
	}
	methods := f.form.Methods
	if methods == nil {
		methods = []string{}
	}
	var codes *firebaseCodes
	if f.form.MobileVerification == validation.ProofFirebase {
		codes = s.o.Providers.Firebase.browserSettings()
	}
	return registerSetting{
		Methods: methods, AgeLimit: f.form.AgeLimit, Agreement: true, Captcha: f.form.Captcha, Slider: sliderSetting, LoginEncrypted: m.settings.Login.LoginEncrypted,
		LoginCaptcha:       m.captchaAfter() == 0,
		MobileVerification: f.form.MobileVerification, Firebase: codes, DialingCodes: f.mobileFormats, Code: &m.settings.Login.Code, Reset: s.reset(m), Fields: f.servedForm.Fields, Rules: f.servedRules,
	}, nil
}

func (s *Service) reset(m *merchant) reset {
	r := reset{Channels: []string{}, Captcha: m.switches.Modules[spec.ModuleCaptcha] && m.switches.Modules[spec.ModuleValidCaptcha]}
	if s.o.Providers.SMS {
		r.Channels = append(r.Channels, "sms")
	}
	if s.o.Providers.Email {
		r.Channels = append(r.Channels, "email")
	}
	return r
}

// RegisterForm returns the registration form.
func (s *Service) RegisterForm(ctx context.Context, merchantID int64) (*validation.Form, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	f, err := m.forms()
	if err != nil {
		return nil, err
	}
	return f.form, nil
}

// Rules returns the validation rules of all form fields.
func (s *Service) Rules(ctx context.Context, merchantID int64) (*validation.Rules, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return nil, err
	}
	f, err := m.forms()
	if err != nil {
		return nil, err
	}
	return f.rules, nil
}

// CodeRules returns the format and lifetime of codes sent to mobile numbers and e-mail addresses.
func (s *Service) CodeRules(ctx context.Context, merchantID int64) (digits, tries int, lifetime time.Duration, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, 0, err
	}
	c := m.settings.Login.Code
	return c.Digits, c.Tries, time.Duration(c.Minutes) * time.Minute, nil
}

// AcceptsNumber reports whether a number belongs to one of register.dialing_codes. The server sends no
// text messages to other numbers, because fraudsters request messages to networks that pay them a share.
func (s *Service) AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	dialing, _ := validation.SplitMobile(e164)
	return slices.Contains(m.settings.Login.DialingCodes, dialing), nil
}

// KYCKeepTime returns how long the documents of an identity check are kept after the decision.
func (s *Service) KYCKeepTime(ctx context.Context, merchantID int64) (time.Duration, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, err
	}
	return time.Duration(m.settings.KYCKeepDays) * 24 * time.Hour, nil
}

// SecurityAsk reports whether a change (payment_password, mobile, email) needs the answer to the security question.
func (s *Service) SecurityAsk(ctx context.Context, merchantID int64, change string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return slices.Contains(m.settings.Login.SecurityAsk, change), nil
}

// LoginChallenges returns whether a login needs the slider challenge, and after how many failures it needs the captcha.
// 0 means every login, a negative number means no login.
func (s *Service) LoginChallenges(ctx context.Context, merchantID int64) (slider bool, captchaAfter int, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, 0, err
	}
	return m.settings.Login.LoginSlider, m.captchaAfter(), nil
}

func (m *merchant) captchaAfter() int {
	if !m.switches.Modules[spec.ModuleCaptcha] {
		return -1
	}
	return m.settings.Login.LoginCaptchaAfter
}
