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
	} {
		if (pair[1] == "") != (pair[3] == "") {
			return fmt.Errorf("%s and %s need each other", pair[0], pair[2])
		}
	}
	if o.GeetestURL != "" && o.GeetestID == "" {
		return errors.New("--geetest-url needs --geetest-id and --geetest-key")
	}
	for _, address := range [][2]string{{"--sms-url", o.SMSURL}, {"--geetest-url", o.GeetestURL}} {
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
