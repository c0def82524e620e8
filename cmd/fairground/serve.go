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
	// Print this after the lock is released, because a caller may start the next server when it reads this line.
	_, err := fmt.Fprintln(c.out, "Stopped.")
	return err
}

func (s *serveCommand) run(c *console) (err error) {
	if s.Demo && s.Merchant != demo.MerchantCode {
		return fmt.Errorf("--demo always uses the merchant %s: remove --merchant", demo.MerchantCode)
	}
	log := rest.NewLog(c.stderr, s.Level())
	defer func() { err = errors.Join(err, rest.Flush(log)) }()
	c.secrets.warn(log)
	lock, err := control.Wait(c.ctx, s.Data, c.startTimeout(), func(err error) {
		log.Warn("waiting for another process to release the data folder", "error", err)
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	listener, err := (&net.ListenConfig{}).Listen(c.ctx, "tcp", s.Addr)
	if err != nil {
		return err
	}
	defer listener.Close() // for an early return; otherwise api.Serve closes it
	blobs, closeBlobs, err := s.openBlobs(c.ctx)
	if err != nil {
		return err
	}
	defer closeBlobs()
	files, err := s.openFiles(c.now(), log)
	if err != nil {
		return err
	}
	key := s.Key()
	key.Create = true
	p, err := openWhenReachable(c.ctx, log, server.Options{
		Storage: s.Storage, Key: key, Merchant: s.Merchant, Demo: s.Demo, Simulated: s.SimulatedFigures, Log: log, Now: c.now, Hashes: c.hashes, Timeout: c.timeout,
		SeriesLength: c.links,
		Providers:    s.Providers, SiteOrigin: s.SiteOrigin(), Blobs: blobs, Files: files,
		Bus: events.BusOptions{URL: strings.Join(s.NATS, ","), Listen: s.NATSListen, Token: s.NATSToken},
	})
	if err != nil {
		return err
	}
	defer p.Close()
	release, err := p.Store.LockServer(c.ctx, s.sharesEvents(), c.startTimeout(), log)
	if err != nil {
		return err
	}
	p.OnClose(release)
	if blobs == nil {
		if err := s.moveBlobs(c.ctx, p, log); err != nil {
			return err
		}
	}
	if err := s.firstStart(c, p); err != nil {
		return err
	}
	// Load the merchant's settings now, so that invalid settings are reported at startup.
	if _, err := p.Merchants.Find(c.ctx, ""); err != nil {
		return err
	}
	if err := p.Lottery.CheckGames(c.ctx); err != nil {
		return fmt.Errorf("--lottery-schedule: %w", err)
	}
	return s.serve(c, p, listener)
}

const (
	firstRetry = time.Second
	maxRetry   = 10 * time.Second
)

// openWhenReachable opens the server. It retries while PostgreSQL is down or starting. It returns other errors immediately,
// such as a wrong password or an unknown database.
func openWhenReachable(ctx context.Context, log *slog.Logger, o server.Options) (*server.Server, error) {
	for pause := firstRetry; ; pause = min(2*pause, maxRetry) {
		p, err := server.Open(ctx, o, server.Migrate)
		if err == nil || o.Storage.DB == "" || !db.Unavailable(err) {
			return p, err
		}
		log.WarnContext(ctx, "the database is not available: will retry", "error", oneLine(err), "in", pause.String())
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(pause):
		}
	}
}

// openFiles opens the operator's files. A site that blocks countries must not start without the country database.
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
		if expiry := f.Signer.Certificate().NotAfter; now.After(expiry) {
			log.Warn("the web clip certificate has expired: phones will warn users; replace it", "until", expiry)
		}
	}
	if f.Week, err = readWeek(s.LotterySchedule); err != nil {
		return f, err
	}
	if s.Pictures != "" {
		if f.Pictures, err = os.OpenRoot(s.Pictures); err != nil {
			return f, fmt.Errorf("--pictures: %w", err)
		}
	}
	return f, nil
}

// openBlobs opens the store of uploaded files. It returns nil if the files are stored in the database.
func (s *serveCommand) openBlobs(ctx context.Context) (blob.Store, func(), error) {
	if s.Blob == "" && s.DB != "" {
		return nil, func() {}, nil
	}
	store, closeStore, err := openBlobs(ctx, s.Blob, s.BlobFolder())
	if err != nil {
		return nil, nil, err
	}
	if err := checkBlobs(ctx, store); err != nil {
		closeStore()
		return nil, nil, err
	}
	return store, closeStore, nil
}

