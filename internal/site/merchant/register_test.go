package merchant_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fairground/internal/fault"
	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/platform/validation"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

const registerPath = "/wps/system/setting/register"

type field struct {
	Name            string
	Enabled         bool
	Required        bool
	Order           int
	Methods         []string
	RequiredIn      []string
	AcceptedPattern string
	Profile         bool
	MinLength       int
	MaxLength       int
}

type registerValue struct {
	Methods            []string
	AgeLimit           int
	Captcha            bool
	Slider             struct{ Login, Register bool }
	LoginEncrypted     bool
	LoginCaptcha       bool
	MobileVerification string
	DialingCodes       []struct{ Code, Country string }
	Fields             []field
	Rules              validation.Set
}

func change(t *testing.T, site *merchanttest.Site, name merchant.Setting, value string) {
	t.Helper()
	if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); err != nil {
		t.Fatalf("%s %s: %v", name, value, err)
	}
}

func setModule(t *testing.T, site *merchanttest.Site, module spec.Module, on bool) {
	t.Helper()
	if err := site.Merchants.SetSwitch(t.Context(), site.ID, merchant.SwitchOf(module, on)); err != nil {
		t.Fatal(err)
	}
}

func (v registerValue) field(name string) field {
	i := slices.IndexFunc(v.Fields, func(f field) bool { return f.Name == name })
	return v.Fields[i]
}

// checkDefaults checks the whole response of a new merchant. Package validation tests the rules themselves.
func checkDefaults(t *testing.T, reply merchanttest.Reply) {
	t.Helper()
	body := merchanttest.Value[map[string]any](t, reply)
	for _, name := range []string{"fields", "rules", "dialingCodes"} {
		delete(body, name)
	}
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	merchanttest.Want(t, merchanttest.Reply{Status: reply.Status, Body: raw}, 200, `{"ageLimit":18,"agreement":true,"captcha":true,
		"code":{"digits":6,"minutes":5,"tries":5},"firebase":null,"loginCaptcha":false,"loginEncrypted":false,"methods":["username","mobile"],
		"mobileVerification":"sms","reset":{"captcha":true,"channels":["sms","email"]},
		"slider":{"login":false,"provider":"own","register":false}}`)

	got := merchanttest.Value[registerValue](t, reply)
	wantRules, err := json.Marshal(validation.WithCode(validation.Standard(validation.StandardLimits()), 6))
	if err != nil {
		t.Fatal(err)
	}
	if gotRules, err := json.Marshal(got.Rules); err != nil || string(gotRules) != string(wantRules) {
		t.Errorf("rules = %s, %v; want %s", gotRules, err, wantRules)
	}
	if want := "[{84 VN} {86 CN} {1 US} {55 BR} {92 PK} {351 PT}]"; fmt.Sprint(got.DialingCodes) != want {
		t.Errorf("dialling codes = %v, want %s", got.DialingCodes, want)
	}
	both, byName, byMobile, none := []string{"username", "mobile"}, []string{"username"}, []string{"mobile"}, []string{}
	want := []field{
		{Name: "username", Enabled: true, Required: true, Order: 10, Methods: byName, RequiredIn: byName, AcceptedPattern: `^[A-Za-z][A-Za-z0-9]*$`, MinLength: 6, MaxLength: 16},
		{Name: "mobileNum", Enabled: true, Order: 20, Methods: both, RequiredIn: byMobile, AcceptedPattern: `^[0-9]+$`, MaxLength: 20},
		{Name: "verificationCode", Enabled: true, Required: true, Order: 30, Methods: byMobile, RequiredIn: byMobile, AcceptedPattern: `^[0-9]+$`, MinLength: 6, MaxLength: 10},
		{Name: "password", Enabled: true, Required: true, Order: 40, Methods: both, RequiredIn: both, AcceptedPattern: `[A-Za-z]`, MinLength: 8, MaxLength: 64},
		{Name: "confirmPassword", Enabled: true, Required: true, Order: 50, Methods: both, RequiredIn: both},
		{Name: "paymentPassword", Order: 60, Methods: both, RequiredIn: none, AcceptedPattern: `^[0-9]{6}$`},
		{Name: "nickname", Order: 70, Methods: both, RequiredIn: none, AcceptedPattern: got.field("nickname").AcceptedPattern, Profile: true, MaxLength: 20},
		{Name: "payeeName", Order: 80, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z]+(?: [A-Za-z]+)*$`, Profile: true, MinLength: 2, MaxLength: 50},
		{Name: "email", Order: 90, Methods: both, RequiredIn: none, AcceptedPattern: `^[^@]{1,64}@`, MaxLength: 254},
		{Name: "idNumber", Order: 100, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z0-9]{5,20}$`},
		{Name: "qqNum", Order: 110, Methods: both, RequiredIn: none, AcceptedPattern: `^[1-9][0-9]{4,11}$`, Profile: true},
		{Name: "facebook", Order: 120, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z0-9.]{5,50}$`, Profile: true},
		{Name: "wechat", Order: 130, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z][A-Za-z0-9_\-]{5,19}$`, Profile: true},
		{Name: "line", Order: 140, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z0-9._\-]{4,20}$`, Profile: true},
		{Name: "whatsapp", Order: 150, Methods: both, RequiredIn: none, AcceptedPattern: `^[0-9]{6,20}$`, Profile: true},
		{Name: "zalo", Order: 160, Methods: both, RequiredIn: none, AcceptedPattern: `^[0-9]{6,20}$`, Profile: true},
		{Name: "recommenderId", Order: 170, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z0-9]+$`, MaxLength: 32},
		{Name: "affiliateCode", Enabled: true, Order: 180, Methods: both, RequiredIn: none, AcceptedPattern: `^[A-Za-z0-9]+$`, MaxLength: 32},
		{Name: "captcha", Enabled: true, Required: true, Order: 200, Methods: both, RequiredIn: both, AcceptedPattern: `^[0-9]+$`, MaxLength: 6},
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

