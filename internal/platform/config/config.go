// Package config holds the settings of the program: what they are called on the command line and in the
// environment, what they default to and which ones go together. It reads no file, opens nothing, and gives
// no secret a default value.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"fairground/internal/platform/db"
)

// Storage says where the data is. Every command that touches data has these.
type Storage struct {
	Data string `help:"Data folder: the database unless --db is given, uploaded files, the lock and the control socket." default:"data" env:"FAIRGROUND_DATA" type:"path" placeholder:"DIR"`
	DB   string `name:"db" help:"PostgreSQL address (postgres://…). Without it, SQLite in the data folder." env:"FAIRGROUND_DB" placeholder:"URL" secret:""`
}

// Open gives the database's own options.
func (s Storage) Open(readOnly bool) db.Options {
	return db.Options{Data: s.Data, URL: s.DB, ReadOnly: readOnly}
}

// Validate is called by the parser.
func (s Storage) Validate() error {
	if s.DB != "" && !strings.HasPrefix(s.DB, "postgres://") && !strings.HasPrefix(s.DB, "postgresql://") {
		return errors.New("--db: want an address that begins with postgres://")
	}
	if s.DB != "" {
		if _, err := db.ParseAddress(s.DB); err != nil {
			return fmt.Errorf("--db: %w", err)
		}
	}
	return nil
}

// Serve are the settings of the server.
type Serve struct {
	Storage
	Providers

	Addr         string   `help:"Where to listen, HOST:PORT. Put a TLS proxy in front of anything public." default:"127.0.0.1:8080" env:"FAIRGROUND_ADDR" placeholder:"HOST:PORT"`
	Merchant     string   `help:"Code of the merchant this server is for." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	NewMerchant  bool     `name:"new-merchant" help:"Make that merchant on a database that has others already. The first one is made by itself." env:"FAIRGROUND_NEW_MERCHANT"`
	Currency     string   `help:"Currency of that merchant, set for good when it is first made: CNY unless given. Never play money." env:"FAIRGROUND_CURRENCY" placeholder:"CODE"`
	Demo         bool     `help:"Fill an empty site with demo games, content, accounts and play money. Accounts with well-known passwords: on loopback addresses only." env:"FAIRGROUND_DEMO"`
	DemoAnywhere bool     `help:"Allow --demo on an address that others can reach." env:"FAIRGROUND_DEMO_ANYWHERE"`
	PublicURL    string   `name:"public-url" help:"The site's own address as browsers see it; https:// switches on what is right only behind TLS." env:"FAIRGROUND_PUBLIC_URL" placeholder:"URL"`
	Proxies      []string `help:"Networks of the proxies whose forwarded headers count, CIDR, comma-separated." env:"FAIRGROUND_PROXIES" placeholder:"CIDR"`
	MetricsFrom  []string `name:"metrics-from" help:"Networks that may read /metrics besides this machine, CIDR, comma-separated." env:"FAIRGROUND_METRICS_FROM" placeholder:"CIDR"`
	Rate         int      `help:"API calls a second from one address, twice that at once; 0 means no limit." default:"300" env:"FAIRGROUND_RATE"`
	NATS         string   `name:"nats" help:"NATS address (nats://…) that replicas share. Without it, one inside this process." env:"FAIRGROUND_NATS" placeholder:"URL" secret:""`
	NATSListen   string   `name:"nats-listen" help:"Let others reach the NATS inside this process." env:"FAIRGROUND_NATS_LISTEN" placeholder:"HOST:PORT"`
	NATSToken    string   `name:"nats-token" help:"Secret that replicas share: --nats-listen asks for it, --nats gives it." env:"FAIRGROUND_NATS_TOKEN" placeholder:"TOKEN" secret:""`
	GeoIP        string   `name:"geoip" help:"File that tells in which country an address is (MaxMind's format: GeoLite2 Country, GeoIP2 City …), for system.blocked_countries." env:"FAIRGROUND_GEOIP" type:"path" placeholder:"FILE"`
	WebclipCert  string   `name:"webclip-cert" help:"Certificate, with those above it, that the profile for Apple's home screens is signed with. PEM." env:"FAIRGROUND_WEBCLIP_CERT" type:"path" placeholder:"FILE"`
	WebclipKey   string   `name:"webclip-key" help:"Its key. PEM." env:"FAIRGROUND_WEBCLIP_KEY" type:"path" placeholder:"FILE" secret:""`
	Pictures     string   `help:"Folder with pictures of the operator's own (webp, avif, png, jpg), which the site shows below /m/pictures/." env:"FAIRGROUND_PICTURES" type:"path" placeholder:"FOLDER"`
	Blob         string   `help:"Where uploaded files go: s3://KEY:SECRET@HOST/BUCKET. Without it, the data folder." env:"FAIRGROUND_BLOB" placeholder:"URL" secret:""`
	LogLevel     string   `name:"log-level" help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error" env:"FAIRGROUND_LOG_LEVEL"`
}

