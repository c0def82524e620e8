package config

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Providers are the services of others that the server can use. Each is off until it is configured.
type Providers struct {
	OutgoingAllow []string `name:"outgoing-allow" help:"Private networks in which those services may be, CIDR, comma-separated. Without it only public addresses are reached." env:"FAIRGROUND_OUTGOING_ALLOW" placeholder:"CIDR"`

	SMSURL   string `name:"sms-url" help:"Gateway for text messages: gets each as a signed POST." env:"FAIRGROUND_SMS_URL" placeholder:"URL"`
	SMSKey   string `name:"sms-key" help:"Secret that signs them." env:"FAIRGROUND_SMS_KEY" placeholder:"KEY" secret:""`
	SMTP     string `name:"smtp" help:"Mail server, smtp://USER:PASSWORD@HOST:PORT or smtps://…" env:"FAIRGROUND_SMTP" placeholder:"URL" secret:""`
	MailFrom string `name:"mail-from" help:"Sender of the mail." env:"FAIRGROUND_MAIL_FROM" placeholder:"ADDRESS"`

	GeetestID  string `name:"geetest-id" help:"Geetest v4 captcha id, in place of the own slider." env:"FAIRGROUND_GEETEST_ID" placeholder:"ID"`
	GeetestKey string `name:"geetest-key" help:"Its key." env:"FAIRGROUND_GEETEST_KEY" placeholder:"KEY" secret:""`
	GeetestURL string `name:"geetest-url" help:"Where to check its answers, when not at Geetest itself." env:"FAIRGROUND_GEETEST_URL" placeholder:"URL"`
	GeetestJS  string `name:"geetest-script" help:"Where browsers load its script from, when not from Geetest itself." env:"FAIRGROUND_GEETEST_SCRIPT" placeholder:"URL"`

	GoogleClientID     string `name:"google-client-id" help:"Client id for logging in by Google. Its redirect address is the public URL with /wps/session/outside/google/callback." env:"FAIRGROUND_GOOGLE_CLIENT_ID" placeholder:"ID"`
	GoogleClientSecret string `name:"google-client-secret" help:"Its secret." env:"FAIRGROUND_GOOGLE_CLIENT_SECRET" placeholder:"SECRET" secret:""`
	GoogleIssuer       string `name:"google-issuer" help:"The OpenID Connect issuer, when not Google itself." env:"FAIRGROUND_GOOGLE_ISSUER" placeholder:"URL"`
	FacebookAppID      string `name:"facebook-app-id" help:"App id for logging in by Facebook. Its redirect address is the public URL with /wps/session/outside/facebook/callback." env:"FAIRGROUND_FACEBOOK_APP_ID" placeholder:"ID"`
	FacebookAppSecret  string `name:"facebook-app-secret" help:"Its secret." env:"FAIRGROUND_FACEBOOK_APP_SECRET" placeholder:"SECRET" secret:""`
	FacebookURL        string `name:"facebook-url" help:"Where its dialog and Graph are, when not at Facebook itself." env:"FAIRGROUND_FACEBOOK_URL" placeholder:"URL"`
	FirebaseProject    string `name:"firebase-project" help:"Firebase project whose tokens prove phone numbers." env:"FAIRGROUND_FIREBASE_PROJECT" placeholder:"ID"`
	FirebaseAPIKey     string `name:"firebase-api-key" help:"The project's public key for browsers, with which they have Firebase send codes." env:"FAIRGROUND_FIREBASE_API_KEY" placeholder:"KEY" secret:""`
	FirebaseAPIURL     string `name:"firebase-api-url" help:"Where browsers ask for those codes, when not at Google itself." env:"FAIRGROUND_FIREBASE_API_URL" placeholder:"URL"`
	FirebaseReCAPTCHA  string `name:"firebase-recaptcha-script" help:"Where browsers load the reCAPTCHA from that those codes ask for, when not from www.google.com." env:"FAIRGROUND_FIREBASE_RECAPTCHA_SCRIPT" placeholder:"URL"`
	FirebaseJWKS       string `name:"firebase-keys-url" help:"Where the public keys of those tokens are, when not at Google itself." env:"FAIRGROUND_FIREBASE_KEYS_URL" placeholder:"URL"`
}