func TestCA25RegisterSettings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		reply := site.Call(t, "GET", registerPath, nil)
		merchanttest.SharedFixture(t, "register", reply)
		checkDefaults(t, reply)
		read := func() registerValue {
			return merchanttest.Value[registerValue](t, site.Call(t, "GET", registerPath, nil))
		}
		t.Run("RG-02 the server's part: every field has settings for enabled, required, order and pattern", func(t *testing.T) {
			for _, f := range read().Fields {
				if slices.Contains([]string{"password", "confirmPassword", "verificationCode", "captcha", "username"}, f.Name) {
					continue
				}
				change(t, site, "register.fields", `{"`+f.Name+`":{"enabled":true,"required":true,"order":5,"pattern":"^x"}}`)
				got := read().field(f.Name)
				if !got.Enabled || !got.Required || got.Order != 5 || got.AcceptedPattern != "^x" || read().Fields[0].Name != f.Name {
					t.Errorf("enabled field = %+v, want it required, first and with the pattern", got)
				}
				change(t, site, "register.fields", `{"`+f.Name+`":{"enabled":false}}`)
				if got := read().field(f.Name); got.Enabled && f.Name != "mobileNum" {
					t.Errorf("disabled field = %+v", got)
				}
			}
			if got := read(); !slices.Equal(got.field("mobileNum").Methods, []string{"username", "mobile"}) {
				t.Errorf("mobileNum = %+v after the change of another field, want both methods", got.field("mobileNum"))
			}
			change(t, site, "register.fields", `{"mobileNum":{"enabled":false}}`)
			if got := read().field("mobileNum"); !got.Required || !slices.Equal(got.Methods, []string{"mobile"}) {
				t.Errorf("disabled mobileNum = %+v, want it required for method mobile", got)
			}
			change(t, site, "register.fields", `{}`)
		})
		t.Run("RG-01 the server's part: methods depend on settings, modules and providers", func(t *testing.T) {
			change(t, site, "register.methods", `["mobile"]`)
			if got := read().Methods; !slices.Equal(got, []string{"mobile"}) {
				t.Errorf("methods = %v, want mobile", got)
			}
			setModule(t, site, spec.ModuleMobileRegister, false)
			if got := read().Methods; len(got) != 0 {
				t.Errorf("methods = %v, want none", got)
			}
			setModule(t, site, spec.ModuleMobileRegister, true)
			change(t, site, "register.methods", `["username","mobile"]`)
			setModule(t, site, spec.ModuleRegister, false)
			if got := read().Methods; len(got) != 0 {
				t.Errorf("methods = %v, want none", got)
			}
			setModule(t, site, spec.ModuleRegister, true)
			change(t, site, "register.mobile_verification", `"firebase"`)
			if got := read(); !slices.Equal(got.Methods, []string{"username"}) || got.field("verificationCode").Enabled {
				t.Errorf("without Firebase provider: %v, want only method username", got)
			}
			setModule(t, site, spec.ModuleRegisterMobile, false)
			if got := read(); len(got.Methods) != 2 || got.MobileVerification != "none" {
				t.Errorf("without verification module: %v, want both methods", got)
			}
		})
		t.Run("loginCaptcha says whether every login needs the captcha", func(t *testing.T) {
			if read().LoginCaptcha {
				t.Error("loginCaptcha is true though the first login needs no captcha")
			}
			change(t, site, "login.captcha_after", `0`)
			if !read().LoginCaptcha {
				t.Error("loginCaptcha is false though every login needs the captcha")
			}
			change(t, site, "login.captcha_after", `1`)
		})
		t.Run("patterns that browsers do not support are refused", func(t *testing.T) {
			for _, bad := range []string{`{"zalo":{"pattern":"(?i)a"}}`, `{"zalo":{"pattern":"\\@"}}`, `{"captcha":{"pattern":"^1"}}`} {
				if err := site.Merchants.Set(t.Context(), site.ID, "register.fields", json.RawMessage(bad)); !errors.Is(err, merchant.ErrBadSetting) {
					t.Errorf("register.fields %s: %v, want ErrBadSetting", bad, err)
				}
			}
		})
		t.Run("VA-04 the code's part: the app requires the exact length of codes", func(t *testing.T) {
			for _, digits := range []int{8, 7, 6} {
				change(t, site, "code.digits", strconv.Itoa(digits))
				rule := slices.IndexFunc(read().Rules["verificationCode"], func(r validation.Rule) bool { return r.Min == digits })
				if f := read().field("verificationCode"); rule < 0 || f.MinLength != digits || f.MaxLength != 10 {
					t.Errorf("verificationCode with %d digits = %+v, want that minimum and a maximum of 10", digits, f)
				}
				rules, err := site.Merchants.Rules(t.Context(), site.ID)
				if err != nil || rules.Refuse("verificationCode", "123456", nil) != nil {
					t.Errorf("the server rejects codes sent before the change: %v", err)
				}
			}
		})
		t.Run("settings for captcha, slider, age, lengths and countries take effect", func(t *testing.T) {
			change(t, site, "register.slider", `true`)
			change(t, site, "login.slider", `true`)
			change(t, site, "login.encrypted", `true`)
			change(t, site, "system.age_limit", `21`)
			change(t, site, "member.username", `{"min":4,"max":12}`)
			change(t, site, "register.dialing_codes", `["55","84"]`)
			got := read()
			if !got.Slider.Login || !got.Slider.Register || !got.LoginEncrypted || got.AgeLimit != 21 || !got.Captcha || got.DialingCodes[0].Country != "BR" {
				t.Errorf("settings = %+v, want the slider, encrypted logins, the captcha, age 21 and BR first", got)
			}
			if f := got.field("username"); f.MinLength != 4 || f.MaxLength != 12 {
				t.Errorf("username = %+v, want 4 to 12 characters", f)
			}
			setModule(t, site, spec.ModuleCaptcha, false)
			if got := read(); got.Captcha || got.field("captcha").Enabled {
				t.Error("captcha is required though its module is off")
			}
		})
	})
}

