package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"fairground/internal/demo"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/rate"
	"fairground/internal/platform/region"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
	"fairground/internal/site/merchant"
	"fairground/internal/site/ops"
)

type serveCommand struct {
	config.Serve
}

const stopTimeout = 10 * time.Second

// Run serves until the console's context ends.
func (s *serveCommand) Run(c *console) error {
	if err := s.run(c); err != nil {
		return err
	}
	// Only now: whoever reads it may start the next server on this folder at once.
	_, err := fmt.Fprintln(c.out, "Stopped.")
	return err
}

func (s *serveCommand) run(c *console) (err error) {
	if s.Demo && s.Merchant != demo.MerchantCode {
		return fmt.Errorf("--demo serves the merchant %s: leave --merchant out", demo.MerchantCode)
	}
	log := rest.NewLog(c.errors, s.Level())
	defer func() { err = errors.Join(err, rest.Flush(log)) }()
	lock, err := control.Wait(c.ctx, s.Data, c.turn)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	listener, err := (&net.ListenConfig{}).Listen(c.ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	defer listener.Close() // closed by the server too, when it got that far
	blobs, done, err := openBlobs(c.ctx, s.Blob, s.BlobFolder())
	if err != nil {
		return err
	}
	defer done()
	if err := checkBlobs(c.ctx, blobs); err != nil {
		return err
	}
	files, err := s.openFiles(c.now(), log)
	if err != nil {
		return err
	}
	p, err := openParts(c.ctx, partOptions{
		storage: s.Storage, merchant: s.Merchant, demo: s.Demo, log: log, now: c.now, hashes: c.hashes, slack: c.slack,
		outside: s.Outside, site: s.Site(), blobs: blobs, files: files,
		bus: events.BusOptions{URL: s.NATS, Listen: s.NATSListen, Token: s.NATSToken, FlushWait: c.slack},
	}, migrateAll)
	if err != nil {
		return err
	}
	defer p.close()
	leave, err := p.store.Join(c.ctx, s.sharesEvents(), c.turn, log)
	if err != nil {
		return err
	}
	p.onClose(leave)
	if err := s.firstStart(c, p); err != nil {
		return err
	}
	// Read now: what the settings ask for in vain is told at the start, not to the first visitor's surprise.
	if _, err := p.merchants.Find(c.ctx, ""); err != nil {
		return err
	}
	return s.serve(c, p, listener)
}

// files are what the operator brings along: each is nil unless its flag names one.
type files struct {
	countries *region.File
	signer    *webui.Signer
	pictures  *os.Root
}

// known gives whoever knows the countries: nobody is not the same as nobody's file.
func (f files) known() merchant.Countries {
	if f.countries == nil {
		return nil
	}
	return f.countries
}

// openFiles reads them at the start: a site that should keep countries out must not open without knowing them.
func (s *serveCommand) openFiles(now time.Time, log *slog.Logger) (f files, err error) {
	if s.GeoIP != "" {
		if f.countries, err = region.Open(s.GeoIP); err != nil {
			return f, fmt.Errorf("--geoip: %w", err)
		}
	}
	if s.WebclipCert != "" {
		if f.signer, err = webui.OpenSigner(s.WebclipCert, s.WebclipKey); err != nil {
			return f, fmt.Errorf("--webclip-cert: %w", err)
		}
		if until := f.signer.Certificate().NotAfter; now.After(until) {
			log.Warn("the web clip's certificate has run out: phones will say so", "until", until)
		}
	}
	if s.Pictures != "" {
		if f.pictures, err = os.OpenRoot(s.Pictures); err != nil {
			return f, fmt.Errorf("--pictures: %w", err)
		}
	}
	return f, nil
}

// checkBlobs finds out at the start, not at the first upload, that files cannot be kept.
func checkBlobs(ctx context.Context, store blob.Store) error {
	probe := "probe/" + strings.ToLower(rand.Text()) // replicas on one bucket start together
	if err := store.Put(ctx, probe, strings.NewReader("ok"), 2); err != nil {
		return err
	}
	return store.Delete(ctx, probe)
}

// openBlobs gives the place of uploaded files: a bucket by address, or a folder.
func openBlobs(ctx context.Context, address, folder string) (blob.Store, func(), error) {
	if address != "" {
		s, err := blob.OpenS3(ctx, address)
		return s, func() {}, err
	}
	f, err := blob.OpenFiles(folder)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { _ = f.Close() }, nil // a folder handle: nothing is lost with it
}

// firstStart makes what a server cannot be without. It can be interrupted anywhere and run again.
func (s *serveCommand) firstStart(c *console, p *parts) error {
	err := demo.Claim(c.ctx, p.store, s.Demo, c.now())
	if err != nil {
		return err
	}
	if s.Demo {
		err = demo.Seed(c.ctx, demo.Parts{
			Merchants: p.merchants, Members: p.members, Catalogue: p.catalogue, Content: p.content, Ledger: p.ledger, Jackpots: p.jackpots, Terms: houseTerms,
		})
	} else {
		err = s.ensureMerchant(c.ctx, p)
	}
	if err != nil {
		return err
	}
	password, err := p.operators.First(c.ctx)
	if err != nil || password == "" {
		return err
	}
	// At once: it is in the database already, and whatever fails from here on would take it along.
	return s.showFirst(c, password)
}

// firstOperator is the file with the first operator's password, where nobody sits before the output.
const firstOperator = "first-operator.txt"

// showFirst shows the first operator's password, once. An output that is no terminal is a journal or a file that
// others read and that is kept: there it says only where the password lies.
func (s *serveCommand) showFirst(c *console, password string) error {
	if c.terminal {
		_, err := fmt.Fprintf(c.out, "First operator: %s, password %s (shown this once)\n", ops.FirstName, password)
		return err
	}
	name := filepath.Join(s.Data, firstOperator)
	err := os.Remove(name) // of an installation that was in this folder before
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = writeNew(name, password+"\n")
	}
	if err != nil {
		return fmt.Errorf("keep the first operator's password (fairground operator password %s gives another): %w", ops.FirstName, err)
	}
	_, err = fmt.Fprintf(c.out, "First operator: %s, password in %s (read it, then delete the file)\n", ops.FirstName, name)
	return err
}

