package config

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
)

// Outside are the services of others that the server can use. Each is off until it is configured.
type Outside struct {
	OutgoingAllow []string `name:"outgoing-allow" help:"Private networks in which those services may be, CIDR, comma-separated. Without it only public addresses are reached." env:"FAIRGROUND_OUTGOING_ALLOW" placeholder:"CIDR"`

	SMSURL   string `name:"sms-url" help:"Gateway for text messages: gets each as a signed POST." env:"FAIRGROUND_SMS_URL" placeholder:"URL"`
	SMSKey   string `name:"sms-key" help:"Secret that signs them." env:"FAIRGROUND_SMS_KEY" placeholder:"KEY" secret:""`
	SMTP     string `name:"smtp" help:"Mail server, smtp://USER:PASSWORD@HOST:PORT or smtps://…" env:"FAIRGROUND_SMTP" placeholder:"URL" secret:""`
	MailFrom string `name:"mail-from" help:"Sender of the mail." env:"FAIRGROUND_MAIL_FROM" placeholder:"ADDRESS"`

	GeetestID  string `name:"geetest-id" help:"Geetest v4 captcha id, in place of the own slider." env:"FAIRGROUND_GEETEST_ID" placeholder:"ID"`
	GeetestKey string `name:"geetest-key" help:"Its key." env:"FAIRGROUND_GEETEST_KEY" placeholder:"KEY" secret:""`
	GeetestURL string `name:"geetest-url" help:"Where to check its answers, when not at Geetest itself." env:"FAIRGROUND_GEETEST_URL" placeholder:"URL"`

	GoogleClientID     string `name:"google-client-id" help:"Client id for logging in by Google. Its redirect address is the public URL with /wps/session/outside/google/callback." env:"FAIRGROUND_GOOGLE_CLIENT_ID" placeholder:"ID"`
	GoogleClientSecret string `name:"google-client-secret" help:"Its secret." env:"FAIRGROUND_GOOGLE_CLIENT_SECRET" placeholder:"SECRET" secret:""`
	GoogleIssuer       string `name:"google-issuer" help:"The OpenID Connect issuer, when not Google itself." env:"FAIRGROUND_GOOGLE_ISSUER" placeholder:"URL"`
	FacebookAppID      string `name:"facebook-app-id" help:"App id for logging in by Facebook. Its redirect address is the public URL with /wps/session/outside/facebook/callback." env:"FAIRGROUND_FACEBOOK_APP_ID" placeholder:"ID"`
	FacebookAppSecret  string `name:"facebook-app-secret" help:"Its secret." env:"FAIRGROUND_FACEBOOK_APP_SECRET" placeholder:"SECRET" secret:""`
	FacebookURL        string `name:"facebook-url" help:"Where its dialog and Graph are, when not at Facebook itself." env:"FAIRGROUND_FACEBOOK_URL" placeholder:"URL"`
	FirebaseProject    string `name:"firebase-project" help:"Firebase project whose tokens prove phone numbers." env:"FAIRGROUND_FIREBASE_PROJECT" placeholder:"ID"`
	FirebaseJWKS       string `name:"firebase-keys-url" help:"Where the public keys of those tokens are, when not at Google itself." env:"FAIRGROUND_FIREBASE_KEYS_URL" placeholder:"URL"`
}

// Validate is called by the parser: what is half configured would fail at the first member who needs it.
func (o Outside) Validate() error {
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
		{"--google-issuer", o.GoogleIssuer, "--google-client-id", o.GoogleClientID},
		{"--facebook-url", o.FacebookURL, "--facebook-app-id", o.FacebookAppID},
		{"--firebase-keys-url", o.FirebaseJWKS, "--firebase-project", o.FirebaseProject},
	} {
		if detail[1] != "" && detail[3] == "" {
			return fmt.Errorf("%s needs %s", detail[0], detail[2])
		}
	}
	for _, address := range [][2]string{
		{"--sms-url", o.SMSURL}, {"--geetest-url", o.GeetestURL}, {"--google-issuer", o.GoogleIssuer},
		{"--facebook-url", o.FacebookURL}, {"--firebase-keys-url", o.FirebaseJWKS},
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
func (o Outside) OutgoingNetworks() []netip.Prefix { return must(networks(o.OutgoingAllow)) }