// moveBlobs moves uploaded files from the data folder to the database. An older release or a restored backup may have left
// them there.
func (s *serveCommand) moveBlobs(ctx context.Context, p *server.Server, log *slog.Logger) error {
	if _, err := os.Stat(s.BlobFolder()); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	folder, err := blob.OpenFiles(s.BlobFolder())
	if err != nil {
		return err
	}
	moved, err := blob.Move(ctx, folder, p.Blobs)
	if err := errors.Join(err, folder.Close()); err != nil {
		return fmt.Errorf("move uploaded files to the database: %w", err)
	}
	if moved > 0 {
		log.Info("moved uploaded files to the database", "files", moved)
	}
	return nil
}

// checkBlobs writes a test file, so that an unusable store is reported at startup.
func checkBlobs(ctx context.Context, store blob.Store) error {
	probe := "probe/" + strings.ToLower(rand.Text()) // unique, because replicas may share a bucket
	if err := store.Put(ctx, probe, strings.NewReader("ok"), 2); err != nil {
		return err
	}
	return store.Delete(ctx, probe)
}

// openBlobs opens the store of uploaded files: the bucket at address, or the folder if address is empty.
func openBlobs(ctx context.Context, address, folder string) (blob.Store, func(), error) {
	if address != "" {
		s, err := blob.OpenS3(ctx, address)
		return s, func() {}, err
	}
	f, err := blob.OpenFiles(folder)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { _ = f.Close() }, nil // closing a folder cannot lose data
}

// firstStart creates the merchant or the demo data, and the first operator. It can be interrupted and run again.
func (s *serveCommand) firstStart(c *console, p *server.Server) error {
	err := demo.Claim(c.ctx, p.Store, s.Demo, c.now())
	if err != nil {
		return err
	}
	if s.Demo {
		err = p.LoadDemo(c.ctx)
	} else {
		err = s.ensureMerchant(c.ctx, p)
	}
	if err != nil {
		return err
	}
	if s.Demo && s.IsLocal() { // only this machine can reach accounts with public passwords
		return s.demoOperators(c, p)
	}
	password, err := p.Operators.CreateFirst(c.ctx)
	if err != nil || password == "" {
		return err
	}
	// Show the password now, because it is stored only as a hash and a later failure would lose it.
	return s.showFirstPassword(c, password)
}

// demoOperators creates the demo's two owners, whose passwords and second factors are public, and prints them.
func (s *serveCommand) demoOperators(c *console, p *server.Server) error {
	for _, o := range demo.Operators {
		if err := p.Operators.CreateKnown(c.ctx, o.Name, o.Password, o.TOTP); err != nil {
			return err
		}
		if _, err := fmt.Fprintf(c.out, "Demo operator: %s, password %s, TOTP %s\n", o.Name, o.Password, o.TOTP); err != nil {
			return err
		}
	}
	return nil
}

// firstOperatorFile contains the first operator's password if the output is not a terminal.
const firstOperatorFile = "first-operator.txt"

// showFirstPassword shows the first operator's password once. If the output is not a terminal, it may be a permanent log,
// so the password is written to a file instead.
func (s *serveCommand) showFirstPassword(c *console, password string) error {
	if c.isTerminal {
		_, err := fmt.Fprintf(c.out, "First operator: %s, password %s (shown only once)\n", ops.FirstName, password)
		return err
	}
	name := filepath.Join(s.Data, firstOperatorFile)
	err := os.Remove(name) // left by an earlier installation in this folder
	if err == nil || errors.Is(err, os.ErrNotExist) {
		err = writeNew(name, password+"\n")
	}
	if err != nil {
		return fmt.Errorf("write the first operator's password to a file (run fairground operator password %s to get a new one): %w", ops.FirstName, err)
	}
	_, err = fmt.Fprintf(c.out, "First operator: %s, password in %s (read it, then delete the file)\n", ops.FirstName, name)
	return err
}

