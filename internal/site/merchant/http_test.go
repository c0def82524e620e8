package merchant_test

import (
	"encoding/json"
	"slices"
	"testing"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/spec"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func serve(t *testing.T, store *db.Store) *merchanttest.Site {
	site := merchanttest.New(t, store)
	site.Serve(t, nil, func(a *rest.API) { merchant.Routes(a, site.Merchants) })
	return site
}

func TestSystemEndpoints(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		const status = `{"success":true,"value":{"ip":"192.0.2.1","systemStatus":0,"statusReading":"a","maintenance":null,"country":"VN",
			"gamePageAvtiveCategory":"HOT","homeGameCategory":"HOT"}}`
		for _, c := range []struct{ name, path, want string }{
			{"EN-10 CA-26 status", "/wps/system/status", status},
			{"CA-26 consolidated settings", "/wps/system/settings/consolidated", `{"success":true,"value":{
				"ageLimit":18,"appWindow":false,"cdn":["/m/"],"countryDialingCode":"84",
				"currency":{"code":"VND","decimals":0,"pattern":"#,##0","position":"B","symbol":"₫"},"defaultLanguage":"VI","demo":true,
				"downloadLinks":[],"downloadPopup":false,"gamePageAvtiveCategory":"HOT","homeGameCategory":"HOT",
				"languages":["VI","EN","UR","PT"],"licences":[],"merchantCode":"fairground","merchantName":"Fairground",
				"pickerLanguages":["VI","EN"],"signIn":{"facebook":false,"firebase":null,"google":false,"sms":false},"statusReading":"a"
			}}`},
			{"CA-26 country", "/wps/system/country", `{"success":true,"value":{"country":"VN","countryDialingCode":"84"}}`},
			{"CA-26 template settings", "/wps/system/setting/template", `{"success":true,"value":{"template":"m1","theme":"dark","themes":["dark","light"]}}`},
			{"flags and modules", "/wps/system/whitelabel", `{"success":true,"value":{
				"flags":{"CBS3":false,"FACEBOOKLOGIN3":false,"GOOGLELOGIN3":false,"MANPLAYREB3":false,"MOBILEVERCODELOGIN3":false},
				"modules":{
					"AFFMAN3":true,"AGEANNOUNCE3":true,"AGEDOWNMAN3":true,"AGEINFO3":true,"CAPTCHA3":true,"CBS3":true,
					"CHNGPASSVERIF3":true,"COMM3":true,"FREEPLAY3":true,"FUNDTRANS3":true,"INBOX3":true,"MEMTRANS3":true,
					"MOBILENUMREG3":true,"PERSPNL3":true,"PROFPIC3":true,"REG3":true,"REGISTER_REE3":true,"REGMOBVERF3":true,
					"VALID_CAPTCHA3":true
				},
				"promotions":{"REFERRAL":false}
			}}`},
		} {
			t.Run(c.name, func(t *testing.T) { merchanttest.Want(t, site.Call(t, "GET", c.path, nil), 200, c.want) })
		}
		t.Run("merchant named in the header", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/system/status", nil, "Merchant", merchanttest.Code), 200, status)
		})
		t.Run("unknown merchant", func(t *testing.T) {
			merchanttest.Want(t, site.Call(t, "GET", "/wps/system/status", nil, "Merchant", "nobody"), 403, `{"errorCode":"merchant.unknown","message":"not allowed","success":false}`)
		})
	})
}

func TestChangesAreVisibleImmediately(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		type status struct {
			SystemStatus           int
			StatusReading          string
			HomeGameCategory       string
			GamePageAvtiveCategory string
		}
		type flags struct{ Flags, Modules, Promotions map[string]bool }
		for name, value := range map[merchant.Setting]string{
			"system.status": `2`, "system.status_reading": `"b"`, "site.home_category": `"LIVE"`, "site.game_category": `"RNG"`,
		} {
			if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); err != nil {
				t.Fatal(err)
			}
		}
		want := status{SystemStatus: 2, StatusReading: "b", HomeGameCategory: "LIVE", GamePageAvtiveCategory: "RNG"}
		if got := merchanttest.Value[status](t, site.Call(t, "GET", "/wps/system/status", nil)); got != want {
			t.Errorf("status = %+v, want %+v", got, want)
		}
		for _, change := range []merchant.Switch{
			merchant.SwitchOf(spec.FlagChat, true),
			merchant.SwitchOf(spec.ModuleInbox, false),
			merchant.SwitchOf(spec.PromotionReferral, true),
		} {
			if err := site.Merchants.SetSwitch(t.Context(), site.ID, change); err != nil {
				t.Fatal(err)
			}
		}
		got := merchanttest.Value[flags](t, site.Call(t, "GET", "/wps/system/whitelabel", nil))
		if !got.Flags["CBS3"] || !got.Modules["CBS3"] || got.Modules["INBOX3"] || !got.Promotions["REFERRAL"] {
			t.Errorf("switches = %+v, want flag CBS3 on, module INBOX3 off, promotion REFERRAL on", got)
		}
	})
}

