package merchant_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"fairground/internal/platform/db"
	"fairground/internal/platform/db/dbtest"
	"fairground/internal/platform/region"
	"fairground/internal/platform/rest"
	"fairground/internal/site/merchant"
	"fairground/internal/site/merchant/merchanttest"
)

// atlas knows some addresses' countries.
type atlas map[string]string

func (a atlas) Country(address netip.Addr) (string, error) {
	country := a[address.String()]
	if country == "broken" {
		return "", errors.New("the file is damaged here")
	}
	return country, nil
}

// guarded is a site that knows countries, with a call that is like any other.
func guarded(t *testing.T, store *db.Store, countries region.Countries) *merchanttest.Site {
	t.Helper()
	site := merchanttest.New(t, store)
	m, err := merchant.New(merchant.Options{
		Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Default: merchanttest.Code, Countries: countries,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	site.Merchants = m
	site.Serve(t, nil, func(a *rest.API) { merchant.Routes(a, m) })
	return site
}

func set(t *testing.T, site *merchanttest.Site, name merchant.Setting, value string) {
	t.Helper()
	if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); err != nil {
		t.Fatal(err)
	}
}

type state struct {
	IP            string
	SystemStatus  int
	StatusReading string
	Maintenance   *struct {
		Until *int64
		Note  string
	}
}

// status asks from an address; "" is one that the proxy tells wrongly.
func statusFrom(t *testing.T, site *merchanttest.Site, address string) state {
	t.Helper()
	return merchanttest.Value[state](t, site.Call(t, "GET", "/wps/system/status", nil, "X-Forwarded-For", forwarded(address)))
}

func forwarded(address string) string {
	if address == "" {
		return "nobody"
	}
	return address
}

// visitor is an address that nothing is set about.
var visitor = netip.MustParseAddr("192.0.2.98")

// anyCall is one that a closed site refuses.
const anyCall = "/wps/system/setting/register"

const (
	blockedOne = "198.51.100.7"
	vietnam    = "203.0.113.5"
	brazil     = "2001:db8::5"
	damaged    = "203.0.113.9"
	elsewhere  = "192.0.2.99"
	office     = "198.51.100.200"
)

func TestSiteIsOpenByAddress(t *testing.T) { //nolint:tparallel // one site for all of them
	t.Parallel()
	site := guarded(t, dbtest.SQLite(t), atlas{vietnam: "VN", brazil: "BR", damaged: "broken"})
	everybody := []string{blockedOne, vietnam, brazil, damaged, elsewhere, office, ""}
	set(t, site, "system.allowed_networks", `["198.51.100.200/32"]`)
	type closing struct{ status, maintenance, networks, countries string }
	for title, c := range map[string]struct {
		closing
		restricted []string // addresses that are kept out
		all        merchant.Condition
	}{
		"RT-29 the server's part: open":       {closing{"0", `{"on":false}`, `[]`, `[]`}, nil, ""},
		"networks":                            {closing{"0", `{"on":false}`, `["198.51.100.0/24"]`, `[]`}, []string{blockedOne, ""}, ""},
		"countries":                           {closing{"0", `{"on":false}`, `[]`, `["BR","PK"]`}, []string{brazil, damaged, ""}, ""},
		"both":                                {closing{"0", `{"on":false}`, `["2001:db8::/32"]`, `["VN"]`}, []string{brazil, vietnam, damaged, ""}, ""},
		"maintenance":                         {closing{"0", `{"on":true}`, `[]`, `[]`}, nil, merchant.ConditionMaintenance},
		"maintenance with a restriction":      {closing{"0", `{"on":true}`, `["198.51.100.0/24"]`, `["VN"]`}, nil, merchant.ConditionMaintenance},
		"a status that says so for everybody": {closing{"1", `{"on":false}`, `[]`, `[]`}, nil, merchant.ConditionRestricted},
		"that status, and maintenance besides it": {closing{"1", `{"on":true}`, `[]`, `[]`}, nil, merchant.ConditionMaintenance},
	} {
		for _, reading := range []string{"a", "b"} {
			t.Run(title+", reading "+reading, func(t *testing.T) {
				status := c.status
				if status == "1" && reading == "b" {
					status = "2" // the same thing
				}
				for name, value := range map[merchant.Setting]string{
					"system.status_reading": `"` + reading + `"`, "system.status": status, "system.maintenance": c.maintenance,
					"system.blocked_networks": c.networks, "system.blocked_countries": c.countries,
				} {
					set(t, site, name, value)
				}
				for _, address := range everybody {
					want := c.all
					switch {
					case address == office:
						want = merchant.ConditionNormal // always let in
					case want == "" && contains(c.restricted, address):
						want = merchant.ConditionRestricted
					case want == "":
						want = merchant.ConditionNormal
					}
					got := statusFrom(t, site, address)
					condition, err := merchant.ReadStatus(merchant.Reading(reading), got.SystemStatus)
					if err != nil || condition != want || got.StatusReading != reading || got.IP != address {
						t.Errorf("%q: %+v is %s, want %s (%v)", address, got, condition, want, err)
					}
					if maintenance := got.Maintenance != nil; maintenance != (want == merchant.ConditionMaintenance) {
						t.Errorf("%q: maintenance %+v", address, got.Maintenance)
					}
					reply := site.Call(t, "GET", anyCall, nil, "X-Forwarded-For", forwarded(address))
					wanted := map[merchant.Condition]int{merchant.ConditionNormal: 200, merchant.ConditionRestricted: 403, merchant.ConditionMaintenance: 503}[want]
					if reply.Status != wanted {
						t.Errorf("%q: another call %d, want %d", address, reply.Status, wanted)
					}
				}
			})
		}
	}
}

func contains(list []string, one string) bool {
	for _, x := range list {
		if x == one {
			return true
		}
	}
	return false
}

func TestMaintenanceWithRestrictionIsOneInReadingB(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := guarded(t, store, nil)
		for name, value := range map[merchant.Setting]string{
			"system.status_reading": `"b"`, "system.blocked_networks": `["198.51.100.0/24"]`, "system.maintenance": `{"on":true}`,
		} {
			set(t, site, name, value)
		}
		t.Run("RT-29 the server's part: ruling 2", func(t *testing.T) {
			if got := statusFrom(t, site, blockedOne); got.SystemStatus != 1 {
				t.Errorf("%+v", got)
			}
			set(t, site, "system.maintenance", `{"on":false}`)
			if got := statusFrom(t, site, blockedOne); got.SystemStatus != 2 {
				t.Errorf("without maintenance %+v", got)
			}
		})
	})
}

