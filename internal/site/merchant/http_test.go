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

func TestCalls(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := serve(t, store)
		for name, path := range map[string]string{
			"EN-10 CA-26 status":          "/wps/system/status",
			"CA-26 consolidated settings": "/wps/system/settings/consolidated",
			"CA-26 country":               "/wps/system/country",
			"CA-26 template settings":     "/wps/system/setting/template",
			"flags and modules":           "/wps/system/whitelabel",
		} {
			t.Run(name, func(t *testing.T) {
				merchanttest.Golden(t, goldenName(path), site.Call(t, "GET", path, nil))
			})
		}
		t.Run("the merchant can be named", func(t *testing.T) {
			reply := site.Call(t, "GET", "/wps/system/status", nil, "Merchant", merchanttest.Code)
			merchanttest.Golden(t, "status", reply)
		})
		t.Run("an unknown merchant is refused", func(t *testing.T) {
			merchanttest.Golden(t, "unknown_merchant", site.Call(t, "GET", "/wps/system/status", nil, "Merchant", "nobody"))
		})
	})
}

func goldenName(path string) string {
	for i := len(path) - 1; ; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
}

func TestChangesShowAtOnce(t *testing.T) {
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
			t.Errorf("status %+v, want %+v", got, want)
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
			t.Errorf("flags %+v", got)
		}
	})
}

// A way back is told of only where something can send the code, with the captcha that it takes.
func TestResetChannelsAreSetUp(t *testing.T) {
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
					t.Errorf("captcha %v: %+v", on, got)
				}
			}
		})
	}
}

// A way to log in is told of only where it is switched on and set up.
func TestSignInIsSwitchedOnAndSetUp(t *testing.T) {
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
		"nothing": {},
		"everything": {
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
				want := on && name == "everything"
				if got.Google != want || got.Facebook != want || got.SMS != want || (got.Firebase != nil) != want {
					t.Errorf("on %v: %+v", on, got)
				}
				if want && (got.Firebase.Project != "fair-1" || got.Firebase.Codes == nil || got.Firebase.Codes.APIKey != "key-1" ||
					got.Firebase.Codes.APIURL != "https://codes.example" || got.Firebase.Codes.Script != "https://person.example/api.js") {
					t.Errorf("%+v", got.Firebase)
				}
			}
		})
	}
}
