// Package config defines the program's settings: their flags, environment variables, defaults and validation. It opens
// no files. Secrets have no default values.
package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"fairground/internal/platform/db"
	"fairground/internal/platform/secret"
)

// Storage holds the location of the data. Every command that reads or writes data has these settings.
type Storage struct {
	Data string `help:"Data folder: the database unless --db is given, uploaded files, the lock and the control socket." default:"data" env:"FAIRGROUND_DATA" type:"path" placeholder:"DIR"`
	// FAIRGROUND_KEY has no flag, because other users can see the command line.
	KeyFile string `name:"key-file" help:"File with the installation's key. Without it, secret.key in the data folder, or FAIRGROUND_KEY with the key itself. All replicas need the same key." env:"FAIRGROUND_KEY_FILE" type:"path" placeholder:"FILE" secret:""`
	DB      string `name:"db" help:"PostgreSQL address (postgres://…). Without it, SQLite in the data folder." env:"FAIRGROUND_DB" placeholder:"URL" secret:""`
}

// DBOptions returns the options for opening the database.
func (s Storage) DBOptions(readOnly bool) db.Options {
	return db.Options{Data: s.Data, URL: s.DB, ReadOnly: readOnly}
}

// Key returns where the installation's key comes from: a file or FAIRGROUND_KEY.
func (s Storage) Key() secret.Source {
	if s.KeyFile != "" {
		return secret.Source{File: s.KeyFile}
	}
	if text := os.Getenv("FAIRGROUND_KEY"); text != "" {
		return secret.Source{Text: text}
	}
	return secret.Source{File: filepath.Join(s.Data, secret.FileName)}
}

// Validate checks the settings. The command-line parser calls it.
func (s Storage) Validate() error {
	if s.DB != "" && !strings.HasPrefix(s.DB, "postgres://") && !strings.HasPrefix(s.DB, "postgresql://") {
		return errors.New("--db: want an address that starts with postgres://")
	}
	if s.DB != "" {
		if _, err := db.ParseAddress(s.DB); err != nil {
			return fmt.Errorf("--db: %w", err)
		}
	}
	return nil
}

// Serve holds the settings of the server.
type Serve struct {
	Storage
	Providers

	Addr         string `help:"Address to listen on, HOST:PORT. Use a TLS proxy in front of a public address." default:"127.0.0.1:8080" env:"FAIRGROUND_ADDR" placeholder:"HOST:PORT"`
	Merchant     string `help:"Code of the merchant that this server serves." default:"fairground" env:"FAIRGROUND_MERCHANT" placeholder:"CODE"`
	NewMerchant  bool   `name:"new-merchant" help:"Create the merchant of --merchant in a database that already has other merchants. The first merchant is created automatically." env:"FAIRGROUND_NEW_MERCHANT"`
	Currency     string `help:"Currency of the merchant of --merchant. It is fixed when the merchant is created; the default is CNY. Play money is not allowed." env:"FAIRGROUND_CURRENCY" placeholder:"CODE"`
	Demo         bool   `help:"Fill an empty database with demo games, content, accounts and play money. The demo passwords are public, so this works on loopback addresses only." env:"FAIRGROUND_DEMO"`
	DemoAnywhere bool   `help:"Allow --demo on an address that other machines can reach." env:"FAIRGROUND_DEMO_ANYWHERE"`
	// A real site shows real figures or none.
	SimulatedFigures bool     `name:"simulated-figures" help:"Show a simulated jackpot and simulated bonus claims where there are no real ones, each labelled as an illustration. --demo always does." env:"FAIRGROUND_SIMULATED_FIGURES"`
	PublicURL        string   `name:"public-url" help:"Address of the site as browsers see it. With https://, the server sets secure cookies and HSTS." env:"FAIRGROUND_PUBLIC_URL" placeholder:"URL"`
	Proxies          []string `help:"Networks of trusted proxies, whose X-Forwarded-* headers are used. CIDR, comma-separated." env:"FAIRGROUND_PROXIES" placeholder:"CIDR"`
	MetricsFrom      []string `name:"metrics-from" help:"Networks that may read /metrics, in addition to this machine. CIDR, comma-separated." env:"FAIRGROUND_METRICS_FROM" placeholder:"CIDR"`
	MetricsToken     string   `name:"metrics-token" help:"Token that allows /metrics, and the demo's captured messages, from anywhere: Authorization: Bearer TOKEN." env:"FAIRGROUND_METRICS_TOKEN" placeholder:"TOKEN" secret:""`
	Rate             int      `help:"Maximum API calls per second from one address, with bursts of twice that; 0 means no limit." default:"300" env:"FAIRGROUND_RATE"`
	NATS             []string `name:"nats" help:"Address of a NATS server that replicas share (nats://…). For a cluster, give several addresses, comma-separated or repeated. Without it, the server runs its own." env:"FAIRGROUND_NATS" placeholder:"URL" secret:""`
	NATSListen       string   `name:"nats-listen" help:"Address on which the built-in NATS server accepts other replicas." env:"FAIRGROUND_NATS_LISTEN" placeholder:"HOST:PORT"`
	NATSToken        string   `name:"nats-token" help:"Secret shared by the replicas: --nats-listen requires it, --nats sends it." env:"FAIRGROUND_NATS_TOKEN" placeholder:"TOKEN" secret:""`
	GeoIP            string   `name:"geoip" help:"Database of the countries of IP addresses, in MaxMind format (GeoLite2 Country, GeoIP2 City …). Required for system.blocked_countries." env:"FAIRGROUND_GEOIP" type:"path" placeholder:"FILE"`
	WebclipCert      string   `name:"webclip-cert" help:"Certificate chain that signs the .mobileconfig profile, which adds the site to an Apple home screen. PEM." env:"FAIRGROUND_WEBCLIP_CERT" type:"path" placeholder:"FILE"`
	WebclipKey       string   `name:"webclip-key" help:"Private key of --webclip-cert. PEM." env:"FAIRGROUND_WEBCLIP_KEY" type:"path" placeholder:"FILE" secret:""`
	LotterySchedule  string   `name:"lottery-schedule" help:"File with the weekly schedule of the regional lotteries. Without it, the schedule that is part of the program." env:"FAIRGROUND_LOTTERY_SCHEDULE" type:"path" placeholder:"FILE"`
	Pictures         string   `help:"Folder with the operator's pictures (webp, avif, png, jpg). The site serves them under /m/pictures/." env:"FAIRGROUND_PICTURES" type:"path" placeholder:"FOLDER"`
	Blob             string   `help:"S3 bucket for uploaded files: s3://KEY:SECRET@HOST/BUCKET. Without it, they are stored in the database with --db, and otherwise in the data folder." env:"FAIRGROUND_BLOB" placeholder:"URL" secret:""`
	LogLevel         string   `name:"log-level" help:"debug, info, warn or error." default:"info" enum:"debug,info,warn,error" env:"FAIRGROUND_LOG_LEVEL"`
}