func TestClosedSiteSaysWhy(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := guarded(t, store, nil)
		set(t, site, "system.maintenance", fmt.Sprintf(`{"on":true,"until":%q,"note":{"EN":"Back at ten.","VI":"Mười giờ trở lại."}}`,
			merchanttest.Start.Add(90*time.Minute+100*time.Millisecond).Format(time.RFC3339Nano)))
		refused := site.Call(t, "GET", anyCall, nil)
		merchanttest.Golden(t, "closed_maintenance", refused)
		if got := refused.Header.Get("Retry-After"); got != "5401" {
			t.Errorf("Retry-After %q", got)
		}
		for name, language := range map[string]string{"status_maintenance": "EN", "status_maintenance_ur": "UR"} {
			merchanttest.Golden(t, name, site.Call(t, "GET", "/wps/system/status", nil, "Language", language))
		}
		merchanttest.Golden(t, "closed_maintenance", site.Call(t, "GET", "/wps/no/such/call", nil))
		site.Clock.Add(2 * time.Hour)
		refused = site.Call(t, "GET", anyCall, nil)
		merchanttest.Golden(t, "closed_overdue", refused)
		if got := refused.Header.Get("Retry-After"); got != "" {
			t.Errorf("when it was to be over: Retry-After %q", got)
		}
		merchanttest.Golden(t, "status_overdue", site.Call(t, "GET", "/wps/system/status", nil))
		set(t, site, "system.maintenance", `{"on":false}`)
		set(t, site, "system.blocked_networks", `["192.0.2.0/24"]`)
		merchanttest.Golden(t, "closed_restricted", site.Call(t, "GET", anyCall, nil))
		t.Run("RT-29 the server's part: what the page is made of is still told", func(t *testing.T) {
			for _, path := range []string{
				"/wps/system/status", "/wps/system/settings/consolidated", "/wps/system/whitelabel", "/wps/system/country", "/wps/system/setting/template",
			} {
				if reply := site.Call(t, "GET", path, nil); reply.Status != http.StatusOK {
					t.Errorf("%s: %d", path, reply.Status)
				}
			}
		})
	})
}

