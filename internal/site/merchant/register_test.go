package merchant_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"testing"

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

func flip(t *testing.T, site *merchanttest.Site, module spec.Module, on bool) {
	t.Helper()
	if err := site.Merchants.SetSwitch(t.Context(), site.ID, merchant.SwitchOf(module, on)); err != nil {
		t.Fatal(err)
	}
}

func (v registerValue) field(name string) field {
	i := slices.IndexFunc(v.Fields, func(f field) bool { return f.Name == name })
	return v.Fields[i]
}

func TestCA25RegisterSettings(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		merchanttest.Golden(t, "register", site.Call(t, "GET", registerPath, nil))
		read := func() registerValue {
			return merchanttest.Value[registerValue](t, site.Call(t, "GET", registerPath, nil))
		}
		t.Run("RG-02 the server's part: every field can be switched, required, ordered and patterned", func(t *testing.T) {
			for _, f := range read().Fields {
				if slices.Contains([]string{"password", "confirmPassword", "verificationCode", "captcha", "username"}, f.Name) {
					continue
				}
				change(t, site, "register.fields", `{"`+f.Name+`":{"enabled":true,"required":true,"order":5,"pattern":"^x"}}`)
				got := read().field(f.Name)
				if !got.Enabled || !got.Required || got.Order != 5 || got.AcceptedPattern != "^x" || read().Fields[0].Name != f.Name {
					t.Errorf("%+v", got)
				}
				change(t, site, "register.fields", `{"`+f.Name+`":{"enabled":false}}`)
				if got := read().field(f.Name); got.Enabled && f.Name != "mobileNum" {
					t.Errorf("%+v", got)
				}
			}
			if got := read(); !slices.Equal(got.field("mobileNum").Methods, []string{"username", "mobile"}) {
				t.Errorf("%+v", got.field("mobileNum")) // the last change was about another field
			}
			change(t, site, "register.fields", `{"mobileNum":{"enabled":false}}`)
			if got := read().field("mobileNum"); !got.Required || !slices.Equal(got.Methods, []string{"mobile"}) {
				t.Errorf("%+v", got)
			}
			change(t, site, "register.fields", `{}`)
		})
		t.Run("RG-01 the server's part: the methods follow settings, modules and what can be sent", func(t *testing.T) {
			change(t, site, "register.methods", `["mobile"]`)
			if got := read().Methods; !slices.Equal(got, []string{"mobile"}) {
				t.Errorf("%v", got)
			}
			flip(t, site, spec.ModuleMobileRegister, false)
			if got := read().Methods; len(got) != 0 {
				t.Errorf("%v", got)
			}
			flip(t, site, spec.ModuleMobileRegister, true)
			change(t, site, "register.methods", `["username","mobile"]`)
			flip(t, site, spec.ModuleRegister, false)
			if got := read().Methods; len(got) != 0 {
				t.Errorf("%v", got)
			}
			flip(t, site, spec.ModuleRegister, true)
			change(t, site, "register.mobile_verification", `"firebase"`)
			if got := read(); !slices.Equal(got.Methods, []string{"username"}) || got.field("verificationCode").Enabled {
				t.Errorf("nobody checks its tokens: %v", got)
			}
			flip(t, site, spec.ModuleRegisterMobile, false)
			if got := read(); len(got.Methods) != 2 || got.MobileVerification != "none" {
				t.Errorf("%v", got)
			}
		})
		t.Run("whether every login takes the captcha", func(t *testing.T) {
			if read().LoginCaptcha {
				t.Error("told where it takes a failure first")
			}
			change(t, site, "login.captcha_after", `0`)
			if !read().LoginCaptcha {
				t.Error("not told")
			}
			change(t, site, "login.captcha_after", `1`)
		})
		t.Run("patterns that browsers cannot read", func(t *testing.T) {
			for _, bad := range []string{`{"zalo":{"pattern":"(?i)a"}}`, `{"zalo":{"pattern":"\\@"}}`, `{"captcha":{"pattern":"^1"}}`} {
				if err := site.Merchants.Set(t.Context(), site.ID, "register.fields", json.RawMessage(bad)); !errors.Is(err, merchant.ErrBadSetting) {
					t.Errorf("%s: %v", bad, err)
				}
			}
		})
		t.Run("VA-04 the code's part: the app asks for as many digits as codes have", func(t *testing.T) {
			for _, digits := range []int{8, 7, 6} {
				change(t, site, "code.digits", strconv.Itoa(digits))
				rule := slices.IndexFunc(read().Rules["verificationCode"], func(r validation.Rule) bool { return r.Min == digits })
				if f := read().field("verificationCode"); rule < 0 || f.MinLength != digits || f.MaxLength != 10 {
					t.Errorf("of %d: %+v", digits, f)
				}
				rules, err := site.Merchants.Rules(t.Context(), site.ID)
				if err != nil || rules.Refuse("verificationCode", "123456", nil) != nil {
					t.Errorf("the server judges a code that may be from before: %v", err)
				}
			}
		})
		t.Run("captcha, slider, age, lengths, countries", func(t *testing.T) {
			change(t, site, "register.slider", `true`)
			change(t, site, "login.slider", `true`)
			change(t, site, "login.encrypted", `true`)
			change(t, site, "system.age_limit", `21`)
			change(t, site, "member.username", `{"min":4,"max":12}`)
			change(t, site, "register.dialing_codes", `["55","84"]`)
			got := read()
			if !got.Slider.Login || !got.Slider.Register || !got.LoginEncrypted || got.AgeLimit != 21 || !got.Captcha || got.DialingCodes[0].Country != "BR" {
				t.Errorf("%+v", got)
			}
			if f := got.field("username"); f.MinLength != 4 || f.MaxLength != 12 {
				t.Errorf("%+v", f)
			}
			flip(t, site, spec.ModuleCaptcha, false)
			if got := read(); got.Captcha || got.field("captcha").Enabled {
				t.Error("where there is no picture none can be asked for")
			}
		})
	})
}