// writeNew writes a file that was not there and that only its owner may read.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// ensureMerchant makes the site's merchant at the first start. Later a code that is not there is a misspelt one
// more often than another merchant, which would be served an empty site.
func (s *serveCommand) ensureMerchant(ctx context.Context, p *parts) error {
	codes, err := p.merchants.Codes(ctx)
	if err != nil {
		return err
	}
	if len(codes) > 0 && !slices.Contains(codes, s.Merchant) && !s.NewMerchant {
		return fmt.Errorf("no merchant %s here, but %s: name that one with --merchant, or add --new-merchant to make another", s.Merchant, strings.Join(codes, ", "))
	}
	_, err = p.merchants.Ensure(ctx, s.Merchant, s.Merchant, s.Currency)
	return err
}

// sharesEvents tells whether other servers hear of what happens here, and may work on the same database.
func (s *serveCommand) sharesEvents() bool { return s.NATS != "" || s.NATSListen != "" }

// serve starts the living parts and stops them in the opposite order.
func (s *serveCommand) serve(c *console, p *parts, listener net.Listener) error {
	registry := prometheus.NewRegistry()
	api, hub, err := s.newAPI(p, registry)
	if err != nil {
		return err
	}
	defer hub.Close()
	relayed, stopRelay := context.WithCancel(context.WithoutCancel(c.ctx))
	done := make(chan struct{})
	go func() { defer close(done); p.outbox.Run(relayed) }()
	defer func() { stopRelay(); <-done }()

	runner, err := jobs.New(p.store, p.log, p.periodic()...)
	if err != nil {
		return err
	}
	if err := runner.Take(p.queue); err != nil {
		return err
	}
	if p.store.Engine == db.SQLite || !s.sharesEvents() { // then it is alone: see Join
		if err := jobs.Free(c.ctx, p.store); err != nil {
			return err
		}
	}
	if err := runner.Start(c.ctx); err != nil {
		return err
	}
	defer func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopTimeout)
		defer cancel()
		p.report("jobs", runner.Stop(wait))
	}()

	p.house.Start()
	defer p.house.Close()
	p.jackpots.Start()
	defer p.jackpots.Close()

	socket, err := control.Listen(c.ctx, s.Data)
	if err != nil {
		return err
	}
	commands := control.Serve(socket, p.commands(), explain, p.log)
	defer func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopTimeout)
		defer cancel()
		p.report("commands", commands.Stop(wait))
	}()

	s.greet(c, p.store, listener.Addr())
	return api.Serve(c.ctx, listener, func() { hub.Close(); p.house.Close() }) // else their streams would keep it
}

func (s *serveCommand) newAPI(p *parts, registry *prometheus.Registry) (*rest.API, *events.Hub, error) {
	options := rest.Options{
		Version: version, Log: p.log,
		Authenticator: p.sessions, Merchants: p.merchants, Modules: p.merchants, Gate: p.merchants,
		Proxies: s.ProxyNetworks(), Origins: s.Origins(), TLS: s.TLS(),
		Metrics: registry, MetricsFrom: s.MetricsNetworks(), Unavailable: databaseAway, Timeout: p.slack,
	}
	if s.Rate > 0 {
		options.Rate = rate.PerSecond(s.Rate)
	}
	api, err := rest.New(options)
	if err != nil {
		return nil, nil, err
	}
	if p.app, err = webui.New(front{p}, webui.Reach{Calls: s.BrowserReach(), Widgets: s.WidgetReach(), Frames: p.vendors.Origins, Images: p.merchants.PictureOrigins, Pictures: p.pictures}); err != nil {
		return nil, nil, err
	}
	hub, err := events.NewHub(p.bus, p.log)
	if err != nil {
		return nil, nil, err
	}
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "fairground_event_streams", Help: "Open event streams.",
		}, func() float64 { return float64(hub.Open()) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "fairground_password_hashes_total", Help: "Password hashes made, to store or to compare. Each takes tens of milliseconds.",
		}, func() float64 { return float64(p.passwords.Made()) }),
	)
	p.merchants.Watch(hub.Look)
	p.register(api, hub)
	handler := api.Handler()
	p.within.handler.Store(&handler)
	api.Mount("GET /healthz", api.Health(version, p.healthy))
	api.Mount("GET /metrics", api.MetricsHandler(registry))
	api.Mount("/", p.app)
	return api, hub, nil
}

// greet prints where the server is, who can log in and how to stop.
func (s *serveCommand) greet(c *console, store *db.Store, at net.Addr) {
	host, port, err := net.SplitHostPort(at.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	fmt.Fprintf(c.out, "Fairground serves http://%s/m/home\n", net.JoinHostPort(host, port))
	where := "SQLite in " + s.Data
	if store.Engine == db.Postgres {
		where = db.Redact(s.DB)
	}
	fmt.Fprintf(c.out, "Database: %s\n", where)
	if s.Demo {
		for _, a := range demo.Accounts {
			fmt.Fprintf(c.out, "Demo %s: %s, password %s\n", a.Role, a.Username, demo.Password)
		}
	}
	fmt.Fprintln(c.out, "Stop with Ctrl+C.")
}
