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

	"fairground/internal/demo"
	"fairground/internal/platform/blob"
	"fairground/internal/platform/config"
	"fairground/internal/platform/control"
	"fairground/internal/platform/db"
	"fairground/internal/platform/events"
	"fairground/internal/platform/jobs"
	"fairground/internal/platform/ratelimit"
	"fairground/internal/platform/region"
	"fairground/internal/platform/rest"
	"fairground/internal/platform/webui"
	"fairground/internal/server"
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
	p, err := server.Open(c.ctx, server.Options{
		Storage: s.Storage, Merchant: s.Merchant, Demo: s.Demo, Log: log, Now: c.now, Hashes: c.hashes, Slack: c.slack,
		Providers: s.Providers, Site: s.Site(), Blobs: blobs, Files: files,
		Bus: events.BusOptions{URL: s.NATS, Listen: s.NATSListen, Token: s.NATSToken, FlushWait: c.slack},
	}, server.Migrate)
	if err != nil {
		return err
	}
	defer p.Close()
	release, err := p.Store.LockServer(c.ctx, s.sharesEvents(), c.turn, log)
	if err != nil {
		return err
	}
	p.OnClose(release)
	if err := s.firstStart(c, p); err != nil {
		return err
	}
	// Read now: what the settings ask for in vain is told at the start, not to the first visitor's surprise.
	if _, err := p.Merchants.Find(c.ctx, ""); err != nil {
		return err
	}
	return s.serve(c, p, listener)
}

// openFiles reads the operator's files at the start: a site that should keep countries out must not open without knowing them.
func (s *serveCommand) openFiles(now time.Time, log *slog.Logger) (f server.Files, err error) {
	if s.GeoIP != "" {
		if f.Countries, err = region.Open(s.GeoIP); err != nil {
			return f, fmt.Errorf("--geoip: %w", err)
		}
	}
	if s.WebclipCert != "" {
		if f.Signer, err = webui.OpenSigner(s.WebclipCert, s.WebclipKey); err != nil {
			return f, fmt.Errorf("--webclip-cert: %w", err)
		}
		if until := f.Signer.Certificate().NotAfter; now.After(until) {
			log.Warn("the web clip's certificate has run out: phones will say so", "until", until)
		}
	}
	if s.Pictures != "" {
		if f.Pictures, err = os.OpenRoot(s.Pictures); err != nil {
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
func (s *serveCommand) firstStart(c *console, p *server.Server) error {
	err := demo.Claim(c.ctx, p.Store, s.Demo, c.now())
	if err != nil {
		return err
	}
	if s.Demo {
		err = p.SeedDemo(c.ctx)
	} else {
		err = s.ensureMerchant(c.ctx, p)
	}
	if err != nil {
		return err
	}
	password, err := p.Operators.CreateFirst(c.ctx)
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
func (s *serveCommand) ensureMerchant(ctx context.Context, p *server.Server) error {
	codes, err := p.Merchants.Codes(ctx)
	if err != nil {
		return err
	}
	if len(codes) > 0 && !slices.Contains(codes, s.Merchant) && !s.NewMerchant {
		return fmt.Errorf("no merchant %s here, but %s: name that one with --merchant, or add --new-merchant to make another", s.Merchant, strings.Join(codes, ", "))
	}
	_, err = p.Merchants.Ensure(ctx, s.Merchant, s.Merchant, s.Currency)
	return err
}

// sharesEvents tells whether other servers hear of what happens here, and may work on the same database.
func (s *serveCommand) sharesEvents() bool { return s.NATS != "" || s.NATSListen != "" }

// serve starts the living parts and stops them in the opposite order.
func (s *serveCommand) serve(c *console, p *server.Server, listener net.Listener) error {
	api, err := p.API(s.http())
	if err != nil {
		return err
	}
	relayed, stopRelay := context.WithCancel(context.WithoutCancel(c.ctx))
	done := make(chan struct{})
	go func() { defer close(done); p.Outbox.Run(relayed) }()
	defer func() { stopRelay(); <-done }()

	runner, err := jobs.New(p.Store, p.Log(), p.Queue, p.Periodic()...)
	if err != nil {
		return err
	}
	if p.Store.Engine == db.SQLite || !s.sharesEvents() { // then it is alone: see Join
		if err := jobs.ResetRunning(c.ctx, p.Store); err != nil {
			return err
		}
	}
	if err := runner.Start(c.ctx); err != nil {
		return err
	}
	defer func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopTimeout)
		defer cancel()
		p.Report("jobs", runner.Stop(wait))
	}()

	p.House.Start()
	p.Jackpots.Start()
	defer p.Jackpots.Close()

	socket, err := control.Listen(c.ctx, s.Data)
	if err != nil {
		return err
	}
	commands := control.Serve(socket, commands(p), explain, p.Log())
	defer func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopTimeout)
		defer cancel()
		p.Report("commands", commands.Stop(wait))
	}()

	s.greet(c, p.Store, listener.Addr())
	return api.Serve(c.ctx, listener, func() { p.Hub.Close(); p.House.Close() }) // else their streams would keep it
}

// http says how the API is reached.
func (s *serveCommand) http() server.HTTP {
	h := server.HTTP{
		Version: version, Proxies: s.ProxyNetworks(), Origins: s.Origins(), TLS: s.TLS(), MetricsFrom: s.MetricsNetworks(),
		Calls: s.BrowserReach(), Widgets: s.WidgetReach(),
	}
	if s.Rate > 0 {
		h.Rate = ratelimit.PerSecond(s.Rate)
	}
	return h
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