// LG-05 the server's part: until a merchant says otherwise, one failure is enough to be asked for the captcha; where
// there is no captcha, none is.
func TestLG05LoginChallenges(t *testing.T) {
	t.Parallel()
	site := serve(t, dbtest.SQLite(t))
	needs := func(slider bool, after int) {
		t.Helper()
		gotSlider, gotAfter, err := site.Merchants.LoginChallenges(t.Context(), site.ID)
		if gotSlider != slider || gotAfter != after || err != nil {
			t.Errorf("slider %v, captcha after %d, %v; want %v, %d", gotSlider, gotAfter, err, slider, after)
		}
	}
	needs(false, 1)
	change(t, site, "login.captcha_after", `0`)
	change(t, site, "login.slider", `true`)
	needs(true, 0)
	flip(t, site, spec.ModuleCaptcha, false)
	needs(true, -1)
}

func TestRegisterSettingsThatAreRefused(t *testing.T) {
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
				t.Errorf("%s %s: %v", name, value, err)
			}
		}
	}
	change(t, site, "security.ask", `["email"]`)
	change(t, site, "security.ask", `[]`)
}

// Pages are told where Firebase sends codes only where numbers are proved by it and they may ask.
func TestRG09RegisterSettingsTellWhereFirebaseSendsCodes(t *testing.T) {
	t.Parallel()
	type setting struct {
		Methods  []string
		Firebase *struct{ APIKey, APIURL, Script string }
	}
	for name, tt := range map[string]struct {
		proof string
		key   string
		told  bool
	}{
		"by its codes": {"firebase", "key-1", true}, "without a key": {"firebase", "", false}, "by text messages": {"sms", "key-1", false},
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
			if (got.Firebase != nil) != tt.told || len(got.Methods) != 2 {
				t.Fatalf("%+v", got)
			}
			if tt.told && (got.Firebase.APIKey != "key-1" || got.Firebase.APIURL != "https://codes.example" || got.Firebase.Script != "https://person.example/api.js") {
				t.Errorf("%+v", got.Firebase)
			}
		})
	}
}
