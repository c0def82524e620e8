package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Providers holds the settings of external services. Each service is off until it is configured.
type Providers struct {
	OutgoingAllow []string `name:"outgoing-allow" help:"Private networks that requests to external services may reach. CIDR, comma-separated. Without it, only public addresses are allowed." env:"FAIRGROUND_OUTGOING_ALLOW" placeholder:"CIDR"`

	SMSURL   string `name:"sms-url" help:"Gateway for text messages. Each message is sent to it as a signed POST." env:"FAIRGROUND_SMS_URL" placeholder:"URL"`
	SMSKey   string `name:"sms-key" help:"Secret that signs the requests to --sms-url." env:"FAIRGROUND_SMS_KEY" placeholder:"KEY" secret:""`
	SMTP     string `name:"smtp" help:"Mail server, smtp://USER:PASSWORD@HOST:PORT or smtps://…" env:"FAIRGROUND_SMTP" placeholder:"URL" secret:""`
	MailFrom string `name:"mail-from" help:"Sender address of mail." env:"FAIRGROUND_MAIL_FROM" placeholder:"ADDRESS"`

	GeetestID  string `name:"geetest-id" help:"Geetest v4 captcha id. It replaces the built-in slider captcha." env:"FAIRGROUND_GEETEST_ID" placeholder:"ID"`
	GeetestKey string `name:"geetest-key" help:"Secret key of --geetest-id." env:"FAIRGROUND_GEETEST_KEY" placeholder:"KEY" secret:""`
	GeetestURL string `name:"geetest-url" help:"Address that checks Geetest answers, if not Geetest's own." env:"FAIRGROUND_GEETEST_URL" placeholder:"URL"`
	GeetestJS  string `name:"geetest-script" help:"Address of the Geetest script for browsers, if not Geetest's own." env:"FAIRGROUND_GEETEST_SCRIPT" placeholder:"URL"`

	GoogleClientID     string `name:"google-client-id" help:"Client id for login with Google. Register the redirect address PUBLIC-URL/wps/session/outside/google/callback." env:"FAIRGROUND_GOOGLE_CLIENT_ID" placeholder:"ID"`
	GoogleClientSecret string `name:"google-client-secret" help:"Client secret of --google-client-id." env:"FAIRGROUND_GOOGLE_CLIENT_SECRET" placeholder:"SECRET" secret:""`
	GoogleIssuer       string `name:"google-issuer" help:"OpenID Connect issuer, if not Google." env:"FAIRGROUND_GOOGLE_ISSUER" placeholder:"URL"`
	FacebookAppID      string `name:"facebook-app-id" help:"App id for login with Facebook. Register the redirect address PUBLIC-URL/wps/session/outside/facebook/callback." env:"FAIRGROUND_FACEBOOK_APP_ID" placeholder:"ID"`
	FacebookAppSecret  string `name:"facebook-app-secret" help:"App secret of --facebook-app-id." env:"FAIRGROUND_FACEBOOK_APP_SECRET" placeholder:"SECRET" secret:""`
	FacebookURL        string `name:"facebook-url" help:"Address of the login dialog and the Graph API, if not Facebook's own." env:"FAIRGROUND_FACEBOOK_URL" placeholder:"URL"`
	FirebaseProject    string `name:"firebase-project" help:"Firebase project whose tokens verify phone numbers." env:"FAIRGROUND_FIREBASE_PROJECT" placeholder:"ID"`
	FirebaseAPIKey     string `name:"firebase-api-key" help:"Browser API key of the Firebase project. With it, browsers ask Firebase to send codes." env:"FAIRGROUND_FIREBASE_API_KEY" placeholder:"KEY" secret:""`
	FirebaseAPIURL     string `name:"firebase-api-url" help:"Address of the Firebase API for browsers, if not Google's own." env:"FAIRGROUND_FIREBASE_API_URL" placeholder:"URL"`
	FirebaseReCAPTCHA  string `name:"firebase-recaptcha-script" help:"Address of the reCAPTCHA script that Firebase codes require, if not www.google.com." env:"FAIRGROUND_FIREBASE_RECAPTCHA_SCRIPT" placeholder:"URL"`
	FirebaseJWKS       string `name:"firebase-keys-url" help:"Address of the public keys that verify Firebase tokens, if not Google's own." env:"FAIRGROUND_FIREBASE_KEYS_URL" placeholder:"URL"`

	Beacon      []string `name:"beacon" help:"Addresses of a public randomness beacon that speaks the drand protocol, comma-separated. New series of tables, jackpots and fast lotteries get their salts from it." env:"FAIRGROUND_BEACON" placeholder:"URL"`
	BeaconChain string   `name:"beacon-chain" help:"Hash of the beacon's chain, 64 hexadecimal digits. It fixes the beacon's key." env:"FAIRGROUND_BEACON_CHAIN" placeholder:"HASH"`
}

