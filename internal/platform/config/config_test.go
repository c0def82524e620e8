package config

import (
	"log/slog"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// parse parses a command line the way the program does.
func parse(t *testing.T, args ...string) (*Serve, error) {
	t.Helper()
	var s Serve
	p, err := kong.New(&s)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Parse(args)
	return &s, err
}

func TestDefaults(t *testing.T) {
	s, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != "127.0.0.1:8080" || s.Demo || s.DB != "" || s.Merchant != "fairground" || s.Currency != "" || s.TLS() {
		t.Errorf("got %+v, want the defaults", s)
	}
	if s.Level() != slog.LevelInfo || s.Origins() != nil || len(s.ProxyNetworks()) != 0 {
		t.Errorf("got %v %v %v, want INFO, no origins, no proxies", s.Level(), s.Origins(), s.ProxyNetworks())
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("FAIRGROUND_ADDR", "10.0.0.1:9000")
	t.Setenv("FAIRGROUND_DB", "postgres://db/app")
	t.Setenv("FAIRGROUND_PROXIES", "10.0.0.0/8,192.0.2.7")
	t.Setenv("FAIRGROUND_PUBLIC_URL", "https://play.example/")
	t.Setenv("FAIRGROUND_LOG_LEVEL", "debug")
	s, err := parse(t, "--addr", "127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != "127.0.0.1:1" {
		t.Errorf("Addr = %s, want the value of the command line", s.Addr)
	}
	want := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("192.0.2.7/32")}
	if !slices.Equal(s.ProxyNetworks(), want) {
		t.Errorf("proxies = %v, want %v", s.ProxyNetworks(), want)
	}
	if !s.TLS() || !slices.Equal(s.Origins(), []string{"https://play.example"}) || s.Level() != slog.LevelDebug || s.DB != "postgres://db/app" {
		t.Errorf("got %+v, want TLS, https://play.example, DEBUG and postgres://db/app", s)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args []string
		want string // part of the error message; "" means valid
	}{
		{[]string{"--addr", "nonsense"}, "want HOST:PORT"},
		{[]string{"--db", "mysql://x"}, "postgres://"},
		{[]string{"--demo"}, ""},
		{[]string{"--demo", "--addr", "localhost:80"}, ""},
		{[]string{"--demo", "--addr", "[::1]:80"}, ""},
		{[]string{"--demo", "--addr", "0.0.0.0:80"}, "--demo-anywhere"},
		{[]string{"--demo", "--addr", ":80"}, "--demo-anywhere"},
		{[]string{"--demo", "--addr", "192.0.2.1:80"}, "--demo-anywhere"},
		{[]string{"--demo", "--addr", "0.0.0.0:80", "--demo-anywhere"}, ""},
		{[]string{"--addr", "0.0.0.0:80"}, ""},
		{[]string{"--proxies", "10.0.0.0/99"}, "--proxies"},
		{[]string{"--metrics-from", "here"}, "--metrics-from"},
		{[]string{"--public-url", "play.example"}, "--public-url"},
		{[]string{"--public-url", "https://play.example"}, ""},
		{[]string{"--public-url", "https://play.example:8443/"}, ""},
		{[]string{"--public-url", "https://0123456789@play.example"}, "no user, path or query"},
		{[]string{"--public-url", "https://play.example/casino"}, "no user, path or query"},
		{[]string{"--public-url", "https://play.example/?ref=1"}, "no user, path or query"},
		{[]string{"--public-url", "https://play.example?"}, "no user, path or query"},
		{[]string{"--public-url", "https://play.example/#top"}, "no user, path or query"},
		{[]string{"--nats", "nats://x", "--nats-listen", "x:1"}, "cannot be used together"},
		{[]string{"--nats", "nats://x,nats://y", "--nats", "nats://z"}, ""},
		{[]string{"--nats-listen", "nonsense"}, "want HOST:PORT"},
		{[]string{"--nats-listen", "127.0.0.1:4222"}, ""},
		{[]string{"--nats-listen", "0.0.0.0:4222"}, "--nats-token"},
		{[]string{"--nats-listen", ":4222"}, "--nats-token"},
		{[]string{"--nats-listen", "events.example:4222"}, "--nats-token"},
		{[]string{"--nats-listen", ":4222", "--nats-token", "0123456789abcdef"}, ""},
		{[]string{"--nats-listen", ":4222", "--nats-token", "0123456789"}, "16 or more"},
		{[]string{"--nats-listen", ":4222", "--nats-token", "0123456789 abcdef"}, "16 or more"},
		{[]string{"--nats", "nats://x", "--nats-token", "0123456789abcdef"}, ""},
		{[]string{"--rate", "-1"}, "--rate"},
		{[]string{"--outgoing-allow", "10.0.0.0/99"}, "--outgoing-allow"},
		{[]string{"--outgoing-allow", "10.0.0.0/8,127.0.0.1"}, ""},
		{[]string{"--sms-url", "https://sms.example/send", "--sms-key", "0123456789"}, ""},
		{[]string{"--sms-url", "https://sms.example/send"}, "--sms-url and --sms-key must be set together"},
		{[]string{"--sms-key", "0123456789"}, "--sms-url and --sms-key must be set together"},
		{[]string{"--sms-url", "sms.example/0123456789", "--sms-key", "0123456789"}, "--sms-url: want http://"},
		{[]string{"--smtp", "smtp://u:0123456789@mail.example:587"}, "--smtp and --mail-from must be set together"},
		{[]string{"--smtp", "smtp://u:0123456789@mail.example:587", "--mail-from", "play@site.example"}, ""},
		{[]string{"--geetest-id", "abc"}, "--geetest-id and --geetest-key must be set together"},
		{[]string{"--geetest-url", "https://captcha.example"}, "--geetest-url needs"},
		{[]string{"--google-client-id", "x", "--google-client-secret", "0123456789"}, "need --public-url"},
		{[]string{"--google-client-id", "x", "--google-client-secret", "0123456789", "--public-url", "https://play.example"}, ""},
		{[]string{"--facebook-app-id", "x", "--facebook-app-secret", "0123456789"}, "need --public-url"},
		{[]string{"--facebook-app-id", "x", "--public-url", "https://play.example"}, "must be set together"},
		{[]string{"--google-issuer", "https://id.example"}, "--google-issuer needs --google-client-id"},
		{[]string{"--firebase-keys-url", "https://keys.example"}, "--firebase-keys-url needs --firebase-project"},
		{[]string{"--firebase-project", "x", "--firebase-keys-url", "keys"}, "--firebase-keys-url: want http://"},
		{[]string{"--firebase-project", "x"}, ""},
		{[]string{"--firebase-project", "x", "--firebase-api-key", "k", "--firebase-api-url", "https://codes.example/"}, ""},
		{[]string{"--firebase-api-key", "k"}, "--firebase-api-key needs --firebase-project"},
		{[]string{"--firebase-project", "x", "--firebase-api-url", "https://codes.example"}, "--firebase-api-url needs --firebase-api-key"},
		{[]string{"--firebase-project", "x", "--firebase-api-key", "k", "--firebase-api-url", "codes"}, "--firebase-api-url: want http://"},
		{[]string{"--geetest-id", "abc", "--geetest-key", "0123456789", "--geetest-url", "ftp://captcha.example"}, "--geetest-url: want http://"},
		{[]string{"--geetest-script", "https://captcha.example/gt4.js"}, "--geetest-script needs --geetest-id"},
		{[]string{"--geetest-id", "abc", "--geetest-key", "0123456789", "--geetest-script", "gt4.js"}, "--geetest-script: want http://"},
		{[]string{"--firebase-project", "x", "--firebase-recaptcha-script", "https://a.example"}, "--firebase-recaptcha-script needs --firebase-api-key"},
		{[]string{"--firebase-project", "x", "--firebase-api-key", "k", "--firebase-recaptcha-script", "a"}, "--firebase-recaptcha-script: want http://"},
		{[]string{"--webclip-cert", "a.pem"}, "--webclip-cert and --webclip-key must be set together"},
		{[]string{"--webclip-key", "a.pem"}, "--webclip-cert and --webclip-key must be set together"},
		{[]string{"--webclip-cert", "a.pem", "--webclip-key", "a.pem"}, "--webclip-cert needs --public-url"},
		{[]string{"--log-level", "loud"}, "log-level"},
		{[]string{"--unknown"}, "unknown"},
	}
	for _, tt := range tests {
		_, err := parse(t, tt.args...)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%v: %v", tt.args, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%v: error = %v, want one that contains %q", tt.args, err, tt.want)
		case err != nil && strings.Contains(err.Error(), "0123456789"):
			t.Errorf("the message reveals the secret: %v", err)
		}
	}
}

func TestSecretsHaveNoDefault(t *testing.T) {
	t.Parallel()
	t.Run("SE-16 settings", func(t *testing.T) {
		t.Parallel()
		marked := 0
		for _, f := range reflect.VisibleFields(reflect.TypeFor[Serve]()) {
			_, secret := f.Tag.Lookup("secret")
			if _, has := f.Tag.Lookup("default"); secret && has {
				t.Errorf("%s has a default", f.Name)
			}
			if secret {
				marked++
			}
			name := strings.ToLower(f.Name)
			for _, word := range []string{"secret", "password", "key", "token"} {
				if strings.Contains(name, word) && !secret {
					t.Errorf("%s looks like a secret but has no secret tag", f.Name)
				}
			}
		}
		if marked != 13 {
			t.Errorf("%d settings are marked as secret, want 13: if you added one, update the count", marked)
		}
	})
}