// Validate is called by the parser: one clear line for what does not fit together.
func (s *Serve) Validate() error {
	if err := errors.Join(s.Storage.Validate(), s.Providers.Validate()); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return fmt.Errorf("--addr %q: want HOST:PORT", s.Addr)
	}
	if s.Demo && !s.DemoAnywhere && !loopback(host) {
		return fmt.Errorf("--demo on %s would offer accounts with well-known passwords to others: listen on 127.0.0.1, or add --demo-anywhere", s.Addr)
	}
	if s.NATS != "" && s.NATSListen != "" {
		return errors.New("--nats and --nats-listen exclude each other: one uses a NATS, the other is one")
	}
	if err := s.checkNATSToken(); err != nil {
		return err
	}
	if s.Rate < 0 {
		return errors.New("--rate: want 0 or more")
	}
	if s.PublicURL != "" {
		u, err := url.Parse(s.PublicURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("--public-url: want http://HOST or https://HOST")
		}
		// What stands besides would be dropped in silence; the site lives at the root of its address.
		if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
			return errors.New("--public-url: want nothing but http://HOST or https://HOST: no user, path or query")
		}
	}
	if s.PublicURL == "" && (s.GoogleClientID != "" || s.FacebookAppID != "") {
		return errors.New("--google-client-id and --facebook-app-id need --public-url: browsers are led back there")
	}
	if (s.WebclipCert == "") != (s.WebclipKey == "") {
		return errors.New("--webclip-cert and --webclip-key need each other")
	}
	if s.WebclipCert != "" && s.PublicURL == "" {
		return errors.New("--webclip-cert needs --public-url: a profile is signed for that address alone")
	}
	for flag, list := range map[string][]string{"--proxies": s.Proxies, "--metrics-from": s.MetricsFrom} {
		if _, err := networks(list); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	return nil
}

// natsToken is long enough not to be guessed, and means itself inside an address too.
var natsToken = regexp.MustCompile(`^[A-Za-z0-9_-]{16,}$`)

// checkNATSToken keeps an events server without a secret off the network: who reaches it could forge balances and
// end sessions.
func (s *Serve) checkNATSToken() error {
	if s.NATSToken != "" && !natsToken.MatchString(s.NATSToken) {
		return errors.New("--nats-token: want 16 or more letters, digits, - or _")
	}
	if s.NATSListen == "" || s.NATSToken != "" {
		return nil
	}
	host, _, err := net.SplitHostPort(s.NATSListen)
	if err != nil {
		return fmt.Errorf("--nats-listen %q: want HOST:PORT", s.NATSListen)
	}
	if !loopback(host) {
		return fmt.Errorf("--nats-listen %s would let everyone who reaches it forge events: add --nats-token, or listen on 127.0.0.1", s.NATSListen)
	}
	return nil
}

// TLS tells whether browsers reach the site over TLS.
func (s *Serve) TLS() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// Origins are the site's own origins besides the host that a request names.
func (s *Serve) Origins() []string {
	if site := s.Site(); site != "" {
		return []string{site}
	}
	return nil
}

// Site is the origin at which browsers see the site; empty when it was not given.
func (s *Serve) Site() string {
	u, err := url.Parse(s.PublicURL)
	if err != nil || s.PublicURL == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// ProxyNetworks are the configured proxies. Validate has seen that they parse.
func (s *Serve) ProxyNetworks() []netip.Prefix { return must(networks(s.Proxies)) }

// MetricsNetworks are those who may read the figures.
func (s *Serve) MetricsNetworks() []netip.Prefix { return must(networks(s.MetricsFrom)) }

// BlobFolder is where uploaded files go when no bucket is given.
func (s *Serve) BlobFolder() string { return filepath.Join(s.Data, "blobs") }

// Level is the log level for slog.
func (s *Serve) Level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return slog.LevelInfo // the parser lets only known levels through
	}
	return l
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

func networks(list []string) ([]netip.Prefix, error) {
	out := make([]netip.Prefix, 0, len(list))
	for _, s := range list {
		if a, err := netip.ParseAddr(s); err == nil {
			out = append(out, netip.PrefixFrom(a, a.BitLen()))
			continue
		}
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%q is no network: want 10.0.0.0/8", s)
		}
		out = append(out, p.Masked())
	}
	return out, nil
}

func must(list []netip.Prefix, err error) []netip.Prefix {
	if err != nil {
		panic(err)
	}
	return list
}