// Validate rejects partly configured services, which would fail only when a member uses them. The command-line parser
// calls it.
func (o Providers) Validate() error {
	if _, err := networks(o.OutgoingAllow); err != nil {
		return fmt.Errorf("--outgoing-allow: %w", err)
	}
	for _, pair := range [][4]string{
		{"--sms-url", o.SMSURL, "--sms-key", o.SMSKey},
		{"--smtp", o.SMTP, "--mail-from", o.MailFrom},
		{"--geetest-id", o.GeetestID, "--geetest-key", o.GeetestKey},
		{"--google-client-id", o.GoogleClientID, "--google-client-secret", o.GoogleClientSecret},
		{"--facebook-app-id", o.FacebookAppID, "--facebook-app-secret", o.FacebookAppSecret},
	} {
		if (pair[1] == "") != (pair[3] == "") {
			return fmt.Errorf("%s and %s must be set together", pair[0], pair[2])
		}
	}
	for _, dependency := range [][4]string{
		{"--geetest-url", o.GeetestURL, "--geetest-id", o.GeetestID},
		{"--geetest-script", o.GeetestJS, "--geetest-id", o.GeetestID},
		{"--google-issuer", o.GoogleIssuer, "--google-client-id", o.GoogleClientID},
		{"--facebook-url", o.FacebookURL, "--facebook-app-id", o.FacebookAppID},
		{"--firebase-keys-url", o.FirebaseJWKS, "--firebase-project", o.FirebaseProject},
		{"--firebase-api-key", o.FirebaseAPIKey, "--firebase-project", o.FirebaseProject},
		{"--firebase-api-url", o.FirebaseAPIURL, "--firebase-api-key", o.FirebaseAPIKey},
		{"--firebase-recaptcha-script", o.FirebaseReCAPTCHA, "--firebase-api-key", o.FirebaseAPIKey},
	} {
		if dependency[1] != "" && dependency[3] == "" {
			return fmt.Errorf("%s needs %s", dependency[0], dependency[2])
		}
	}
	for _, address := range [][2]string{
		{"--sms-url", o.SMSURL}, {"--geetest-url", o.GeetestURL}, {"--google-issuer", o.GoogleIssuer},
		{"--facebook-url", o.FacebookURL}, {"--firebase-keys-url", o.FirebaseJWKS},
		{"--firebase-api-url", o.FirebaseAPIURL},
		{"--geetest-script", o.GeetestJS}, {"--firebase-recaptcha-script", o.FirebaseReCAPTCHA},
	} {
		if err := checkURL(address[1]); err != nil {
			return fmt.Errorf("%s: %w", address[0], err)
		}
	}
	return o.checkBeacon()
}

var chainHash = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (o Providers) checkBeacon() error {
	if (len(o.Beacon) == 0) != (o.BeaconChain == "") {
		return errors.New("--beacon and --beacon-chain must be set together")
	}
	for _, address := range o.Beacon {
		if err := checkURL(address); err != nil || address == "" {
			return errors.New("--beacon: want http://HOST/… or https://HOST/…")
		}
	}
	if o.BeaconChain != "" && !chainHash.MatchString(o.BeaconChain) {
		return errors.New("--beacon-chain: want 64 hexadecimal digits in lower case")
	}
	return nil
}

// checkURL checks that text is empty or an HTTP URL. The error does not contain text, which may contain a password.
func checkURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("want http://HOST/… or https://HOST/…")
	}
	return nil
}

// OutgoingNetworks returns the private networks that outgoing requests may reach. It panics if Validate would fail.
func (o Providers) OutgoingNetworks() []netip.Prefix { return must(networks(o.OutgoingAllow)) }

// identityToolkit is Google's URL of the Firebase API.
const identityToolkit = "https://identitytoolkit.googleapis.com"

// FirebaseAPI returns the URL of the Firebase API for browsers, or "" if browsers do not use it.
func (o Providers) FirebaseAPI() string {
	switch {
	case o.FirebaseAPIKey == "":
		return ""
	case o.FirebaseAPIURL != "":
		return strings.TrimRight(o.FirebaseAPIURL, "/")
	default:
		return identityToolkit
	}
}

// Third-party scripts that browsers run in an isolated frame, and the hosts that those scripts contact.
const (
	geetestScript   = "https://static.geetest.com/v4/gt4.js"
	recaptchaScript = "https://www.google.com/recaptcha/api.js"
)

var (
	geetestHosts   = []string{"https://*.geetest.com", "https://*.geevisit.com", "https://*.gsensebot.com"}
	recaptchaHosts = []string{"https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"}
)

// GeetestScript returns the URL of the Geetest script, or "" if Geetest is not configured.
func (o Providers) GeetestScript() string {
	if o.GeetestID == "" {
		return ""
	}
	return cmp.Or(o.GeetestJS, geetestScript)
}

// ReCAPTCHAScript returns the URL of the reCAPTCHA script that Firebase requires, or "" if browsers do not use
// Firebase.
func (o Providers) ReCAPTCHAScript() string {
	if o.FirebaseAPIKey == "" {
		return ""
	}
	return cmp.Or(o.FirebaseReCAPTCHA, recaptchaScript)
}

// ConnectOrigins returns the external origins that the app may call.
func (o Providers) ConnectOrigins() []string { return originOf(o.FirebaseAPI()) }

// WidgetOrigins returns the sources that the frame for third-party scripts may load and call.
func (o Providers) WidgetOrigins() []string {
	var all []string
	if o.GeetestScript() != "" {
		all = slices.Concat(originOf(o.GeetestJS), geetestHosts)
	}
	if o.ReCAPTCHAScript() != "" {
		all = slices.Concat(all, originOf(o.FirebaseReCAPTCHA), recaptchaHosts)
	}
	return all
}

// originOf returns the origin of a URL, or nil if the URL has no host.
func originOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Scheme + "://" + u.Host}
}