// LG-05 the server's part: by default, a login needs the captcha after one failure. While the captcha module is off, no login needs it.
func TestLG05LoginChallenges(t *testing.T) {
	t.Parallel()
	site := serve(t, dbtest.SQLite(t))
	wantChallenges := func(slider bool, after int) {
		t.Helper()
		gotSlider, gotAfter, err := site.Merchants.LoginChallenges(t.Context(), site.ID)
		if gotSlider != slider || gotAfter != after || err != nil {
			t.Errorf("LoginChallenges = %v, %d, %v; want %v, %d", gotSlider, gotAfter, err, slider, after)
		}
	}
	wantChallenges(false, 1)
	change(t, site, "login.captcha_after", `0`)
	change(t, site, "login.slider", `true`)
	wantChallenges(true, 0)
	setModule(t, site, spec.ModuleCaptcha, false)
	wantChallenges(true, -1)
}

func TestInvalidRegisterSettings(t *testing.T) {
	t.Parallel()
	site := serve(t, dbtest.SQLite(t))
	for name, values := range map[merchant.Setting][]string{
		"register.methods":             {`[]`, `["sms"]`, `["mobile","mobile"]`, `"mobile"`},
		"register.mobile_verification": {`"voice"`, `true`},
		"register.dialing_codes":       {`[]`, `["999"]`, `["84","84"]`, `["+84"]`},
		"login.captcha_after":          {`-1`, `11`, `"1"`},
		"security.ask":                 {`["nickname"]`, `["email","email"]`},
		"feedback.length":              {`{"min":10,"max":141}`},
		"member.email_longest":         {`63`, `255`, `"254"`},
		"code.digits":                  {`5`, `9`, `"6"`, `6.5`},
		"code.tries":                   {`0`, `11`, `null`},
		"code.minutes":                 {`0`, `31`, `"5m"`},
		"register.fields": {
			`{"password":{"enabled":false}}`, `{"captcha":{"required":false}}`, `{"username":{"enabled":false}}`, `{"type":{"enabled":true}}`,
			`{"email":{"order":-1}}`, `{"email":{"pattern":"("}}`, `{"email":{"pattern":"(?=x)"}}`, `{"email":{"shown":true}}`, `[]`,
		},
	} {
		for _, value := range values {
			err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value))
			if !errors.Is(err, merchant.ErrBadSetting) || fault.KindOf(err) != fault.Invalid {
				t.Errorf("%s = %s: %v, want ErrBadSetting", name, value, err)
			}
		}
	}
	change(t, site, "security.ask", `["email"]`)
	change(t, site, "security.ask", `[]`)
}