// Without a file that knows countries nobody is kept out by them, and the log says so.
func TestCountriesWithoutAFile(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	var log bytes.Buffer
	m, err := merchant.New(merchant.Options{
		Store: site.Store, Bus: site.Bus, IDs: site.IDs, Now: site.Clock.Now, Default: merchanttest.Code, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := m.Set(t.Context(), site.ID, "system.blocked_countries", json.RawMessage(`["VN"]`)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := m.Open(t.Context(), site.ID, visitor); err != nil {
			t.Error(err)
		}
		site.Clock.Add(time.Minute)
	}
	if n := strings.Count(log.String(), "without --geoip"); n != 1 {
		t.Errorf("the log says it %d times: %s", n, log.String())
	}
}

func TestClosingsThatDoNotFit(t *testing.T) {
	t.Parallel()
	site := merchanttest.New(t, dbtest.SQLite(t))
	many, err := json.Marshal(make([]string, 1001))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range map[merchant.Setting][]string{
		"system.blocked_networks": {
			`null`, `"10.0.0.0/8"`, `["10.0.0.1"]`, `["10.0.0.1/8"]`, `["10.0.0.0/33"]`, `["::ffff:10.0.0.0/104"]`, `["x"]`, `[7]`,
			`["10.0.0.0/8","10.0.0.0/8"]`, `[""]`, string(many), `[] []`,
		},
		"system.allowed_networks":  {`["127.0.0.1"]`, `{}`},
		"system.blocked_countries": {`["vn"]`, `["VNM"]`, `[""]`, `["VN","VN"]`, `"VN"`, `["ＶＮ"]`},
		"system.maintenance": {
			`true`, `{"on":"yes"}`, `{"on":true,"until":"tomorrow"}`, `{"on":true,"until":12}`, `{"on":true,"till":"2026-03-14T10:00:00Z"}`,
			`{"on":true,"until":"0300-01-01T00:00:00Z"}`, `{"on":true,"note":{"xx":"?"}}`, `{"on":true,"note":{"en":"?"}}`,
			`{"on":true,"note":{"EN":"` + strings.Repeat("x", 501) + `"}}`,
		},
		"site.services": {
			`{}`, `[{"type":"PIGEON","url":"/m/help"}]`, `[{"type":"CS","url":""}]`, `[{"type":"CS","url":"javascript:x"}]`, `[{"type":"CS","url":"//evil.test"}]`,
			`[{"type":"CS","url":"http://example.test"}]`, `[{"type":"CS","url":"/m/help","name":"x"}]`, `[{"type":"CS","url":"/m/help"},{"type":"CS","url":"/m/help"}]`,
		},
		"site.download_popup": {`1`, `"true"`},
		"site.downloads":      {`[{"resourceType":"Symbian","url":"/m/app"}]`, `[{"resourceType":"IOS","url":"ftp://x"}]`},
	} {
		for _, value := range values {
			if err := site.Merchants.Set(t.Context(), site.ID, name, json.RawMessage(value)); !errors.Is(err, merchant.ErrBadSetting) {
				t.Errorf("%s %.60s: %v", name, value, err)
			}
		}
	}
	values, _, err := site.Merchants.Settings(t.Context(), site.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []merchant.Setting{"system.blocked_networks", "system.allowed_networks", "system.blocked_countries", "system.maintenance", "site.services"} {
		if err := site.Merchants.Set(t.Context(), site.ID, name, values[name]); err != nil {
			t.Errorf("%s as it is shown, %s, is not taken: %v", name, values[name], err)
		}
	}
}

// Another replica closes as soon as it hears of it: whoever watches finds the change already there.
func TestClosingIsHeardOf(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		heard, made := make(chan error, 16), make(chan struct{})
		var other *merchant.Service
		other = site.Replica(t, func() { <-made; heard <- other.Open(t.Context(), site.ID, visitor) })
		close(made)
		if err := other.Open(t.Context(), site.ID, visitor); err != nil {
			t.Fatal(err)
		}
		set(t, site, "system.maintenance", `{"on":true}`)
		select {
		case err := <-heard:
			if !errors.Is(err, rest.ErrMaintenance) {
				t.Error(err)
			}
		// The clock stands still: nobody finds out by age.
		case <-time.After(time.Minute):
			t.Error("the other replica heard nothing")
		}
	})
}