func TestResetChannelsDependOnProviders(t *testing.T) {
	t.Parallel()
	type settings struct {
		Reset struct {
			Channels []string
			Captcha  bool
		}
	}
	for name, c := range map[string]struct {
		providers merchant.Providers
		want      []string
	}{
		"nothing": {merchant.Providers{}, []string{}},
		"sms":     {merchant.Providers{SMS: true}, []string{"sms"}},
		"email":   {merchant.Providers{Email: true}, []string{"email"}},
		"both":    {merchant.Providers{SMS: true, Email: true}, []string{"sms", "email"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := merchanttest.New(t, dbtest.SQLite(t))
			m, err := merchant.New(merchant.Options{
				Store: s.Store, Bus: s.Bus, IDs: s.IDs, Now: s.Clock.Now, Default: merchanttest.Code, Providers: c.providers,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			s.Merchants = m
			s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) { merchant.Routes(a, m) })
			for _, on := range []bool{false, true} {
				if err := m.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(spec.ModuleCaptcha, on)); err != nil {
					t.Fatal(err)
				}
				got := merchanttest.Value[settings](t, s.Call(t, "GET", "/wps/system/setting/register", nil)).Reset
				if !slices.Equal(got.Channels, c.want) || got.Captcha != on {
					t.Errorf("captcha %v: reset = %+v, want channels %v", on, got, c.want)
				}
			}
		})
	}
}

func TestSignInNeedsFlagAndProvider(t *testing.T) {
	t.Parallel()
	type settings struct {
		SignIn struct {
			Google, Facebook, SMS bool
			Firebase              *struct {
				Project string
				Codes   *struct{ APIKey, APIURL, Script string }
			}
		}
	}
	for name, providers := range map[string]merchant.Providers{
		"nothing configured": {},
		"all configured": {
			Google: true, Facebook: true, SMS: true,
			Firebase: merchant.Firebase{Project: "fair-1", Key: "key-1", URL: "https://codes.example", Script: "https://person.example/api.js"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := merchanttest.New(t, dbtest.SQLite(t))
			m, err := merchant.New(merchant.Options{
				Store: s.Store, Bus: s.Bus, IDs: s.IDs, Now: s.Clock.Now, Default: merchanttest.Code, Providers: providers,
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			s.Merchants = m
			s.Serve(t, merchanttest.Tokens{}, func(a *rest.API) { merchant.Routes(a, m) })
			for _, on := range []bool{false, true} {
				for _, code := range []spec.Flag{spec.FlagGoogleLogin, spec.FlagFacebookLogin, spec.FlagSMSLogin} {
					if err := m.SetSwitch(t.Context(), s.ID, merchant.SwitchOf(code, on)); err != nil {
						t.Fatal(err)
					}
				}
				got := merchanttest.Value[settings](t, s.Call(t, "GET", "/wps/system/settings/consolidated", nil)).SignIn
				want := on && name == "all configured"
				if got.Google != want || got.Facebook != want || got.SMS != want || (got.Firebase != nil) != want {
					t.Errorf("enabled %v: signIn = %+v, want all %v", on, got, want)
				}
				if want && (got.Firebase.Project != "fair-1" || got.Firebase.Codes == nil || got.Firebase.Codes.APIKey != "key-1" ||
					got.Firebase.Codes.APIURL != "https://codes.example" || got.Firebase.Codes.Script != "https://person.example/api.js") {
					t.Errorf("firebase = %+v", got.Firebase)
				}
			}
		})
	}
}
