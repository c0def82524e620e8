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

// LoginSettings are what an operator can set about logging in and registering.
type LoginSettings struct {
	Methods            []string               // by which one can register, the first one shown first
	Fields             map[string]FieldChange // how the form differs from the one it is by default
	Captcha            bool                   // registering asks for the picture's digits
	Slider             bool                   // registering asks for the slider challenge
	LoginSlider        bool
	LoginEncrypted     bool   // logins are sent encrypted to the installation's key
	LoginCaptchaAfter  int    // failed logins, from which on a login asks for the captcha
	MobileVerification string // none, sms, firebase
	DialingCodes       []string
	Feedback           validation.Range
	SecurityAsk        []string // changes that ask for the answer to the security question
	EmailLongest       int
	Code               codeSetting
}

// codeSetting is what codes are like that are sent to numbers and addresses.
type codeSetting struct {
	Digits  int `json:"digits"`
	Tries   int `json:"tries" doc:"Of who asked for it."`
	Minutes int `json:"minutes" doc:"How long it is good."`
}

// FieldChange says how a field of the registration form differs from what it is by default.
type FieldChange struct {
	Enabled  *bool  `json:"enabled,omitempty"`
	Required *bool  `json:"required,omitempty"`
	Order    *int   `json:"order,omitempty"`
	Pattern  string `json:"pattern,omitempty"`
}

var (
	methods = []string{validation.ByUsername, validation.ByMobile}
	asked   = []string{"payment_password", "mobile", "email"}
)

func defaultLoginSettings() LoginSettings {
	limits := validation.StandardLimits()
	return LoginSettings{
		Methods: slices.Clone(methods), Fields: map[string]FieldChange{}, Captcha: true,
		LoginCaptchaAfter: 1, MobileVerification: validation.ProofSMS,
		DialingCodes: []string{"84", "86", "1", "55", "92", "351"},
		Feedback:     limits.Feedback, SecurityAsk: []string{}, EmailLongest: limits.Email, Code: codeSetting{Digits: 6, Tries: 5, Minutes: 5},
	}
}

