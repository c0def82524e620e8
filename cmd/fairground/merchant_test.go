package main

import (
	"net/http"
	"strings"
	"testing"
)

// The commands work with and without a running server.
func TestMerchantCommands(t *testing.T) {
	t.Parallel()
	forEachDatabaseWithoutDemo(t, func(t *testing.T, args []string) {
		s := start(t, args...)
		run := func(want string, more ...string) {
			t.Helper()
			code, out, stderr := command(t, "", append(append([]string{"merchant"}, more...), args...)...)
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("%v = %d, %s%s, want exit code 0 and %q", more, code, out, stderr, want)
			}
		}
		no := func(want string, more ...string) {
			t.Helper()
			wantError(t, want, append(append([]string{"merchant"}, more...), args...)...)
		}
		run("site.theme is now", "set", "site.theme", `"light"`)
		if got := value[struct{ Theme string }](s, http.MethodGet, "/wps/system/setting/template", "", ""); got.Theme != "light" {
			t.Errorf("theme = %s, want light", got.Theme)
		}
		run("module INBOX3 is off.", "switch", "module", "INBOX3", "off")
		if got := value[struct{ Modules map[string]bool }](s, http.MethodGet, "/wps/system/whitelabel", "", ""); got.Modules["INBOX3"] {
			t.Error("the module is still on")
		}
		for _, running := range []bool{true, false} {
			if !running {
				s.end()
			}
			run("set    site.theme '\"light\"'\n", "show")
			run("switch module INBOX3 off\n", "show")
			no("sepia must be one of [dark light]", "set", "site.theme", `"sepia"`)
			no("setting.unknown", "set", "site.weather", `"sunny"`)
			no("want JSON", "set", "site.theme", "light")
			no("flag.unknown", "switch", "flag", "INBOX3", "on")
			no("merchant.unknown", "show", "--merchant", "nobody")
			no("session.idle must not be longer than session.absolute", "set", "session.absolute", `"20m"`)
		}
		run("session.idle is now", "set", "session.idle", `"10m"`)
		run("--geoip", "set", "system.blocked_countries", `["VN"]`)
	})
}

func TestSecondMerchant(t *testing.T) {
	t.Parallel()
	eachStorage(t, func(t *testing.T, args []string) {
		start(t, append(args, "--currency", "USD")...).end()
		start(t, append(args, "--merchant", "second", "--new-merchant")...).end()
		s := start(t, append(args, "--merchant", "second")...)
		got := value[struct {
			MerchantCode string
			Currency     struct{ Code string }
		}](s, http.MethodGet, "/wps/system/settings/consolidated", "", "")
		if got.MerchantCode != "second" || got.Currency.Code != "CNY" {
			t.Errorf("got %+v, want merchant second with CNY", got)
		}
		s.end()
		start(t, args...).end() // the first merchant
	})
}
