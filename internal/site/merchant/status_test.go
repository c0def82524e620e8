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

type fakeCountries map[string]string

func (f fakeCountries) Country(address netip.Addr) (string, error) {
	country := f[address.String()]
	if country == "broken" {
		return "", errors.New("the file is damaged")
	}
	return country, nil
}

func newSite(t *testing.T, store *db.Store, countries region.Countries) *merchanttest.Site {
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

type systemStatus struct {
	IP            string
	SystemStatus  int
	StatusReading string
	Maintenance   *struct {
		Until *int64
		Note  string
	}
}

// statusFrom requests the status from an address. If address is empty, the proxy reports an invalid address.
func statusFrom(t *testing.T, site *merchanttest.Site, address string) systemStatus {
	t.Helper()
	return merchanttest.Value[systemStatus](t, site.Call(t, "GET", "/wps/system/status", nil, "X-Forwarded-For", forwarded(address)))
}

func forwarded(address string) string {
	if address == "" {
		return "nobody"
	}
	return address
}

// visitor is an address that no setting mentions.
var visitor = netip.MustParseAddr("192.0.2.98")

// anyPath is the path of an endpoint that is rejected while the site is closed.
const anyPath = "/wps/system/setting/register"

const (
	blockedAddress = "198.51.100.7"
	vietnam        = "203.0.113.5"
	brazil         = "2001:db8::5"
	damaged        = "203.0.113.9"
	elsewhere      = "192.0.2.99"
	office         = "198.51.100.200"
)

func TestConditionByAddress(t *testing.T) { //nolint:tparallel // the subtests share a site
	t.Parallel()
	site := newSite(t, dbtest.SQLite(t), fakeCountries{vietnam: "VN", brazil: "BR", damaged: "broken"})
	addresses := []string{blockedAddress, vietnam, brazil, damaged, elsewhere, office, ""}
	set(t, site, "system.allowed_networks", `["198.51.100.200/32"]`)
	type settings struct{ status, maintenance, networks, countries string }
	for title, c := range map[string]struct {
		settings
		restricted []string           // addresses that are blocked
		all        merchant.Condition // of all addresses; empty: only the restricted ones are blocked
	}{
		"RT-29 the server's part: open":      {settings{"0", `{"on":false}`, `[]`, `[]`}, nil, ""},
		"blocked networks":                   {settings{"0", `{"on":false}`, `["198.51.100.0/24"]`, `[]`}, []string{blockedAddress, ""}, ""},
		"blocked countries":                  {settings{"0", `{"on":false}`, `[]`, `["BR","PK"]`}, []string{brazil, damaged, ""}, ""},
		"blocked networks and countries":     {settings{"0", `{"on":false}`, `["2001:db8::/32"]`, `["VN"]`}, []string{brazil, vietnam, damaged, ""}, ""},
		"maintenance":                        {settings{"0", `{"on":true}`, `[]`, `[]`}, nil, merchant.ConditionMaintenance},
		"maintenance with a restriction":     {settings{"0", `{"on":true}`, `["198.51.100.0/24"]`, `["VN"]`}, nil, merchant.ConditionMaintenance},
		"status restricted":                  {settings{"1", `{"on":false}`, `[]`, `[]`}, nil, merchant.ConditionRestricted},
		"status restricted with maintenance": {settings{"1", `{"on":true}`, `[]`, `[]`}, nil, merchant.ConditionMaintenance},
	} {
		for _, reading := range []string{"a", "b"} {
			t.Run(title+", reading "+reading, func(t *testing.T) {
				status := c.status
				if status == "1" && reading == "b" {
					status = "2" // restricted in reading b
				}
				for name, value := range map[merchant.Setting]string{
					"system.status_reading": `"` + reading + `"`, "system.status": status, "system.maintenance": c.maintenance,
					"system.blocked_networks": c.networks, "system.blocked_countries": c.countries,
				} {
					set(t, site, name, value)
				}
				for _, address := range addresses {
					want := c.all
					switch {
					case address == office:
						want = merchant.ConditionNormal // in AllowedNetworks
					case want == "" && contains(c.restricted, address):
						want = merchant.ConditionRestricted
					case want == "":
						want = merchant.ConditionNormal
					}
					got := statusFrom(t, site, address)
					condition, err := merchant.ReadStatus(merchant.Reading(reading), got.SystemStatus)
					if err != nil || condition != want || got.StatusReading != reading || got.IP != address {
						t.Errorf("address %q: status %+v means %s, want %s (%v)", address, got, condition, want, err)
					}
					if maintenance := got.Maintenance != nil; maintenance != (want == merchant.ConditionMaintenance) {
						t.Errorf("address %q: maintenance = %+v, condition %s", address, got.Maintenance, want)
					}
					reply := site.Call(t, "GET", anyPath, nil, "X-Forwarded-For", forwarded(address))
					wantStatus := map[merchant.Condition]int{merchant.ConditionNormal: 200, merchant.ConditionRestricted: 403, merchant.ConditionMaintenance: 503}[want]
					if reply.Status != wantStatus {
						t.Errorf("address %q: status of another endpoint = %d, want %d", address, reply.Status, wantStatus)
					}
				}
			})
		}
	}
}

func contains(list []string, value string) bool {
	for _, x := range list {
		if x == value {
			return true
		}
	}
	return false
}

func TestMaintenancePrecedesRestrictionInReadingB(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := newSite(t, store, nil)
		for name, value := range map[merchant.Setting]string{
			"system.status_reading": `"b"`, "system.blocked_networks": `["198.51.100.0/24"]`, "system.maintenance": `{"on":true}`,
		} {
			set(t, site, name, value)
		}
		t.Run("RT-29 the server's part: maintenance takes precedence over a restriction (ruling 2)", func(t *testing.T) {
			if got := statusFrom(t, site, blockedAddress); got.SystemStatus != 1 {
				t.Errorf("status during maintenance = %+v, want 1", got)
			}
			set(t, site, "system.maintenance", `{"on":false}`)
			if got := statusFrom(t, site, blockedAddress); got.SystemStatus != 2 {
				t.Errorf("status without maintenance = %+v, want 2", got)
			}
		})
	})
}

