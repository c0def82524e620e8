package config

import (
	"slices"
	"testing"
)

func TestConnectOrigins(t *testing.T) {
	t.Parallel()
	tests := []struct {
		providers Providers
		api       string
		origins   []string
	}{
		{Providers{}, "", nil},
		{Providers{FirebaseProject: "x"}, "", nil},
		{Providers{FirebaseProject: "x", FirebaseAPIKey: "k"}, "https://identitytoolkit.googleapis.com", []string{"https://identitytoolkit.googleapis.com"}},
		{Providers{FirebaseProject: "x", FirebaseAPIKey: "k", FirebaseAPIURL: "http://127.0.0.1:9099/toolkit/"}, "http://127.0.0.1:9099/toolkit", []string{"http://127.0.0.1:9099"}},
	}
	for _, tt := range tests {
		if got := tt.providers.FirebaseAPI(); got != tt.api {
			t.Errorf("%+v: FirebaseAPI() = %q, want %q", tt.providers, got, tt.api)
		}
		if got := tt.providers.ConnectOrigins(); !slices.Equal(got, tt.origins) {
			t.Errorf("%+v: ConnectOrigins() = %v, want %v", tt.providers, got, tt.origins)
		}
	}
}

func TestWidgetOrigins(t *testing.T) {
	t.Parallel()
	geetest := []string{"https://*.geetest.com", "https://*.geevisit.com", "https://*.gsensebot.com"}
	recaptcha := []string{"https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"}
	tests := map[string]struct {
		providers          Providers
		geetest, recaptcha string
		origins            []string
	}{
		"none":      {Providers{FirebaseProject: "x"}, "", "", nil},
		"geetest":   {Providers{GeetestID: "x"}, "https://static.geetest.com/v4/gt4.js", "", geetest},
		"own copy":  {Providers{GeetestID: "x", GeetestJS: "https://a.example/gt4.js"}, "https://a.example/gt4.js", "", append([]string{"https://a.example"}, geetest...)},
		"recaptcha": {Providers{FirebaseAPIKey: "k"}, "", "https://www.google.com/recaptcha/api.js", recaptcha},
		"both": {
			Providers{GeetestID: "x", FirebaseAPIKey: "k", FirebaseReCAPTCHA: "https://www.recaptcha.net/recaptcha/api.js"}, "https://static.geetest.com/v4/gt4.js",
			"https://www.recaptcha.net/recaptcha/api.js", slices.Concat(geetest, []string{"https://www.recaptcha.net"}, recaptcha),
		},
	}
	for name, tt := range tests {
		if got := tt.providers.GeetestScript(); got != tt.geetest {
			t.Errorf("%s: GeetestScript() = %q, want %q", name, got, tt.geetest)
		}
		if got := tt.providers.ReCAPTCHAScript(); got != tt.recaptcha {
			t.Errorf("%s: ReCAPTCHAScript() = %q, want %q", name, got, tt.recaptcha)
		}
		if got := tt.providers.WidgetOrigins(); !slices.Equal(got, tt.origins) {
			t.Errorf("%s: WidgetOrigins() = %v, want %v", name, got, tt.origins)
		}
	}
}
