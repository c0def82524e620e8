// Command fairground is the whole product in one program: the server and the commands beside it. This package
// reads the command line and puts the parts together; every rule lives in the packages it wires.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/mattn/go-isatty"

	"fairground/internal/identity/member"
	"fairground/internal/platform/rest"
)

// version of the program, and of the API's document.
const version = "0.1.0"

type commandLine struct {
	Serve     serveCommand   `cmd:"" help:"Serve the app, the API and live events."`
	Migrate   migrateCommand `cmd:"" help:"Bring the database up to date. The server does it by itself at its start."`
	Member    memberGroup    `cmd:"" help:"Members."`
	Merchant  merchantGroup  `cmd:"" help:"A merchant's settings and switches."`
	Catalogue catalogueGroup `cmd:"" help:"Vendors and games."`
	Vendor    vendorGroup    `cmd:"" help:"Those who serve games, and their keys."`
	House     houseGroup     `cmd:"" help:"The product's own games."`
	Content   contentGroup   `cmd:"" help:"Announcements, pages and live models."`
	Operator  operatorGroup  `cmd:"" help:"Operators."`
	Ledger    ledgerGroup    `cmd:"" help:"Money."`
	Fairness  fairnessGroup  `cmd:"" help:"Proofs of rounds."`
	Backup    backupCommand  `cmd:"" help:"Copy all data, also while the server runs."`
	OpenAPI   openAPICommand `cmd:"" name:"openapi" help:"Print the API's document (OpenAPI 3.1)."`
	Version   versionCommand `cmd:"" help:"Print the version."`
}

// console is what a command may use of the outside world.
type console struct {
	ctx    context.Context
	in     io.Reader
	out    io.Writer
	errors io.Writer
	now    func() time.Time

	terminal bool // somebody sits before out

	hashes member.Cost   // of passwords
	turn   time.Duration // how long is waited for another process on the same folder or database
	slack  time.Duration // for what a request waits for; 0 leaves each its own
}

func main() { os.Exit(live(Main)) }

// live runs the program as a process of its own.
func live(run func(context.Context, []string, io.Reader, io.Writer, io.Writer) int) int {
	// What lives is small and what requests leave behind is much: with the usual setting the collector runs
	// thirty times a second under load and takes an eighth of the work.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	// Whatever the program writes, data, backups, what a library keeps beside them, is its owner's alone.
	syscall.Umask(0o077)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// exit carries the parser's wish to end (after --help) out of it.
type exit int

// Main runs one command and gives the exit code. It ends when ctx does.
func Main(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	return run(&console{
		ctx: ctx, in: in, out: out, errors: errs, now: time.Now, terminal: isTerminal(out), hashes: member.DefaultCost, turn: patience,
	}, args)
}

func run(c *console, args []string) (code int) {
	defer func() {
		switch broken := recover().(type) {
		case nil:
		case exit:
			code = int(broken)
		default:
			panic(broken) // a mistake of ours must not look like success
		}
	}()
	for i, argument := range args {
		if !utf8.ValidString(argument) { // the parser would change it in silence
			fmt.Fprintf(c.errors, "fairground: argument %d is not valid UTF-8 text\n", i+1) // which may be a secret
			return 2
		}
	}
	parser, err := kong.New(&commandLine{},
		kong.Name("fairground"),
		kong.Description("An online gaming site in one program."),
		kong.Writers(c.out, c.errors),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(c),
	)
	if err != nil {
		panic(err) // a mistake in the structs above
	}
	chosen, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(c.errors, "fairground: %s (see --help)\n", oneLine(err))
		return 2
	}
	if err := chosen.Run(); err != nil {
		if !errors.Is(err, errTold) {
			fmt.Fprintln(c.errors, "fairground: "+explain(err))
		}
		return 1
	}
	return 0
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// quietLog is the log of commands: warnings and worse, to the error stream.
func (c *console) quietLog() *slog.Logger { return rest.NewLog(c.errors, slog.LevelWarn) }

type versionCommand struct{}

// Run prints the version and what it was built from.
func (versionCommand) Run(c *console) error {
	line := "fairground " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && len(s.Value) >= 12 {
				line += " " + s.Value[:12]
			}
		}
		line += " " + info.GoVersion
	}
	_, err := fmt.Fprintln(c.out, line)
	return err
}