func TestRG09FirebaseRegisterSettings(t *testing.T) {
	t.Parallel()
	type setting struct {
		Methods  []string
		Firebase *struct{ APIKey, APIURL, Script string }
	}
	for name, tt := range map[string]struct {
		proof string
		key   string
		want  bool
	}{
		"Firebase": {"firebase", "key-1", true}, "Firebase without a key": {"firebase", "", false}, "text messages": {"sms", "key-1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := merchanttest.New(t, dbtest.SQLite(t))
			m, err := merchant.New(merchant.Options{
				Store: s.Store, Bus: s.Bus, IDs: s.IDs, Now: s.Clock.Now, Default: merchanttest.Code,
				Providers: merchant.Providers{
					SMS:      true,
					Firebase: merchant.Firebase{Project: "fair-1", Key: tt.key, URL: "https://codes.example", Script: "https://person.example/api.js"},
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			s.Merchants = m
			s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) { merchant.Routes(a, m) })
			change(t, s, "register.mobile_verification", `"`+tt.proof+`"`)
			got := merchanttest.Value[setting](t, s.Call(t, "GET", registerPath, nil))
			if (got.Firebase != nil) != tt.want || len(got.Methods) != 2 {
				t.Fatalf("settings = %+v, want Firebase %v and two methods", got, tt.want)
			}
			if tt.want && (got.Firebase.APIKey != "key-1" || got.Firebase.APIURL != "https://codes.example" || got.Firebase.Script != "https://person.example/api.js") {
				t.Errorf("firebase = %+v", got.Firebase)
			}
		})
	}
}