// writeNew creates a file that only its owner may read.
func writeNew(name, text string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// ensureMerchant creates the merchant at the first start. Later it requires --new-merchant for an unknown code, because the
// code is more likely a typing mistake than a new merchant.
func (s *serveCommand) ensureMerchant(ctx context.Context, p *server.Server) error {
	codes, err := p.Merchants.Codes(ctx)
	if err != nil {
		return err
	}
	if len(codes) > 0 && !slices.Contains(codes, s.Merchant) && !s.NewMerchant {
		return fmt.Errorf("the database has no merchant %s, only %s: choose one with --merchant, or add --new-merchant to create %[1]s", s.Merchant, strings.Join(codes, ", "))
	}
	_, err = p.Merchants.Ensure(ctx, s.Merchant, s.Merchant, s.Currency)
	return err
}

// sharesEvents reports whether other replicas receive this server's events and may use the same database.
func (s *serveCommand) sharesEvents() bool { return len(s.NATS) > 0 || s.NATSListen != "" }

// serve starts the background services and the HTTP server, and stops them in reverse order.
func (s *serveCommand) serve(c *console, p *server.Server, listener net.Listener) error {
	api, err := p.API(s.http())
	if err != nil {
		return err
	}
	local := localAddress(listener.Addr())
	p.Deposits.SetSite(local)
	if s.Demo && s.IsLocal() {
		box, err := p.OpenSandbox(c.ctx, local)
		if err != nil {
			return err
		}
		api.Mount(server.SandboxPrefix+"/", box)
	}
	outboxCtx, stopOutbox := context.WithCancel(context.WithoutCancel(c.ctx))
	outboxDone := make(chan struct{})
	go func() { defer close(outboxDone); p.Outbox.Run(outboxCtx) }()
	defer func() { stopOutbox(); <-outboxDone }()
	if s.sharesEvents() {
		others, err := p.Store.OtherServers(c.ctx)
		if err == nil {
			err = p.Outbox.CheckShared(c.ctx, others)
		}
		if err != nil {
			return err
		}
	}

	announceCtx, stopAnnounce := context.WithCancel(context.WithoutCancel(c.ctx))
	announced := make(chan struct{})
	go func() { defer close(announced); p.Announce(announceCtx, version) }()
	defer func() { stopAnnounce(); <-announced }()

	runner, err := jobs.New(p.Store, p.Log(), p.Queue, p.Periodic()...)
	if err != nil {
		return err
	}
	if p.Store.Engine == db.SQLite || !s.sharesEvents() { // LockServer guarantees that no other replica runs jobs
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
	p.Deposits.Start()
	p.Withdrawals.Start()
	p.Jackpots.Start()
	p.Lottery.Start()
	defer p.Jackpots.Close()

	socket, err := control.Listen(c.ctx, s.Data)
	if err != nil {
		return err
	}
	commands := control.Serve(socket, controlCommands(p), explain, p.Log())
	defer func() {
		wait, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), stopTimeout)
		defer cancel()
		p.Report("commands", commands.Stop(wait))
	}()

	s.printStatus(c, p.Store, listener.Addr())
	return api.Serve(c.ctx, listener, func() { p.Hub.Close(); p.House.Close() }) // closes the open streams
}

// http returns the configuration of the API.
func (s *serveCommand) http() server.HTTP {
	h := server.HTTP{
		Version: version, Proxies: s.ProxyNetworks(), Origins: s.Origins(), TLS: s.TLS(), MetricsFrom: s.MetricsNetworks(), MetricsToken: s.MetricsToken,
		ConnectOrigins: s.ConnectOrigins(), WidgetOrigins: s.WidgetOrigins(),
	}
	if s.Rate > 0 {
		h.Rate = ratelimit.PerSecond(s.Rate)
	}
	return h
}

// printStatus prints the URLs of the app and the console, the database, the demo accounts and how to stop the server.
func (s *serveCommand) printStatus(c *console, store *db.Store, address net.Addr) {
	fmt.Fprintf(c.out, "Fairground serves %s/m/home\n", localAddress(address))
	fmt.Fprintf(c.out, "Console: %s/console\n", localAddress(address))
	database := "SQLite in " + s.Data
	if store.Engine == db.Postgres {
		database = db.Redact(s.DB)
	}
	fmt.Fprintf(c.out, "Database: %s\n", database)
	if s.Demo {
		for _, a := range demo.Accounts {
			fmt.Fprintf(c.out, "Demo %s: %s, password %s\n", a.Role, a.Username, demo.Password)
		}
	}
	fmt.Fprintln(c.out, "Stop with Ctrl+C.")
}

// localAddress returns the origin under which this machine reaches the server.
func localAddress(address net.Addr) string {
	host, port, err := net.SplitHostPort(address.String())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}