func TestClosedSiteResponses(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := newSite(t, store, nil)
		set(t, site, "system.maintenance", fmt.Sprintf(`{"on":true,"until":%q,"note":{"EN":"Back at ten.","VI":"Mười giờ trở lại."}}`,
			merchanttest.Start.Add(90*time.Minute+100*time.Millisecond).Format(time.RFC3339Nano)))
		const underMaintenance = `{"errorCode":"system.maintenance","args":{"seconds":"5401"},"message":"unavailable, try again later","requestId":"(varies)","success":false}`
		rejected := site.Call(t, "GET", anyPath, nil)
		merchanttest.Want(t, rejected, 503, underMaintenance)
		if got := rejected.Header.Get("Retry-After"); got != "5401" {
			t.Errorf("Retry-After = %q, want 5401", got)
		}
		status := func(maintenance string) string {
			return `{"success":true,"value":{"country":"VN","gamePageAvtiveCategory":"HOT","homeGameCategory":"HOT","ip":"192.0.2.1",
				"statusReading":"a","systemStatus":2,"maintenance":` + maintenance + `}}`
		}
		for language, note := range map[string]string{"EN": "Back at ten.", "UR": "Mười giờ trở lại."} {
			want := status(`{"note":"` + note + `","until":1773485813100}`)
			merchanttest.Want(t, site.Call(t, "GET", "/wps/system/status", nil, "Language", language), 200, want)
		}
		merchanttest.Want(t, site.Call(t, "GET", "/wps/no/such/call", nil), 503, underMaintenance)
		site.Clock.Add(2 * time.Hour)
		rejected = site.Call(t, "GET", anyPath, nil)
		merchanttest.Want(t, rejected, 503, strings.Replace(underMaintenance, `"args":{"seconds":"5401"},`, "", 1))
		if got := rejected.Header.Get("Retry-After"); got != "" {
			t.Errorf("after the planned end: Retry-After = %q, want none", got)
		}
		merchanttest.Want(t, site.Call(t, "GET", "/wps/system/status", nil), 200, status(`{"note":"Mười giờ trở lại.","until":null}`))
		set(t, site, "system.maintenance", `{"on":false}`)
		set(t, site, "system.blocked_networks", `["192.0.2.0/24"]`)
		merchanttest.Want(t, site.Call(t, "GET", anyPath, nil), 403, `{"errorCode":"system.restricted","message":"not allowed","success":false}`)
		t.Run("RT-29 the server's part: endpoints that the maintenance page needs still work", func(t *testing.T) {
			for _, path := range []string{
				"/wps/system/status", "/wps/system/settings/consolidated", "/wps/system/whitelabel", "/wps/system/country", "/wps/system/setting/template",
			} {
				if reply := site.Call(t, "GET", path, nil); reply.Status != http.StatusOK {
					t.Errorf("%s: status %d, want 200", path, reply.Status)
				}
			}
		})
	})
}

func TestBlockedCountriesNeedGeoIP(t *testing.T) {
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
			t.Errorf("Open: got %v, want no error", err)
		}
		site.Clock.Add(time.Minute)
	}
	if n := strings.Count(log.String(), "without --geoip"); n != 1 {
		t.Errorf("the log warns %d times, want once: %s", n, log.String())
	}
}

func TestInvalidSiteSettings(t *testing.T) {
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
				t.Errorf("%s = %.60s: %v, want ErrBadSetting", name, value, err)
			}
		}
	}
	values, _, err := site.Merchants.Settings(t.Context(), site.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []merchant.Setting{"system.blocked_networks", "system.allowed_networks", "system.blocked_countries", "system.maintenance", "site.services"} {
		if err := site.Merchants.Set(t.Context(), site.ID, name, values[name]); err != nil {
			t.Errorf("set %s to its own value %s: %v", name, values[name], err)
		}
	}
}

// When OnChange is called, the change is already visible.
func TestOnChangeRunsWhenTheChangeIsVisible(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, store *db.Store) {
		site := merchanttest.New(t, store)
		notified, created := make(chan error, 16), make(chan struct{})
		var other *merchant.Service
		other = site.Replica(t, func() { <-created; notified <- other.Open(t.Context(), site.ID, visitor) })
		close(created)
		if err := other.Open(t.Context(), site.ID, visitor); err != nil {
			t.Fatal(err)
		}
		set(t, site, "system.maintenance", `{"on":true}`)
		select {
		case err := <-notified:
			if !errors.Is(err, rest.ErrMaintenance) {
				t.Errorf("Open in OnChange: %v, want ErrMaintenance", err)
			}
		// The clock does not advance, so the cache cannot expire.
		case <-time.After(time.Minute):
			t.Error("OnChange was not called within a minute")
		}
	})
}