// Validate checks the settings and their combinations. The command-line parser calls it.
func (s *Serve) Validate() error {
	if err := errors.Join(s.Storage.Validate(), s.Providers.Validate()); err != nil {
		return err
	}
	host, _, err := net.SplitHostPort(s.Addr)
	if err != nil {
		return fmt.Errorf("--addr %q: want HOST:PORT", s.Addr)
	}
	if s.Demo && !s.DemoAnywhere && !loopback(host) {
		return fmt.Errorf("--demo on %s would expose accounts with public passwords: listen on 127.0.0.1, or add --demo-anywhere", s.Addr)
	}
	if len(s.NATS) > 0 && s.NATSListen != "" {
		return errors.New("--nats and --nats-listen cannot be used together: use an external NATS server or the built-in one")
	}
	if err := s.checkNATSToken(); err != nil {
		return err
	}
	if s.MetricsToken != "" && !sharedToken.MatchString(s.MetricsToken) {
		return errors.New("--metrics-token: want 16 or more letters, digits, - or _")
	}
	if s.Rate < 0 {
		return errors.New("--rate: want 0 or more")
	}
	if s.PublicURL != "" {
		u, err := url.Parse(s.PublicURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("--public-url: want http://HOST or https://HOST")
		}
		// The site is always at the root of its host. Other parts would be ignored silently.
		if u.User != nil || strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
			return errors.New("--public-url: want http://HOST or https://HOST, with no user, path or query")
		}
	}
	if s.PublicURL == "" && (s.GoogleClientID != "" || s.FacebookAppID != "") {
		return errors.New("--google-client-id and --facebook-app-id need --public-url: the login redirects browsers to that address")
	}
	if (s.WebclipCert == "") != (s.WebclipKey == "") {
		return errors.New("--webclip-cert and --webclip-key must be set together")
	}
	if s.WebclipCert != "" && s.PublicURL == "" {
		return errors.New("--webclip-cert needs --public-url: profiles are signed for that address only")
	}
	for flag, list := range map[string][]string{"--proxies": s.Proxies, "--metrics-from": s.MetricsFrom} {
		if _, err := networks(list); err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
	}
	return nil
}

// sharedToken matches a token of characters that need no escaping in a URL.
var sharedToken = regexp.MustCompile(`^[A-Za-z0-9_-]{16,}$`)

// checkNATSToken requires a token when the built-in NATS server listens on the network. Without one, anyone who can
// connect could forge balances and end sessions.
func (s *Serve) checkNATSToken() error {
	if s.NATSToken != "" && !sharedToken.MatchString(s.NATSToken) {
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
		return fmt.Errorf("--nats-listen %s would let anyone who can connect forge events: add --nats-token, or listen on 127.0.0.1", s.NATSListen)
	}
	return nil
}

// IsLocal reports whether only this machine can reach the server.
func (s *Serve) IsLocal() bool {
	host, _, err := net.SplitHostPort(s.Addr)
	return err == nil && loopback(host)
}

// TLS reports whether browsers reach the site over TLS.
func (s *Serve) TLS() bool { return strings.HasPrefix(s.PublicURL, "https://") }

// Origins returns SiteOrigin as a list, which is empty if none is configured.
func (s *Serve) Origins() []string {
	if origin := s.SiteOrigin(); origin != "" {
		return []string{origin}
	}
	return nil
}

// SiteOrigin returns the origin of the public URL, or "" if none is configured.
func (s *Serve) SiteOrigin() string {
	u, err := url.Parse(s.PublicURL)
	if err != nil || s.PublicURL == "" {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// ProxyNetworks returns the networks of trusted proxies. It panics if Validate would fail.
func (s *Serve) ProxyNetworks() []netip.Prefix { return must(networks(s.Proxies)) }

// MetricsNetworks returns the networks that may read /metrics. It panics if Validate would fail.
func (s *Serve) MetricsNetworks() []netip.Prefix { return must(networks(s.MetricsFrom)) }

// BlobFolder returns the folder for uploaded files. It is used if neither a bucket nor PostgreSQL is configured.
func (s *Serve) BlobFolder() string { return filepath.Join(s.Data, "blobs") }

// Level returns the log level.
func (s *Serve) Level() slog.Level {
	var l slog.Level
	if err := l.UnmarshalText([]byte(s.LogLevel)); err != nil {
		return slog.LevelInfo // unreachable: the parser checks the value
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
			return nil, fmt.Errorf("invalid network %q: want the form 10.0.0.0/8", s)
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