// Validate is called by the parser: what is half configured would fail at the first member who needs it.
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
			return fmt.Errorf("%s and %s need each other", pair[0], pair[2])
		}
	}
	for _, detail := range [][4]string{
		{"--geetest-url", o.GeetestURL, "--geetest-id", o.GeetestID},
		{"--geetest-script", o.GeetestJS, "--geetest-id", o.GeetestID},
		{"--google-issuer", o.GoogleIssuer, "--google-client-id", o.GoogleClientID},
		{"--facebook-url", o.FacebookURL, "--facebook-app-id", o.FacebookAppID},
		{"--firebase-keys-url", o.FirebaseJWKS, "--firebase-project", o.FirebaseProject},
		{"--firebase-api-key", o.FirebaseAPIKey, "--firebase-project", o.FirebaseProject},
		{"--firebase-api-url", o.FirebaseAPIURL, "--firebase-api-key", o.FirebaseAPIKey},
		{"--firebase-recaptcha-script", o.FirebaseReCAPTCHA, "--firebase-api-key", o.FirebaseAPIKey},
	} {
		if detail[1] != "" && detail[3] == "" {
			return fmt.Errorf("%s needs %s", detail[0], detail[2])
		}
	}
	for _, address := range [][2]string{
		{"--sms-url", o.SMSURL}, {"--geetest-url", o.GeetestURL}, {"--google-issuer", o.GoogleIssuer},
		{"--facebook-url", o.FacebookURL}, {"--firebase-keys-url", o.FirebaseJWKS},
		{"--firebase-api-url", o.FirebaseAPIURL},
		{"--geetest-script", o.GeetestJS}, {"--firebase-recaptcha-script", o.FirebaseReCAPTCHA},
	} {
		if err := webAddress(address[1]); err != nil {
			return fmt.Errorf("%s: %w", address[0], err)
		}
	}
	return nil
}

// webAddress refuses what is no address of a web service. It does not repeat it: a password may stand in it.
func webAddress(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return errors.New("want http://HOST/… or https://HOST/…")
	}
	return nil
}

// OutgoingNetworks are the private networks that may be reached. Validate has seen that they parse.
func (o Providers) OutgoingNetworks() []netip.Prefix { return must(networks(o.OutgoingAllow)) }

// identityToolkit is Google's own address of the calls by which browsers prove phone numbers.
const identityToolkit = "https://identitytoolkit.googleapis.com"

// FirebaseAPI is where browsers have Firebase send codes; empty where they do not.
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

// The scripts of others that browsers run, in a frame of their own, and what those need besides the host that they come
// from.
const (
	geetestScript   = "https://static.geetest.com/v4/gt4.js"
	recaptchaScript = "https://www.google.com/recaptcha/api.js"
)

var (
	geetestHosts   = []string{"https://*.geetest.com", "https://*.geevisit.com", "https://*.gsensebot.com"}
	recaptchaHosts = []string{"https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"}
)

// GeetestScript is where browsers load Geetest from; empty where it is not used.
func (o Providers) GeetestScript() string {
	if o.GeetestID == "" {
		return ""
	}
	return cmp.Or(o.GeetestJS, geetestScript)
}

// ReCAPTCHAScript is where browsers load the reCAPTCHA from that Firebase asks for; empty where they do not ask it.
func (o Providers) ReCAPTCHAScript() string {
	if o.FirebaseAPIKey == "" {
		return ""
	}
	return cmp.Or(o.FirebaseReCAPTCHA, recaptchaScript)
}

// BrowserReach are the origins of others that pages may call.
func (o Providers) BrowserReach() []string { return originOf(o.FirebaseAPI()) }

// WidgetReach are the places of others that scripts of others may run from and call, in the frame for them.
func (o Providers) WidgetReach() []string {
	var all []string
	if o.GeetestScript() != "" {
		all = slices.Concat(originOf(o.GeetestJS), geetestHosts)
	}
	if o.ReCAPTCHAScript() != "" {
		all = slices.Concat(all, originOf(o.FirebaseReCAPTCHA), recaptchaHosts)
	}
	return all
}

// originOf is none for no address.
func originOf(address string) []string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil
	}
	return []string{u.Scheme + "://" + u.Host}
}