// formFields is the registration form until the operator changes it. The order leaves room between the fields.
func formFields() []validation.Field {
	both := slices.Clone(methods)
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

// fixedFields cannot be switched off or made optional: without them nobody could log in later, and others follow from
// settings of their own.
var fixedFields = []string{"password", "confirmPassword", "verificationCode", "captcha"}

// told are the fields that members may tell afterwards, whether the form asks for them or not.
var told = []string{"nickname", "payeeName", "qqNum", "facebook", "wechat", "line", "whatsapp", "zalo"}

// off tells what the operator has switched off from what was never touched.
func off(enabled *bool) bool { return enabled != nil && !*enabled }

// fields checks changes of the registration form.
func fields(v map[string]FieldChange) error {
	known := formFields()
	for name, change := range v {
		if !slices.ContainsFunc(known, func(f validation.Field) bool { return f.Name == name }) {
			return fmt.Errorf("%q is no field of the registration", name)
		}
		if slices.Contains(fixedFields, name) && (change.Enabled != nil || change.Required != nil) {
			return fmt.Errorf("%s cannot be switched or made optional here", name)
		}
		if name == "captcha" && change.Pattern != "" {
			return errors.New("captcha has no pattern: the picture's own check says what is wrong with it")
		}
		if name == "username" && off(change.Enabled) {
			return errors.New("username cannot be switched off: leave the method out instead")
		}
		if change.Order != nil && (*change.Order < 0 || *change.Order > 1000) {
			return fmt.Errorf("%s: the order is not between 0 and 1000", name)
		}
		if len(change.Pattern) > 200 {
			return fmt.Errorf("%s: the pattern is too long", name)
		}
		if err := validation.CheckPortable(change.Pattern); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func dialingCodes(v []string) error {
	if len(v) == 0 {
		return errors.New("empty")
	}
	for i, code := range v {
		if _, ok := validation.CountryOf(code); !ok || slices.Contains(v[:i], code) {
			return fmt.Errorf("%q is no dialling code with mobile numbers, or repeated", code)
		}
	}
	return nil
}

// someOrNone accepts any of the allowed, each once.
func someOrNone(allowed []string) func([]string) error {
	some := someOf(allowed)
	return func(v []string) error {
		if len(v) == 0 {
			return nil
		}
		return some(v)
	}
}

// Providers are the services of others that are set up, whatever the merchant has switched on.
type Providers struct {
	SMS, Email       bool   // messages can be sent
	Google, Facebook bool   // accounts there can be logged in by
	GeetestID        string // whose slider challenge is asked for; empty: our own
	GeetestScript    string // with which browsers show its challenge
	Firebase         Firebase
}

// Firebase is the project that proves phone numbers.
type Firebase struct {
	Project string // empty: none
	Key     string // with which browsers have codes sent; empty: they cannot
	URL     string // where
	Script  string // of the reCAPTCHA that it asks for
}

// codes tells browsers how to have Firebase send codes, if they can.
func (f Firebase) codes() *firebaseCodes {
	if f.Key == "" {
		return nil
	}
	return &firebaseCodes{f.Key, f.URL, f.Script}
}

// forms are those of one merchant, worked out once for each reading of the settings.
type forms struct {
	form      *validation.Form
	rules     *validation.Rules
	countries []validation.Country

	// What the app is given of both: it also asks for as many digits as codes have.
	servedForm  *validation.Form
	servedRules validation.Set
}

func (m *merchant) newForms(p Providers) (*forms, error) {
	login := m.settings.Login
	set := validation.Standard(validation.Limits{
		Username: m.settings.Username, Password: m.settings.Password,
		Feedback: login.Feedback, Email: login.EmailLongest,
	})
	f := &forms{}
	var err error
	if f.rules, err = validation.New(set); err != nil {
		return nil, err
	}
	for _, code := range login.DialingCodes {
		if c, ok := validation.CountryOf(code); ok {
			f.countries = append(f.countries, c)
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
		field.Profile = slices.Contains(told, field.Name) && !off(login.Fields[field.Name].Enabled)
		field = adapt(field, login.Fields[field.Name], form)
		if slices.Contains(validation.InvitationFields, field.Name) && !m.switches.Modules[spec.ModuleAffiliate] {
			field.Enabled = false
		}
		form.Fields = append(form.Fields, field)
	}
	f.servedRules = f.rules.Set()
	if p.Firebase.Project == "" { // its codes are typed into the same fields, and are as long as it likes
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

// offers tells whether one can register by a method: switched on, and what proves the number can be reached.
func (m *merchant) offers(method, proof string, p Providers) bool {
	if !m.switches.Modules[spec.ModuleRegister] {
		return false
	}
	if method != validation.ByMobile {
		return true
	}
	reachable := proof == validation.ProofNone || proof == validation.ProofSMS && p.SMS || proof == validation.ProofFirebase && p.Firebase.Project != ""
	return m.switches.Modules[spec.ModuleMobileRegister] && reachable
}

// adapt applies the operator's change of a field, and what follows from other settings.
func adapt(f validation.Field, by FieldChange, form validation.Form) validation.Field {
	switch f.Name {
	case "username":
		if form.MobileVerification == validation.ProofNone { // a number that nobody proves logs nobody in
			f.Methods, f.RequiredIn = methods, methods
		}
	case "verificationCode":
		f.Enabled = form.MobileVerification == validation.ProofSMS
	case "captcha":
		f.Enabled = form.Captcha
	}
	if by.Enabled != nil {
		f.Enabled = *by.Enabled
	}
	if f.Name == "mobileNum" && !f.Enabled { // where one registers by it, it stays
		f.Enabled, f.Methods = true, []string{validation.ByMobile}
	}
	if by.Required != nil && f.Name != "username" {
		f.RequiredIn = []string{}
		if *by.Required {
			f.RequiredIn = f.Methods
		}
		if f.Name == "mobileNum" && !*by.Required {
			f.RequiredIn = []string{validation.ByMobile}
		}
	}
	if by.Order != nil {
		f.Order = *by.Order
	}
	f.Pattern = by.Pattern
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
	Script    string `json:"script,omitempty" doc:"Of another provider: runs in the frame for scripts of others."`
}

// reset is how somebody who forgot the password can set a new one.
type reset struct {
	Channels []string `json:"channels" doc:"By what a code can be sent: sms, email; none where nothing can send one."`
	Captcha  bool     `json:"captcha" doc:"Whether asking for a code takes a captcha."`
}

type firebaseCodes struct {
	APIKey string `json:"apiKey"`
	APIURL string `json:"apiUrl"`
	Script string `json:"script" doc:"The reCAPTCHA that it asks for: runs in the frame for scripts of others."`
}

type registerSetting struct {
	Methods            []string             `json:"methods" doc:"By which one can register: username, mobile; none when it is closed."`
	AgeLimit           int                  `json:"ageLimit"`
	Agreement          bool                 `json:"agreement" doc:"Whether the agreement is accepted until the visitor says otherwise."`
	Captcha            bool                 `json:"captcha"`
	Slider             slider               `json:"slider"`
	LoginCaptcha       bool                 `json:"loginCaptcha" doc:"Whether every login takes a captcha, from the first on."`
	LoginEncrypted     bool                 `json:"loginEncrypted" doc:"Whether logins are to be sent encrypted, by whoever can."`
	MobileVerification string               `json:"mobileVerification" enum:"none,sms,firebase"`
	Firebase           *firebaseCodes       `json:"firebase" doc:"Where it sends codes to numbers; null unless numbers are proved by it."`
	DialingCodes       []validation.Country `json:"dialingCodes"`
	Code               *codeSetting         `json:"code,omitempty" doc:"What codes are like that are sent to numbers and addresses."`
	Reset              reset                `json:"reset"`
	Fields             []validation.Field   `json:"fields"`
	Rules              validation.Set       `json:"rules" doc:"The rules of every field of every form, by name."`
}

func (s *Service) registerSetting(m *merchant) (registerSetting, error) {
	f, err := m.forms()
	if err != nil {
		return registerSetting{}, err
	}
	slide := slider{Login: m.settings.Login.LoginSlider, Register: f.form.Slider, Provider: validation.SliderOwn}
	if s.o.Providers.GeetestID != "" {
		slide.Provider, slide.GeetestID, slide.Script = validation.SliderGeetest, s.o.Providers.GeetestID, s.o.Providers.GeetestScript
	}
	offered := f.form.Methods
	if offered == nil {
		offered = []string{}
	}
	var codes *firebaseCodes
	if f.form.MobileVerification == validation.ProofFirebase {
		codes = s.o.Providers.Firebase.codes()
	}
	return registerSetting{
		Methods: offered, AgeLimit: f.form.AgeLimit, Agreement: true, Captcha: f.form.Captcha, Slider: slide, LoginEncrypted: m.settings.Login.LoginEncrypted,
		LoginCaptcha:       m.captchaAfter() == 0,
		MobileVerification: f.form.MobileVerification, Firebase: codes, DialingCodes: f.countries, Code: &m.settings.Login.Code, Reset: s.reset(m), Fields: f.servedForm.Fields, Rules: f.servedRules,
	}, nil
}

func (s *Service) reset(m *merchant) reset {
	r := reset{Channels: []string{}, Captcha: m.switches.Modules[spec.ModuleCaptcha]}
	if s.o.Providers.SMS {
		r.Channels = append(r.Channels, "sms")
	}
	if s.o.Providers.Email {
		r.Channels = append(r.Channels, "email")
	}
	return r
}

// RegisterForm gives what registering asks for.
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

// Rules gives the rules of every field of every form.
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

// CodeRules says what codes are like that are sent to numbers and addresses.
func (s *Service) CodeRules(ctx context.Context, merchantID int64) (digits, tries int, lifetime time.Duration, err error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return 0, 0, 0, err
	}
	c := m.settings.Login.Code
	return c.Digits, c.Tries, time.Duration(c.Minutes) * time.Minute, nil
}

// AcceptsNumber tells whether a number is of a country that the merchant has members in. Text messages go to no others: some
// countries' networks pay whoever has them sent.
func (s *Service) AcceptsNumber(ctx context.Context, merchantID int64, e164 string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	dialing, _ := validation.SplitMobile(e164)
	return slices.Contains(m.settings.Login.DialingCodes, dialing), nil
}

// SecurityAsk tells whether a change (payment_password, mobile, email) asks for the answer to the security question.
func (s *Service) SecurityAsk(ctx context.Context, merchantID int64, change string) (bool, error) {
	m, err := s.byID(ctx, merchantID)
	if err != nil {
		return false, err
	}
	return slices.Contains(m.settings.Login.SecurityAsk, change), nil
}

// LoginChallenges says whether a login needs the slider challenge, and after how many failures the captcha: from the start
// where it is 0, never where it is less.
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
